"""Language models side by side: models, targets, formats, lengths or sessions named more than once."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from itertools import product
from typing import Any

from ...names import Kind
from ..bench import NOT_KNOWN, Answering, Call, Record, call_of
from ..query import Query, Role
from ..want import Want
from ..words import spoken
from ..writing import READABLE
from .phrases import VERDICT_WORDS, figure, joined, language_models, lines, price, sentence, table

_VARIED = (
    Role.MODEL, Role.TARGET, Role.WEIGHTS, Role.KV, Role.ENGINE, Role.CONTEXT, Role.PROMPT, Role.BATCH,
)  # fmt: skip
_WORDS = {Role.CONTEXT: "tokens of context", Role.PROMPT: "tokens of prompt", Role.BATCH: "sessions"}
_LENGTHS = (Role.PROMPT, Role.CONTEXT, Role.BATCH)
_MOST = 8
SPLIT = (
    "layers are split over the cards, which compute each token one after the other, as llama.cpp does by "
    "default; splitting within layers can be faster, and is not calculated."
)
"""Of one model over several: ggml-org/llama.cpp docs/multi-gpu.md, split mode `layer`."""
_OF_MONEY = frozenset((Want.PRICE, Want.CHEAPEST, Want.PER_PRICE, Want.RECOMMEND))
_OF_A_CEILING = frozenset((Want.BOUND, Want.WHY_SLOWER, Want.INTENSITY, Want.UTILISATION))
_ASKS_CEILING = frozenset(("why", "bandwidth", "bound_at", "intensity", "peak"))


def kinds(query: Query) -> list[tuple[str, Query]]:
    """Every combination of what is named more than once, as a name and a query of its own."""
    varied = [(role, values) for role in _VARIED if len(values := _values(query, role)) > 1]
    found = []
    for combination in product(*(values for _, values in varied)):
        one = query
        for (role, _), value in zip(varied, combination, strict=True):
            one = one.put(role, value, text=_text(query, role, value))
        names = [_name(query, role, value) for (role, _), value in zip(varied, combination, strict=True)]
        found.append((", ".join(names), one))
    return found


def _values(query: Query, role: Role) -> list[float | str]:
    if role is Role.MODEL:
        return list(dict.fromkeys(language_models(query)))
    return list(dict.fromkeys(slot.value for slot in query.slots if slot.role is role))


def _text(query: Query, role: Role, value: float | str) -> str:
    """The user's own words; they say whether thousands are meant by 1,024."""
    return next((slot.text for slot in query.slots if slot.role is role and slot.value == value), "")


def _name(query: Query, role: Role, value: float | str) -> str:
    shown = str(value) if isinstance(value, str) else _text(query, role, value) or f"{value:g}"
    if role is Role.BATCH and value == 1:
        return "1 session"
    return f"{shown} {_WORDS[role]}" if role in _WORDS else shown


def side_by_side(
    named: Sequence[tuple[str, Query]],
    query: Query,
    wants: Sequence[Want],
    asked: Callable[[Query], Mapping[str, Any]],
    estimated: Callable[[Query, Mapping[str, Any]], Generator[Call, Record, Record]],
) -> Answering:
    """What grows with a length, or which of them writes fastest; then the table.

    Args:
        asked: arguments of `estimate_generation` that a query comes to.
        estimated: what they give, and what gives way where they do not go.
    """
    rows: list[tuple[str, Record]] = []
    errors = []
    for called, one in named[:_MOST]:
        count, memory = _cards(one), one.targets[one.text(Role.TARGET)].ram_bytes
        given = dict(asked(one))
        if count > 1 and memory:
            given["memory_bytes"] = count * memory
        name = f"{count} x {called}" if count > 1 else called
        record = yield from estimated(one, given)
        if record.result is None:
            errors.append(f"Not compared: {name}: {record.error.rstrip('.')}.")
        else:
            rows.append((name, record))
    if len({str(record["weights"]) for _, record in rows}) > 1 and len(_values(query, Role.WEIGHTS)) < 2:
        rows = [(f"{name} ({record.ref('weights')})", record) for name, record in rows]
    if len({record["context"] for _, record in rows}) > 1 and not query.has(Role.CONTEXT, Role.PROMPT):
        rows = [(f"{name} at {record.ref('context')} tokens", record) for name, record in rows]
    if not rows:
        return lines("I cannot calculate that language model on any of them.", *errors[:2])
    length = next((role for role in _LENGTHS if len(_values(query, role)) > 1), None)
    lengthwise = length is not None and 1 < len(rows) == len(_values(query, length))
    models = set(language_models(query))
    where = ", ".join([" ".join([*models] if len(models) == 1 else []), *_same(query, rows)]).strip(", ")
    unknown = [name.text for name in query.unknown if name.kind is Kind.TARGET]
    chips: list[Record] = []
    if _OF_MONEY & set(wants) or "price" in query.asks:
        for _, record in rows:
            chips.append((yield call_of("get_target", query, target=record["target"])))
    first = _growth(rows, length) if lengthwise and length else _lead(rows, query, wants, chips)
    if ({Want.FITS, Want.RAM, Want.MEETS} & set(wants[:2]) or "fit" in query.asks) and not lengthwise:
        told = _meeting(rows, query) or _by_format(rows, query)
        first = first if told else f"{_fitting(rows)}; {first}"
    return lines(
        f"{first}: {where}." if where else f"{first}.",
        _table(rows, wants, chips),
        f"I do not know {joined(unknown)}." if unknown else "",
        sentence(SPLIT) if any(_cards(one) > 1 for _, one in named) else "",
        *errors[:2],
        ceiling(rows[0][1], query, wants),
    )


def _cards(one: Query) -> int:
    """How many of this target are meant."""
    target = next((slot for slot in one.slots if slot.role is Role.TARGET), None)
    own = (slot for slot in one.slots if slot.role is Role.CARDS and target and slot.of == target.text)
    return int(next((slot.number for slot in own), 1.0))


def _same(query: Query, rows: Sequence[tuple[str, Record]]) -> list[str]:
    """What is the same in all rows."""
    found = []
    for role, path in ((Role.TARGET, "target"), (Role.WEIGHTS, "weights")):
        if len(_values(query, role)) < 2 and len({str(record[path]) for _, record in rows}) == 1:
            found.append(f"{'on ' if role is Role.TARGET else ''}{rows[0][1].ref(path)}")
    return found


def _growth(rows: Sequence[tuple[str, Record]], length: Role) -> str:
    """From the shortest to the longest."""
    path = {Role.PROMPT: "time_to_first_token_ms", Role.CONTEXT: "kv_cache_bytes"}.get(
        length, "session_tokens_per_s"
    )
    what = {Role.PROMPT: "the first token comes after", Role.CONTEXT: "the key-value cache takes"}.get(
        length, "each session gets"
    )
    (low, first), (high, last) = rows[0], rows[-1]
    one, other = first.number(path), last.number(path)
    if not one or not other:
        return f"at {low} {what} {first.ref(path, '~')}, at {high} {last.ref(path, '~')}".capitalize()
    larger, smaller = (last, first) if other >= one else (first, last)
    times = f"{{{{{larger.id}.{path}/{smaller.id}.{path}|x}}}}"
    how = "as much" if other >= one else "less"
    total = f"; together {last.ref('decode_tokens_per_s')}" if length is Role.BATCH else ""
    return f"At {low} {what} {_shown(first, path)}, at {high} {_shown(last, path)}, {times} {how}{total}"


def _shown(record: Record, path: str) -> str:
    return record.ref(path, "GiB") if path.endswith("bytes") else figure(record, path, basis=False)


def _fitting(rows: Sequence[tuple[str, Record]]) -> str:
    """Which of them it fits."""
    yes = [name for name, record in rows if record["verdict"] in ("PASS", "MARGINAL")]
    no = [name for name, record in rows if record["verdict"] == "FAIL"]
    unsure = [name for name, record in rows if name not in (*yes, *no)]
    if len(yes) == len(rows):
        return f"It fits {'both' if len(yes) == 2 else 'each of them'}"
    parts = [f"it fits {joined(yes)}" if yes else "it surely fits none of them"]
    parts += [f"not {joined(no)}"] if no and yes else []
    parts += [f"of {joined(unsure)} it cannot be told"] if unsure else []
    said = ", ".join(parts)
    return f"{said[:1].upper()}{said[1:]}"


def _lead(
    rows: Sequence[tuple[str, Record]], query: Query, wants: Sequence[Want], chips: Sequence[Record]
) -> str:
    """The best of them by what is asked for; of what does not fit only that."""
    fitting = [row for row in rows if row[1]["verdict"] != "FAIL"]
    if not fitting:
        return "None of them fits"
    if len(_values(query, Role.KV)) > 1 or "kv_cache" in query.asks:
        return _smallest_cache(rows, fitting)
    money = {Want.PRICE, Want.CHEAPEST, Want.PER_PRICE} & set(wants) or "price" in query.asks
    if chips and money and (found := _by_money(rows, chips, per_price=Want.PER_PRICE in wants)):
        return found
    if "first_token" in query.asks and (found := _soonest(fitting)):
        return found
    if found := _meeting(rows, query) or _by_format(rows, query):
        return found
    least = _frugal(fitting) if {Want.ENERGY, Want.POWER} & set(wants) else ""
    return "; ".join(filter(None, [_fastest(rows), least, _enough(rows, query)]))


def _frugal(rows: Sequence[tuple[str, Record]]) -> str:
    """Of two and more whose power is known, which takes least for a token."""
    known = [(name, record) for name, record in rows if record.number("energy_uj_per_token")]
    if len(known) < len(rows) or len(rows) < 2:
        return "the energy of a token is not known of all of them" if known else ""
    name, best = min(known, key=lambda row: row[1].number("energy_uj_per_token") or 0.0)
    return f"{name} takes the least energy, {best.ref('energy_uj_per_token', '~')} a token"


def _enough(rows: Sequence[tuple[str, Record]], query: Query) -> str:
    """Where more than enough is doubted and no rate is named: which of them reads along, by the lower end."""
    ends = {name: record.ends("session_tokens_per_s") or (0.0, 0.0) for name, record in rows}
    does = [name for name, record in rows if record["verdict"] != "FAIL" and ends[name][0] >= READABLE]
    if "enough" not in spoken("conclusion", query.question) or query.has(Role.RATE_HZ) or not does:
        return ""
    more = f", so for one reader more than {min(does, key=lambda name: ends[name])} is not needed"
    are = f"{joined(does)} {'are' if len(does) > 1 else 'is'} enough to read along ({READABLE:g} tokens/s)"
    return are + (more if len(does) > 1 else "")


def _smallest_cache(rows: Sequence[tuple[str, Record]], fitting: Sequence[tuple[str, Record]]) -> str:
    caches = joined(f"{record.ref('kv_cache_bytes', 'GiB')} with {name}" for name, record in rows)
    if len(fitting) == len(rows):
        return f"The key-value cache takes {caches}; each of them fits"
    return f"Only {joined(name for name, _ in fitting)} fits: the key-value cache takes {caches}"


def _by_money(rows: Sequence[tuple[str, Record]], chips: Sequence[Record], *, per_price: bool) -> str:
    """The cheapest that fits, or what writes most for its price; empty where no price is known."""
    priced = [
        (name, record, chip)
        for (name, record), chip in zip(rows, chips, strict=True)
        if chip.number("price_usd") and record["verdict"] != "FAIL" and (not per_price or _rate(record))
    ]
    if not priced:
        return ""
    unknown = [name for name, _ in rows if name not in {each[0] for each in priced}]
    less = f"; of {joined(unknown)} no price or speed is known" if unknown else ""
    if per_price:
        name, record, chip = max(priced, key=lambda row: _rate(row[1]) / (row[2].number("price_usd") or 1.0))
        return f"{name} writes most for its price, {_for_money(record, chip)} tokens/s a dollar{less}"
    name, record, chip = min(priced, key=lambda row: row[2].number("price_usd") or 0.0)
    return (
        f"{name} is the cheapest at {price(chip)}: {figure(record, 'decode_tokens_per_s', basis=False)}{less}"
    )


def _soonest(rows: Sequence[tuple[str, Record]]) -> str:
    path = "time_to_first_token_ms"
    known = sorted((row for row in rows if row[1].number(path)), key=lambda row: row[1].number(path) or 0.0)
    if not known:
        return f"When the first token comes is not known of {joined(name for name, _ in rows)}"
    (name, best), others = known[0], known[1:]
    first = (
        f"{name} starts first, after {figure(best, path, basis=False)} at {best.ref('prompt_tokens')} tokens"
    )
    if others:
        return f"{first}; {others[0][0]} after {figure(others[0][1], path, basis=False)}"
    unknown = [other for other, record in rows if record is not best]
    return f"{first}; of {joined(unknown)} that is not known" if unknown else first


def _meeting(rows: Sequence[tuple[str, Record]], query: Query) -> str:
    """Which of them write as fast as is asked for, each session for itself; empty without such a rate."""
    least, path = query.number(Role.RATE_HZ), "session_tokens_per_s"
    if least is None or not query.says(Role.RATE_HZ):
        return ""
    shown = {name: f"{name} with {record.ref(path, '~')}" for name, record in rows}
    rates = {name: record.number(path) for name, record in rows if record["verdict"] != "FAIL"}
    yes = [shown[name] for name, rate in rates.items() if rate is not None and rate >= least]
    no = [shown[name] for name, rate in rates.items() if rate is not None and rate < least]
    unsure = [name for name, rate in rates.items() if rate is None]
    parts = [joined(yes) if yes else "", f"not {joined(no)}" if no else ""]
    parts += [f"of {joined(unsure)} it is not known"] if unsure else []
    each = " each" if any((record["batch"] or 1) > 1 for _, record in rows) else ""
    return f"{'Yes' if yes else 'None'}, at {_text(query, Role.RATE_HZ, least)}{each}: " + "; ".join(
        filter(None, parts)
    )


def _by_format(rows: Sequence[tuple[str, Record]], query: Query) -> str:
    """What a format brings over the one of before, on each target; empty for other tables."""
    before = next((s.value for s in query.slots if s.role is Role.WEIGHTS and s.inherited), None)
    other = next((name for name in _values(query, Role.WEIGHTS) if name != before), None)
    if before is None or other is None or len(_values(query, Role.MODEL)) > 1:
        return ""
    rated = {(str(each["target"]), str(each["weights"])): each for _, each in rows if _rate(each)}
    pairs = [
        (rated[target, str(before)], rated[target, str(other)])
        for target in dict.fromkeys(target for target, _ in rated)
        if (target, str(before)) in rated and (target, str(other)) in rated
    ]
    if not pairs:
        return ""
    gains = joined(
        f"{{{{{new.id}.decode_tokens_per_s/{old.id}.decode_tokens_per_s|x}}}} as fast on {new.ref('target')} "
        f"({figure(new, 'decode_tokens_per_s', basis=False)})"
        for old, new in pairs
    )
    helps = "Yes" if all(_rate(new) > _rate(old) for old, new in pairs) else "No"
    return f"{helps}: {other} is {gains}, against {before}"


def _fastest(rows: Sequence[tuple[str, Record]]) -> str:
    order = sorted(rows, key=lambda row: (row[1]["verdict"] == "FAIL", -_rate(row[1])))
    (name, best), others = order[0], [row for row in order[1:] if _rate(row[1])]
    rate = figure(best, "decode_tokens_per_s", basis=False)
    fails = [other for other, record in rows if record["verdict"] == "FAIL"]
    alone = f"{name}, the only one that fits, writes {rate}" if fails else f"{rate} with {name}"
    first = f"{name} is the fastest with {rate}" if others else alone
    if not others or not _rate(best):
        return first
    second_name, second = others[0]
    ratio = f"{{{{{best.id}.decode_tokens_per_s/{second.id}.decode_tokens_per_s|x}}}}"
    return f"{first}, {ratio} as fast as {second_name}"


def _rate(record: Record) -> float:
    return record.number("decode_tokens_per_s") or 0.0


def _table(rows: Sequence[tuple[str, Record]], wants: Sequence[Want], chips: Sequence[Record]) -> str:
    """With prices where the records of the targets are given."""
    energy = bool({Want.ENERGY, Want.POWER} & set(wants))
    head = ["", "tokens/s", "first token", "takes", "of", "fits"]
    cells = [
        [
            name,
            record.ref("decode_tokens_per_s", "~"),
            record.ref("time_to_first_token_ms", ""),
            record.ref("total_bytes", "GiB"),
            record.ref("ram_bytes", "GiB"),
            VERDICT_WORDS[record["verdict"]].partition(",")[0].lower(),
            *([record.ref("energy_uj_per_token", "")] if energy else []),
        ]
        for name, record in rows
    ]
    if chips:
        cells = [
            [*row, price(chip), _for_money(record, chip)]
            for row, (_, record), chip in zip(cells, rows, chips, strict=True)
        ]
    heads = [
        *head,
        *(["energy a token"] if energy else []),
        *(["price", "tokens/s a dollar"] if chips else []),
    ]
    return table(heads, cells)


def _for_money(record: Record, chip: Record) -> str:
    if not chip.knows("price_usd") or not record.knows("decode_tokens_per_s"):
        return NOT_KNOWN
    return f"{{{{1s*1USD*{record.id}.decode_tokens_per_s/{chip.id}.price_usd|count}}}}"


_PREFILL = (
    "Reading the prompt is arithmetic over all its tokens at once (prefill): the wait grows with its "
    "length, and more arithmetic shortens it, so a GPU helps and faster memory hardly does; writing is the "
    "other way round."
)


def ceiling(record: Record, query: Query, wants: Sequence[Want]) -> str:
    """What the bandwidth allows and why, where that is asked for."""
    if not (_OF_A_CEILING & set(wants) or _ASKS_CEILING & query.asks):
        return ""
    if "first_token" in query.asks:
        return _PREFILL
    if not record.knows("bandwidth_bytes_per_s", "weights_bytes", "decode_tokens_per_s"):
        return f"The bandwidth of {record.ref('target')} is not known." if record["result"] else ""
    i = record.id
    read = f"{i}.weights_bytes*{i}.active_parameters/{i}.parameters"
    most = f"{i}.bandwidth_bytes_per_s/({read})"
    active = " that one token uses" if record["active_parameters"] < 0.7 * record["parameters"] else ""
    share = f"{i}.decode_tokens_per_s/({i}.batch*{most})"
    together = (record["batch"] or 1) > 1
    step = f"every step, a token for each of {record.ref('batch')}," if together else "every token"
    unit = "{{" + f"1s*{most}|count" + "}} steps a second" if together else f"{{{{{most}|tokens/s}}}}"
    light = together and (_reached(record) or 1.0) < _BY_WEIGHTS
    bound = "Not by the weights alone" if light else "Memory-bound"
    rate = f"{{{{{i}.bandwidth_bytes_per_s|GB/s}}}}"
    return (
        f"{bound}: {step} reads the {{{{{read}|GiB}}}} of weights{active}; at {rate} that is at most "
        f"{unit}, of which it reaches {{{{{share}|%}}}}"
        f"{'; caches of the sessions and their arithmetic take the rest' if together else ''}. "
        "Fewer bytes a weight is what makes it faster"
        f"{', not more arithmetic' if 'why' in query.asks else ''}."
    )


_BY_WEIGHTS = 0.5
"""Of the time of a step, that reading the weights takes."""


def _reached(record: Record) -> float | None:
    """The share of a step that reading the weights takes."""
    names = ("bandwidth_bytes_per_s", "weights_bytes", "active_parameters", "parameters")
    rate, read, active, all_of_them = (record.number(name) or 0.0 for name in names)
    steps = (record.number("decode_tokens_per_s") or 0.0) / (record["batch"] or 1)
    return steps * read * active / all_of_them / rate if rate and all_of_them else None


__all__ = ["ceiling", "kinds", "side_by_side"]
