"""Energy over latency of what a sweep evaluated, out of the tables that it leaves."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from ...core.document import Column
from .board_rows import names_of
from .pareto import ENERGY, LATENCY, front_picture
from .picture import Picture
from .spec import Row, with_words

_COLUMNS = (
    Column("name", "Evaluation"), Column("verdict", "Verdict"), Column("latency", "Latency", "ms"),
    Column("energy", "Energy", "uJ"),
)  # fmt: skip
_NAMED_BY = ("target", "transform", "runtime", "clock_mhz", "batch")
_WORDS = {"clock_mhz": "{} MHz", "batch": "batch {}"}
_MOST = 1_000
"""Evaluations that are all drawn; of more, those on the front of the sweep."""


def front_of_sweep(folder: Path, model: str) -> Picture | None:
    """Per inference; None where fewer than two evaluations have both figures, or there are no tables."""
    results = list(_rows(folder / "results.csv", model, _MOST + 1))
    many = len(results) > _MOST
    found = list(_rows(folder / "pareto.csv", model, _MOST)) if many else results
    more = " Drawn are those that none betters in latency, energy, RAM and flash." if many else ""
    if not found:
        return None
    names = names_of([tuple(_WORDS.get(name, "{}").format(row[name]) for name in _NAMED_BY) for row in found])
    rows = [
        {"name": name, "verdict": row["verdict"], "latency": _of_one(row, "latency_ms"),
         "energy": _of_one(row, "energy_uj")}
        for name, row in zip(names, found, strict=True)
    ]  # fmt: skip
    return front_picture(with_words(rows, _COLUMNS), _COLUMNS, LATENCY, ENERGY, f"Sweep of {model}", more)


def _rows(file: Path, model: str, most: int) -> Iterator[Row]:
    if not file.is_file():
        return
    with file.open(newline="", encoding="utf-8") as source:
        yield from islice((row for row in csv.DictReader(source) if row["model"] == model), most)


def _of_one(row: Row, figure: str) -> float | None:
    return float(row[figure]) / float(row["batch"]) if row[figure] else None
