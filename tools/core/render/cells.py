"""The words of a document with its references filled in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from ..document import Bar, Document, Ref, Text
from ..numbers import UNKNOWN, written
from ..paths import Named, Value, resolve
from ..sanitize import harmless

BAR_WIDTH = 24
_NEITHER = frozenset({"", "-", UNKNOWN})
"""What may stand in a column of figures and of words."""


def words(text: Text, subject: BaseModel | Mapping[str, Any]) -> str:
    """A text about a result, filled in."""
    return Cells(Document(subject, text, ())).text(text)


class Cells:
    """Fills the references of one document."""

    def __init__(self, document: Document) -> None:
        self._subject = document.subject
        self._known: dict[str, Value] = {}
        self._named: Named = {}

    def text(self, text: Text) -> str:
        """Names of files, and words of users' own files among it, are made harmless for every format."""
        return harmless(text if isinstance(text, str) else "".join(map(self._part, _parts(text))))

    def number(self, cell: Text) -> float | None:
        """The figure that a cell holds alone, in its own unit."""
        parts = _parts(cell)
        if len(parts) != 1 or not isinstance(parts[0], Ref | Bar):
            return None
        value = self.value(parts[0].path).value
        return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None

    def share(self, bar: Bar) -> float | None:
        """How long a bar is, 0 to 1."""
        part, whole = (self.value(path).value for path in (bar.path, bar.of))
        if not isinstance(part, int | float) or not isinstance(whole, int | float) or not whole:
            return None
        return min(max(part / whole, 0.0), 1.0)

    def table(self, rows: Sequence[Sequence[Text]], columns: int) -> tuple[list[list[str]], list[bool]]:
        """The cells of each row, and which columns hold figures alone."""
        shown = [[self.text(cell) for cell in row] for row in rows]
        figures = [
            any(self._is_figure(row[at]) for row in rows)
            and all(
                self._is_figure(row[at]) or text[at] in _NEITHER
                for row, text in zip(rows, shown, strict=True)
            )
            for at in range(columns)
        ]
        return shown, figures

    def _is_figure(self, cell: Text) -> bool:
        parts = _parts(cell)
        if len(parts) != 1 or not isinstance(parts[0], Ref) or parts[0].interval or parts[0].basis:
            return False
        value = self.value(parts[0].path).value
        return isinstance(value, int | float) and not isinstance(value, bool)

    def value(self, path: str) -> Value:
        """What stands at a path of the result. Raises PathError."""
        if path not in self._known:
            self._known[path] = resolve(path, self._subject, self._named)
        return self._known[path]

    def _part(self, part: Any) -> str:
        match part:
            case Ref():
                value = self.value(part.path)
                if value.value is None and part.absent:
                    return part.absent
                return written(value, part.unit, interval=part.interval, basis=part.basis, signed=part.signed)
            case Bar():
                share = self.share(part)
                return UNKNOWN if share is None else "#" * round(BAR_WIDTH * share)
            case _:
                return str(part)


def _parts(text: Text) -> tuple[Any, ...]:
    return text if isinstance(text, tuple) else (text,)
