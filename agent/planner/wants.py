"""What is wanted: what the words say, as far as what is named and what was spoken of before allow."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...tools.model_zoo.language_model import is_language_model
from ..names import Kind
from ..patterns import compiled
from .choice import of_a_supply
from .query import CELLS, IN_USE, LIMITS, Query, Role
from .want import Want
from .words import spoken

_LIKELY, _POSSIBLE, _ALONE_LIKELY = 0.27, 0.15, 0.4
"""A want counts from the first on, the likeliest from the second on; below, nothing was understood."""
SURE_OF_WANT = 0.45
"""Chance of what is wanted from which on nothing else is offered. By `tests.evaluation.coverage` it holds for
71 in 100 questions that were in no fit, and the main want is right in 84 of 100 of these."""
_BY_PROGRAM = 0.3
"""Chance from which on a file, a command or a page is asked for, and no summary."""
SURELY = 0.6
"""Chance from which on no rule on words makes another want of it."""
ALONE = frozenset((Want.THANKS, Want.HELP, Want.OUTSIDE, Want.SUMMARY))
"""What is wanted by itself or not at all."""
ASIDE = ALONE | frozenset(
    (
        Want.ACCURACY, Want.EVIDENCE, Want.CONCEPT, Want.PRODUCT, Want.ERROR, Want.INTERVAL, Want.SAME,
        Want.ASK_BACK, Want.AVAILABILITY,
    )
)  # fmt: skip
"""What is asked in between, and not meant by `the same`."""
CLAIMS = (
    Role.CLAIMED_MS, Role.CLAIMED_HZ, Role.CLAIMED_UJ, Role.CLAIMED_MW, Role.CLAIMED_BYTES,
    Role.CLAIMED_PERCENT,
)  # fmt: skip
QUANTITIES = frozenset(
    (
        Want.LATENCY, Want.THROUGHPUT, Want.CYCLES, Want.ENERGY, Want.POWER, Want.BATTERY_LIFE, Want.RAM,
        Want.FLASH, Want.FITS, Want.MEETS, Want.UTILISATION, Want.PER_WATT, Want.PER_PRICE,
    )
)  # fmt: skip
"""Of one model on one target."""

OF_HARDWARE = QUANTITIES | {
    Want.BOUND, Want.LAYERS, Want.CHIP_FACTS, Want.PRICE, Want.UTILISATION, Want.PLAUSIBLE, Want.WHAT_IF,
    Want.IMPROVE, Want.LIMIT, Want.PLACEMENT, Want.EVIDENCE, Want.INTERVAL, Want.COMPATIBILITY, Want.CODE,
    Want.COST_OF_BATCH, Want.BOUND_CHANGE, Want.WHY_SLOWER, Want.GENERATION, Want.HOW_MANY,
}  # fmt: skip
"""What is wanted of a board; without one it is about the one that was spoken of last."""


def chosen(chances: Mapping[str, float]) -> tuple[str, ...]:
    """The labels that count, the likeliest first, from those of the model in that order.

    The same of another is either asked instead of the one before or beside it.
    """
    best = next(iter(chances))
    by_program = chances.get(Want.PRODUCT, 0.0) >= _BY_PROGRAM
    if best in ALONE and chances[best] >= _ALONE_LIKELY and not by_program:
        return (best,)
    found = tuple(label for label, chance in chances.items() if chance >= _LIKELY and label not in ALONE)
    if best == Want.SAME:
        found = tuple(label for label in found if label != Want.COMPARE)
    return found or ((best,) if chances[best] >= _POSSIBLE else ())


_TYPES = frozenset(("float32", "float16", "int8"))
_RATIOS = {"per_watt": Want.PER_WATT, "per_price": Want.PER_PRICE}


_OF_PLACES = frozenset((Want.RECOMMEND, Want.CHEAPEST, Want.COMPARE, Want.ENERGY, Want.POWER, Want.HOW_MANY))
"""What is asked of shops or buses beside how many boards they take."""
_OF_A_CHOICE = frozenset(
    (Want.CHEAPEST, Want.PRICE, Want.ENERGY, Want.POWER, Want.BATTERY_LIFE, Want.AVAILABILITY)
)
_VERDICTS = (Want.FITS, Want.MEETS)
YES_OR_NO = compiled(r"(?:does|do|will|would|can|could|is|are)\b", re.IGNORECASE)
"""How a question begins that is answered by a verdict before any figure."""
_MANAGES = compiled(
    r"\b(?:does|do|can|could|will|would|is|are) (?:it|that|this|the|an?|my|our|one|they) ?(?:\w+ ){0,2}?"
    r"(?:manage|cope|keep up|handle (?:it|that|this)|enough|suffic\w+|make it|up to (?:it|that))\b",
    re.IGNORECASE,
)
"""Asks for a verdict beside figures, wherever it stands."""
_DEMANDS = (*LIMITS, Role.CURRENT_UA, Role.LIFE_MS, Role.TARGET_CLASS)
_CHANGED = (
    Role.TECHNIQUE, Role.VARIABLE, Role.RUNTIME, Role.DTYPE, Role.WIDTH, Role.SIDE, Role.CLOCK_MHZ,
    Role.BATCH, Role.THREADS, Role.SEQUENCE,
)  # fmt: skip
"""What a change is said by; another network or board is a comparison."""


def wanted(query: Query, topic: Sequence[Want]) -> tuple[Want, ...]:
    """The wants of a question whose slots are complete."""
    wants: list[Want] = [want for want in query.wants if want is not Want.SAME]
    if query.has(Role.MODEL) and (ratios := [_RATIOS[name] for name in spoken("ratio", query.question)]):
        wants = [*ratios, *(want for want in wants if want not in (Want.POWER, Want.PRICE))]
    if topic and spoken("sums_up", query.question):
        return (Want.SUMMARY,)
    if wants[:1] == [Want.HELP] and query.says(Role.MODEL, Role.TARGET):
        wants = [Want.MODEL_FACTS if query.says(Role.MODEL) else Want.CHIP_FACTS]
    if wants and wants[0] in ALONE:
        return tuple(wants[:1])
    writes = any(map(is_language_model, query.all(Role.MODEL)))
    unsure = bool(query.likely) and query.likely[0][1] < SURE_OF_WANT
    starts = "first_token" in query.asks and unsure and not explains(query)
    if writes and (starts or set(wants[:1]) <= QUANTITIES or not {Want.CONCEPT, Want.PRODUCT} & set(wants)):
        return tuple(dict.fromkeys([Want.GENERATION, *(want for want in wants if want is not Want.PRODUCT)]))
    if query.has(Role.MODEL) and not writes:
        wants = [Want.THROUGHPUT if want is Want.GENERATION else want for want in wants]
    if query.has(Role.MODEL) and (query.among or _is_to_be_bettered(query)):
        return (Want.RECOMMEND, *(want for want in wants if want in _OF_A_CHOICE))
    wants = _of_a_job(query, _counted_again(query, wants, topic))
    if query.says(Role.PLACES) and Want.HOW_MANY in topic and not set(wants) & _OF_PLACES:
        wants = [Want.HOW_MANY]
    if "which_battery" in query.asks and query.has(Role.LIFE_MS) and query.has(Role.TARGET):
        return (Want.BATTERY_LIFE,)
    if _is_inverse(query):
        return (Want.LIMIT,)
    changes = (str(s.value) for s in query.slots if s.role is Role.TECHNIQUE and not s.inherited)
    several = len({change.partition("-")[0] for change in changes}) > 1 and "accura" not in query.question
    if several and query.has(Role.MODEL) and query.has(Role.TARGET):
        wants = [Want.WHAT_IF, *(want for want in wants if want in QUANTITIES)]
    if not wants and query.has(Role.TARGET) and not query.has(Role.MODEL):
        wants = [Want.CHIP_FACTS]
    wants = _of_one_network(query, _of_the_peak(query, _of_boards(query, wants)))
    doubted = [Want.INTERVAL] if Want.BATTERY_LIFE in wants and "sure" in query.asks else []
    wants = [*doubted, *wants, *_of_metrics(query, wants), *_of_slots(query, wants)]
    if _is_of_life(query, wants, topic):
        wants = [Want.BATTERY_LIFE, *(want for want in wants if want not in _BESIDE_LIFE)]
    if _wants_hardware(query, wants, topic):
        wants = [Want.RECOMMEND, *(want for want in wants if want not in (Want.FITS, Want.RECOMMEND_MODEL))]
    wants = _with_verdict(query, wants)
    if YES_OR_NO.match(query.question) and set(wants[:1]) <= QUANTITIES:
        wants.sort(key=lambda want: want not in _VERDICTS)
    return tuple(dict.fromkeys(_without_company(wants, query)))


def _of_boards(query: Query, wants: list[Want]) -> list[Want]:
    """*What do I lose with the other card?*: of two boards with the same network no accuracy is meant."""
    boards = query.says(Role.TARGET) and len(set(query.all(Role.TARGET))) > 1
    loses = Want.ACCURACY in wants or _LOSES.search(query.question)
    if not loses or not boards or query.says(*_CHANGED) or _ACCURATE.search(query.question):
        return wants
    rest = (want for want in wants if want is not Want.ACCURACY)
    return [*dict.fromkeys((Want.COMPARE, *rest, Want.POWER, Want.PRICE))]


_LOSES = compiled(
    r"\bwhat (?:do|would|will|did|am|are) (?:i|we|you) (?:\w+ )?(?:los\w+|giv\w+ up)\b",
    re.I,
)
_ACCURATE = compiled(r"\b(?:accura\w+|precis\w+|quality|map|top-?1|right|correct\w*)\b", re.IGNORECASE)


def _of_metrics(query: Query, wants: Sequence[Want]) -> list[Want]:
    """*And what mAP do they have*: a metric of accuracy that is named beside what else is asked."""
    named = query.has(Role.MODEL) and _METRICS.search(query.question) is not None
    return [Want.ACCURACY] if named and not {*wants} & _OF_OTHER_ACCURACY else []


_METRICS = compiled(
    r"\bmAP(?:50)?\b|(?i:\btop-?1\b|\b(?:how|more|most) accurate\b|\b(?:what|which|whose) (?:map|accuracy)\b)"
)
_OF_OTHER_ACCURACY = frozenset(
    (
        Want.ACCURACY,
        Want.ERROR,
        Want.INTERVAL,
        Want.EVIDENCE,
        Want.CONCEPT,
        Want.PRODUCT,
        Want.RECOMMEND_MODEL,
    )
)


def _of_the_peak(query: Query, wants: list[Want]) -> list[Want]:
    """*Which layer makes it so big, I need it under 40 KB*: what brings the peak below that is meant."""
    bounded = {Want.LAYERS, Want.RAM} <= set(wants) and query.says(Role.RAM_BYTES) and query.has(Role.MODEL)
    return [Want.IMPROVE if bounded and want is Want.LAYERS else want for want in wants]


def _of_one_network(query: Query, wants: list[Want]) -> list[Want]:
    """*Would the n version do?*: one network at a rate shares with none, whatever else its words may want."""
    if len(set(query.all(Role.MODEL))) != 1 or not query.has(Role.TARGET) or not query.has(*LIMITS):
        return wants
    understood = bool(query.likely) and query.likely[0][1] >= _POSSIBLE
    named = query.says(Role.MODEL, Role.TARGET) and YES_OR_NO.match(query.question)
    if named and not understood:
        return [Want.MEETS]
    others = [want for want in wants if want is not Want.PIPELINE]
    return wants if len(others) == len(wants) else [Want.MEETS, *others]


_BESIDE_LIFE = frozenset((Want.MEETS, Want.FITS, Want.WHAT_IF, Want.PLAUSIBLE, Want.BATTERY_LIFE))
"""What is not meant beside the life of a battery that a figure changes."""


def _is_of_life(query: Query, wants: Sequence[Want], topic: Sequence[Want]) -> bool:
    """Of a battery that was named, what is said of its life, of its use or of how often it runs."""
    if not query.has(*CELLS) or not query.has(Role.MODEL) or not set(wants[:1]) <= _OF_LIFE:
        return False
    changed = query.says(Role.RATE_HZ, *CELLS) and not set(wants) & {Want.THROUGHPUT, Want.LATENCY}
    goes_on = topic[:1] == (Want.BATTERY_LIFE,) or (query.has(Role.LIFE_MS) and not set(topic) & _OF_SPEED)
    better = goes_on and set(wants) <= {Want.COMPARE, Want.RECOMMEND} and query.says(Role.TARGET)
    lives = Want.BATTERY_LIFE in topic or query.has(Role.LIFE_MS)
    return query.says(Role.LIFE_MS, *IN_USE) or (lives and changed) or better


_OF_LIFE = QUANTITIES | _BESIDE_LIFE | {Want.COMPARE}
_OF_SPEED = frozenset((Want.LATENCY, Want.THROUGHPUT))


def _is_to_be_bettered(query: Query) -> bool:
    """Whether other hardware is looked for that is cheaper, faster or more frugal than the one named."""
    one = len(set(query.all(Role.TARGET))) == 1 and query.says(Role.TARGET)
    others = {"which", "hardware"} & query.asks and any(
        want is Want.RECOMMEND for want, _ in query.likely[:3]
    )
    return bool(one and others and spoken("bettered", query.question))


_VALUES = {"batch": Role.BATCH, "clock": Role.CLOCK_MHZ, "width": Role.WIDTH, "input": Role.SIDE}


def _counted_again(query: Query, wants: list[Want], topic: Sequence[Want]) -> list[Want]:
    """How many, where that was asked before and only the rate or the type changes."""
    types = {str(slot.value) for slot in query.slots if slot.role is Role.TECHNIQUE} <= _TYPES
    counted = topic[:1] == (Want.HOW_MANY,) and query.says(Role.RATE_HZ) and types
    return [Want.HOW_MANY] if counted and wants[:1] == [Want.WHAT_IF] else wants


def _of_a_job(query: Query, wants: list[Want]) -> list[Want]:
    """Hardware, where a job is described without a board and nothing else is surely asked."""
    unsure = bool(query.likely) and query.likely[0][1] < SURE_OF_WANT
    job = any(note.startswith("For *") for note in query.notes) and not query.has(Role.TARGET)
    return [Want.RECOMMEND] if job and unsure and set(wants[:1]) <= {Want.CONCEPT, Want.PRODUCT} else wants


def _with_verdict(query: Query, wants: list[Want]) -> list[Want]:
    """Whether it meets what is demanded first, where that is asked beside figures: does it manage, and at
    how many watts?"""
    named = query.has(Role.MODEL) and query.has(Role.TARGET) and query.says(*LIMITS)
    judged = bool(wants) and set(wants) <= QUANTITIES and Want.MEETS not in wants and named
    return [Want.MEETS, *wants] if judged and _MANAGES.search(query.question) else wants


def _is_inverse(query: Query) -> bool:
    """Which value of a variable keeps to limits: none is said of it, and limits are."""
    value = next((_VALUES[name] for name in query.all(Role.VARIABLE) if name in _VALUES), None)
    limited = query.has(*LIMITS) or (query.wants[:1] == (Want.FITS,) and query.has(Role.TARGET))
    asked = "inverse" in query.asks and query.has(Role.MODEL) and limited
    beside = is_surely_other(query, Want.LIMIT, Want.FITS)
    return asked and value is not None and not query.says(value) and not beside


def is_surely_other(query: Query, *wants: Want) -> bool:
    """Whether its words surely want something else, so that no rule on them makes it one of these."""
    main, chance = next(iter(query.likely), (Want.SAME, 0.0))
    return chance >= SURELY and main not in wants


def _wants_hardware(query: Query, wants: Sequence[Want], topic: Sequence[Want]) -> bool:
    """Without a board, and with demands on one: which would meet them?"""
    asked = {"which", "hardware"} <= query.asks
    meant = QUANTITIES | ({Want.RECOMMEND_MODEL, Want.RECOMMEND, Want.HOW_MANY} if asked else set())
    if query.has(Role.TARGET) or not query.has(Role.MODEL) or not set(wants) <= meant:
        return False
    if not asked and query.says(Role.RAM_BYTES, Role.FLASH_BYTES) and query.likely[0][0] is Want.FITS:
        return False
    if Want.BATTERY_LIFE in wants or any(name.kind is Kind.TARGET for name in query.unknown):
        return False
    if asked and query.says(Role.DEVICES):
        return True
    return query.says(*(_DEMANDS if Want.RECOMMEND in topic else (Role.TARGET_CLASS, Role.PRICE_USD)))


def _without_company(wants: Sequence[Want], query: Query) -> list[Want]:
    """Without what is not meant beside the rest: a change that is not said, another board than one judged."""
    first, out = set(wants[:1]), set[Want]()
    if query.has(Role.TARGET) and len(set(query.all(Role.MODEL))) == 1:
        out.add(Want.PIPELINE)
        case = {Want.BOUND, Want.WHY_SLOWER} & set(wants) and not explains(query)
        out |= {Want.CONCEPT} if case and not is_general(query) else set()
    if Want.WHAT_IF in wants[1:] and not query.says(*_CHANGED):
        out.add(Want.WHAT_IF)
    if Want.WHAT_IF in wants and query.says(Role.TECHNIQUE):
        out.add(Want.IMPROVE)
        out |= {Want.COMPARE} if len(query.all(Role.TECHNIQUE)) > 1 else set()
    if Want.HOW_MANY in first:
        out.add(Want.LIMIT)
    if Want.BATTERY_LIFE in wants and query.has(Role.LIFE_MS):
        out |= set() if query.says(*CLAIMS) else {Want.PLAUSIBLE}
        out |= set() if query.says(*(role for role in LIMITS if role is not Role.RATE_HZ)) else {Want.MEETS}
    if Want.RECOMMEND in first and query.has(Role.MODEL) and not query.has(Role.TARGET):
        out |= {Want.LIST_TARGETS, Want.COMPARE, Want.FITS, Want.MEETS, Want.PRICE}
    judged = {Want.FITS, Want.MEETS, Want.BATTERY_LIFE} & set(wants) or not query.has(*_DEMANDS)
    if judged and query.has(Role.MODEL) and query.says(Role.TARGET) and len(set(query.all(Role.TARGET))) == 1:
        out |= {Want.RECOMMEND, Want.CHEAPEST} - (first if query.among or "which" in query.asks else set())
    return [want for want in wants if want not in out] or ([Want.FITS, Want.LATENCY] if wants else [])


def is_general(query: Query) -> bool:
    """Whether its words ask how something is or how this program works, not of the case at hand.

    By the conversations that were in no fit this alone tells it: 13 of 20 questions that it takes so are, and
    of the others 1 in 70; how well a page goes with the words adds nothing.
    """
    chances = dict(query.likely)
    return chances.get(Want.CONCEPT, 0.0) + chances.get(Want.PRODUCT, 0.0) >= _GENERAL


_GENERAL = 0.5


def explains(query: Query) -> bool:
    """Whether a word is to be explained, whatever figure is asked for beside it."""
    return bool(spoken("explain", query.question))


def _of_slots(query: Query, wants: Sequence[Want]) -> list[Want]:
    """What the figures ask by being there: a limit is judged, a claim held against the estimate."""
    if not query.has(Role.MODEL) or (wants and not set(wants) & (QUANTITIES | {Want.PLAUSIBLE})):
        return []
    found: list[Want] = []
    if Want.MEETS in wants and query.has(Role.LIFE_MS) and query.has(*CELLS):
        found.append(Want.BATTERY_LIFE)
    stands = query.says(Role.TARGET) and query.has(*LIMITS)
    untold = {Want.BATTERY_LIFE, *((Want.POWER,) if not of_a_supply(query) else ())}
    if (stands or query.says(*LIMITS, Role.CURRENT_UA)) and not set(wants) & untold:
        found.append(Want.MEETS)
    counted = query.says(Role.DEVICES) or (query.says(Role.CARDS) and query.has(Role.DEVICES))
    if counted and query.has(Role.RATE_HZ):
        found.append(Want.HOW_MANY)
    if query.says(*CLAIMS):
        found.append(Want.PLAUSIBLE)
    return found
