"""References in a text replaced by what they refer to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...hardware_db.errors import EdgewrightError, InputError
from ...tools.core.dimensions import measured_in
from ...tools.core.numbers import written
from ...tools.core.paths import Value
from ...tools.core.records import dataclass
from ..patterns import compiled
from ..plain_text import printable
from .amounts import Amount, shown_in
from .evaluation import Results, evaluate
from .syntax import LONGEST, parsed

UNRESOLVED = "[?]"
"""What stands for a reference that leads nowhere."""
_ROOM = LONGEST + 40
HOLE = compiled(
    rf"\{{(?:\{{(?P<hole>[^{{}}\n]{{1,{_ROOM}}})\}}\}}|(?P<single>r[0-9]{{1,9}}[.\[][^{{}}\n]{{1,{_ROOM}}})\}})"
    rf"|\{{\{{(?P<open>\s*[^{{}}\n]{{0,{_ROOM}}})\}}?\Z"
)
"""A reference; one in single braces where it begins like one; one that the end of the text cuts off."""
_CODE = compiled(r"^[^A-Za-z|]*$")
"""Braces in braces that refer to nothing, as in C."""
_MOST_HOLES = 1_000
_GLUED_BEFORE = compiled(r"[\d.,]\Z|(?:^|[\s(])[-−]\Z")
_GLUED_AFTER = compiled(r"\d|[.,]\d|\s?(?:[x×*·]\s?)?10\^|\s?(?:hundred|thousand|million|billion|k|M|G)\b")
_WORD_AFTER = compiled(r"\s?(?:/s\b|%|[A-Za-zµ]+(?:/[A-Za-z]+)?)")


@dataclass(frozen=True)
class Hole:
    """A reference that was filled, and where it now stands."""

    start: int
    end: int
    written: str
    """As the model wrote it."""
    text: str
    amount: Amount
    path: str
    """The expression."""
    value: Value
    unit: str
    """That was printed."""


@dataclass(frozen=True)
class Failure:
    """A reference that cannot stand, where, and why."""

    start: int
    end: int
    written: str
    why: str
    path: str = ""
    """The expression, where it could be read."""


@dataclass(frozen=True)
class Filled:
    text: str
    holes: tuple[Hole, ...]
    errors: tuple[Failure, ...]


def fill(text: str, results: Results) -> Filled:
    """The text with every reference replaced; what cannot be resolved reads `[?]`.

    Args:
        text: what a model or a template wrote.
        results: id of each call → its result as JSON data, None where it failed.
    """
    out: list[str] = []
    holes: list[Hole] = []
    errors: list[Failure] = []
    at = length = 0
    for found in _references(text):
        before, after = text[max(at, found.start() - 2) : found.start()], text[found.end() : found.end() + 24]
        out.append(text[at : found.start()])
        length += found.start() - at
        at = found.end()
        try:
            if len(holes) + len(errors) >= _MOST_HOLES:
                raise InputError(f"An answer has at most {_MOST_HOLES} references.")
            hole = _filled(found, length, results)
        except EdgewrightError as error:
            errors.append(Failure(length, length + len(UNRESOLVED), found[0], str(error)))
            shown = UNRESOLVED
        else:
            at += _said_twice(hole, after)
            why = _misread(hole, before, text[at : at + 24])
            if why:
                errors.append(Failure(hole.start, hole.end, found[0], why, hole.path))
            holes.append(hole)
            shown = hole.text
        out.append(shown)
        length += len(shown)
    out.append(text[at:])
    return Filled("".join(out), tuple(holes), tuple(errors))


def _references(text: str) -> Iterator[re.Match[str]]:
    for found in HOLE.finditer(text):
        inside = found["hole"] or found["single"] or found["open"] or ""
        if not _CODE.match(inside):
            yield found


def _filled(found: re.Match[str], start: int, results: Results) -> Hole:
    inside = found["hole"] or found["single"]
    if inside is None:
        raise InputError("The reference has no end.", hint="Close it: }}.")
    expression, bar, unit = inside.partition("|")
    unit = unit.strip() if bar else ""
    expression = expression.strip()
    interval = (unit or expression).endswith("~")
    unit, expression = unit.rstrip("~ "), expression.rstrip("~ ")
    amount = evaluate(parsed(expression), results)
    if not amount.paths:
        raise InputError(
            f"{expression!r} names no field of a result.", hint="Begin with the id of a call: r1."
        )
    value, asked = shown_in(amount, unit or None)
    text = printable(written(value, asked, interval=interval))
    return Hole(start, start + len(text), found[0], text, amount, expression, value, _unit_in(text, value))


def _unit_in(text: str, value: Value) -> str:
    """The unit that was printed."""
    if isinstance(value.value, str | bool | None):
        return ""
    number = re.match(r"[-+<>\d.,]+(?: ?(?P<unit>[^\s(]+))?", text)
    return (number["unit"] or "") if number else ""


def _said_twice(hole: Hole, after: str) -> int:
    """How many characters behind a figure only repeat its unit."""
    word = _WORD_AFTER.match(after)
    if word is None or not hole.unit or "(" in hole.text:
        return 0
    return word.end() if word[0].strip() == hole.unit else 0


def _misread(hole: Hole, before: str, after: str) -> str:
    """Why the reader would read another figure than the one that was filled in."""
    if isinstance(hole.value.value, str | bool | None):
        return ""
    if _GLUED_BEFORE.search(before):
        return "A digit or a sign stands right before it."
    if _GLUED_AFTER.match(after):
        return "A digit or a power of ten stands right behind it."
    word = _WORD_AFTER.match(after)
    if word is None or word[0].strip() == hole.unit:
        return ""
    behind, own = measured_in(word[0].strip()), measured_in(hole.unit)
    if behind is None or own is None:
        return ""
    alike = behind.dimension == own.dimension
    apart = len(behind.unit) == 1 and word[0][0].isspace() and not alike
    if behind.unit != word[0].strip() or apart or (alike and behind.factor == own.factor):
        return ""
    return f"It is in {hole.unit or 'no unit'}, and {behind.unit!r} stands behind it."
