"""The table of what was tried against the package, printed by `make fuzz` and `make chaos`, kept in docs/security.md."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from pathlib import Path

from edgewright.tools.core.records import dataclass

PAGE = Path(__file__).resolve().parents[2] / "docs" / "security.md"
BEGIN, END = "<!-- tried: written by make fuzz and make chaos -->", "<!-- /tried -->"
_HEAD = ("tried", "wanted", "done", "found", "on")


@dataclass(frozen=True)
class Row:
    tried: str
    wanted: str
    done: str
    wrong: tuple[str, ...] = ()
    """Each thing that went wrong."""


def table(rows: Iterable[Row]) -> str:
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    return _table({row.tried: (row.tried, row.wanted, row.done, str(len(row.wrong)), today) for row in rows})


def renew(rows: Iterable[Row], page: Path = PAGE) -> None:
    """Puts rows in place of those that tried the same; others stay as they are."""
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    old, _, after = rest.partition(END)
    both = dict(sorted((_cells(old) | _cells(table(rows))).items()))
    page.write_text(f"{before}{BEGIN}\n\n{_table(both)}\n\n{END}{after}", encoding="utf-8")


def _cells(text: str) -> dict[str, tuple[str, ...]]:
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    return {cells[0]: tuple(cells) for cells in lines[2:]}


def _table(cells: dict[str, tuple[str, ...]]) -> str:
    return "\n".join(
        "| " + " | ".join(each) + " |" for each in (_HEAD, ("---",) * 3 + ("--:", "---"), *cells.values())
    )
