"""Results as consoles and notebooks show them: one line, a few lines, a small table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from .units import digits

_LONGEST_LINE = 100
_NAMES = ("schema_version", "model", "deployment")
"""Fields that the first line shows, or that say nothing about the answer."""


def one_line(result: BaseModel, headline: str) -> str:
    """<RooflineReport kws.tflite on stm32h743zi/tflm-cmsis-nn: compute-bound, 14 ms [9–21.6] fitted>"""
    subject = _subject(result)
    said = ": ".join(filter(None, (subject, headline)))
    return f"<{type(result).__name__} {said}".rstrip() + ">"


def few_lines(result: BaseModel, headline: str) -> str:
    """The one line, and a line for each field that holds something."""
    rows = list(shown_fields(result))
    width = max((len(name) for name, _ in rows), default=0)
    first = one_line(result, headline if _subject(result) else "")[1:-1]
    return "\n".join([first, *(f"  {name:<{width}}  {text}" for name, text in rows)])


def short_fields(result: BaseModel) -> str:
    """As many of the plain fields as a line has room for: index=0, op=CONV_2D, bound=compute."""
    line = ""
    for name, value in _held(result):
        if isinstance(value, (tuple, frozenset, Mapping, BaseModel)) and not hasattr(value, "basis"):
            continue
        further = ", ".join(filter(None, (line, f"{name}={_text(value)}")))
        if len(further) > _LONGEST_LINE:
            return f"{line}, …" if line else _cut(further)
        line = further
    return line


def _subject(result: BaseModel) -> str:
    """The model and the deployment that the result is about, as far as it names them."""
    model, place = getattr(result, "model", ""), getattr(result, "deployment", None)
    name = model if isinstance(model, str) else getattr(model, "name", "")
    where = "" if place is None or isinstance(place, int) else f"{place.target}/{place.runtime}"
    return " on ".join(filter(None, (name, where)))


def _held(result: BaseModel) -> Iterator[tuple[str, Any]]:
    for name in type(result).model_fields:
        value = getattr(result, name)
        if name not in _NAMES and value not in (None, "", ()):
            yield name, value


def shown_fields(result: BaseModel) -> Iterator[tuple[str, str]]:
    for name, value in _held(result):
        yield name, _text(value)


def _text(value: Any) -> str:
    match value:
        case bool():
            return "yes" if value else "no"
        case float():
            return digits(value)
        case int():
            return f"{value:,}"
        case BaseModel() if hasattr(value, "basis") and hasattr(value, "unit"):
            return _cut(str(value))
        case BaseModel():
            return value.headline() if hasattr(value, "headline") else repr(value)
        case tuple() if value and not isinstance(value[0], (str, int, float)):
            return f"{len(value)} {'row' if len(value) == 1 else 'rows'}"
        case tuple() | frozenset():
            return _cut("; ".join(map(str, value)))
        case Mapping():
            return _cut(", ".join(f"{key} {_text(each)}" for key, each in value.items()))
        case _:
            return _cut(str(value))


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_LINE else line[: _LONGEST_LINE - 1] + "…"
