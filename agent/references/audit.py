"""Where the numbers of an answer come from, to be shown."""

from __future__ import annotations

from collections.abc import Iterable

from ...tools.core.document import Document, Section, Table
from . import audit_rows
from .numbers import Number


def audited(numbers: Iterable[Number], marked: Iterable[str]) -> Document | None:
    """A table of them; None where there are none."""
    rows = audit_rows(numbers, marked)
    table = Table(("Number", "From"), tuple(rows))
    return Document({}, "Numbers", (Section("", (table,)),)) if rows else None
