"""A user's own table of measurements, with names mapped to ours."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ....hardware_db.errors import EdgewrightError, InputError
from ....hardware_db.user_files import Directories
from ...core.files import file_named
from ...core.settings import Settings
from ...cost_model.hierarchy import ProcessorKind, processor_of
from ..boards.cases import Line, is_plain_table, measured_line, read_lines, reason_of
from ..importer import FILES, named_network
from ..mapping import COLUMNS, KEPT, SAME, mapped_row

THEIRS = ("model_name", "input_shape", "local_model", "macs_reported", "dtype", "device", "board", "core",
          "accelerator", "clock_mhz", "runtime", *SAME, *KEPT.values())  # fmt: skip
NUMBERS = ("latency_ms", "energy_uj", "clock_mhz", "supply_mv", "ram_activation_kib",
           "flash_total_kib", "flash_weights_kib")  # fmt: skip
COUNTS = ("batch", "threads")
MAXIMUM_COUNT = 4096
LARGEST_TABLE_BYTES = 64 << 20


@dataclass(frozen=True)
class OwnRow:
    """A measurement by our names, and where its network is."""

    row: Mapping[str, str]
    file: Path | None
    """Its model file; None where the network goes by the row's name for it."""
    odd: str = ""
    """What is wrong with the row."""


def read_own_rows(table: Path, own_hardware: Directories) -> Iterator[OwnRow]:
    """Rows of a CSV in the columns of published measurements or in our own.

    Args:
        own_hardware: directories of the user's own hardware, which rows may name.

    Raises:
        InputError: the file cannot be read, or has none of the columns.
    """
    header, raws = _table(table)
    if is_plain_table(header):
        yield from (_plain(line, table.parent, own_hardware) for line in read_lines(table))
        return
    ours = "processor" in header
    if "latency_ms" not in header or not ({"device", "board", "target"} & set(header)):
        raise InputError(
            f"{str(table)!r} has no measurements.",
            hint="Its first line names the columns: at least latency_ms, runtime, dtype, "
            "device or target, and local_model or model_name.",
        )
    for number, raw in enumerate(raws, start=2):
        names = COLUMNS if ours else THEIRS
        plain = {name: (raw.get(name) or "").strip() for name in names}
        plain["id"] = plain["id"] or f"line {number}"
        yield _ours(plain, table.parent) if ours else _theirs(plain, table.parent, own_hardware)


def _table(table: Path) -> tuple[list[str], list[dict[str, str]]]:
    try:
        if table.stat().st_size > LARGEST_TABLE_BYTES:
            raise InputError(f"{str(table)!r} is larger than 64 MiB.", hint="Split it.")
        with table.open(newline="", encoding="utf-8-sig", errors="replace") as file:
            reader = csv.DictReader(file, restkey="")
            return [name or "" for name in reader.fieldnames or ()], list(reader)
    except OSError as error:
        raise InputError(f"{str(table)!r} cannot be read: {error.strerror}.") from None
    except csv.Error as error:
        raise InputError(f"{str(table)!r} is no CSV: {error}.") from None


def _plain(line: Line, folder: Path, own_hardware: Directories) -> OwnRow:
    """Of the columns that `calibrate` reads."""
    row = dict.fromkeys(COLUMNS, "") | {"id": f"line {line.number}", "network": line.cell("model")}
    row |= {name: line.cell(name) for name in ("target", "runtime", "dtype", "latency_ms", "runtime_version")}
    try:
        case = measured_line(line, folder, Settings(hardware_directories=own_hardware))
    except EdgewrightError as error:
        return OwnRow(row, None, reason_of(error))
    kind, processor = processor_of(case.place)
    place = case.place.ref
    row |= {
        "network": case.graph.name,
        "dtype": case.graph.dtype.value,
        "target": place.target,
        "device": place.target,
        "runtime": case.place.runtime.id,
        "kind": "unit" if kind is ProcessorKind.UNIT else "core",
        "processor": processor,
        "batch": str(place.batch),
        "threads": str(place.threads) if kind is ProcessorKind.CPU else "",
        "clock_mhz": f"{place.clock_mhz:g}",
        "latency_ms": f"{case.latency_ms:g}",
    }
    return OwnRow(row, file_named(line.cell("model"), folder), _odd(row))


def _ours(plain: dict[str, str], folder: Path) -> OwnRow:
    file = _model_file(plain["network"], folder) if plain["network"].endswith(FILES) else None
    return OwnRow(plain, file, _odd(plain))


def _theirs(plain: dict[str, str], folder: Path, own_hardware: Directories) -> OwnRow:
    local = plain["local_model"]
    has_file = local.endswith(FILES)
    network = local.removeprefix("models/") if has_file else named_network(plain)
    row = mapped_row(plain, network, own_hardware)
    return OwnRow(row, _model_file(local, folder) if has_file else None, _odd(row))


def _model_file(local: str, folder: Path) -> Path | None:
    """The file as the table names it: from the table's folder, or from the folder that this lies in."""
    places = [base / part for base in (folder, folder.parent) for part in (local, Path("models") / local)]
    return next(filter(None, map(file_named, places)), None)


def _odd(row: Mapping[str, str]) -> str:
    """What keeps the row from being read as figures; empty where nothing does."""
    for name in NUMBERS:
        if row[name] and not _is_positive(row[name]):
            return f"{name} is no figure above zero"
    for name in COUNTS:
        count = row.get(name, "")
        if count and not (re.fullmatch("[0-9]{1,5}", count) and 0 < int(count) <= MAXIMUM_COUNT):
            return f"{name} is no count"
    _, scaled, macs = row["network"].partition("*")
    if scaled and not _is_positive(macs):
        return "its MACs are no figure above zero"
    if row["hint"] == "exclude":
        return "marked to be excluded"
    return ""


def _is_positive(text: str) -> bool:
    try:
        value = float(text)
    except ValueError:
        return False
    return math.isfinite(value) and value > 0
