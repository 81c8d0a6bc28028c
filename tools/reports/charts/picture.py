"""A chart as a picture: the specification of the page, drawn by the package that brings the library."""

from __future__ import annotations

import textwrap
from typing import Any

from ...core.document import Chart
from ...core.records import dataclass
from ..page.library import vl_convert
from .spec import LIGHT, in_light

PICTURE = "picture"
"""Kind of a drawing that is nothing without the charting library."""
_WIDTH = 900
_HALF = 330
"""Of one of two beside each other, without the names on its left."""
_SCALE = 2.0
"""Pixels of the picture for one of the page."""
_LINE = 130
"""Characters of a caption that stand beside each other."""


@dataclass(frozen=True)
class Picture:
    """What to draw, and what to say with it."""

    name: str
    """Of its files."""
    title: str
    caption: str
    """How to read it, and what is left out and why."""
    charts: tuple[Chart, ...]
    """One, or several that are read together."""
    stacks: str = ""
    """The same as collapsed stacks, where it has some."""


def can_draw() -> bool:
    return vl_convert is not None


def png(chart: Chart) -> bytes:
    """Its first choice, on white, without a caption. Only where `can_draw()`."""
    return _png(_alone(chart))


def picture_png(picture: Picture) -> bytes:
    """With title and caption. Only where `can_draw()`."""
    return _png(_whole(picture))


def picture_svg(picture: Picture) -> str:
    """The same as SVG."""
    drawn: str = vl_convert.vegalite_to_svg(_whole(picture))
    return drawn


def _png(spec: dict[str, Any]) -> bytes:
    drawn: bytes = vl_convert.vegalite_to_png(spec, scale=_SCALE)
    return drawn


def _whole(picture: Picture) -> dict[str, Any]:
    if len(picture.charts) == 1:
        return _alone(picture.charts[0]) | {"title": _title(picture)}
    parts = [_drawn(chart, _HALF) for chart in picture.charts]
    first = picture.charts[0].spec
    for part in parts:
        del part["autosize"], part["config"], part["$schema"]
        part["title"] = {"text": part["description"], "anchor": "start", "fontSize": 12}
    return {
        "$schema": first["$schema"], "config": _on_white(first), "title": _title(picture), "columns": 2,
        "concat": parts, "resolve": {"scale": {"color": "independent", "shape": "independent"}},
    }  # fmt: skip


def _alone(chart: Chart) -> dict[str, Any]:
    spec = _drawn(chart, _WIDTH)
    return spec | {"autosize": {"type": "fit", "contains": "padding"}, "config": _on_white(chart.spec)}


def _drawn(chart: Chart, width: int) -> dict[str, Any]:
    words = dict(chart.choices[0][1]) if chart.choices else {}
    spec: dict[str, Any] = in_light(_filled(dict(chart.spec), words))
    return spec | {"width": width, "data": {"values": list(chart.rows)}}


def _on_white(spec: Any) -> Any:
    return in_light({**spec["config"], "background": "white"})


def _title(picture: Picture) -> dict[str, Any]:
    return {
        "text": picture.title, "subtitle": textwrap.wrap(picture.caption, _LINE), "anchor": "start",
        "fontSize": 15, "subtitleFontSize": 11, "subtitleColor": LIGHT["var(--quiet)"], "offset": 14,
    }  # fmt: skip


def _filled(part: Any, words: dict[str, str]) -> Any:
    match part:
        case str():
            for name, value in words.items():
                part = part.replace(name, value)
            return part
        case dict():
            return {key: _filled(value, words) for key, value in part.items()}
        case list() | tuple():
            return [_filled(value, words) for value in part]
        case _:
            return part
