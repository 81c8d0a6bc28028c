"""The per-layer CSV that Vela writes: cycles that the compiler expects, not measured ones.

Columns as in ethosu/vela/stats_writer.py and npu_performance.py; a header stands before each subgraph.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence

from ....hardware_db.errors import InputError
from ...core.quantity import Basis
from ...core.sanitize import clean_text
from ..grid import grid_of
from ..recording import CompiledCost, Recording
from ..trace import Event, Trace, Unit
from ..trace_file import number

_SOURCES = ("original operator", "tflite_operator")
_CYCLES, _NAME = "op cycles", "name"
_UNITS = {"npu": "NPU", "sram ac": "SRAM", "dram ac": "DRAM", "onflash ac": "on-chip flash",
          "offflash ac": "off-chip flash"}  # fmt: skip
_SUMMED = {"cycles_npu": "NPU", "cycles_sram_access": "SRAM", "cycles_dram_access": "DRAM",
           "cycles_on_chip_flash_access": "on-chip flash",
           "cycles_off_chip_flash_access": "off-chip flash"}  # fmt: skip
_KEPT = ("accelerator_configuration", "system_config", "memory_mode", "inference_time", "sram_memory_used",
         "dram_memory_used", "on_chip_flash_memory_used", "off_chip_flash_memory_used", "sram_total_bytes",
         "dram_total_bytes", "off_chip_flash_total_bytes")  # fmt: skip
_EXPECTED = "the cycles are what Vela expects: nothing in this file was measured"


def costs(lines: Sequence[str]) -> Recording | None:
    """The times, and the cycles of the NPU and of each memory beside them, of which the largest binds."""
    trace = read(lines)
    if trace is None or not any(trace.segments):
        return None
    found = []
    for at, row in _rows(lines):
        cycles = number(row[_CYCLES], at)
        parts = {unit: number(row[title] or "0", at) for title, unit in _UNITS.items() if title in row}
        macs = number(row.get("mac count") or "0", at)
        name, op = clean_text(row.get(_NAME, "")), clean_text(row.get("nng operator", ""))
        if cycles or macs:
            found.append(CompiledCost(name, op, cycles, parts, macs, None))
    return Recording(
        trace.format, trace.unit, trace=trace, compiled=tuple(found), basis=trace.basis, written_by="ethos-u",
        notes=trace.notes, lines=len(trace.segments[0]),
    )  # fmt: skip


def summary(lines: Sequence[str]) -> Recording | None:
    """One row for the network: memory in KiB, cycles by unit, the time that Vela expects."""
    header = next((line for line in lines[:3] if line.strip()), "")
    if not {"accelerator_configuration", "sram_memory_used", "cycles_total"} <= set(header.split(",")):
        return None
    grid = grid_of(lines, frozenset(("sram_memory_used", "cycles_total")))
    if grid is None or not grid.rows:
        return None
    row = grid.rows[0]
    facts = {name: clean_text(row.text(name)) for name in _KEPT if row.text(name)}
    parts = {unit: row.number(title) or 0.0 for title, unit in _SUMMED.items()}
    network = clean_text(row.text("network"))
    cost = CompiledCost(network, "network", row.number("cycles_total"), parts, row.number("nn_macs"), None)
    mhz = (row.number("core_clock", most=1e12) or 0.0) / 1e6
    return Recording(
        "Vela's summary", compiled=(cost,), facts=facts, basis=Basis.SIMULATED, written_by="ethos-u",
        clock_mhz=mhz or None, notes=(_EXPECTED, "Vela gives memory in KiB"), lines=len(grid.rows),
    )  # fmt: skip


def _rows(lines: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    columns: list[str] = []
    for at, line in enumerate(lines, 1):
        if "NNG Operator" in line and "Op Cycles" in line and "," in line:
            columns = [cell.strip().casefold() for cell in line.split(",")]
            if _CYCLES not in columns:
                raise InputError(
                    f"Line {at}: no column of the header is Op Cycles.",
                    hint="Give the file as Vela wrote it.",
                )
        elif columns and line.count(",") >= len(columns) - 1:
            cells = next(csv.reader([line]))
            if len(cells) < len(columns):
                raise InputError(
                    f"Line {at}: {len(cells)} cells, the header has {len(columns)}.",
                    hint="The file is cut off or mixed with another; nothing of it was imported.",
                )
            yield at, dict(zip(reversed(columns), reversed(cells), strict=False))


def read(lines: Sequence[str]) -> Trace | None:
    if not any("NNG Operator" in line and "Op Cycles" in line for line in lines):
        return None
    events = [
        Event(
            clean_text(next((row[name] for name in _SOURCES if name in row), "")),
            number(row[_CYCLES], at),
            output=clean_text(row.get(_NAME, "")),
        )
        for at, row in _rows(lines)
    ]
    return Trace(
        "Vela's per-layer performance",
        Unit.CYCLES,
        (tuple(events),),
        fuses=True,
        splits=True,
        written_by="ethos-u",
        basis=Basis.SIMULATED,
        notes=(_EXPECTED,),
    )
