"""What a load takes at all places: boards, their price, power, electricity and rent; a row for each kind."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace as put_in

from ...asked_unit import AskedUnit, Per, Price, What, asked_unit
from ...patterns import compiled
from ..bench import Answering, Call, Record, call_of, needed
from ..dossier import asks_to_choose
from ..paid import CENTS, price_said
from ..query import CELLS, Query, Role
from ..rents import says_rented
from ..want import Want
from ..words import patterns
from . import in_batches
from .axes import kinds_of, several, varied
from .outlay_told import Asked, Kind, told
from .per_what import of_time_said, unit_of
from .phrases import language_models, said

_MOST, _DAY_H = 6, 24.0
_CHEAPEST = (Want.CHEAPEST, Want.RECOMMEND)
_SPENT = frozenset((Want.PRICE, Want.PER_PRICE, Want.POWER, Want.CHEAPEST))
_LIMITED = (Role.LATENCY_MS, Role.POWER_MW, Role.ENERGY_UJ, Role.PRICE_USD)
_GOES_ON = frozenset((Want.COMPARE, Want.SAME, Want.MEETS, Want.HOW_MANY, Want.FITS))
_COUNTED = (Role.DEVICES, Role.PLACES, Role.CARDS, Role.PIECES)
_TIMES = compiled(r" times (?!an? |per |every |each )")
"""Of several streams together: 16 times 15 fps."""
_EACH = patterns("multiples")["of_each"]
_LOOKS_BACK = 3


def asks(query: Query, wants: Sequence[Want]) -> bool:
    """Whether it is what boards cost or draw that carry several streams, or stand in several places."""
    if not _is_load(query) or not query.has(Role.TARGET):
        return False
    timed = period_of(query, wants) is not None
    counted = query.has(Role.PLACES) and Want.HOW_MANY in wants[:2]
    if set(wants[:2]) & _SPENT or timed or counted:
        return timed or not several(query) or query.has(Role.PLACES) or Want.HOW_MANY in wants
    return _goes_on(query, wants) or _chooses_by_cost(query)


def _goes_on(query: Query, wants: Sequence[Want]) -> bool:
    """Whether it names another board after such an answer: and with a Hailo-8?"""
    return _names_another(query, wants) and _was_asked(query)


def _names_another(query: Query, wants: Sequence[Want]) -> bool:
    before = {name for one in query.established[-1:] for name in one.all(Role.TARGET)}
    new = query.says(Role.TARGET) and {*query.all(Role.TARGET)} - before
    return bool(new) and bool(set(wants[:1]) & _GOES_ON)


def _chooses_by_cost(query: Query) -> bool:
    """Which of them, over five years? Of boards alone, not of inputs or types."""
    chooses = asks_to_choose(query) and set(varied(query)) <= {Role.TARGET}
    return chooses and of_time_said(query) is not None and _was_asked(query)


def _was_asked(query: Query) -> bool:
    return any(asks(one, one.wants) for one in query.established[-_LOOKS_BACK:])


def _is_load(query: Query) -> bool:
    rated = query.has(Role.MODEL) and query.has(Role.RATE_HZ) and not language_models(query)
    many = max(query.number(role) or 1.0 for role in _COUNTED) > 1
    many = many or _TIMES.search(said(query, Role.RATE_HZ)) is not None
    return rated and many and not query.has(*CELLS, *_LIMITED)


def period_of(query: Query, wants: Sequence[Want]) -> AskedUnit | None:
    """The time that electricity or rent is asked for; None where it is power that is asked now."""
    of_power = wants[:1] and wants[0] is Want.POWER and not query.says(Role.HOURS_A_DAY, Role.TARIFF)
    if of_power and asked_unit(query.question) is None:
        return None
    unit = unit_of(query, wants)
    if unit and unit.per is Per.TIME and unit.what in (What.MONEY, What.ENERGY):
        return unit
    if unit or not (_names_another(query, wants) or asks_to_choose(query)):
        return None
    earlier = (one for one in reversed(query.established[-_LOOKS_BACK:]) if asks(one, one.wants))
    before = next((period for one in earlier if (period := period_of(one, one.wants))), None)
    return before and (of_time_said(query) or before)


def outlay(query: Query, wants: Sequence[Want]) -> Answering:
    """One kind of board in sentences, several as a table with the least of each figure."""
    kinds = list[Kind]()
    for name, one in _named(query, wants)[:_MOST]:
        kinds.append((yield from kind_of(one, query, wants, name=name)))
    return told_of(kinds, query, wants)


def told_of(kinds: Sequence[Kind], query: Query, wants: Sequence[Want]) -> str:
    """What they take, side by side."""
    period, paid = period_of(query, wants), _paid_for_energy(query, wants)
    return told(kinds, Asked(query, tuple(wants), period, paid, alone=len(kinds) == 1))


def _named(query: Query, wants: Sequence[Want]) -> list[tuple[str, Query]]:
    """Each that is named; where it goes on, or one is to be chosen of those spoken of, those too."""
    before = (name for one in reversed(query.established[-_LOOKS_BACK:]) for name in one.all(Role.TARGET))
    spoken_of = [name for name in dict.fromkeys(before) if name not in query.left_out]
    chosen = asks_to_choose(query) or bool({*wants[:2]} & {*_CHEAPEST})
    if spoken_of and ((chosen and not query.says(Role.TARGET)) or _goes_on(query, wants)):
        query = query.without([Role.RUNTIME, Role.BATCH, Role.CARDS])
        query = query.put(Role.TARGET, *dict.fromkeys([*query.all(Role.TARGET), *spoken_of]))
    return kinds_of(query, wants)[0] if several(query) else [(query.text(Role.TARGET), query)]


def kind_of(
    one: Query, query: Query, wants: Sequence[Want], *, name: str = "", where: str = "", rents: bool = False
) -> Generator[Call, Record, Kind]:
    """In the batch in which the fewest do it, where none is said.

    Args:
        query: the whole question, of which `one` is a kind.
        rents: whether a list price of an hour is to be taken.
    """
    period, paid = period_of(query, wants), _paid_for_energy(query, wants)
    many, places = one.number(Role.CARDS), one.number(Role.PLACES) or one.number(Role.PIECES)
    if places and many == places:
        many = None
    elif many and not places and _EACH.search(query.question):
        many, places = 1.0, many
    served = yield from in_batches.batched(one.without([Role.CARDS]), counts=not many)
    served = served.put(Role.CARDS, many) if many else served
    target = one.text(Role.TARGET)
    rent = next((slot for slot in one.slots if slot.role is Role.RENT and slot.of in ("", target)), None)
    rented = rent if period is not None and says_rented(query) else None
    terms = {
        "sites": int(places) if places else None,
        "days": period.amount / _DAY_H if period else None,
        "price_per_kwh": paid.value if paid and not (rents or rented) else None,
        "price_per_hour": rented.number if rented else None,
        "device_price": one.number(Role.OWN_PRICE_USD),
    }
    more = {"buys": not (rents or rented), "rents": rents, "devices": int(many) if many else None}
    work = needed((yield in_batches.workload(served, **more, **terms)))
    page = yield call_of("get_target", served)
    words = rented.text if rented else ""
    if rents and work.knows("rent_per_hour"):
        words = f"{{{{{work.id}.rent_per_hour*1USD|USD}}}} an hour"
    return Kind(name or target, served, work, page, words, where)


def _paid_for_energy(query: Query, wants: Sequence[Want]) -> Price | None:
    """What a kWh costs; of a long time nobody counts cents."""
    paid, period = price_said(query.without([Role.RENT])), period_of(query, wants)
    if paid is None or paid.per is not Per.ENERGY:
        return None
    if period and period.amount > _DAY_H and CENTS.fullmatch(paid.currency):
        words = f"{paid.words}, in hundreds of {paid.currency}"
        return put_in(paid, value=paid.value / 100, currency="", words=words)
    return paid
