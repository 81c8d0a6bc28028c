"""From tables collected out of public repositories to the rows that the fit reads.

`python -m edgewright.tools.calibration.collected` reads `hardware_db/measurements/collected/`, names
runtimes, processors, types and targets as we do, takes each network's architecture from `specs/`, and
writes `collected.csv` beside `rows.csv`. Rows whose network we cannot build stay behind.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from ...hardware_db import measurements
from ...hardware_db.errors import EdgewrightError
from ..model_zoo.named import build_architecture
from .importer import write_rows
from .mapping import mapped_row
from .network_names import architecture_of

FIGURED = "(ncnn parameters)"
"""Stands in `specs/` for networks whose ncnn parameters `networks.tsv.xz` holds."""
ABOVE_PEAK = frozenset({"above_nominal_peak", "above_stated_peak_release_unknown"})
"""Rows excluded for these are read: the physics check knows Winograd, and refuses what that leaves open."""


def main(folder: Path) -> None:
    rows: list[dict[str, str]] = []
    for table in sorted((folder / "collected").glob("*.csv")):
        found = _rows_of(table)
        rows += found
        print(f"{table.stem}: {len(found)} rows, {sum(bool(row['target']) for row in found)} with a target")
    write_rows(folder / "collected.csv", rows)
    print(f"{len(rows)} rows of {len({row['id'].rpartition('-')[0] for row in rows})} tables")
    print("no target:", Counter(row["device"] for row in rows if not row["target"]).most_common(30))


def _rows_of(table: Path) -> list[dict[str, str]]:
    specs = {(line["model_name"], line["input_shape"]): line["spec"] for line in _lines(_specs_beside(table))}
    rows = []
    for raw in _lines(table):
        network = _network(raw, specs)
        row = mapped_row(raw, network)
        if network and row["latency_ms"] and (row["hint"] != "exclude" or _only_above_peak(raw)):
            rows.append(row | {"hint": "breadth"})
    return rows


def _specs_beside(table: Path) -> Path:
    return table.parent / "specs" / table.name


def _lines(table: Path) -> list[dict[str, str]]:
    if not table.is_file():
        return []
    with table.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def _only_above_peak(raw: Mapping[str, str]) -> bool:
    flags = set(raw["flag"].split(";"))
    return bool(flags & ABOVE_PEAK) and "int8_computed_in_float16" not in flags


def _network(raw: Mapping[str, str], specs: Mapping[tuple[str, str], str]) -> str:
    """Its key in `networks.tsv.xz`, or the spec of an architecture that can be built; else empty."""
    spec = specs.get((raw["model_name"], raw["input_shape"]), "")
    if spec == FIGURED:
        spec = f"ncnn/{raw['model_name'].removeprefix('ncnn-').replace('-', '_')}.param"
    if not spec:
        spec = _own_file(raw) or architecture_of(raw["model_name"], raw["input_shape"])
    if spec in measurements.networks():
        return spec
    try:
        build_architecture(spec)
    except EdgewrightError:
        return ""
    return spec


def _own_file(raw: Mapping[str, str]) -> str:
    """The network of this name whose layers the product holds."""
    ends = f"/{raw['model_name']}.tflite"
    return next((key for key in measurements.networks() if key.endswith(ends)), "")


if __name__ == "__main__":
    main(Path(measurements.__file__).parent)
