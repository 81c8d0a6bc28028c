"""A user's table of measurements, each line as a model on a deployment or with what is wrong with it."""

from __future__ import annotations

import csv
import math
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ....hardware_db.errors import EdgewrightError, InputError, nearest
from ...core.deployment import Deployment, deployment
from ...core.files import file_named
from ...core.settings import Settings
from ...core.units import Dimension, parse_measure
from ...cost_model.hierarchy import SAME_KERNELS
from ...graph import ModelGraph
from ...placement.model_source import as_graph
from ..work import graph_of_type

COLUMNS = ("model", "target", "runtime", "dtype", "batch", "threads", "clock_mhz", "latency_ms")
NEEDED = ("model", "target", "latency_ms")
LARGEST_TABLE_BYTES = 16 << 20
MOST_COUNT = 4096
_OTHER_MARKS = {";": "semicolons", "\t": "tabs"}
_DECIMAL_COMMA = re.compile(r"\d+,\d")


@dataclass(frozen=True)
class Line:
    """A line as it was written."""

    number: int
    cells: Mapping[str, str]
    cells_too_many: int = 0
    """Beyond those that the first line names: the comma of a decimal number makes one."""

    def cell(self, column: str) -> str:
        return self.cells.get(column, "")


@dataclass(frozen=True)
class MeasuredLine:
    """A line that means something."""

    line: Line
    graph: ModelGraph
    place: Deployment
    latency_ms: float


def is_plain_table(header: list[str]) -> bool:
    """Whether a table has the columns that a user writes, rather than those of published measurements."""
    return "model" in header and "target" in header and "processor" not in header


def read_lines(table: Path) -> list[Line]:
    """Every line of a CSV with at least the columns model, target and latency_ms.

    Raises:
        InputError: the file cannot be read, is no CSV, or lacks one of these columns.
    """
    try:
        if table.stat().st_size > LARGEST_TABLE_BYTES:
            raise InputError(f"{str(table)!r} is larger than 16 MiB.", hint="Split it.")
        stored = table.read_bytes()
        encoding = "utf-16" if stored.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
        text = stored.decode(encoding, errors="replace")
    except OSError as error:
        raise InputError(f"{str(table)!r} cannot be read: {error.strerror}.") from None
    try:
        return list(_lines(text, table))
    except csv.Error as error:
        raise InputError(f"{str(table)!r} is no CSV: {error}.") from None


def _lines(text: str, table: Path) -> Iterator[Line]:
    reader = csv.DictReader(text.splitlines(), restkey="", skipinitialspace=True)
    header = [(name or "").strip() for name in reader.fieldnames or ()]
    reader.fieldnames = header
    other = next((mark for mark in _OTHER_MARKS if len(header) == 1 and mark in header[0]), None)
    if other is not None:
        raise InputError(
            f"{str(table)!r} has {_OTHER_MARKS[other]} between its cells.",
            hint="Save it with commas, and figures with a point: 12.5.",
        )
    missing = [name for name in NEEDED if name not in header]
    if missing:
        near = [f"{c} (for {m})" for m in missing for c in nearest(m, header)[:1]]
        there = f" It has {', '.join(near)}." if near else ""
        raise InputError(
            f"{str(table)!r} has no column {', '.join(missing)}.{there}",
            hint=f"Its first line is: {','.join(COLUMNS)}. Latencies are in milliseconds.",
        )
    for cells in reader:
        plain = {name: value.strip() for name, value in cells.items() if name and isinstance(value, str)}
        if any(plain.values()):
            yield Line(reader.line_num, plain, len([cell for cell in cells.get("") or () if cell.strip()]))


def measured_line(line: Line, folder: Path, settings: Settings) -> MeasuredLine:
    """What a line means.

    Args:
        folder: what the paths of models start from.

    Raises:
        EdgewrightError: a model, target or runtime that there is not, or a figure that is none.
    """
    if line.cells_too_many:
        raise InputError(
            "it has more cells than the first line names",
            hint="Write figures with a point: 12.5.",
        )
    latency_ms = _latency_ms(line.cell("latency_ms"))
    place = deployment(
        _needed(line, "target"),
        line.cell("runtime") or None,
        clock_mhz=_number(line, "clock_mhz"),
        batch=_count(line, "batch"),
        threads=_count(line, "threads"),
        settings=settings,
    )
    graph = _graph(_needed(line, "model"), line.cell("dtype"), place, folder)
    return MeasuredLine(line, graph, place, latency_ms)


def _graph(model: str, dtype: str, place: Deployment, folder: Path) -> ModelGraph:
    source: str | Path = file_named(model, folder) or model
    named = not isinstance(source, Path) and dtype and dtype not in model.split(":")
    graph, _ = as_graph(f"{model}:{dtype}" if named else source, place)
    graph = graph_of_type(graph, dtype) if dtype else graph
    runs_as = SAME_KERNELS.get(graph.dtype.value, graph.dtype.value)
    if dtype and runs_as != SAME_KERNELS.get(dtype, dtype):
        raise InputError(f"the model computes in {graph.dtype}, not in {dtype}")
    return graph


def _needed(line: Line, column: str) -> str:
    if not line.cell(column):
        raise InputError(f"it names no {column}")
    return line.cell(column)


def _latency_ms(text: str) -> float:
    if not text:
        raise InputError("it has no latency_ms")
    value = _float(text)
    if value is None and _DECIMAL_COMMA.match(text):
        raise InputError(f"latency_ms {text} has a comma", hint="Write figures with a point: 12.5.")
    if value is None:
        value = parse_measure(text, Dimension.TIME_MS)
    if not (math.isfinite(value) and value > 0):
        raise InputError(f"latency_ms {text} is no time above zero")
    return value


def _number(line: Line, column: str) -> float | None:
    text = line.cell(column)
    if not text:
        return None
    value = _float(text)
    if value is None or not (math.isfinite(value) and value > 0):
        raise InputError(f"{column} {text} is no figure above zero")
    return value


def _count(line: Line, column: str) -> int:
    text = line.cell(column)
    if text and not (text.isascii() and text.isdigit() and 0 < int(text) <= MOST_COUNT):
        raise InputError(f"{column} {text} is no count")
    return int(text or 1)


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def reason_of(error: EdgewrightError) -> str:
    """Why a line cannot be used, in one sentence."""
    return f"{error.message.rstrip('.')}. {error.hint}".strip() if error.hint else error.message
