"""A chart as a picture: the specification of the page, drawn by the package that brings the library."""

from __future__ import annotations

from ...core.document import Chart
from ..page.library import vl_convert
from .spec import in_light

_WIDTH = 900
_SCALE = 2.0
"""Pixels of the picture for one of the page."""


def can_draw() -> bool:
    return vl_convert is not None


def png(chart: Chart) -> bytes:
    """Its first choice, on white. Only where `can_draw()`."""
    spec = {**chart.spec, "width": _WIDTH, "autosize": {"type": "fit", "contains": "padding"}}
    spec["data"] = {"values": list(chart.rows)}
    spec["config"] = {**chart.spec["config"], "background": "white"}
    words = dict(chart.choices[0][1]) if chart.choices else {}
    drawn: bytes = vl_convert.vegalite_to_png(in_light(_filled(spec, words)), scale=_SCALE)
    return drawn


def _filled(part: object, words: dict[str, str]) -> object:
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
