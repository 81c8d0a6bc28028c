"""The profile that Silicon Labs' MLTK prints (`mltk profile`): a summary, and a table "Model Layers".

As in github.com/SiliconLabs/mltk mltk/models/siliconlabs/fingerprint_signature_generator.py: figures have a
prefix of their unit (981.7k, 12.2m); cycles of the accelerator and of the CPU stand beside each layer's time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from ....hardware_db.errors import InputError
from ...core.quantity import Basis
from ...core.sanitize import clean_text
from ..recording import CompiledCost, Recording
from ..trace import Event, Trace, Unit
from ..trace_file import number

_HEAD = ("index", "opcode", "acc cycles", "cpu cycles", "time (s)")
_FACT = re.compile(
    r"^\s*(Name|Accelerator|Input Shape|Flash, Model File Size \(bytes\)|Accelerator Cycle Count|"
    r"CPU Cycle Count|RAM, Runtime Memory Size \(bytes\)|CPU Utilization \(%\)|Clock Rate \(hz\)|"
    r"Time \(s\)|Inference/s):\s*(\S.{0,60}?)\s*$"
)
_PREFIXED = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)([nuµmkMG]?)")
_FROM = "the report does not say whether its simulator or a board ran: taken for simulated"
_RULE = "+--"
_PREFIXES = {"n": 1e-9, "u": 1e-6, "µ": 1e-6, "m": 1e-3, "": 1.0, "k": 1e3, "M": 1e6, "G": 1e9}


def read(lines: Sequence[str]) -> Recording | None:
    at = next((at for at, line in enumerate(lines) if set(_HEAD) <= set(_cells(line.casefold()))), None)
    if at is None:
        return None
    columns = _cells(lines[at].casefold())
    rows = [(n, dict(zip(columns, cells, strict=False))) for n, cells in _rows(lines, at + 1, len(columns))]
    if not rows:
        return None
    if not any(_RULE in line for line in lines[rows[-1][0] :]):
        raise InputError(
            f"Line {len(lines)}: the table of layers has no end: cut off.",
            hint="Give the report whole; nothing of it was imported.",
        )
    facts = {found[1].casefold(): clean_text(found[2]) for line in lines[:at] if (found := _FACT.match(line))}
    events = tuple(
        Event(clean_text(row["opcode"]), _figure(row, "time (s)", n), layer=int(_figure(row, "index", n)))
        for n, row in rows
    )
    trace = Trace(
        "profile of MLTK", Unit.SECONDS, (events,), written_by="tflm", clock_mhz=_clock(facts),
        basis=Basis.SIMULATED, notes=(_FROM,),
    )  # fmt: skip
    return Recording(
        trace.format, trace.unit, trace=trace, compiled=tuple(_costs(rows)), facts=facts, written_by="tflm",
        clock_mhz=trace.clock_mhz, lines=len(rows), basis=Basis.SIMULATED, notes=(_FROM,),
    )  # fmt: skip


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")] if "|" in line else []


def _rows(lines: Sequence[str], first: int, columns: int) -> Iterator[tuple[int, list[str]]]:
    """Of the table alone; options that go on in a further line have no index."""
    for at, line in enumerate(lines[first:], first + 1):
        cells = _cells(line)
        if len(cells) == columns and cells[0].isdigit():
            yield at, cells
        elif line.strip() and "|" not in line and _RULE not in line:
            return


def _figure(row: Mapping[str, str], name: str, line: int) -> float:
    text = row.get(name, "")
    found = _PREFIXED.fullmatch(text)
    return number(text or "0", line) if found is None else float(found[1]) * _PREFIXES[found[2]]


def _clock(facts: Mapping[str, str]) -> float | None:
    found = _PREFIXED.fullmatch(facts.get("clock rate (hz)", ""))
    return None if found is None else float(found[1]) * _PREFIXES[found[2]] / 1e6


def _costs(rows: Sequence[tuple[int, Mapping[str, str]]]) -> Iterator[CompiledCost]:
    for n, row in rows:
        parts = {"accelerator": _figure(row, "acc cycles", n), "CPU": _figure(row, "cpu cycles", n)}
        engine = "accelerator" if parts["accelerator"] else "CPU"
        op = clean_text(row["opcode"])
        yield CompiledCost(
            f"layer {row['index']}", op, max(parts.values()), parts, _figure(row, "# macs", n), None, engine
        )
