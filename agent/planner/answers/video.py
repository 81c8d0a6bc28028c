"""Whether what computes can decode the streams of so many cameras, which no estimate counts."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from typing import NamedTuple

from ....hardware_db.hosts import is_hosted
from ...figures import NUMBER, number_in
from ...patterns import compiled
from ..bench import Answering, Call, Record, call_of, needed
from ..multiples import DELIVERED
from ..query import Query, Role
from ..want import Want
from ..words import patterns, spoken
from .phrases import joined, language_models, said

_MOST, _MOST_RANKED = 3, 6
"""Targets that are told of, and those that are looked at for a choice."""
_OF_RATE = frozenset((Want.THROUGHPUT, Want.MEETS, Want.HOW_MANY, Want.FITS, Want.RECOMMEND, Want.COMPARE))


class _Told(NamedTuple):
    """What a target decodes, in words, and what it has in common with those of which the same is told."""

    name: str
    does: str = "can decode nothing, the host has to"
    key: str = ""
    can: bool = False


class Streams(NamedTuple):
    """So many of a kind, in words, each with so many times the pixels a second of 1080p30."""

    many: float
    words: str
    kind: str
    size: float
    codec: str


def decoding(query: Query, *, concludes: bool = False) -> Answering:
    """A clause on each target that is told; empty where no streams of several cameras are asked about.

    Args:
        concludes: whether one is chosen at the end, for all that was demanded before.
    """
    streams, targets = _streams(query), _that_decode(query)[:_MOST]
    if streams is None or not targets or not _of_cameras(query, concludes=concludes):
        return ""
    told: list[_Told] = []
    for target in targets:
        host = query.text(Role.HOST) if is_hosted(query.targets.get(target)) else target
        page = needed((yield call_of("get_target", query, target=host))) if host else None
        told.append(_told(page, streams) if page else _Told(target))
    return _line(streams, told)


def streams_of(query: Query) -> float:
    """How many streams of cameras there are, where there are several; else 0."""
    streams = _streams(query) if _talks_of_cameras(query) else None
    return streams.many if streams else 0.0


def of_ranked(query: Query, rows: list[Record]) -> Generator[Call, Record, tuple[list[Record], str]]:
    """The rows of a choice, of the foremost those first that are known to decode the streams where a
    rate is demanded; and a clause on each that is shown."""
    streams = _streams(query)
    if streams is None or not _talks_of_cameras(query):
        return rows, ""
    first: list[tuple[_Told, Record]] = []
    for row in rows[:_MOST_RANKED]:
        page = needed((yield call_of("get_target", query, target=row["target"])))
        alone = not is_hosted(query.targets.get(row["target"]))
        first.append((_told(page, streams) if alone else _Told(page.ref("id")), row))
    if query.has(Role.RATE_HZ):
        first.sort(key=lambda each: not each[0].can)
    line = _line(streams, [told for told, _ in first[:_MOST]])
    return [*(row for _, row in first), *rows[_MOST_RANKED:]], line


def _line(streams: Streams, told: Iterable[_Told]) -> str:
    alike: dict[str, list[_Told]] = {}
    for one in told:
        alike.setdefault(one.key, []).append(one)
    clauses = "; ".join(f"{joined(one.name for one in each)} {each[0].does}" for each in alike.values())
    eased = " Smaller substreams, or fewer pictures from the camera, ease it." if "not in" in clauses else ""
    return f"Decoding {streams.words} streams of {streams.kind} is not counted: {clauses}.{eased}"


def _that_decode(query: Query) -> list[str]:
    """Targets that are known; an accelerator goes with the board that is named with it."""
    named = [name for name in dict.fromkeys(query.all(Role.TARGET)) if name in query.targets]
    return [name for name in named if not any(other.endswith(f"-{name}") for other in named)]


def _streams(query: Query) -> Streams | None:
    """Several, as they are said; of several at a rate together, which is told as *4 times 10 fps*."""
    words, many = said(query, Role.DEVICES), query.number(Role.DEVICES) or 0.0
    if not query.has(Role.DEVICES):
        words, times, _ = said(query, Role.RATE_HZ).partition(" times ")
        many = (number_in(words) or 0.0) if times and _NUMBER.fullmatch(words) else 0.0
    if many < _SEVERAL or language_models(query):
        return None
    return Streams(many, words, *_kind(query))


_NUMBER, _SEVERAL = compiled(NUMBER, re.IGNORECASE), 2
_SIZED = patterns("video_sizes")
_MEGAPIXELS = {"hd": 0.9216, "full_hd": 2.0736, "quad_hd": 3.6864, "ultra_hd": 8.2944}
_USUAL = "1080p30"
_USUAL_MEGAPIXELS, _USUAL_FPS = _MEGAPIXELS["full_hd"], 30.0


def _kind(query: Query) -> tuple[str, float, str]:
    """What a stream is, as the talk says last; its pixels a second over those of 1080p30; its codec."""
    size, rate, codec = ("", _USUAL_MEGAPIXELS), ("", _USUAL_FPS), ""
    for one in (*query.established, query):
        for name, words in _SIZED.items():
            if (found := words.search(one.question)) is None:
                continue
            if name in ("h264", "h265"):
                codec = {"h264": "H.264", "h265": "H.265"}[name]
            else:
                size = (found[0], _MEGAPIXELS.get(name) or number_in(found["many"]) or _USUAL_MEGAPIXELS)
        delivered = (f for f in one.figures if f"*{f.text}* {DELIVERED}" in " ".join(one.notes))
        rate = next(((f" at {f.text}", f.value) for f in delivered), rate)
    times = size[1] * rate[1] / (_USUAL_MEGAPIXELS * _USUAL_FPS)
    if times == 1.0:
        return _USUAL, 1.0, codec
    return f"{size[0] or '1080p'}{rate[0] or ' at 30 fps'}", times, codec


def _talks_of_cameras(query: Query) -> bool:
    return any("cameras" in spoken("video", one.question) for one in (query, *query.established))


def _of_cameras(query: Query, *, concludes: bool) -> bool:
    """Whether the turn says how many, or on what, of a talk about cameras, or one is chosen for them."""
    cameras = _talks_of_cameras(query)
    new = query.says(Role.DEVICES, Role.RATE_HZ, Role.TARGET, Role.HOST)
    if concludes:
        return cameras and bool({Want.RECOMMEND, Want.CHEAPEST} & set(query.wants))
    return cameras and new and bool(_OF_RATE & set(query.wants[:1]))


def _rows(page: Record, streams: Streams) -> list[tuple[int, bool]]:
    """Which kinds of video are known of it, of those that the cameras send; whether it decodes so many."""
    named = [at for at, row in enumerate(page["video"]) if streams.codec in ("", row["name"])]
    return [(at, page["video"][at]["streams"]["value"] >= streams.many * streams.size) for at in named]


def _told(page: Record, streams: Streams) -> _Told:
    """Whether it can in each kind of video that is known of it, and how many it can."""
    name = page.ref("id")
    if not (rows := _rows(page, streams)):
        return _Told(name, "may or may not, as no source tells", "unknown")
    figures = [
        f"{'' if does else 'not '}in {page['video'][at]['name']} (at most {_at_most(page, at, streams.size)}"
        f"{', on its whole CPU' * page['video'][at]['takes_cpu']})"
        for at, does in rows
    ]
    cannot = not any(does for _, does in rows)
    plain = [each.removeprefix("not ") for each in figures] if cannot else figures
    does = f"can{'not ' if cannot else ' '}{joined(plain)}"
    return _Told(name, does, str(page["video"]), not cannot)


def _at_most(page: Record, at: int, size: float) -> str:
    low, high = page.ends(f"video[#{at}].streams") or (0.0, 0.0)
    whole = f"floor({page.id}.video[#{at}].streams.{{}}/{size:.6f})" if size != 1.0 else ""
    whole = whole or f"{page.id}.video[#{at}].streams.{{}}"
    ends = ("low",) if low == high else ("low", "high")
    return " to ".join(f"{{{{{whole.format(end)}|count}}}}" for end in ends)
