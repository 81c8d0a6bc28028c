"""The files that a finished sweep leaves, written a part at a time."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO

from ..core.files import whole_file
from ..core.render.csv_lines import csv_lines, number
from .columns import Column, Kind
from .evaluate import Part
from .sweep_report import PrecisionTradeoff

TRADEOFFS = (
    "precision", "accuracy_mean", "latency_ms_mean", "memory_mb_mean", "energy_proxy_j_mean",
    "accepted_ratio", "evaluations", "latency_known", "energy_known",
)  # fmt: skip


def result_file(path: Path) -> AbstractContextManager[IO[bytes]]:
    """A file of results that gets its name once it is complete.

    Raises:
        UsageError: the folder takes no new files.
        EdgewrightError: the disk is full.
    """
    return whole_file(path, state="All evaluations are kept: go on with --resume.")


def write_results(path: Path, parts: Iterable[Part], columns: Sequence[Column]) -> None:
    with result_file(path) as file:
        file.write(csv_lines([[name for name, _ in columns]]).encode())
        for part in parts:
            file.write(part.lines.encode())


def write_rows(path: Path, results: Path, rows: set[int]) -> None:
    """The rows of the results with these numbers, in their order there."""
    with results.open(newline="", encoding="utf-8") as source, result_file(path) as file:
        reader = csv.reader(source)
        file.write(csv_lines([next(reader)]).encode())
        file.write(csv_lines(row for at, row in enumerate(reader) if at in rows).encode())


def write_parquet(path: Path, results: Path, columns: Sequence[Column]) -> bool:
    """The same table with types, from the CSV file; False where pyarrow is not installed."""
    try:
        from pyarrow import bool_, float64, int64, parquet, string
        from pyarrow import csv as tables
    except ImportError:
        return False
    types = {
        Kind.TEXT: string(),
        Kind.INTEGER: int64(),
        Kind.FLOAT: float64(),
        Kind.FLAG: bool_(),
    }
    kinds = {name: types[kind] for name, kind in columns}
    convert = tables.ConvertOptions(column_types=kinds, null_values=[""], strings_can_be_null=False)
    parse = tables.ParseOptions(newlines_in_values=True)
    with (
        tables.open_csv(results, parse_options=parse, convert_options=convert) as batches,
        result_file(path) as file,
        parquet.ParquetWriter(file, batches.schema, compression="zstd") as writer,
    ):
        for batch in batches:
            writer.write_batch(batch)
    return True


def write_tradeoffs(path: Path, found: Iterable[PrecisionTradeoff]) -> None:
    """Columns as in common practice; accuracy stays empty, for nothing here measures it."""
    rows = [
        (
            each.precision,
            "",
            _cell(each.latency_ms_mean),
            _cell(each.memory_mb_mean),
            _cell(each.energy_j_mean),
            number(each.accepted_ratio),
            *map(str, (each.evaluations, each.latency_known, each.energy_known)),
        )
        for each in found
    ]
    with result_file(path) as file:
        file.write(csv_lines([TRADEOFFS, *rows]).encode())


def _cell(value: float | None) -> str:
    return "" if value is None else number(value)
