"""The report that ST Edge AI Core and X-CUBE-AI write with the code: what the compiler made of the model.

As in github.com/he451313/STM32-TinyML-Vibration-Detector X-CUBE-AI/App/network_generate_report.txt (commit
dd5bf28, of ST Edge AI Core 2.2.0): a summary of `key : value`, and a table "C-Layers" with macc and ROM.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...core.quantity import Basis
from ...core.sanitize import clean_text
from ..recording import CompiledCost, Recording
from ..trace_file import number

_TOOL = re.compile(r"^(ST Edge AI Core v\S+|Neural Network Tools for STM32\S* v.{1,60})")
_FACT = re.compile(r"^([a-z][\w /#().-]{1,24}?)\s+:\s+(\S.{0,160}?)\s*$")
_KEPT = ("type", "compression", "optimization", "target/series", "model_fmt", "macc", "weights (ro)",
         "activations (rw)", "ram (total)", "params #")  # fmt: skip
_LAYER = re.compile(r"^\d+\s+(\S{1,120})\s+-?\d+\s+([A-Za-z]\S{0,60})\s+(\d+)\s+(\d+)\s")
_FROM = "macc is ST's own count, which has the elements of activations and poolings beside MACs"


def read(lines: Sequence[str]) -> Recording | None:
    tool = next((found for line in lines[:5] if (found := _TOOL.match(line)) is not None), None)
    if tool is None or not any("report summary (generate" in line for line in lines[:20]):
        return None
    facts = {"tool": clean_text(tool[1])}
    for line in lines[:60]:
        if (fact := _FACT.match(line)) is not None and fact[1].strip() in _KEPT:
            facts.setdefault(fact[1].strip(), clean_text(fact[2].strip(), 120))
    at = next((n for n, line in enumerate(lines) if line.startswith("C-Layers")), len(lines))
    layers = [
        CompiledCost(clean_text(row[1]), clean_text(row[2]), None, {}, number(row[3], n), number(row[4], n))
        for n, line in enumerate(lines[at:], at + 1)
        if (row := _LAYER.match(line)) is not None
    ]
    return Recording(
        "generate report of ST's compiler", compiled=tuple(layers), facts=facts, basis=Basis.DERIVED,
        written_by="x-cube-ai", notes=(_FROM,), lines=len(layers),
    )  # fmt: skip
