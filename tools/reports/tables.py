"""The tables of a result as CSV files."""

from __future__ import annotations

import os
from pathlib import Path

from ...hardware_db.errors import UsageError
from ..core.document import Document, describe
from ..core.files import save_all, save_whole
from ..core.quantity import Result
from ..core.render.csv_text import tables


def write_tables(
    result: Result, path: str | os.PathLike[str], *, document: Document | None = None, force: bool = False
) -> tuple[str, ...]:
    """Write each table that a result is shown with as CSV: figures plain, in the unit that the heading names.

    Args:
        result: of any function here.
        path: a file that ends in .csv, where there is one table; else a folder, made if it is not there.
        document: how it is shown, where not as usual.
        force: overwrite files.

    Returns:
        The paths of the files.

    Raises:
        UsageError: nothing in it is a table, or several are and a file was named; a file exists.
        EdgewrightError: the disk is full, or the folder may not be written to. Nothing is left behind then.

    Example:
        >>> write_tables(compare_deployments("kws", ["stm32h743zi", "nrf52840"]), "boards.csv")
        ('boards.csv',)
        >>> Path("boards.csv").read_text().splitlines()[0].split(",")[0]
        'Figure'
    """
    target = Path(path)
    found = tables(document or describe(result))
    if not found:
        raise UsageError("There is no table in it.", hint="--json has all that it holds.")
    if target.suffix.lower() != ".csv":
        return save_all({f"{name}.csv": text for name, text in found.items()}, target, force=force)
    if len(found) > 1:
        names = ", ".join(found)
        raise UsageError(f"It has {len(found)} tables: {names}.", hint="Name a folder for them.")
    save_whole(next(iter(found.values())), target, force=force)
    return (str(target),)
