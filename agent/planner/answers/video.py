"""Whether what computes can decode the streams of so many cameras, which no estimate counts."""

from __future__ import annotations

import re

from ....hardware_db.hosts import is_hosted
from ...figures import NUMBER, number_in
from ...patterns import compiled
from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from ..words import spoken
from .phrases import joined, language_models, said

_MOST = 3
"""Targets that are told of."""
_OF_RATE = frozenset((Want.THROUGHPUT, Want.MEETS, Want.HOW_MANY, Want.FITS, Want.RECOMMEND, Want.COMPARE))


def decoding(query: Query, *, concludes: bool = False) -> Answering:
    """A clause on each target that is told; empty where no streams of several cameras are asked about.

    Args:
        concludes: whether one is chosen at the end, for all that was demanded before.
    """
    words, many = _streams(query)
    targets = _that_decode(query)[:_MOST]
    if many < 2 or not targets or not _of_cameras(query, concludes=concludes) or language_models(query):
        return ""
    told: dict[str, tuple[str, list[str]]] = {}
    for target in targets:
        host = query.text(Role.HOST) if is_hosted(query.targets.get(target)) else target
        page = needed((yield call_of("get_target", query, target=host))) if host else None
        name, does = (page.ref("id"), _told(page, many)) if page else (target, _NOTHING)
        told.setdefault(str(page["video"]) if page else "", (does, []))[1].append(name)
    clauses = "; ".join(f"{joined(names)} {does}" for does, names in told.values())
    eased = " Smaller substreams, or fewer pictures from the camera, ease it." if "not in" in clauses else ""
    return f"Decoding {words} streams of 1080p30 is not counted: {clauses}.{eased}"


_NOTHING = "can decode nothing, the host has to"


def _that_decode(query: Query) -> list[str]:
    """Targets that are known; an accelerator goes with the board that is named with it."""
    named = [name for name in dict.fromkeys(query.all(Role.TARGET)) if name in query.targets]
    return [name for name in named if not any(other.endswith(f"-{name}") for other in named)]


def _streams(query: Query) -> tuple[str, float]:
    """How many, as they are said; of several at a rate together, which is told as *4 times 10 fps*."""
    if query.has(Role.DEVICES):
        return said(query, Role.DEVICES), query.number(Role.DEVICES) or 0.0
    words, times, _ = said(query, Role.RATE_HZ).partition(" times ")
    return words, (number_in(words) or 0.0) if times and _NUMBER.fullmatch(words) else 0.0


_NUMBER = compiled(NUMBER, re.IGNORECASE)


def _of_cameras(query: Query, *, concludes: bool) -> bool:
    """Whether the turn says how many, or on what, of a talk about cameras, or one is chosen for them."""
    talk = (query, *query.established)
    cameras = any("cameras" in spoken("video", one.question) for one in talk)
    new = query.says(Role.DEVICES, Role.RATE_HZ, Role.TARGET, Role.HOST)
    if concludes:
        return cameras and bool({Want.RECOMMEND, Want.CHEAPEST} & set(query.wants))
    return cameras and new and bool(_OF_RATE & set(query.wants[:1]))


def _told(page: Record, many: float) -> str:
    """Whether it can in each kind of video that is known of it, and how many it can."""
    rows = page["video"]
    if not rows:
        return "may or may not, as no source tells"
    figures = [
        f"{'' if row['streams']['value'] >= many else 'not '}in {row['name']} "
        f"(at most {_at_most(page, at)}{', on its whole CPU' * row['takes_cpu']})"
        for at, row in enumerate(rows)
    ]
    cannot = all(each.startswith("not ") for each in figures)
    plain = [each.removeprefix("not ") for each in figures] if cannot else figures
    return f"can{'not ' if cannot else ' '}{joined(plain)}"


def _at_most(page: Record, at: int) -> str:
    low, high = page.ends(f"video[#{at}].streams") or (0.0, 0.0)
    ends = ("low",) if low == high else ("low", "high")
    return " to ".join(page.ref(f"video[#{at}].streams.{end}", "count") for end in ends)
