"""Which battery a question speaks of."""

from __future__ import annotations

import re

from ...hardware_db.batteries import resolve_battery
from ...hardware_db.errors import UnknownNameError

_NAMED = re.compile(
    r"\b(?P<name>[cb]r ?\d{3,4}\w?|lr ?\d{2,4}|18650|21700|14500|coin cells?|button cells?|"
    r"li-?po|lithium[- ]polymer|li-?ion|lithium[- ]ion|[cd] cells?|9 ?v block|"
    r"a{2,4}(?= ?(?:-?cells?\b|batter|alkaline|lithium|size|nimh))|(?<=pair of )a{2,4}|(?<=two )a{2,4}|"
    r"(?<=\dx)a{2,4}|(?<=\d )a{2,4})\b",
    re.IGNORECASE,
)


def battery_named(question: str, sized: bool) -> tuple[str, tuple[str, ...]]:
    """The battery by its id, and what has to be said of it; `sized` says that a capacity is given.

    One whose figures are not known is not named to the tools, which would refuse it.
    """
    found = _NAMED.search(question)
    if found is None:
        return "", ()
    name = found["name"].removesuffix("s")
    try:
        battery, _ = resolve_battery(name)
    except UnknownNameError:
        if sized:
            return "", ()
        told = f"I have no cited capacity of {name} cells: give it in mAh, and I compute how long they last."
        return "", (told,)
    if battery.capacity_mah is None and not sized:
        return "", (f"A {battery.name} comes in every size: give its capacity in mAh.",)
    return battery.id, ()
