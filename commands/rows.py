"""Rows of a result as CSV, where no document describes them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..hardware_db.errors import UsageError
from ..tools.core.files import save_all
from ..tools.core.render.csv_lines import csv_lines
from .printing import echo

if TYPE_CHECKING:
    from ..tools.core.quantity import Result


def write_rows(rows: Sequence[Result], file: Path) -> None:
    """One line each in a new file, its fields by name.

    Raises:
        UsageError: the file exists, or its name does not end in .csv.
    """
    if file.suffix.lower() != ".csv":
        raise UsageError(f"{str(file)!r} does not end in .csv.", hint="There is one table: name a file.")
    if file.exists():
        raise UsageError(f"{str(file)!r} is there already.", hint="Name a new file.")
    found = [row.model_dump(mode="json") for row in rows]
    lines = [list(found[0])] if found else []
    lines += [["" if cell is None else str(cell) for cell in row.values()] for row in found]
    save_all({file.name: csv_lines(lines)}, file.parent)
    echo(f"wrote {file}", err=True)
