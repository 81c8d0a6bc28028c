"""List prices of clouds, where what a rented card costs is asked for and no price is said."""

from __future__ import annotations

import re
from collections.abc import Generator

from ..asked_unit import HOURS, AskedUnit, Per, What, asked_unit
from ..patterns import compiled
from .bench import Call, Record
from .query import Query, Role, Slot

_RENTED = compiled(
    r"\b(?:rent(?:s|ed|ing|al)?|hir(?:e|ed|ing)|leas(?:e|ed|ing)|clouds?|aws|amazon|ec2|gcp|google cloud|"
    r"azure|run ?pod|lambda ?labs?|vast\.ai|akash|hourly|on[- ]demand|gpu[- ]?hours?|vms?|hyperscalers?)\b",
    re.I,
)
_MONEY = compiled(
    r"\b(?:cost(?:s|ing)?|prices?|priced|pricing|pricey|bills?|how much|cheap(?:er|est)?|dear(?:er|est)?|"
    r"expensive|dollars?|usd|bucks|budget|pay|paying|rent|rental|charges?)\b|\$",
    re.I,
)
_OWNED = compiled(
    r"\b(?:electric\w*|kwh|kilowatt\w*|watt\w*|joules?|energy|power|mains|socket|utility|batter\w+|"
    r"bought|existing|own(?:ed|ing)?|on[- ]prem\w*|at home|homelab)\b",
    re.I,
)
_ELECTRIC = compiled(r"\b(?:electric\w*|kwh|(?:power|energy) (?:bills?|costs?|prices?))\b", re.I)
_RENTS = compiled(r"\brent", re.I)
_PER_DOLLAR = compiled(r"\b(?:per|for (?:an?|one|each)|an?|each)\s?(?:dollar|usd|\$)(?![\w/])", re.I)
_OTHERS = compiled(r"€|£|\b(?:euros?|eur|pounds?|gbp|francs?|chf|rupees?|inr|yen|jpy)\b", re.I)
PROVIDERS = {
    name: compiled(rf"\b(?:{words})\b", re.I)
    for name, words in {
        "AWS": "aws|amazon|ec2", "Google Cloud": "gcp|google(?: cloud)?|gce", "Azure": "azure|microsoft",
        "Lambda": "lambda(?: ?labs?)?", "RunPod": "run ?pod", "Akash": "akash", "OpenRelay": "open ?relay",
    }.items()
}  # fmt: skip
_TIME = compiled(r"\b(?:one|the|whole|full|next|first) (?P<unit>day|week|month|year)\b", re.I)
LISTED = "list prices of rent"
"""How an answer says that it takes several of them."""
_PRICED = (Role.RENT, Role.TARIFF)


def says_rented(query: Query) -> bool:
    """Whether it says that a card is rented, and asks for money."""
    rented = _RENTED.search(query.question) or provider_of(query)
    return bool(rented and _MONEY.search(query.question))


def listed_targets(query: Query) -> list[str]:
    """Ids of what is named and has a list price."""
    known = dict.fromkeys(query.all(Role.TARGET))
    return [name for name in known if (one := query.targets.get(name)) and one.rent_usd_per_hour]


def all_listed(query: Query) -> bool:
    """Whether each target that is named has a list price."""
    return len(listed_targets(query)) == len(set(query.all(Role.TARGET)))


def asks_rent(query: Query) -> bool:
    """Whether a list price is to be taken: of what is rented, or of what may be owned as well as rented."""
    if query.has(*_PRICED) or not listed_targets(query):
        return False
    if _OTHERS.search(query.question) and query.has(Role.OWN_PRICE_USD, Role.PRICE_USD):
        return False
    if says_rented(query):
        return not _ELECTRIC.search(query.question) or bool(_RENTS.search(query.question))
    if _is_owned(query) or not all_listed(query):
        return False
    return _asks_money(query) or _goes_on(query)


def _asks_money(query: Query) -> bool:
    unit = asked_unit(query.question) or time_priced(query)
    return (unit is not None and unit.what is What.MONEY) or bool(_PER_DOLLAR.search(query.question))


def time_priced(query: Query) -> AskedUnit | None:
    """The time that money is asked for, where no "a" or "per" is before it: how much would one month be."""
    match = _TIME.search(query.question) if _MONEY.search(query.question) else None
    if match is None:
        return None
    unit = match["unit"].casefold()
    return AskedUnit(What.MONEY, "", Per.TIME, HOURS[unit], f"a {unit}")


def _goes_on(query: Query) -> bool:
    """Whether what changes is of a question before that asked for it: and on an L4, and eight hours a day."""
    changes = query.says(Role.TARGET, Role.MODEL, Role.HOURS_A_DAY, Role.CARDS, Role.WEIGHTS)
    changes = changes or bool(provider_of(query))
    return changes and asked_unit(query.question) is None and any(map(_asked_rent, query.established[-1:]))


def _asked_rent(query: Query) -> bool:
    return says_rented(query) or (_asks_money(query) and not _is_owned(query))


def _is_owned(query: Query) -> bool:
    """Whether electricity is asked for, or the card is the user's own: my T4, the one that we bought."""
    names = (slot.text for slot in query.slots if slot.role is Role.TARGET and slot.text)
    mine = (re.search(rf"\b(?:my|our) {re.escape(name)}", query.question, re.I) for name in names)
    return bool(_OWNED.search(query.question)) or any(mine)


USUAL = ("t4", "l4", "a10g", "l40s", "a100-sxm4-40gb", "a100-sxm4-80gb", "h100-sxm5")
"""Cards that clouds rent out, of which one is chosen where none is named."""


def chooses(query: Query) -> bool:
    """Whether it asks what to rent for a network, and names no card."""
    priced = query.has(*_PRICED, Role.TARGET, Role.PRICE_USD)
    goes_on = query.says(Role.HOURS_A_DAY) or provider_of(query)
    again = goes_on and any(says_rented(one) and not one.has(Role.TARGET) for one in query.established[-1:])
    return query.has(Role.MODEL) and not priced and (says_rented(query) or bool(again))


def is_listed(slot: Slot) -> bool:
    """Whether a price is a list price, not the user's."""
    return bool(slot.field)


def with_list_prices(query: Query) -> Generator[Call, Record, Query]:
    """The query with what an hour of each target costs by a list, in words that refer to where it is told."""
    query = query.put(Role.TARGET, *USUAL) if chooses(query) else query
    if not asks_rent(query):
        return query
    slots = []
    for name in listed_targets(query):
        page = yield page_of(name)
        row = page.row("rents", taken_of(query, page))
        hour = row.number("hour_usd")
        if hour is not None:
            words = f"{row.ref('hour_usd')} an hour"
            slots.append(Slot(role=Role.RENT, value=hour, text=words, of=name, field=f"{row.id}.hour_usd"))
    return query.model_copy(update={"slots": (*query.slots, *slots)})


def told(query: Query, answer: str) -> Generator[Call, Record, str]:
    """Whose list prices an answer took, what others ask, and what they leave out; empty if it took none."""
    slots = [slot for slot in query.slots if is_listed(slot)]
    lines: list[str] = []
    for slot in slots if LISTED in answer else [slot for slot in slots if slot.text in answer]:
        page = yield page_of(slot.of)
        at = taken_of(query, page)
        if offer(page, at) not in answer:
            lines += filter(None, (_offers(page, at), lacks(query, page)))
    if not lines:
        return ""
    power = "" if says_rented(query) else " That is rent; the electricity of a card of your own is not in it."
    return f"List prices on demand: {'; '.join(lines)}.{power}"


def taken_of(query: Query, page: Record) -> int:
    """Which of its offers is taken: of the provider that is named, else the usual one."""
    named = provider_of(query)
    return next((at for at, row in enumerate(page["rents"]) if row["provider"] == named), 0)


def page_of(target: str) -> Call:
    """What tells its list prices."""
    return Call("get_target", {"target": target}, frozenset((Role.TARGET,)))


def lacks(query: Query, page: Record) -> str:
    """That the provider that is named has no list price of it here."""
    named = provider_of(query)
    if not named or any(row["provider"] == named for row in page["rents"]):
        return ""
    return f"no list price of {named} for {page.ref('id')} was read"


def provider_of(query: Query) -> str:
    """Whose cloud is named; empty without one."""
    return next((name for name, words in PROVIDERS.items() if words.search(query.question)), "")


def offer(page: Record, at: int) -> str:
    """AWS g4dn.xlarge in us-east-1, one of its 8 cards, 2026-07-20."""
    row = page.row("rents", at)
    where = f" in {row.ref('region')}" if row["region"] else ""
    many = f", one of its {row.ref('cards')}" if (row["cards"] or 1) > 1 else ""
    return f"{row.ref('provider')} {row.ref('instance')}{where}{many}, {row.ref('date')}"


def _offers(page: Record, taken: int) -> str:
    """The one that is taken, and how far others differ."""
    rents = page["rents"]
    first = f"{page.ref('id')} {page.ref(f'rents[#{taken}].hour_usd')} ({offer(page, taken)})"
    others = sorted((at for at in range(len(rents)) if at != taken), key=lambda at: rents[at]["hour_usd"])
    ends = dict.fromkeys((*others[:1], *others[-1:]))
    told_ = [
        f"{page.ref(f'rents[#{at}].hour_usd')} ({offer(page, at)})"
        for at in ends
        if rents[at]["hour_usd"] != rents[taken]["hour_usd"]
    ]
    return f"{first}, elsewhere {' to '.join(told_)}" if told_ else first
