"""What a conversation established: a line for each question, what was chosen, what is open."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..bench import Answering, Record, ToolFailedError
from ..dossier import dossier_of
from ..query import LIMITS, Query, Role
from ..settling import reckoned
from ..want import Want
from ..wants import ASIDE, QUANTITIES
from ..words import meaning, sentences_asked
from . import deciding
from .contenders import decision_of
from .doubting import besides
from .frames import frames_of
from .phrases import ASKS, ASSUMED, joined, lines, model_shown, said
from .trust import least_sure, watched

_UNTOLD = ASIDE | {
    Want.CODE, Want.IMPORT, Want.CALIBRATE, Want.LIST_TARGETS, Want.LIST_MODELS, Want.LIST_RUNTIMES,
    Want.CHIP_FACTS, Want.MODEL_FACTS, Want.WHY_SLOWER,
}  # fmt: skip
"""What is looked up in between."""
_MOST, _BESIDE = 5, 2
_UNSURE = ("Probably", "It cannot be told", "not sure", "may do")
_DEMANDS = (*LIMITS, Role.BATTERY, Role.CHARGE_MAH, Role.LIFE_MS, Role.PROMPT, Role.CONTEXT)
_OF_EACH = QUANTITIES | {
    Want.COMPARE, Want.RECOMMEND, Want.CHEAPEST, Want.PRICE, Want.GENERATION, Want.WHY_SLOWER, Want.HOW_MANY,
}  # fmt: skip
"""What the table of those that are chosen from tells."""


def summary(query: Query) -> Answering:
    """Which to take of those that were spoken of, or what each question came to; what is demanded and open.

    Figures again by their tools, so that they are those of the data of today.
    """
    chosen = query.cast.chosen()
    dossier = None if chosen else dossier_of(query, of_all=True)
    several = dossier is not None and (dossier.role is Role.TARGET or dossier.writes)
    decision = (yield from decision_of(dossier)) if dossier and several else None
    told: list[str] = []
    unsettled: list[str] = []
    seen: dict[str, Record] = {}
    for past in _selected(query):
        if decision and _main(past) in _OF_EACH:
            continue
        line = yield from watched(_headline(past), seen)
        if line and _alike(line) not in map(_alike, told):
            told.append(f"- {line}")
        if not line or "not known" in line or line.startswith(_UNSURE) or _UNSURE[2] in line:
            unsettled.append(_open(past, line))
    demands = list(dict.fromkeys(said(query, role) for role in _DEMANDS if query.has(role)))
    out = [name for name in dict.fromkeys(query.all(Role.WITHOUT)) if name in query.targets]
    settled = (
        f"Chosen: {chosen}." if chosen else "", f"Ruled out: {joined(out)}." if out else "",
        f"Asked for: {joined(filter(None, demands))}." if any(demands) else "",
    )  # fmt: skip
    if decision:
        doubt = "\n".join(filter(None, besides(decision, query.question))) or deciding.least_sure(decision)
        pick, *rest = f"{deciding.told(decision)}.", *deciding.shown(decision)
        found, last = (doubt, "") if sentences_asked(query.question) else ("", doubt)
        return lines(pick, found, *rest, *told[-_BESIDE:], " ".join(filter(None, settled)), last)
    if not told:
        known = model_shown(query)
        return (
            f"So far you spoke of {known}; name a board for figures."
            if known
            else "So far there are no figures."
        )
    if sentences_asked(query.question) == 1:
        return told[-1].removeprefix("- ")
    left = f"Open: {'; '.join(dict.fromkeys(filter(None, unsettled)))}." if any(unsettled) else ""
    last = left or "Open: nothing that was asked; all figures are estimates until one is measured."
    doubt = least_sure("\n".join(told), seen)
    head = f"I would take {chosen}, as you settled on it:" if chosen else "So far:"
    return lines(head, *told, doubt, " ".join(filter(None, settled)), last)


def _alike(line: str) -> str:
    """The line whatever calls its figures are of."""
    return re.sub(r"\br\d+\.", "", line.removeprefix("- "))


def _selected(query: Query) -> Sequence[Query]:
    """The last of each kind of question on each subject; of what was not chosen only where it is compared."""
    kept: dict[tuple[object, ...], Query] = {}
    out = set(query.all(Role.WITHOUT))
    for asked in query.established:
        left = (slot for slot in asked.slots if slot.role is not Role.TARGET or slot.value not in out)
        past = asked.model_copy(update={"slots": tuple(left)})
        main = _main(past)
        if main is None or not past.has(Role.MODEL):
            continue
        targets = frozenset(past.all(Role.TARGET))
        if not targets and out:
            continue
        chosen = query.cast.chosen()
        if chosen and len(targets) == 1 and chosen not in targets:
            continue
        key = (_kind(past, main), frozenset(past.all(Role.MODEL)), targets)
        kept.pop(key, None)
        kept[key] = past
    return list(kept.values())[-_MOST:]


def _main(past: Query) -> Want | None:
    return next((want for want in past.wants if want not in _UNTOLD), None)


def _kind(past: Query, main: Want) -> object:
    """By the frame that answers it, and what of a language model is asked."""
    frame = next((frame for frame, _ in frames_of(past)), None)
    if main is Want.GENERATION:
        return frame, frozenset(past.asks & {"first_token", "kv_cache", "longest", "many_users", "written"})
    return frame, main


def _headline(past: Query) -> Answering:
    """The first sentence that the question's answer has today; empty where it has none."""
    past = reckoned(past)
    for frame, wants in frames_of(past)[:1]:
        try:
            text = yield from frame(past, wants)
        except ToolFailedError:
            return ""
        return next(_sentences(text), "")
    return ""


def _sentences(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if line and not line.startswith(("|", ASSUMED, "- ", "From docs/", "Why")) and ASKS not in line:
            yield line


def _open(past: Query, line: str) -> str:
    """What is not settled by it."""
    main = next((want for want in past.wants if meaning(want)), None)
    of = joined((model_shown(past), joined(dict.fromkeys(past.all(Role.TARGET)))), "on")
    if main is None:
        return ""
    unsure = line.startswith(_UNSURE) or _UNSURE[2] in line
    return f"{meaning(main)} ({of}), {'only likely: measure it' if unsure else 'not known here'}"
