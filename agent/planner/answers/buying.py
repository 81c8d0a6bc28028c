"""Whether a device is bought or rented: after how many hours its price is spent on rent."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from ..bench import NOT_KNOWN, Answering, Call, Record, call_of, needed
from ..paid import CENTS, price_said, with_owners
from ..query import Query, Role, Slot
from ..want import Want
from ..words import spoken
from .in_batches import batched, workload
from .phrases import (
    VERDICT_WORDS,
    batch_of,
    joined,
    language_models,
    lines,
    model_shown,
    price,
    said,
)
from .serving import asks_break_even

_RATE = "inferences_per_second"
_KWH_MW, _DAY_H = 1e6, 24.0


def weighs_buying(query: Query) -> bool:
    """Whether one is to be bought or rented, where the rent is said, and the price too or it is known."""
    if not query.has(Role.RENT) or language_models(query) or not spoken("buying", query.question):
        return False
    if asks_break_even(query) and query.has(Role.OWN_PRICE_USD, Role.PRICE_USD):
        return False
    return query.has(Role.OWN_PRICE_USD, Role.PRICE_USD) or (
        query.says(Role.RENT) and bool(_listed(query)) and not query.has(Role.MODEL)
    )


def _listed(query: Query) -> str:
    """What is named first and has a list price, where that is not the one which is rented."""
    first = next(iter(query.all(Role.TARGET)), "")
    rented = next((slot.of for slot in query.slots if slot.role is Role.RENT), "")
    found = query.targets.get(first)
    return first if first != rented and found is not None and found.price_usd else ""


def _by_the_list(query: Query) -> Answering:
    """After how long the list price is spent on the rent; what either does needs a network."""
    chip = needed((yield call_of("get_target", query, target=_listed(query))))
    rent = next(slot for slot in query.slots if slot.role is Role.RENT)
    hours = f"{chip.id}.price_usd/{rent.number:g}USD"
    return lines(
        f"After {{{{{hours}|count}}}} hours of renting at {rent.text}, {{{{{hours}/{_DAY_H:g}|count}}}} days "
        f"without a pause, the {price(chip)} of {chip.ref('name')} are spent.",
        "Electricity and the computer around it are not counted; name a network, and I tell what either "
        "does in that time.",
    )


def buying(query: Query, _wants: Sequence[Want]) -> Answering:
    """After how many hours of rent the price is spent, less the electricity of what is bought."""
    if not query.has(Role.OWN_PRICE_USD, Role.PRICE_USD):
        return (yield from _by_the_list(query))
    query = with_owners(query)
    cost = next(s for s in query.slots if s.role in (Role.OWN_PRICE_USD, Role.PRICE_USD))
    paid = next(s for s in query.slots if s.role is Role.RENT)
    targets = list(dict.fromkeys(query.all(Role.TARGET)))
    rented = paid.of if paid.of in targets else targets[-1] if targets else ""
    bought = next((one for one in targets if one != rented), rented)
    if not query.has(Role.MODEL) or not rented:
        return f"{NOT_KNOWN} without a network and what is rented."
    tariff, own = _tariff(query), query.put(Role.TARGET, bought)
    terms = {"device_price": cost.number, "price_per_hour": paid.number, "rate_hz": None}
    record = needed((yield call_of("estimate_workload", own, price_per_kwh=tariff, **terms)))
    if not record.knows("pays_off_h"):
        return lines(_without_end(query, record, tariff, paid))
    days = f"{{{{{record.id}.pays_off_h/24h|count}}}} days without a pause"
    less = f", less its own electricity at {said(query, Role.TARIFF)}" if tariff else ""
    spent = f"{cost.text} are spent{less}"
    first = f"After {record.ref('pays_off_h')} of renting {rented} at {paid.text}, {days}, {spent}."
    told = ""
    if bought != rented:
        plain = query.put(Role.TARGET, rented).without([Role.RATE_HZ, Role.LATENCY_MS])
        other = needed((yield workload((yield from batched(plain)))))
        hours = record.number("pays_off_h") or 0.0
        told = yield from _beside(own, other, hours)
    power = "" if tariff else "Electricity and the computer around it are not counted."
    return lines(first, told, power)


def _without_end(query: Query, record: Record, tariff: float | None, rent: Slot) -> str:
    """That it never pays, or perhaps never, or why that is not known."""
    ends, bought = record.ends("power_mw"), record.ref("deployment.target")
    if not tariff or ends is None:
        return f"When it pays is {NOT_KNOWN}: no source gives the power of {bought}."
    drawn = f"{record.ref('power_mw', 'W~')} of {bought} at {said(query, Role.TARIFF)}"
    surely = ends[0] * tariff / _KWH_MW >= rent.number
    word, costs = ("Never", "costs") if surely else ("Perhaps never", "may cost")
    paid = said(query, Role.OWN_PRICE_USD, Role.PRICE_USD)
    return f"{word} are {paid} spent: electricity {costs} as much as the rent, {rent.text}: {drawn}."


def _tariff(query: Query) -> float | None:
    """What a kWh costs, in the currency of the other prices: 12 cents are 0.12 dollars."""
    paid = price_said(query.without([Role.RENT]))
    if paid is None:
        return None
    return paid.value / 100 if CENTS.fullmatch(paid.currency) else paid.value


def _beside(bought: Query, rented: Record, hours: float) -> Generator[Call, Record, str]:
    """How long what is bought takes for as much, or whether it keeps up with the rate that is said."""
    own = needed((yield workload((yield from batched(bought)))))
    if not own.knows(_RATE) or not rented.knows(_RATE):
        return ""
    times = f"{{{{{own.id}.{_RATE}/{rented.id}.{_RATE}|x}}}}"
    than = rented.ref("deployment.target")
    does = f"{own.ref('deployment.target')} does {own.ref(_RATE, 'fps~')}, {times} as much as {than}"
    if bought.has(Role.RATE_HZ):
        word = VERDICT_WORDS[str(own["verdict"])].lower()
        return f"{does}, with {model_shown(bought)}; enough for {said(bought, Role.RATE_HZ)}: {word}."
    many = [one.ref("deployment.batch") for one in (own, rented)]
    batches = f", in batches of {joined(many)}" if max(map(batch_of, (own, rented))) > 1 else ""
    same = f"{{{{{hours:.6g}h*{rented.id}.{_RATE}/{own.id}.{_RATE}|h}}}}"
    return f"{does}: for the same work it takes {same} with {model_shown(bought)}{batches}."
