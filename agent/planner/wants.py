"""What is wanted: what the words say, as far as what is named and what was spoken of before allow."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ...tools.model_zoo.language_model import is_language_model
from ..names import Kind
from .query import LIMITS, Query, Role
from .want import Want
from .words import spoken

_LIKELY, _POSSIBLE, _CHOSEN, _ALONE_LIKELY = 0.27, 0.15, 0.1, 0.4
"""A want counts from the first on, the likeliest from the second on; below, nothing was understood."""
SURE_OF_WANT = 0.45
"""Chance of what is wanted from which on nothing else is offered. By `tests.evaluation.coverage` it holds for
71 in 100 questions that were in no fit, and the main want is right in 84 of 100 of these."""
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
_OF_A_BATTERY = (Role.BATTERY, Role.CHARGE_MAH, Role.BATTERY_MWH, Role.LIFE_MS)
_DEMANDS = (*LIMITS, Role.CURRENT_UA, Role.LIFE_MS, Role.TARGET_CLASS)
QUANTITIES = frozenset(
    (
        Want.LATENCY, Want.THROUGHPUT, Want.CYCLES, Want.ENERGY, Want.POWER, Want.BATTERY_LIFE, Want.RAM,
        Want.FLASH, Want.FITS, Want.MEETS, Want.UTILISATION, Want.PER_WATT, Want.PER_PRICE,
    )
)  # fmt: skip
"""Of one model on one target."""

OF_HARDWARE = QUANTITIES | {
    Want.BOUND,
    Want.LAYERS,
    Want.CHIP_FACTS,
    Want.PRICE,
    Want.UTILISATION,
    Want.PLAUSIBLE,
    Want.WHAT_IF,
    Want.IMPROVE,
    Want.LIMIT,
    Want.PLACEMENT,
    Want.EVIDENCE,
    Want.INTERVAL,
    Want.COMPATIBILITY,
    Want.CODE,
    Want.COST_OF_BATCH,
    Want.BOUND_CHANGE,
    Want.WHY_SLOWER,
    Want.GENERATION,
    Want.HOW_MANY,
}
"""What is wanted of a board; without one it is about the one that was spoken of last."""
_CHANGED = (
    Role.TECHNIQUE, Role.VARIABLE, Role.RUNTIME, Role.DTYPE, Role.WIDTH, Role.SIDE, Role.CLOCK_MHZ,
    Role.BATCH, Role.THREADS, Role.SEQUENCE,
)  # fmt: skip
"""What a change is said by; another network or board is a comparison."""
_NOT_OF_A_BATCH = frozenset(
    (Want.BOUND, Want.LAYERS, Want.PLAUSIBLE, Want.ENERGY, Want.POWER, Want.UTILISATION)
)
"""What a batch that is named beside it is only the setting of."""


def chosen(chances: Mapping[str, float]) -> tuple[str, ...]:
    """The labels that count, the likeliest first, from those of the model in that order.

    The same of another is either asked instead of the one before or beside it.
    """
    best = next(iter(chances))
    if best in ALONE and chances[best] >= _ALONE_LIKELY:
        return (best,)
    found = tuple(label for label, chance in chances.items() if chance >= _LIKELY and label not in ALONE)
    if best == Want.SAME:
        found = tuple(label for label in found if label != Want.COMPARE)
    return found or ((best,) if chances[best] >= _POSSIBLE else ())


_OF_A_CHOICE = frozenset(
    (Want.CHEAPEST, Want.PRICE, Want.ENERGY, Want.POWER, Want.BATTERY_LIFE, Want.AVAILABILITY)
)
_OF_BOTH = QUANTITIES | {Want.BOUND, Want.LAYERS, Want.COMPATIBILITY, Want.WHAT_IF, Want.IMPROVE, Want.LIMIT}
"""What a network is asked about that is named with a board."""
_VERDICTS = (Want.FITS, Want.MEETS)
_YES_OR_NO = re.compile(r"(?:does|do|will|would|can|could|is|are)\b", re.IGNORECASE)
_RATIOS = {"per_watt": Want.PER_WATT, "per_price": Want.PER_PRICE}


def wanted(query: Query, topic: Sequence[Want]) -> tuple[Want, ...]:
    """The wants of a question whose slots are complete."""
    missed = query.says(Role.TARGET) and not query.has(Role.MODEL) and spoken("known", query.question)
    said: list[Want] = [want for want in query.wants if want is not Want.SAME]
    wants: list[Want] = [Want.LIST_TARGETS] if missed else said
    if query.has(Role.MODEL) and (ratios := [_RATIOS[name] for name in spoken("ratio", query.question)]):
        wants = [*ratios, *(want for want in wants if want not in (Want.POWER, Want.PRICE))]
    if wants and wants[0] is Want.HELP and query.says(Role.MODEL, Role.TARGET):
        wants = [Want.MODEL_FACTS if query.says(Role.MODEL) else Want.CHIP_FACTS]
    if wants and wants[0] in ALONE:
        return tuple(wants[:1])
    if _writes(query) and (_is_of_its_start(query) or not {Want.CONCEPT, Want.PRODUCT} & set(wants)):
        return tuple(dict.fromkeys([Want.GENERATION, *wants]))
    if Want.GENERATION in wants and query.has(Role.MODEL) and not _writes(query):
        wants = [Want.THROUGHPUT if want is Want.GENERATION else want for want in wants]
    if Want.PIPELINE in wants and len(set(query.all(Role.MODEL))) == 1 and query.has(Role.TARGET):
        wants = [want for want in wants if want is not Want.PIPELINE] or [_likeliest(query, Want.PIPELINE)]
    if query.says(Role.BATTERY, Role.CHARGE_MAH) and set(wants) <= {Want.IMPROVE, Want.WHAT_IF, Want.LIMIT}:
        wants = [*(wants if query.has(Role.TECHNIQUE, Role.VARIABLE) else ()), Want.BATTERY_LIFE]
    if spoken("sparse", query.question) and {Want.WHAT_IF, Want.COMPARE, Want.PLAUSIBLE} & set(wants):
        return (Want.CONCEPT, Want.LATENCY)
    if _is_inverse(query):
        return (Want.LIMIT,)
    if chosen_from := _of_a_family(query, wants):
        return chosen_from
    if not wants and query.has(Role.TARGET) and not query.has(Role.MODEL):
        wants = [Want.CHIP_FACTS]
    if Want.COMPARE in wants and len(set(query.all(Role.DTYPE))) > 1 and not query.has(Role.MODEL):
        wants = [Want.CONCEPT, Want.CHIP_FACTS]
    wants = _beside_a_concept(query, wants)
    if explains(query) and wants and not {Want.CONCEPT, Want.PRODUCT} & set(wants):
        wants.append(Want.CONCEPT)
    wants = _without_company([*_as_of_memory(wants), *_of_slots(query, wants)], query)
    how_long = {Want.BATTERY_LIFE, Want.LATENCY, Want.MEETS, Want.FITS}
    if Want.BATTERY_LIFE in wants and query.has(*_OF_A_BATTERY) and set(wants) <= how_long:
        wants = [want for want in wants if want is not Want.LATENCY]
    if _wants_hardware(query, wants, topic):
        wants = [Want.RECOMMEND, *(want for want in wants if want not in (Want.FITS, Want.COMPARE))]
    return tuple(dict.fromkeys([*_verdicts(query, wants), *wants]))


def _is_of_its_start(query: Query) -> bool:
    """Whether the first token is asked for, and not surely what it is."""
    unsure = bool(query.likely) and query.likely[0][1] < SURE_OF_WANT
    return "first_token" in query.asks and unsure and not explains(query)


def _is_to_be_bettered(query: Query) -> bool:
    """Whether other hardware is looked for that is cheaper, faster or more frugal than the one named."""
    others = "which" in query.asks or "hardware" in query.asks or Want.RECOMMEND in query.wants
    one = len(set(query.all(Role.TARGET))) == 1 and query.says(Role.TARGET) and not query.unknown
    chosen = any(want is Want.RECOMMEND and chance >= _CHOSEN for want, chance in query.likely[:3])
    return bool(spoken("bettered", query.question)) and others and one and chosen and query.has(Role.MODEL)


def _beside_a_concept(query: Query, wants: list[Want]) -> list[Want]:
    """Without the concept where a setting is stated, with what else is asked of the two that are named."""
    if wants[:1] == [Want.CONCEPT] and _changes_a_setting(query):
        return wants[1:] or [Want.WHAT_IF]
    if wants == [Want.CONCEPT] and query.says(Role.MODEL) and query.says(Role.TARGET):
        return wants + [want for want, _ in query.likely if want in _OF_BOTH][:1]
    return wants


def _changes_a_setting(query: Query) -> bool:
    """Whether it states a setting of what is spoken of, and is not surely after a concept."""
    unsure = bool(query.likely) and query.likely[0][1] < SURE_OF_WANT
    return unsure and query.says(*_CHANGED) and query.has(Role.MODEL) and query.has(Role.TARGET)


def _verdicts(query: Query, wants: Sequence[Want]) -> list[Want]:
    """What is answered before any figure where the question is put as one for yes or no."""
    if not _YES_OR_NO.match(query.question) or not set(wants[:1]) <= QUANTITIES:
        return []
    return [want for want in wants if want in _VERDICTS]


def _of_a_family(query: Query, wants: Sequence[Want]) -> tuple[Want, ...]:
    """Where one of a family is to be chosen: of chips by recommending, of networks side by side."""
    if (query.among and query.has(Role.MODEL)) or _is_to_be_bettered(query):
        return (Want.RECOMMEND, *(want for want in wants if want in _OF_A_CHOICE))
    if not query.one_of or not query.has(Role.TARGET):
        return ()
    quantity = Want.THROUGHPUT if query.has(Role.RATE_HZ) else Want.LATENCY
    return (Want.COMPARE, Want.MEETS, quantity) if query.has(*LIMITS) else (Want.COMPARE, quantity)


def _as_of_memory(wants: list[Want]) -> list[Want]:
    """Why it takes so much RAM is asked of the layer at its peak, and not of what takes the time."""
    if wants[:1] != [Want.RAM]:
        return wants
    return [Want.LAYERS if want is Want.WHY_SLOWER else want for want in wants]


def _without_company(wants: Sequence[Want], query: Query) -> list[Want]:
    """Without what is rarely meant beside the rest.

    An interval is narrowed by a measurement and not by another model; which board to take is not the question
    where one is named and judged, or where nothing is demanded of it.
    """
    left_out: set[Want] = set()
    if Want.INTERVAL in wants:
        left_out |= {Want.IMPROVE, Want.WHAT_IF, Want.PLAUSIBLE}
        left_out |= set() if wants[0] is Want.CALIBRATE else {Want.CALIBRATE}
    if Want.WHAT_IF in wants and query.says(Role.TECHNIQUE):
        left_out.add(Want.IMPROVE)
    if Want.WHAT_IF in wants and len(set(query.all(Role.RUNTIME))) == 1 and query.says(Role.RUNTIME):
        left_out |= {Want.RECOMMEND_RUNTIME, Want.COMPARE}
    if Want.WHAT_IF in wants[1:] and not query.says(*_CHANGED):
        left_out.add(Want.WHAT_IF)
    if Want.PRODUCT in wants and not query.has(Role.MODEL):
        left_out.add(Want.CODE)
    if Want.PLAUSIBLE in wants and query.says(*CLAIMS):
        left_out |= {Want.WHAT_IF, Want.COMPARE, Want.COST_OF_BATCH}
    if Want.WHY_SLOWER in wants and len(set(query.all(Role.TARGET))) > 1:
        left_out.add(Want.CONCEPT)
    if wants and wants[0] is Want.HOW_MANY:
        left_out.add(Want.LIMIT)
    if wants and wants[0] in _NOT_OF_A_BATCH:
        left_out.add(Want.COST_OF_BATCH)
    if Want.BOUND in wants and query.has(Role.MODEL) and query.has(Role.TARGET) and not explains(query):
        left_out.add(Want.CONCEPT)
    varied = set(query.all(Role.VARIABLE)) - {"battery-life", "ram"}
    if Want.LIMIT in wants and not varied and {Want.IMPROVE, Want.BATTERY_LIFE} & set(wants):
        left_out.add(Want.LIMIT)
    if wants and wants[0] is Want.RECOMMEND and query.has(Role.MODEL) and not query.has(Role.TARGET):
        left_out |= {Want.LIST_TARGETS, Want.COMPARE, Want.FITS, Want.MEETS, Want.PRICE}
    chosen_for = [want for want in wants if want in (Want.RECOMMEND, Want.RECOMMEND_MODEL)]
    if len(chosen_for) == 2 and query.has(Role.MODEL):
        left_out.add(Want.RECOMMEND_MODEL if chosen_for[0] is Want.RECOMMEND else Want.RECOMMEND)
    judged = bool({Want.FITS, Want.MEETS, Want.BATTERY_LIFE} & set(wants))
    one = len(set(query.all(Role.TARGET))) == 1 and query.says(Role.TARGET)
    if one and query.has(Role.MODEL) and (judged or not query.has(*_DEMANDS)):
        chooses = "which" in query.asks and wants[:1] in ([Want.RECOMMEND], [Want.CHEAPEST])
        left_out |= set() if chooses else {Want.RECOMMEND, Want.CHEAPEST}
    same_board = "hardware" in query.excluded and set(wants) & {Want.IMPROVE, Want.WHAT_IF}
    if same_board or (wants[:1] in ([Want.RAM], [Want.FLASH]) and not query.has(*_DEMANDS)):
        left_out.add(Want.RECOMMEND)
    return [want for want in wants if want not in left_out] or ([Want.FITS, Want.LATENCY] if one else [])


def explains(query: Query) -> bool:
    """Whether a word is to be explained, whatever figure is asked for beside it."""
    return bool(spoken("explain", query.question))


def _of_slots(query: Query, wants: Sequence[Want]) -> list[Want]:
    """What the figures ask by being there: a limit is judged, a claim held against the estimate."""
    if not query.has(Role.MODEL) or (wants and not set(wants) & (QUANTITIES | {Want.PLAUSIBLE})):
        return []
    found = [Want.WHAT_IF] if query.says(Role.CLOCK_BEFORE_MHZ) else []
    stands = query.says(Role.TARGET) and query.has(*LIMITS)
    if (stands or query.says(*LIMITS, Role.CURRENT_UA)) and not set(wants) & {Want.BATTERY_LIFE, Want.POWER}:
        found.append(Want.MEETS)
    if query.says(*CLAIMS):
        found.append(Want.PLAUSIBLE)
    if query.says(Role.DEVICES) and query.has(Role.RATE_HZ):
        found.append(Want.HOW_MANY)
    if query.says(*_OF_A_BATTERY):
        found.append(Want.BATTERY_LIFE)
    return found


def _likeliest(query: Query, *without: Want) -> Want:
    """The likeliest thing that is wanted of a deployment."""
    found = (want for want, _ in query.likely if want in QUANTITIES and want not in without)
    return next(found, Want.THROUGHPUT if query.has(Role.RATE_HZ) else Want.LATENCY)


_VALUES = {"batch": Role.BATCH, "clock": Role.CLOCK_MHZ, "width": Role.WIDTH, "input": Role.SIDE}


def _is_inverse(query: Query) -> bool:
    """Which value of a variable keeps to limits: none is said of it, and limits are."""
    variable = next((name for name in query.all(Role.VARIABLE) if name in _VALUES), "")
    if "inverse" not in query.asks or not variable or not query.has(Role.MODEL):
        return False
    if query.says(Role.TECHNIQUE) and query.likely[:1] and query.likely[0][0] is Want.WHAT_IF:
        return False
    bounded = query.has(*LIMITS) or (Want.FITS in query.wants and query.has(Role.TARGET))
    return bounded and not query.says(_VALUES[variable])


def _writes(query: Query) -> bool:
    """Whether a language model is named."""
    return any(map(is_language_model, query.all(Role.MODEL)))


def _wants_hardware(query: Query, wants: Sequence[Want], topic: Sequence[Want]) -> bool:
    """Without a board, and with demands on one: which would meet them?"""
    if query.says(Role.TARGET) or not query.has(Role.MODEL) or Want.RECOMMEND in wants:
        return False
    if not set(wants) <= QUANTITIES | {Want.PRICE, Want.COMPARE, Want.CHEAPEST}:
        return False
    if any(name.kind is Kind.TARGET for name in query.unknown):
        return False
    if query.has(Role.TARGET) and query.says(Role.PRICE_USD) and "instead" in query.asks:
        return True
    often = {Role.RATE_HZ} if Want.BATTERY_LIFE in wants else set[Role]()
    demands = query.says(*(role for role in _DEMANDS if role not in often))
    if query.has(Role.TARGET):
        return Want.RECOMMEND in topic and demands and not query.spoken_of
    return (Want.RECOMMEND in topic and demands) or query.says(
        Role.LIFE_MS, Role.TARGET_CLASS, Role.PRICE_USD
    )
