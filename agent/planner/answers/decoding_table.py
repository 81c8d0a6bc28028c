"""Language models side by side: one table of the cases that are named, and what it comes to."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from ....tools.model_zoo.weight_format import weight_format
from ..bench import Answering, call_of
from ..factors import factor_in
from ..query import Query, Role
from ..want import Want
from ..words import patterns
from ..writers import BRINGS
from .cases import cards_of, demanded, holds, values_of
from .ceilings import ceiling
from .decoding_crowd import at_one_context, is_crowd, ways_of_each
from .decoding_pair import SWAPS, told_apart, told_to_hold
from .decoding_rows import (
    CHEAPEST,
    DONE,
    FASTEST,
    FRUGAL,
    LONGEST,
    MOST_FOR_MONEY,
    RATE,
    SOONEST,
    Goal,
    Row,
    cache_costs,
    rows_of,
    shown_of,
    table_of,
    varies_cache,
)  # fmt: skip
from .phrases import compared, joined, language_models, lines, sentence
from .tokens import given, left_of, made_for, offloaded, split_over

_LENGTHS = {
    Role.PROMPT: ("time_to_first_token_ms", "the first token comes after"),
    Role.CONTEXT: ("kv_cache_bytes", "the key-value cache takes"),
    Role.BATCH: ("session_tokens_per_s", "each session gets"),
}
"""What grows with a length, and how it is told."""
_PLACES = (Role.TARGET, Role.WEIGHTS, Role.MODEL)
_MOST = 8
_VERDICTS = ("Yes:", "No: ")
_IS_ENOUGH = patterns("pointing")["is_enough"]
_EQUAL, _NEAR = 1.01, 1.07
"""Times that are none, and that two sources of one card differ by."""
_LONG = 1500
"""Tokens of a prompt from which on reading it decides."""
_OF_MONEY = frozenset((Want.PRICE, Want.CHEAPEST, Want.PER_PRICE, Want.RECOMMEND))
_OF_ENERGY = frozenset((Want.ENERGY, Want.POWER))


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
    rows, short = yield from at_one_context(rows)
    short += yield from ways_of_each(rows)
    rows, narrow = _in_one_format(rows, query)
    by_prompt = len(set(query.all(Role.PROMPT))) > 1
    if len({row.record["context"] for row in rows}) > 1 and not (by_prompt or query.has(Role.CONTEXT)):
        rows = [row._replace(name=f"{row.name} at {row.record.ref('context')} tokens") for row in rows]
    if place:
        fits = f"{_fitting(rows)}; " if query.has(Role.RAM_BYTES) else ""
        return lines(sentence(f"{fits}{_sizes(rows, query)}"), table_of(rows, bare=True), *errors[:2])
    priced = (bool(_OF_MONEY & set(wants)) or "price" in query.asks) and not query.says(*_PAID)
    for at, row in enumerate(rows if priced else ()):
        chip = yield call_of("get_target", query, target=row.record["target"])
        rows[at] = row._replace(chip=chip)
    same, other = _same(query, rows), _by_another(rows, query, wants)
    pair = _of_the_swap(rows, query) or (None if other else _pair(rows, query, wants))
    enough = _enough(rows, query)
    first = f"{enough}{_concluded(rows, query, wants)}{f': {same}' if same else ''}."
    bound = ceiling((pair[0] if pair else rows[0]).record, query, wants)
    if "first_token" in query.asks and len(values_of(query, Role.WEIGHTS)) > 1:
        first, bound = sentence(first), ""
    apart = told_apart(pair[0].record, pair[1].record, query) if pair else ""
    short_of = pair is not None and any(row.fails for row in pair)
    judged = f"{enough.rstrip('; ')}." if enough and pair and not short_of else ""
    if enough and short_of and apart[:4] not in _VERDICTS:
        apart = f"{enough.partition(',')[0]}: {apart}"
    return lines(
        judged,
        apart or bound or first,
        first if bound and not pair else "",
        _left(rows) if "left" in query.asks else "",
        cache_costs(rows),
        *(narrow if short_of else ()),
        table_of(
            rows,
            energy=_of_energy(query, wants),
            full=query.has(Role.CONTEXT),
            long="longest" in query.asks or varies_cache(rows),
        ),
        *{row.record["model"]: made_for(row.record, row.query) for row in rows}.values(),
        *short,
        *(() if short_of else narrow),
        *[split_over(row.record) for row in rows if cards_of(row.query) > 1][:1],
        *errors[:2],
    )


def _of_the_swap(rows: Sequence[Row], query: Query) -> tuple[Row, Row] | None:
    """What is taken, and what is given for it; none where no swap is asked."""
    for role in _PLACES if SWAPS.search(query.question) else ():
        _, pairs = _changed(rows, query, role)
        if pairs and len(values_of(query, role)) == 2:
            return next((pair for pair in pairs if all(holds(row.record) for row in pair)), pairs[0])
    return None


def _changed(rows: Sequence[Row], query: Query, role: Role) -> tuple[set[str], list[tuple[Row, Row]]]:
    """What was said of a role before, and each new row with that of before that differs in this alone."""
    before = {str(slot.value) for slot in query.slots if slot.role is role and slot.inherited}
    same = [other for other in _PLACES if other is not role]
    return before, [
        (new, old)
        for new, old in product(rows, rows)
        if new.query.text(role) not in before and old.query.text(role) in before
        and all(new.query.text(one) == old.query.text(one) for one in same)
    ]  # fmt: skip


def _sizes(rows: Sequence[Row], query: Query) -> str:
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


def _more(most: Row, least: Row, path: str) -> str:
    """The difference of two in bytes."""
    return f"{{{{{most.record.id}.{path}-{least.record.id}.{path}|GiB}}}} more for {most.name}"


def _left(rows: Sequence[Row]) -> str:
    """What each leaves of the memory."""
    fitting = (row for row in rows if row.record.knows("left_bytes") and not row.fails)
    each = joined(f"{left_of(row.record)} with {row.name}" for row in fitting)
    return f"For the system and all other programs stay {each}." if each else ""


def _in_one_format(rows: Sequence[Row], query: Query) -> tuple[list[Row], list[str]]:
    """Each with its format where they differ, and what fits in fewer than 4 bits alone."""
    narrow = [
        f"{row.name}: {row.record.ref(f'remedies[#{at}].statement')}."
        for row in rows
        for at, each in enumerate(row.record["remedies"] or ())
        if each["kind"] == "narrow" and not is_crowd(row.record)
    ]
    beside = ((row.name, offloaded(row.record)) for row in rows if not is_crowd(row.record))
    narrow += [f"{name}: {told}" for name, told in beside if told]
    if len({row.record["weights"] for row in rows}) == 1 or query.has(Role.WEIGHTS):
        return list(rows), narrow
    return [row._replace(name=f"{row.name} ({row.record.ref('weights')})") for row in rows], narrow


def _same(query: Query, rows: Sequence[Row]) -> str:
    """What is the same in all rows."""
    models = set(language_models(query))
    found = [*models] if len(models) == 1 else []
    for role, path in ((Role.TARGET, "target"), (Role.WEIGHTS, "weights")):
        if len(values_of(query, role)) < 2 and len({str(row.record[path]) for row in rows}) == 1:
            many = f"{cards_of(rows[0].query)} x " if cards_of(rows[0].query) > 1 else ""
            found.append(f"{f'on {many}' if role is Role.TARGET else ''}{rows[0].record.ref(path)}")
    if all(is_crowd(row.record) for row in rows) and len({row.record["context"] for row in rows}) == 1:
        found.append(f"{rows[0].record.ref('context')} tokens each")
    return ", ".join(found)


def _concluded(rows: Sequence[Row], query: Query, wants: Sequence[Want]) -> str:
    """The best of them by what is asked for; of what does not fit only that."""
    fitting = [row for row in rows if not row.fails]
    if not fitting:
        return f"None of them{' alone' if any(is_crowd(row.record) for row in rows) else ''} fits"
    length = next((role for role in _LENGTHS if len(values_of(query, role)) == len(rows) > 1), None)
    asks_fit = {Want.FITS, Want.RAM, Want.MEETS} & set(wants[:2]) or "fit" in query.asks
    held = _meeting(rows, query)
    parts = [_fitting(rows)] if (asks_fit and not held) or (length and len(fitting) < len(rows)) else []
    if length and parts:
        return f"{parts[0]}; {_growth(fitting, length)}"
    if length:
        return sentence(_growth(fitting, length)).rstrip(".")
    unpriced = joined(row.name for row in fitting if not row.usd)
    if _of_money(query, wants) and unpriced and Want.PER_PRICE not in wants:
        cheaper = f"which is cheaper is not known, as no price of {unpriced} is cited"
        return "; ".join([*parts, _fastest(rows), cheaper])
    if _of_money(query, wants) and any(row.usd for row in fitting):
        return "; ".join([*parts, _best(fitting, MOST_FOR_MONEY if Want.PER_PRICE in wants else CHEAPEST)])
    if "first_token" in query.asks and len({row.record["weights"] for row in fitting}) == len(rows) > 1:
        return "; ".join([*parts, _writing_alone(fitting)])
    for name, goal in (("first_token", SOONEST), ("longest", LONGEST)):
        if name in query.asks:
            return "; ".join([*parts, _best(fitting, goal)])
    if len(values_of(query, Role.KV)) > 1 or "kv_cache" in query.asks:
        return f"{_fitting(rows)}; {_growth(rows, Role.CONTEXT)}"
    least = _best(fitting, FRUGAL) if _of_energy(query, wants) or (held and _is_choice(query)) else ""
    if held:
        return "; ".join(filter(None, [held, least]))
    if query.says(Role.PROMPT) and (query.number(Role.PROMPT) or 0.0) >= _LONG:
        return "; ".join([*parts, _best(fitting, DONE)])
    return "; ".join(filter(None, [*parts, _fastest(rows), least]))


def _enough(rows: Sequence[Row], query: Query) -> str:
    """Whether the one that is asked about does too, beside what was spoken of before."""
    said = {slot.value for slot in query.slots if slot.role is Role.TARGET and not slot.inherited}
    asked = [row for row in rows if row.query.text(Role.TARGET) in said]
    if len(asked) != 1 or len(rows) < 2 or not _IS_ENOUGH.search(query.question):
        return ""
    word = "No" if asked[0].fails else "Yes" if holds(asked[0].record) else "Hardly"
    return f"{word}, {told_to_hold(asked[0].record, asked[0].name)}; "


def _writing_alone(rows: Sequence[Row]) -> str:
    """That another format of the weights changes the writing, and hardly the first token."""
    waits = joined(f"{shown_of(row, 'time_to_first_token_ms')} with {row.name}" for row in rows)
    writes = joined(f"{row.record.ref(RATE)} with {row.name}" for row in rows)
    why = "reading the prompt is arithmetic, which fewer bits do not spare"
    return f"fewer bits help the writing, {writes}, hardly the wait, {waits} until the first token: {why}"


def _best(rows: Sequence[Row], goal: Goal) -> str:
    """The first by a goal, how the second compares, and of what that is not known."""
    known = sorted((row for row in rows if goal.by(row)), key=goal.by, reverse=True)
    unknown = joined(row.name for row in rows if not goal.by(row))
    if not known:
        return f"of {unknown} that is not known"
    best, others = known[0], known[1:]
    if others and goal.by(best) < _EQUAL * goal.by(known[-1]):
        close = [row for row in known if row.record["verdict"] == "MARGINAL"]
        but = f", but {_too_close(close, known)}" if 0 < len(close) < len(known) else ""
        return f"{joined(row.name for row in known)} make no difference: {goal.shown(best)}{but}"
    if others and goal is FASTEST and goal.by(best) < _NEAR * goal.by(others[0]):
        pair = f"{best.name} with {goal.shown(best)} and {others[0].name} with {goal.shown(others[0])}"
        return f"{pair} write about as fast{f'; of {unknown} that is not known' if unknown else ''}"
    first = f"{best.name} {goal.verb} {goal.shown(best)}"
    if others and goal is FASTEST:
        first += f", {compared(best.record, others[0].record, RATE, 'as fast as')} {others[0].name}"
    elif others:
        first += f"; {others[0].name} {goal.shown(others[0])}"
    return f"{first}; of {unknown} that is not known" if unknown else first


def _too_close(close: Sequence[Row], rows: Sequence[Row]) -> str:
    """What hardly holds it, by what is left to it, and what surely does."""
    surely = joined(row.name for row in rows if row not in close)
    takes = f"takes {close[0].record.ref('total_bytes', 'GiB')} of {given(close[0].record)}"
    return (
        f"with {joined(row.name for row in close)} it hardly fits: it {takes}; with {surely} it surely does"
    )


def _fastest(rows: Sequence[Row]) -> str:
    known = [row for row in rows if row.rate]
    if len(known) != 1:
        return _best([row for row in rows if not row.fails], FASTEST)
    if not holds(known[0].record):
        return f"{known[0].name} writes {shown_of(known[0])} where all of it is on the card"
    if any(row.fails for row in rows):
        return f"{known[0].name}, the only one that fits, writes {shown_of(known[0])}"
    return f"{shown_of(known[0])} with {known[0].name}"


def _of_money(query: Query, wants: Sequence[Want]) -> bool:
    asked = bool({Want.PRICE, Want.CHEAPEST, Want.PER_PRICE} & set(wants)) or "price" in query.asks
    return asked and not query.says(*_PAID)


_PAID = (Role.TARIFF, Role.RENT)
"""What is paid for a kWh or an hour, told apart from what hardware costs."""


def _of_energy(query: Query, wants: Sequence[Want]) -> bool:
    return bool(_OF_ENERGY & set(wants) or {"energy", "frugal"} & query.asks)


def _is_choice(query: Query) -> bool:
    return "which" in query.asks or any(f" {word} " in query.question for word in ("or", "vs", "versus"))


def _by_another(rows: Sequence[Row], query: Query, wants: Sequence[Want]) -> bool:
    """Whether something else than how fast it writes decides."""
    lengths = {"first_token", "longest", "kv_cache"} & query.asks
    return bool(_meeting(rows, query) or _of_money(query, wants) or lengths) and not factor_in(query.question)


def _pair(rows: Sequence[Row], query: Query, wants: Sequence[Want]) -> tuple[Row, Row] | None:
    """What is new against what was before, where that is asked; of two, where a factor or a reason is."""
    for role in _PLACES if BRINGS.search(query.question) else ():
        before, pairs = _changed(rows, query, role)
        if len(before) == len(pairs) == 1:
            return pairs[0]
    gains = BRINGS.search(query.question) and not _is_choice(query) and Want.FITS not in wants
    asked = factor_in(query.question) is not None or Want.WHY_SLOWER in wants or "why" in query.asks or gains
    alike = len(values_of(query, Role.GPU_LAYERS)) > 1
    if len(rows) != 2 or not asked or alike or any(len(values_of(query, role)) > 1 for role in _LENGTHS):
        return None
    one, other = rows
    if one.record["model"] != other.record["model"]:
        return one, other
    bits, fewer = (weight_format(str(row.record["weights"])).bits for row in rows)
    return (other, one) if fewer < bits else (one, other)


def _growth(rows: Sequence[Row], length: Role) -> str:
    """From the shortest to the longest."""
    path, what = _LENGTHS[length]
    first, last = rows[0], rows[-1]
    one, other = first.record.number(path), last.record.number(path)
    told = f"at {first.name} {what} {shown_of(first, path)}, at {last.name} {shown_of(last, path)}"
    if first is last or not one or not other:
        return told
    larger, smaller = (last, first) if other >= one else (first, last)
    sized = path.endswith("bytes") and not varies_cache(rows)
    more = f", {_more(larger, smaller, path)}" if sized else ""
    total = f"; together {last.record.ref(RATE)}" if length is Role.BATCH else ""
    return f"{told}, {compared(last.record, first.record, path)}{more}{total}"


def _fitting(rows: Sequence[Row]) -> str:
    """Which of them it fits."""
    hardly = [row.name for row in rows if not row.fails and not holds(row.record)]
    fits = [row.name for row in rows if row.record["verdict"] in ("PASS", "MARGINAL")]
    yes = [name for name in fits if name not in hardly]
    no = [row.name for row in rows if row.fails]
    unsure = [row.name for row in rows if row.name not in (*fits, *no)]
    if len(yes) == len(rows):
        return f"It fits {'both' if len(yes) == 2 else 'each of them'}"
    none = "None of them fits with room" if hardly else "It surely fits none of them"
    parts = [f"It fits {joined(yes)}" if yes else none]
    parts += [f"{joined(hardly)} would spill"] if hardly else []
    parts += [f"not {joined(no)}"] if no and yes else []
    return ", ".join([*parts, *([f"of {joined(unsure)} it cannot be told"] if unsure else [])])


def _meeting(rows: Sequence[Row], query: Query) -> str:
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
