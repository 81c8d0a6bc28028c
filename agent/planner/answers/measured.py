"""Two times that the user measured, of settings that differ: what they say, and the same as estimated."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from ..bench import Answering, Call, Record, call_of, is_filed, needed
from ..factors import factors_in
from ..query import Query, Role
from ..want import Want
from ..words import entries, spoken, spoken_in_turn
from . import breakdown, premises, standing
from .described import with_an_example
from .phrases import BY_THEIRS, figure, language_models, lines, ratio, sentence, subject
from .ratios import OF_SIZE
from .side_by_side import side_by_side
from .suspects import besides
from .timed_pairs import CLAIMED, COUNTED, LITTLE, Pair, Timed, pair_of
from .worth import asks_worth

_OF_OTHERS = frozenset(
    (Want.RECOMMEND, Want.RECOMMEND_MODEL, Want.CALIBRATE, Want.IMPORT, Want.CODE, Want.PRICE, Want.HOW_MANY,
     Want.BATTERY_LIFE, Want.SUMMARY, Want.THANKS, Want.PIPELINE)
)  # fmt: skip
_STATED = (*CLAIMED, Role.LATENCY_MS, Role.RATE_HZ, Role.TECHNIQUE)
_ALIKE, _ELSE = 1.25, entries("gains_less")
"""Times by which two gains hardly differ."""


def asks(query: Query, wants: Sequence[Want]) -> bool:
    """Whether two times of one network are stated, each with the setting that it was measured with."""
    return may_ask(query, wants) and pair_of(query) is not None


def may_ask(query: Query, wants: Sequence[Want]) -> bool:
    return not set(wants[:1]) & _OF_OTHERS and not language_models(query)


def compared(query: Query, _wants: Sequence[Want]) -> Answering:
    """What the user's own times say, what is estimated of both, and why it is not more."""
    pair = pair_of(query)
    assert pair is not None
    given = {"measured": pair.after.time_ms, "against": pair.before.time_ms, "unit": "ms"}
    own = needed((yield call_of("compare_figures", query, **given)))
    return (yield from beside_estimates(query, pair, _told(query, pair, own)))


def beside_estimates(query: Query, pair: Pair, told: str, gain: str = "") -> Answering:
    """What is told of a pair, the same as it is estimated, and what else may have made the difference.

    Args:
        gain: the words of the gain that was measured, where both times are not known.
    """
    elsewhere, stands = str(_ELSE.get(pair.role.value, "")), ""
    if not query.has(Role.MODEL) and query.has(Role.TARGET):
        query, stands = with_an_example(query)
    plain = query.without(_STATED)
    one, two = (plain.put(pair.role, each.value, text=str(each.value)) for each in (pair.before, pair.after))
    if not query.has(Role.MODEL) or not query.has(Role.TARGET) or is_filed(query, pair.role):
        return lines(told, sentence(elsewhere), _NAMELESS if not is_filed(query, pair.role) else "")
    before, after = (yield call_of("estimate_performance", one)), (yield call_of("estimate_performance", two))
    if not before.knows("latency_ms") or not after.knows("latency_ms"):
        return lines(told, sentence(elsewhere))
    expected = pair.gain(before.number("latency_ms") or 1.0, after.number("latency_ms") or 1.0)
    held = [_held(pair.before, before), _held(pair.after, after)] if not gain else []
    judged = standing.judged(query, held, "")
    first = f"{_word(query, pair, expected, gain)}{told}"
    if pair.role in (Role.TARGET, Role.MODEL):
        beside = yield from side_by_side(plain, (Want.LATENCY, Want.WHY_SLOWER))
        return lines(first, sentence(f"{judged}, {_times(pair, before, after)} by my estimates"), beside)
    because = (yield from breakdown.explained(pair.role, one, two)).removeprefix("Why: ")
    return lines(
        first,
        f"I estimate {before.ref('latency_ms', '~')} → {figure(after, 'latency_ms')}, "
        f"{_times(pair, before, after)}: {subject(plain.without([pair.role]), before)}"
        f"{judged and f'; {judged}'}.",
        f"As I estimate it: {because[:1].lower()}{because[1:]}" if because else "",
        (yield from _less(pair, expected, two, elsewhere)),
        stands,
    )


_NAMELESS = "Name the network and the board, and my estimates of both stand beside it."


def _told(query: Query, pair: Pair, own: Record) -> str:
    """What both times say by themselves."""
    new, old, (one, two) = f"{own.id}.measured", f"{own.id}.against", pair.names
    said = f"{pair.before.text} → {pair.after.text}"
    if pair.role is Role.BATCH:
        return f"{BY_THEIRS} {_of_batches(pair, new, old, said)}."
    faster, does = pair.before.time_ms >= pair.after.time_ms, "are" if two.endswith("threads") else "is"
    times = f"{{{{{old}/{new}|x}}}} as fast as" if faster else f"{{{{{new}/{old}|x}}}} slower than"
    if pair.after.slot.role not in CLAIMED:
        return f"{pair.after.text} after {pair.before.text} would be {times} {one}."
    first = f"{BY_THEIRS} {two} {does} {times} {one} ({said})"
    if pair.role not in COUNTED:
        return f"{first}."
    even_ms = pair.before.time_ms / pair.proportion
    even = f"{{{{{old}/{pair.proportion:.9g}|ms}}}}"
    most = f"{{{{{old}/({old}/{pair.proportion:.9g})|x}}}}"
    first += f"; {most}, {even}{_hoped(query, pair)}, would be in proportion"
    stays_ms = (pair.after.time_ms - even_ms) / (1 - 1 / pair.proportion)
    if not faster or abs(stays_ms) <= LITTLE * pair.after.time_ms:
        return f"{first}."
    if stays_ms < 0:
        return f"{first}: what goes beyond that does not come from the {_CALLED[pair.role]} alone."
    stays = f"({new}-{old}/{pair.proportion:.9g})/{1 - 1 / pair.proportion:.12g}"
    if pair.role is Role.CLOCK_MHZ:
        share = f"{{{{{stays}/{new}|%}}}}"
        return f"{first}. {{{{{stays}|ms}}}}, {share} of the time at {two}, do not follow the clock."
    if pair.before.many > 1:
        return f"{first}. {{{{{stays}|ms}}}} are not shared: no number of threads comes below that."
    return (
        f"{first}. By Amdahl's law {{{{({old}-{stays})/{old}|%}}}} of the work are shared among the "
        f"threads and {{{{{stays}|ms}}}} are not: no number of threads comes below that."
    )


def _hoped(query: Query, pair: Pair) -> str:
    """A third time that they reckoned in proportion, from either end."""
    times = {
        pair.before.time_ms / pair.proportion: "",
        pair.after.time_ms * pair.proportion: f" at {pair.names[0]}",
    }
    mine = (pair.before.slot, pair.after.slot)
    stated = [slot for slot in query.slots if slot.role in _STATED[:4] and slot.text and slot not in mine]
    for time, where in times.items():
        for slot in stated:
            if abs(slot.number - time) < LITTLE * time:
                return f" (your {slot.text}{where})"
    return ""


_CALLED = {Role.THREADS: "threads", Role.CLOCK_MHZ: "clock"}


def _of_batches(pair: Pair, new: str, old: str, turn: str) -> str:
    """What an image takes in each, and how much of it is paid once a batch."""
    first, last = pair.before.many, pair.after.many
    one, many = f"({old}/{first:.9g})", f"({new}/{last:.9g})"
    told = (
        f"{pair.names[1]} takes {{{{{new}/{old}|x}}}} as long as {pair.names[0]} ({turn}), {{{{{many}|ms}}}} "
        f"an image instead of {{{{{one}|ms}}}}: {{{{1/{many}|fps}}}} instead of {{{{1/{one}|fps}}}}, "
        f"{{{{{one}/{many}|x}}}}"
    )
    slope_ms = (pair.after.time_ms - pair.before.time_ms) / (last - first)
    once_ms = pair.before.time_ms - slope_ms * first
    if slope_ms <= 0 or once_ms <= LITTLE * pair.before.time_ms:
        return f"{told}; nothing of it is paid once a batch" if slope_ms > 0 else told
    slope = f"(({new}-{old})/{last - first:.9g})"
    return (
        f"{told}. That is as if {{{{{old}-{slope}*{first:.9g}|ms}}}} were paid once a batch and "
        f"{{{{{slope}|ms}}}} for each image, so that no batch does more than {{{{1/{slope}|fps}}}}"
    )


def _word(query: Query, pair: Pair, expected: float, measured: str) -> str:
    """Yes or no to a gain that is claimed, by what is estimated, or to whether theirs is as it should be."""
    gained, text = pair.gain(pair.before.time_ms, pair.after.time_ms), query.question
    claims = [
        (one.value, f"*{one.text}*")
        for one in factors_in(text)
        if (one.compares or measured)
        and one.value > 1
        and one.text != measured
        and not OF_SIZE.match(text, one.end)
    ]
    if pair.after.slot.role not in CLAIMED:
        claims = [(gained, "that")]
    for claim, words in claims[:1]:
        about = claim / _ALIKE <= expected <= claim * _ALIKE
        word = "Yes, about" if about else "No, less than" if expected < claim else "Yes, more than"
        return f"{word} {words} is to be expected. "
    if pair.role is Role.BATCH and asks_worth(query):
        return "Yes, where you can wait for a batch. " if gained > _ALIKE else "Hardly. "
    if "hardware" in spoken("blamed_for_it", text):
        return "Not broken by that. "
    asked = next(iter(spoken_in_turn(text, "judged")), "")
    asked = "" if asked == "bad" and pair.role in (Role.TARGET, Role.MODEL) else asked
    fits, less = expected / _ALIKE <= gained <= expected * _ALIKE, gained < expected
    found = "that is about the gain" if fits else "it gains less than is" if less else "it gains more than is"
    wrong = less and not fits
    word = {"fine": "No" if wrong else "Yes", "bad": "Yes" if wrong else "No"}.get(asked, "")
    return f"{word}, {found} to be expected. " if word else ""


def _held(timed: Timed, record: Record) -> standing.Held:
    slot = timed.slot.model_copy(update={"role": Role.CLAIMED_MS, "value": timed.time_ms})
    return standing.Held(slot, record, "latency_ms", own=True)


def _times(pair: Pair, before: Record, after: Record) -> str:
    if pair.role is not Role.BATCH:
        faster = (before.number("latency_ms") or 0.0) >= (after.number("latency_ms") or 0.0)
        return (
            f"{ratio(before, after, 'latency_ms')} as fast"
            if faster
            else f"{ratio(after, before, 'latency_ms')} slower"
        )
    return f"{ratio(after, before, 'inferences_per_second')} the images a second"


def _less(pair: Pair, expected: float, after: Query, elsewhere: str) -> Generator[Call, Record, str]:
    """Where theirs gains less than is estimated, or more: what else it may come from."""
    gained, found = (
        pair.gain(pair.before.time_ms, pair.after.time_ms),
        after.targets.get(after.text(Role.TARGET)),
    )
    if pair.role is Role.THREADS and found and found.target_class in ("mcu", "dsp"):
        return "These kernels run an inference on one core; the others are free for the rest of the program."
    if expected / _ALIKE <= gained <= expected * _ALIKE:
        return ""
    if gained > expected:
        first = pair.names[0]
        return (
            f"Yours gains more than that: {first} may be slower there than it has to be, or timed otherwise."
        )
    if pair.role is Role.DTYPE:
        return (yield from premises.of_type(after))
    shares = ""
    if pair.role is Role.THREADS:
        roof = yield call_of("analyze_roofline", after)
        waits = roof.ref("bound_shares.memory", "%")
        shares = f"Waiting for memory, which all cores share, takes {waits} of the time at {pair.names[1]}. "
    return f"{shares}Yours gains less than that: {elsewhere or besides(after)}."
