"""The report that ST Edge AI Core and X-CUBE-AI write with the code: what the compiler made of the model.

As in github.com/he451313/STM32-TinyML-Vibration-Detector X-CUBE-AI/App/network_generate_report.txt (commit
dd5bf28, of ST Edge AI Core 2.2.0): a summary of `key : value`, and a table "C-Layers" with macc and ROM. For
a Neural-ART NPU as in github.com/AlexGraefe/STM32N6Example st_ai_output/network_generate_report.txt (commit
8becbb2, of 3.0.0): memory by region, and "Epochs details" with what runs in hardware and in software.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ....hardware_db.errors import InputError
from ...core.quantity import Basis
from ...core.sanitize import clean_text
from ..recording import CompiledCost, Recording
from ..trace_file import number

_TOOL = re.compile(r"^(ST Edge AI Core v\S+|Neural Network Tools for STM32\S* v.{1,60})")
_FACT = re.compile(r"^([a-z][\w /#().-]{1,24}?)\s+:\s+(\S.{0,160}?)\s*$")
_KEPT = ("type", "compression", "optimization", "target/series", "model_fmt", "macc", "weights (ro)",
         "activations (rw)", "ram (total)", "params #")  # fmt: skip
_LAYER = re.compile(r"^\d+\s+(\S{1,120})\s+-?\d+\s+([A-Za-z]\S{0,60})\s+(\d+)\s+(\d+)\s")
_COUNT = re.compile(r"^(?:C-Layers \(|Total number of epochs\s+)(\d{1,6})")
_FROM = "macc is ST's own count, which has the elements of activations and poolings beside MACs"


_EPOCH = re.compile(
    r"^\|\s*(epoch_\d{1,6})\s*\|\s*-?(HW|EC|SW|HYBRID)-?\s*\|\s*(.{0,120}?)\s*\|\s*$", re.IGNORECASE
)
_REGION = re.compile(
    r"^\s+(\w{1,40})\s+\[0x[0-9A-Fa-f]+ - 0x[0-9A-Fa-f]+\]:\s+([\d.]+\s+[kMG]?B) /"
    r"\s+([\d.]+\s+[kMG]?B)"
)
_ENGINES = {"hw": "NPU", "ec": "NPU", "sw": "CPU", "hybrid": "NPU and CPU"}


def read(lines: Sequence[str]) -> Recording | None:
    tool = next((found for line in lines[:5] if (found := _TOOL.match(line)) is not None), None)
    is_report = any("report summary (generate" in line for line in lines[:20])
    epochs = next((at for at, line in enumerate(lines) if line.startswith("Epochs details")), None)
    if tool is None or not (is_report or epochs is not None):
        return None
    facts = {"tool": clean_text(tool[1])}
    for line in lines[:60]:
        if (fact := _FACT.match(line)) is not None and fact[1].strip() in _KEPT:
            facts.setdefault(fact[1].strip(), clean_text(fact[2].strip(), 120))
    facts |= _regions(lines)
    layers = list(_c_layers(lines)) or list(_epochs(lines[epochs or 0 :]))
    said = next((int(found[1]) for line in lines if (found := _COUNT.match(line)) is not None), 0)
    if len(layers) < said:
        raise InputError(
            f"Line {len(lines)}: {len(layers)} of the {said} layers or epochs that the report counts are in "
            "it: cut off.",
            hint="Give the report whole; nothing of it was imported.",
        )
    npu = epochs is not None
    return Recording(
        "generate report of ST's compiler", compiled=tuple(layers), facts=facts, basis=Basis.DERIVED,
        written_by="x-cube-ai", notes=() if npu else (_FROM,), lines=len(layers),
    )  # fmt: skip


def _c_layers(lines: Sequence[str]) -> Iterator[CompiledCost]:
    at = next((n for n, line in enumerate(lines) if line.startswith("C-Layers")), len(lines))
    for n, line in enumerate(lines[at:], at + 1):
        if (row := _LAYER.match(line)) is not None:
            macs, rom = number(row[3], n), number(row[4], n)
            yield CompiledCost(clean_text(row[1]), clean_text(row[2]), None, {}, macs, rom)


def _epochs(lines: Sequence[str]) -> Iterator[CompiledCost]:
    for line in lines:
        if (row := _EPOCH.match(line)) is not None:
            engine = _ENGINES[row[2].casefold().strip("-")]
            yield CompiledCost(clean_text(row[1]), clean_text(row[3]), None, {}, None, None, engine)


def _regions(lines: Sequence[str]) -> dict[str, str]:
    """Memories of which something is used."""
    found = (_REGION.match(line) for line in lines)
    return {
        f"in {clean_text(row[1])}": f"{' '.join(row[2].split())} of {' '.join(row[3].split())}"
        for row in found
        if row is not None and float(row[2].split()[0])
    }
