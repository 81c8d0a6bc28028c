"""Language models side by side: one table of the cases that are named, and what it comes to."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from itertools import product
from typing import NamedTuple

from ....tools.model_zoo.weight_format import weight_format
from ..bench import NOT_KNOWN, Answering, Call, Record, call_of, needed
from ..factors import factor_in
from ..query import Query, Role
from ..want import Want
from ..writers import BRINGS
from .cases import NARROW, cards_of, demanded, estimated, values_of
from .ceilings import ceiling
from .decoding_pair import told_apart
from .phrases import VERDICT_WORDS, compared, figure, joined, language_models, lines, price, sentence, table
from .tokens import SPLIT, left_of, takes_few_bits

_LENGTHS = {
    Role.PROMPT: ("time_to_first_token_ms", "the first token comes after"),
    Role.CONTEXT: ("kv_cache_bytes", "the key-value cache takes"),
    Role.BATCH: ("session_tokens_per_s", "each session gets"),
}
"""What grows with a length, and how it is told."""
_PLACES = (Role.TARGET, Role.WEIGHTS, Role.MODEL)
_MOST = 8
_EQUAL = 1.01
_ANSWER, _LONG = 200, 1500
"""Tokens of a usual answer, and of a prompt from which on reading it decides."""
_OF_MONEY = frozenset((Want.PRICE, Want.CHEAPEST, Want.PER_PRICE, Want.RECOMMEND))
_OF_ENERGY = frozenset((Want.ENERGY, Want.POWER))
_RATE = "decode_tokens_per_s"


class _Row(NamedTuple):
    name: str
    query: Query
    record: Record
    chip: Record | None = None

    @property
    def fails(self) -> bool:
        return bool(self.record["verdict"] == "FAIL")

    @property
    def rate(self) -> float:
        return self.record.number(_RATE) or 0.0

    @property
    def usd(self) -> float:
        return (self.chip.number("price_usd") if self.chip else None) or 0.0

    @property
    def for_money(self) -> str:
        if not self.rate or not self.usd or self.chip is None:
            return NOT_KNOWN
        return f"{{{{1s*1USD*{self.record.id}.{_RATE}/{self.chip.id}.price_usd|count}}}}"


class _Goal(NamedTuple):
    """What rows are put in order by, the largest first, and how it is told."""

    by: Callable[[_Row], float]
    verb: str
    shown: Callable[[_Row], str]


def _shown(row: _Row, path: str = _RATE) -> str:
    return row.record.ref(path, "GiB") if path.endswith("bytes") else figure(row.record, path, basis=False)


def _until_done(row: _Row) -> float:
    """Milliseconds until an answer of usual length is there; 0 where that is not known."""
    first, rate = row.record.number("time_to_first_token_ms"), row.record.number("session_tokens_per_s")
    return first + 1e3 * _ANSWER / rate if first and rate else 0.0


def _least(path: str) -> Callable[[_Row], float]:
    return lambda row: 1 / (row.record.number(path) or float("inf"))


_FASTEST = _Goal(lambda row: row.rate, "is the fastest with", _shown)
_SOONEST = _Goal(
    _least("time_to_first_token_ms"),
    "starts first, after",
    lambda row: f"{_shown(row, 'time_to_first_token_ms')} at {row.record.ref('prompt_tokens')} tokens",
)
_DONE = _Goal(
    lambda row: 1 / (_until_done(row) or float("inf")),
    "answers first, an answer of 200 tokens being there after",
    lambda row: (
        f"{{{{{row.record.id}.time_to_first_token_ms+{_ANSWER}/{row.record.id}.session_tokens_per_s|~}}}}, "
        f"the first of them after {row.record.ref('time_to_first_token_ms')}"
    ),
)
_FRUGAL = _Goal(
    _least("energy_uj_per_token"),
    "takes the least energy,",
    lambda row: f"{row.record.ref('energy_uj_per_token', '~')} a token",
)
_LONGEST = _Goal(
    lambda row: row.record.number("max_context") or 0.0,
    "has room for most context,",
    lambda row: f"{row.record.ref('max_context')} tokens, ended by the {row.record.ref('context_bound')}",
)
_CHEAPEST = _Goal(
    lambda row: 1 / (row.usd or float("inf")),
    "is the cheapest at",
    lambda row: f"{price(row.chip or row.record)}: {_shown(row)}",
)
_MOST_FOR_MONEY = _Goal(
    lambda row: row.rate / row.usd if row.usd else 0.0,
    "writes most for its price,",
    lambda row: f"{row.for_money} tokens/s a dollar",
)


def side_by_side(
    named: Sequence[tuple[str, Query]], query: Query, wants: Sequence[Want], **place: str
) -> Answering:
    """What grows with a length, or which of them is best by what is asked for; then the table.

    Args:
        place: the target that stands for bare memory, where none is named.
    """
    rows, errors = yield from rows_of(named[:_MOST], **place)
    if not rows:
        return lines("I cannot calculate that language model on any of them.", *errors[:2])
    rows, narrow = yield from _in_one_format(rows, query)
    if len({row.record["context"] for row in rows}) > 1 and not query.has(Role.CONTEXT, Role.PROMPT):
        rows = [row._replace(name=f"{row.name} at {row.record.ref('context')} tokens") for row in rows]
    if place:
        fits = f"{_fitting(rows)}; " if query.has(Role.RAM_BYTES) else ""
        return lines(sentence(f"{fits}{_sizes(rows, query)}"), table_of(rows, bare=True), *errors[:2])
    priced = bool(_OF_MONEY & set(wants)) or "price" in query.asks
    for at, row in enumerate(rows if priced else ()):
        chip = yield call_of("get_target", query, target=row.record["target"])
        rows[at] = row._replace(chip=chip)
    same, pair = _same(query, rows), None if _by_another(rows, query, wants) else _pair(rows, query, wants)
    first = f"{_concluded(rows, query, wants)}{f': {same}' if same else ''}."
    bound = ceiling((pair[0] if pair else rows[0]).record, query, wants)
    return lines(
        told_apart(pair[0].record, pair[1].record, query) if pair else bound or first,
        first if bound and not pair else "",
        _left(rows) if "left" in query.asks else "",
        table_of(rows, energy=_of_energy(query, wants), full=query.has(Role.CONTEXT)),
        *narrow,
        sentence(SPLIT) if any(cards_of(row.query) > 1 for row in rows) else "",
        *errors[:2],
    )


def rows_of(
    named: Sequence[tuple[str, Query]], **place: str
) -> Generator[Call, Record, tuple[list[_Row], list[str]]]:
    """The estimate of each case, and why there is none of others."""
    rows, errors = list[_Row](), list[str]()
    for name, one in named:
        record = yield from estimated(one, **place)
        if record.result is None:
            errors.append(f"Not compared: {name}: {record.error.rstrip('.')}.")
        else:
            rows.append(_Row(name, one, record))
    return rows, errors


def _sizes(rows: Sequence[_Row], query: Query) -> str:
    """What each takes, the difference of the least and the most, and what that means for the speed."""
    length = next((role for role in _LENGTHS if len(values_of(query, role)) == len(rows)), None)
    if len(values_of(query, Role.KV)) > 1 or length is Role.CONTEXT:
        return _growth(rows, Role.CONTEXT)
    path = "weights_bytes" if len(values_of(query, Role.WEIGHTS)) > 1 else "total_bytes"
    least, *_, most = sorted(rows, key=lambda row: row.record.number(path) or 0.0)
    what = "weights of" if path == "weights_bytes" else "in all with"
    told = joined(f"{row.record.ref(path, 'GiB')} {what} {row.name}" for row in rows)
    times = compared(most.record, least.record, path, "as fast as")
    speed = f"; a token reads them all, so {least.name} writes at most {times} {most.name}"
    return f"{told}: {_more(most, least, path)}{speed if path == 'weights_bytes' else ''}"


def _more(most: _Row, least: _Row, path: str) -> str:
    """The difference of two in bytes."""
    return f"{{{{{most.record.id}.{path}-{least.record.id}.{path}|GiB}}}} more for {most.name}"


def _left(rows: Sequence[_Row]) -> str:
    """What each leaves of the memory."""
    fitting = (row for row in rows if row.record.knows("left_bytes") and not row.fails)
    each = joined(f"{left_of(row.record)} with {row.name}" for row in fitting)
    return f"For the system and all other programs stay {each}." if each else ""


def _in_one_format(rows: list[_Row], query: Query) -> Generator[Call, Record, tuple[list[_Row], list[str]]]:
    """What fits in fewer than 4 bits alone is told apart, and stands in the usual 4 bits in the table."""
    again, narrow = [], []
    for row in rows:
        few = takes_few_bits(row.record, row.query)
        usual = needed((yield from estimated(row.query, weights=NARROW))) if few else row.record
        again.append(row._replace(record=usual))
        if few and not row.fails:
            narrow.append(
                f"Only in {row.record.ref('weights')} it fits {row.name}, with {_shown(row)}: below 4 bits "
                "much quality is lost."
            )
    if len({row.record["weights"] for row in again}) > 1 and not query.has(Role.WEIGHTS):
        again = [row._replace(name=f"{row.name} ({row.record.ref('weights')})") for row in again]
    return again, narrow


def _same(query: Query, rows: Sequence[_Row]) -> str:
    """What is the same in all rows."""
    models = set(language_models(query))
    found = [*models] if len(models) == 1 else []
    for role, path in ((Role.TARGET, "target"), (Role.WEIGHTS, "weights")):
        if len(values_of(query, role)) < 2 and len({str(row.record[path]) for row in rows}) == 1:
            many = f"{cards_of(rows[0].query)} x " if cards_of(rows[0].query) > 1 else ""
            found.append(f"{f'on {many}' if role is Role.TARGET else ''}{rows[0].record.ref(path)}")
    return ", ".join(found)


def _concluded(rows: Sequence[_Row], query: Query, wants: Sequence[Want]) -> str:
    """The best of them by what is asked for; of what does not fit only that."""
    fitting = [row for row in rows if not row.fails]
    if not fitting:
        return "None of them fits"
    length = next((role for role in _LENGTHS if len(values_of(query, role)) == len(rows) > 1), None)
    asks_fit = {Want.FITS, Want.RAM, Want.MEETS} & set(wants[:2]) or "fit" in query.asks
    held = _meeting(rows, query)
    parts = [_fitting(rows)] if (asks_fit and not held) or (length and len(fitting) < len(rows)) else []
    if length and parts:
        return f"{parts[0]}; {_growth(fitting, length)}"
    if length:
        return sentence(_growth(fitting, length)).rstrip(".")
    if _of_money(query, wants) and any(row.usd for row in fitting):
        return "; ".join([*parts, _best(fitting, _MOST_FOR_MONEY if Want.PER_PRICE in wants else _CHEAPEST)])
    for name, goal in (("first_token", _SOONEST), ("longest", _LONGEST)):
        if name in query.asks:
            return "; ".join([*parts, _best(fitting, goal)])
    if len(values_of(query, Role.KV)) > 1 or "kv_cache" in query.asks:
        return f"{_fitting(rows)}; {_growth(rows, Role.CONTEXT)}"
    least = _best(fitting, _FRUGAL) if _of_energy(query, wants) or (held and _is_choice(query)) else ""
    if held:
        return "; ".join(filter(None, [held, least]))
    if query.says(Role.PROMPT) and (query.number(Role.PROMPT) or 0.0) >= _LONG:
        return "; ".join([*parts, _best(fitting, _DONE)])
    return "; ".join(filter(None, [*parts, _fastest(rows), least]))


def _best(rows: Sequence[_Row], goal: _Goal) -> str:
    """The first by a goal, how the second compares, and of what that is not known."""
    known = sorted((row for row in rows if goal.by(row)), key=goal.by, reverse=True)
    unknown = joined(row.name for row in rows if not goal.by(row))
    if not known:
        return f"of {unknown} that is not known"
    best, others = known[0], known[1:]
    if others and goal.by(best) < _EQUAL * goal.by(known[-1]):
        return f"{joined(row.name for row in known)} make no difference: {goal.shown(best)}"
    first = f"{best.name} {goal.verb} {goal.shown(best)}"
    if others and goal is _FASTEST:
        first += f", {compared(best.record, others[0].record, _RATE, 'as fast as')} {others[0].name}"
    elif others:
        first += f"; {others[0].name} {goal.shown(others[0])}"
    return f"{first}; of {unknown} that is not known" if unknown else first


def _fastest(rows: Sequence[_Row]) -> str:
    known = [row for row in rows if row.rate]
    if len(known) != 1:
        return _best([row for row in rows if not row.fails], _FASTEST)
    if any(row.fails for row in rows):
        return f"{known[0].name}, the only one that fits, writes {_shown(known[0])}"
    return f"{_shown(known[0])} with {known[0].name}"


def _of_money(query: Query, wants: Sequence[Want]) -> bool:
    return bool({Want.PRICE, Want.CHEAPEST, Want.PER_PRICE} & set(wants)) or "price" in query.asks


def _of_energy(query: Query, wants: Sequence[Want]) -> bool:
    return bool(_OF_ENERGY & set(wants) or {"energy", "frugal"} & query.asks)


def _is_choice(query: Query) -> bool:
    return "which" in query.asks or any(f" {word} " in query.question for word in ("or", "vs", "versus"))


def _by_another(rows: Sequence[_Row], query: Query, wants: Sequence[Want]) -> bool:
    """Whether something else than how fast it writes decides."""
    lengths = {"first_token", "longest", "kv_cache"} & query.asks
    return bool(_meeting(rows, query) or _of_money(query, wants) or lengths) and not factor_in(query.question)


def _pair(rows: Sequence[_Row], query: Query, wants: Sequence[Want]) -> tuple[_Row, _Row] | None:
    """What is new against what was before, where that is asked; of two, where a factor or a reason is."""
    told = [(slot.role, str(slot.value)) for slot in query.slots if slot.inherited]
    for role in _PLACES if BRINGS.search(query.question) else ():
        before = {value for of, value in told if of is role}
        new = [row for row in rows if row.query.text(role) not in before]
        same = [other for other in _PLACES if other is not role]
        pairs = [
            (row, old)
            for row, old in product(new, rows)
            if old not in new and all(old.query.text(one) == row.query.text(one) for one in same)
        ]
        if len(before) == len(pairs) == 1:
            return pairs[0]
    gains = BRINGS.search(query.question) and not _is_choice(query) and Want.FITS not in wants
    asked = factor_in(query.question) is not None or Want.WHY_SLOWER in wants or "why" in query.asks or gains
    alike = len(values_of(query, Role.GPU_LAYERS)) > 1
    if len(rows) != 2 or not asked or alike or any(len(values_of(query, role)) > 1 for role in _LENGTHS):
        return None
    one, other = rows
    bits, fewer = (weight_format(str(row.record["weights"])).bits for row in rows)
    return (other, one) if fewer < bits else (one, other)


def _growth(rows: Sequence[_Row], length: Role) -> str:
    """From the shortest to the longest."""
    path, what = _LENGTHS[length]
    first, last = rows[0], rows[-1]
    one, other = first.record.number(path), last.record.number(path)
    told = f"at {first.name} {what} {_shown(first, path)}, at {last.name} {_shown(last, path)}"
    if first is last or not one or not other:
        return told
    larger, smaller = (last, first) if other >= one else (first, last)
    more = f", {_more(larger, smaller, path)}" if path.endswith("bytes") else ""
    total = f"; together {last.record.ref(_RATE)}" if length is Role.BATCH else ""
    return f"{told}, {compared(last.record, first.record, path)}{more}{total}"


def _fitting(rows: Sequence[_Row]) -> str:
    """Which of them it fits."""
    yes = [row.name for row in rows if row.record["verdict"] in ("PASS", "MARGINAL")]
    no = [row.name for row in rows if row.fails]
    unsure = [row.name for row in rows if row.name not in (*yes, *no)]
    if len(yes) == len(rows):
        return f"It fits {'both' if len(yes) == 2 else 'each of them'}"
    parts = [f"It fits {joined(yes)}" if yes else "It surely fits none of them"]
    parts += [f"not {joined(no)}"] if no and yes else []
    return ", ".join([*parts, *([f"of {joined(unsure)} it cannot be told"] if unsure else [])])


def _meeting(rows: Sequence[_Row], query: Query) -> str:
    """Which of them write as fast as is asked for, each session for itself; empty without such a rate."""
    least, words = demanded(query)
    if least is None or (query.has(Role.RATE_HZ) and not query.says(Role.RATE_HZ)):
        return ""
    path = "session_tokens_per_s"
    shown = [(f"{row.name} with {row.record.ref(path, '~')}", row.record.number(path)) for row in rows]
    yes = joined(name for name, rate in shown if rate and rate >= least)
    no = joined(name for name, rate in shown if rate and rate < least)
    unsure = joined(row.name for row in rows if not row.fails and not row.record.number(path))
    fails = joined(row.name for row in rows if row.fails)
    parts = [yes, f"not {no}" if no else "", f"of {unsure} it is not known" if unsure else ""]
    parts += [f"{fails} does not hold it" if fails else ""]
    each = " each" if any((row.record["batch"] or 1) > 1 for row in rows) else ""
    return f"{'Yes' if yes else 'None'}, at {words}{each}: {'; '.join(filter(None, parts))}"


def table_of(rows: Sequence[_Row], *, energy: bool = False, full: bool = False, bare: bool = False) -> str:
    """With prices where the rows have a chip, without speeds where no hardware is named."""
    together = any((row.record["batch"] or 1) > 1 for row in rows)
    of_memory = not bare or any(row.query.has(Role.RAM_BYTES) for row in rows)

    def column(path: str, form: str = "") -> Callable[[_Row], str]:
        return lambda row: row.record.ref(path, form)

    every: tuple[tuple[str, Callable[[_Row], str], bool], ...] = (
        ("", lambda row: row.name, True),
        ("each", column("session_tokens_per_s", "~"), together and not bare),
        ("together" if together else "tokens/s", column(_RATE, "" if together else "~"), not bare),
        ("context full", column("full_context_tokens_per_s"), full and not bare),
        ("first token", column("time_to_first_token_ms"), not bare),
        ("weights", column("weights_bytes", "GiB"), bare),
        ("key-value cache", column("kv_cache_bytes", "GiB"), bare),
        ("takes", column("total_bytes", "GiB"), True),
        ("of", column("ram_bytes", "GiB"), of_memory),
        ("context that fits", column("max_context"), bare),
        ("fits", lambda row: VERDICT_WORDS[row.record["verdict"]].partition(",")[0].lower(), of_memory),
        ("energy a token", column("energy_uj_per_token"), energy),
        ("price", lambda row: price(row.chip or row.record), rows[0].chip is not None),
        ("tokens/s a dollar", lambda row: row.for_money, rows[0].chip is not None),
    )
    columns = [(head, cell) for head, cell, is_shown in every if is_shown]
    return table([head for head, _ in columns], [[cell(row) for _, cell in columns] for row in rows])
