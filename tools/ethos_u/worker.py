"""Runs Vela on one model, in a process of its own: a model that brings the compiler down ends this alone.

Run as a script: the request is JSON on standard input's first line, the model's bytes follow. The answer
goes to the file that the request names, what Vela prints goes nowhere else than into the search for reasons.
This is the only module that imports `ethosu`, which has no types.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from ethosu import regor

_WARNING = re.compile(r"^Warning \(supported operators\) operator: ?([^\s,]*),? ofm: ?'?(.*?)'?$")
_REFUSED = re.compile(r"Compilation failed: Error: ([A-Z0-9_]{1,40}) '")
"""The kind of an operator that is no valid TFLite; what follows holds names out of the model."""
_COLUMNS = ("op_cycles", "npu_cycles", "mac_count", "staging_usage", "Sram_ac", "Dram_ac",
            "OnChipFlash_ac", "OffChipFlash_ac")  # fmt: skip


def main() -> None:
    request = json.loads(sys.stdin.buffer.readline())
    model = sys.stdin.buffer.read()
    with tempfile.TemporaryFile() as printed:
        os.dup2(printed.fileno(), 1)
        try:
            answer = _compiled(request, model)
        except RuntimeError as error:
            refused = _REFUSED.match(str(error))
            answer = {"refused": refused[1] if refused else ""}
        else:
            _flush()
            printed.seek(0)
            answer["reasons"] = _reasons(printed.read().decode("utf-8", "replace"), request["architecture"])
    Path(request["answer"]).write_text(json.dumps(answer), encoding="utf-8")


def _compiled(request: Any, model: bytes) -> dict[str, Any]:
    architecture, system, options = request["architecture"], request["system"], request["options"]
    compiled = regor.compile(architecture, model, "TFLITE", system, options=options, verbose=True)
    Path(request["compiled"]).write_bytes(compiled.model)
    report = compiled.perf_report
    return {
        "memories": {str(name): int(memory.peakUsage) for name, memory in report.memories.items()},
        "cycles": int(report.totalCycles),
        "macs": int(report.macCount),
        "operators": _operators(compiled.opt_database.tables),
    }


def _operators(tables: Any) -> dict[str, Any]:
    """Position in the file → what became of the operator; null where a position stands for several."""
    sources = [dict(zip(tables["source"].header, row, strict=False)) for row in tables["source"].data]
    found: dict[str, Any] = {}
    by_id: dict[str, Any] = {}
    for source in sources:
        if not source["ext_key"].isdigit():
            continue
        empty = {"parts": [], "on_cpu": False, **dict.fromkeys(_COLUMNS, 0)}
        by_id[source["id"]] = empty
        found[source["ext_key"]] = None if source["ext_key"] in found else empty
    for values in tables["perf"].data:
        row = dict(zip(tables["perf"].header, values, strict=False))
        operator = by_id.get(row["source_id"])
        if operator is None:
            continue
        operator["parts"].append(row["operator"])
        operator["on_cpu"] = operator["on_cpu"] or row["operator"] == "Passthrough"
        for column in _COLUMNS:
            value = int(float(row.get(column) or 0))
            worst = column == "staging_usage"
            operator[column] = max(operator[column], value) if worst else operator[column] + value
    return found


def _reasons(printed: str, architecture: str) -> list[list[str]]:
    """(kind, name of the output, sentence) of each refusal; sentences only from Vela's own list."""
    known = regor.tflite_operator_constraints(architecture)
    sentences = {line: text for texts in known.values() for text in texts for line in text.split("\n")[:1]}
    reasons: list[list[str]] = []
    for line in printed.splitlines():
        if (warning := _WARNING.match(line)) is not None:
            reasons.append([warning[1], warning[2], ""])
        elif reasons and not reasons[-1][2] and line in sentences:
            reasons[-1][2] = sentences[line]
        elif reasons and not reasons[-1][2] and line == "Reason: Unsupported opType":
            reasons[-1][2] = "Unsupported opType"
    return reasons


def _flush() -> None:
    """Empty the buffers of C's standard output, which Python does not know of."""
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).fflush(None)


if __name__ == "__main__":
    main()
