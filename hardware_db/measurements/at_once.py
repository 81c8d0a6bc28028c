"""Published rates of accelerators of which each core takes an inference: of one core, and of all at once."""

from __future__ import annotations

import csv
import functools
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("at_once.csv")


class AtOnceRow(NamedTuple):
    """One network, on one core and on all of them at once."""

    id: str
    repository: str
    path: str
    commit: str
    locator: str
    target: str
    family: str
    """Of the accelerator, as targets have it."""
    network: str
    cores: int
    alone_per_s: float
    together_per_s: float
    note: str

    @property
    def share(self) -> float:
        """Of a core's own rate, what each core after the first adds: 1 where they do not disturb each other.

        More than that comes of the processor, which works for one inference beside another.
        """
        return min((self.together_per_s / self.alone_per_s - 1) / (self.cores - 1), 1.0)


@functools.cache
def at_once_rows(family: str) -> tuple[AtOnceRow, ...]:
    """Of one family of accelerators, in the file's order."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return tuple(_row(line) for line in csv.DictReader(file) if line["family"] == family)


def _row(line: dict[str, str]) -> AtOnceRow:
    rates = {name: float(line[name]) for name in ("alone_per_s", "together_per_s")}
    return AtOnceRow(**{**line, **rates, "cores": int(line["cores"])})  # type: ignore[arg-type]
