"""A choice: by which order, among what, how much of it is shown, and what of it is a wish alone."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from ...hardware_db.index import TargetSummary
from ..patterns import compiled
from ..quantities import Family, Figure
from .places import is_weighed
from .query import CELLS, LIMITS, Query, Role, Slot
from .want import Want
from .words import patterns, spoken, spoken_in_turn


class Order(StrEnum):
    """What comes first; the value is how that is told."""

    CHEAPEST = "price"
    FASTEST = "latency"
    SLOWEST = "latency, the slowest first"
    FRUGAL = "energy"
    COOLEST = "power"
    SMALLEST = "size of the memory"
    LARGEST = "size of the memory, the largest first"
    BALANCE = "latency, energy and power together"
    ENOUGH = "price and power together"
    """Of what is fast enough: where a time or rate is demanded, more speed is worth nothing."""

    @property
    def goal(self) -> str:
        """What a ranking of hardware weighs."""
        weighed = {Order.FRUGAL: "energy", Order.COOLEST: "power", Order.CHEAPEST: "price"}
        timed = (Order.FASTEST, Order.SLOWEST)
        return "latency" if self in timed else weighed.get(self, "balance")


_WORDS = {
    "cheapest": Order.CHEAPEST, "fastest": Order.FASTEST, "slowest": Order.SLOWEST, "frugal": Order.FRUGAL,
    "smallest": Order.SMALLEST, "largest": Order.LARGEST, "coolest": Order.COOLEST,
}  # fmt: skip
_OF_ENERGY = frozenset((Want.ENERGY, Want.BATTERY_LIFE))
_OF_GOALS = {"latency": Order.FASTEST, "energy": Order.FRUGAL, "ram": Order.SMALLEST}


def said_order(question: str) -> Order | None:
    """The first order that words name: cheapest, by latency, the least energy; a small one may be more."""
    found = [_WORDS[name] for name in spoken_in_turn(question, "order")]
    return next((each for each in found if each is not Order.SMALLEST), next(iter(found), None))


def order_of(query: Query, wants: Sequence[Want] = ()) -> Order:
    """What decides: what the words say, else what is wanted beside the choice.

    Money that may be spent is no wish to save it: where no speed is demanded, the fastest for it is meant.
    """
    if (said := said_order(query.question)) is not None:
        return said
    if query.says(Role.PRICE_USD) and not query.has(Role.LATENCY_MS, Role.RATE_HZ, Role.LIFE_MS, *CELLS):
        return Order.FASTEST
    price = {Want.CHEAPEST} if query.says(Role.PRICE_USD) else {Want.CHEAPEST, Want.PRICE}
    rules = {
        Order.CHEAPEST: bool(price & set(wants)) or "cheapest" in query.asks,
        Order.FRUGAL: bool(_OF_ENERGY & set(wants)) or query.has(*CELLS, Role.LIFE_MS),
        Order.COOLEST: Want.POWER in wants and not query.says(Role.POWER_MW),
        Order.FASTEST: "fastest" in query.asks and not _FAST_ENOUGH.search(query.question),
    }
    found = next((order for order, holds in rules.items() if holds), None)
    if found is None and _FAST_ENOUGH.search(query.question):
        return Order.ENOUGH if query.has(Role.LATENCY_MS, Role.RATE_HZ) else Order.BALANCE
    usual = Order.ENOUGH if query.has(Role.LATENCY_MS, Role.RATE_HZ) else Order.BALANCE
    return found or _OF_GOALS.get(query.text(Role.GOAL), usual)


_FAST_ENOUGH = compiled(r"\b(?:fast|quick|speedy) enough\b", re.IGNORECASE)
"""Asks for a verdict on the time, not for the least."""
_SAYS = patterns("choosing")
_ACCELERATORS = ("npu", "gpu", "gpu-soc")
_NEURAL = compiled(r"\bNPU\b|TPU\b|Ethos|neural|\bBPU\b|\bKPU\b|\bCNN\b|NVDLA", re.IGNORECASE)


_SMALL = frozenset(("kws", "vww", "ic", "ad"))
_LITTLE = compiled(r"\b(?:small|little|tiny|mini)[- ]computers?\b", re.IGNORECASE)
"""What people call any board; a network of microcontrollers runs on those too."""


def classes_of(query: Query) -> tuple[str, ...]:
    """Classes of hardware that alone are meant; none where any may be. GPUs are accelerators."""
    known = {str(found.target_class) for found in query.targets.values()}
    within = ("mpu" if name == "linux" else name for name in query.all(Role.WITHIN))
    named = [name for name in (*within, query.text(Role.TARGET_CLASS)) if name in known]
    if named == ["mpu"] and set(query.all(Role.MODEL)) <= _SMALL and _LITTLE.search(query.question):
        return ()
    if "npu" in named and "accelerator" in query.question.casefold():
        return _ACCELERATORS
    return tuple(dict.fromkeys(named))


def has_npu(found: TargetSummary) -> bool:
    """Whether it has one, alone or beside its cores."""
    return found.target_class == "npu" or any(map(_NEURAL.search, found.accelerators))


def meant(query: Query) -> list[str]:
    """Ids of the targets that are chosen among: of a family, makers and classes, less what is ruled out."""
    classes, makers = classes_of(query), {m for m in query.all(Role.WITHIN) if m[:1].isupper()}
    unwanted = {*query.all(Role.WITHOUT), *query.left_out}
    return [
        found.id
        for found in query.targets.values()
        if (not query.among or found.id in query.among)
        and (not makers or found.vendor in makers)
        and links(query) <= {*found.interfaces}
        and (not classes or str(found.target_class) in classes or ("npu" in classes and has_npu(found)))
        and not unwanted & {found.id, found.vendor, str(found.target_class)}
    ]


def is_narrowed(query: Query) -> bool:
    """Whether anything is said of what is chosen among."""
    return bool(query.among or links(query) or query.has(Role.WITHIN, Role.TARGET_CLASS, Role.WITHOUT))


def links(query: Query) -> set[str]:
    """What is demanded to connect by, now or before."""
    said = [each.question for each in (*query.established, query)]
    return {link for link, words in patterns("links").items() if any(map(words.search, said))}


def of_a_supply(query: Query) -> bool:
    """Whether the power that is demanded is what a supply gives, now or before: it holds at every moment."""
    talk = (*query.established, query)
    return query.has(Role.POWER_MW) and any(
        one.says(Role.POWER_MW) and _SAYS["supply"].search(one.question) for one in talk
    )


def links_in_words(query: Query) -> str:
    """The same as it is told; empty for none."""
    return " and ".join(sorted({"wifi": "Wi-Fi"}.get(link, link.capitalize()) for link in links(query)))


_USUAL, _LISTED, _MOST = 3, 12, 20


def shown_of(query: Query) -> int:
    """How many rows: as many as are asked for, all that are read at a glance of a list, else three."""
    said = rows_said(query)
    return int(said.value) if said else _LISTED if lists(query) else _USUAL


def rows_said(query: Query) -> Figure | None:
    """How many are to be named: the best three, list five."""
    counts = (f for f in query.figures if f.family is Family.COUNT and 2 <= f.value <= _MOST)
    return next((f for f in counts if _SAYS["top"].search(query.question[: f.start])), None)


LISTS = "listed"
"""Among what a question asks: all that meet it."""


def lists(query: Query) -> bool:
    listed = LISTS in query.asks or bool(spoken("listed", query.question))
    return listed and not is_weighed(query.question)


_CLAUSE = compiled(r"[^,.;?!]*?(?:\d[.,]\d[^,.;?!]*?)*(?:[,.;?!]|\b(?:and|but)\b|$)")


def parted(query: Query) -> tuple[Query, tuple[Slot, ...]]:
    """Without the limits that are wishes alone, and these: under 100 mW would be nice."""
    clauses = [found[0] for found in _CLAUSE.finditer(query.question) if _SAYS["wish"].search(found[0])]
    wished = tuple(
        slot
        for slot in query.slots
        if slot.role in LIMITS and slot.text and any(slot.text in clause for clause in clauses)
    )
    slots = tuple(slot for slot in query.slots if slot not in wished)
    return query.model_copy(update={"slots": slots}), wished


GOES_ON = "goes_on"
"""Among what a question asks: the choice of before, among less, in another order, or shown whole."""
_CHOICES = frozenset((Want.RECOMMEND, Want.CHEAPEST))
_ABOUT_ONE = frozenset(("why", "why_not", "source", "wide", "sure"))
_FEW_WORDS = 12


def as_going_on(query: Query, earlier: Query) -> Query:
    """Marked where it goes on with the choice of hardware before: only NPUs, cheaper ones, which of those."""
    named = query.has(Role.MODEL) or any(
        "|" not in str(slot.value) for slot in query.slots if slot.role is Role.TARGET
    )
    if named or not _CHOICES & set(earlier.topic[:1]) or earlier.has(Role.TARGET) or not earlier.shown:
        return query
    if (
        len(query.question.split()) > _FEW_WORDS
        or _ABOUT_ONE & query.asks
        or _SAYS["some"].search(query.question)
    ):
        return query
    compared = Want.COMPARE in query.wants
    whole = not compared and (lists(query) or _SAYS["more"].search(query.question))
    limited = query.says(*LIMITS) and not query.says(Role.RATE_HZ, Role.LATENCY_MS)
    limited |= query.says(Role.RATE_HZ) and earlier.has(Role.DEVICES) and not earlier.has(Role.RATE_HZ)
    if not (
        whole
        or limited
        or said_order(query.question)
        or query.has(Role.WITHIN, Role.TARGET_CLASS, Role.WITHOUT, Role.TARGET)
    ):
        return query
    listed = {LISTS} if whole else earlier.asks & {LISTS}
    return _beyond(query, earlier).model_copy(update={"asks": query.asks | {GOES_ON} | listed})


_BETTER = {
    Order.CHEAPEST: ("price", Role.PRICE_USD), Order.FASTEST: ("latency", Role.LATENCY_MS),
    Order.FRUGAL: ("energy", Role.ENERGY_UJ),
}  # fmt: skip
_LESS = 0.999


def _beyond(query: Query, earlier: Query) -> Query:
    """Cheaper ones than what came first: its figure is a limit."""
    order, first = said_order(query.question), earlier.shown[0]
    head, role = _BETTER.get(order or Order.BALANCE, ("", None))
    figure = first.figures.get(head)
    if role is None or figure is None or query.says(role) or not _SAYS["than_that"].search(query.question):
        return query
    return query.put(role, _LESS * figure, text=f"the {head} of {first.text(Role.TARGET)}")


def gone_on(query: Query, earlier: Query) -> Query:
    """Of all that was chosen among, less what is said now; no row of it alone."""
    if GOES_ON not in query.asks:
        return query
    update: dict[str, object] = {
        "wants": (Want.RECOMMEND, *_OF.get(said_order(query.question), ())),
        "picks": False,
    }
    if not query.among:
        update["among"] = earlier.among
    if not query.has(Role.TARGET_CLASS, Role.WITHIN) and (kind := earlier.text(Role.TARGET_CLASS)):
        query = query.put(Role.TARGET_CLASS, kind)
    return query.without([Role.TARGET, Role.RUNTIME]).model_copy(update=update)


_OF: Mapping[Order | None, tuple[Want, ...]] = {
    Order.CHEAPEST: (Want.CHEAPEST,),
    Order.FRUGAL: (Want.ENERGY,),
    Order.COOLEST: (Want.POWER,),
}


def of_a_class(query: Query) -> Query:
    """The most frugal, fastest or cheapest of a class that is named is chosen among all of it."""
    order = said_order(query.question)
    asked = query.says(Role.TARGET_CLASS) and _SAYS["of_a_class"].search(query.question)
    if order is None or not asked or query.says(Role.TARGET) or not query.has(Role.MODEL):
        return query
    query = query.without([Role.TARGET, Role.RUNTIME, Role.CLOCK_MHZ])
    bare = asked[0].casefold().rstrip("s").endswith(("cortex-m", "cortexm"))
    cores = {name for name, one in query.targets.items() if any("cortex-m" in core for core in one.cores)}
    among = tuple(name for name in cores if not query.targets[name].accelerators) if bare else query.among
    wants = (Want.RECOMMEND, *_OF.get(order, ()))
    return query.model_copy(update={"wants": wants, "picks": False, "among": tuple(sorted(among))})
