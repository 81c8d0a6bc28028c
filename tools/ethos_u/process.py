"""Vela in a process of its own, and its answer as figures."""

from __future__ import annotations

import functools
import importlib.metadata
import importlib.util
import json
from pathlib import Path
from typing import Any

from ...hardware_db.errors import ModelFileError
from ..core.isolated import CrashedError, FailedError, LateError, run_isolated, worker_folder
from ..core.sanitize import clean_text
from ..graph import ModelGraph
from ..model_formats.tflite.document import parse_tflite
from .compiled import Compiled, Home, VelaOperator
from .system import System

SECONDS = 120
MEMORY_BYTES = 8 << 30
_WORKER = Path(__file__).with_name("worker.py")
_PACKAGE = "ethos-u-vela"


class VelaFailedError(Exception):
    """Vela gave no result; its text says why and is fit for an assumption."""


@functools.cache
def vela_version() -> str | None:
    """The version of Vela that is installed; None without one that has the compiler used here."""
    try:
        found = importlib.util.find_spec("ethosu.regor") is not None
        return importlib.metadata.version(_PACKAGE) if found else None
    except (ImportError, ValueError):
        return None


def compile_model(graph: ModelGraph, model: bytes, system: System) -> Compiled:
    """Compile `model`, the file that `graph` was read from.

    Raises:
        VelaFailedError: Vela is not installed, gave up, crashed, or took too long.
    """
    version = vela_version()
    if version is None:
        raise VelaFailedError("Vela is not installed")
    with worker_folder("vela") as folder:
        answer, compiled = Path(folder, "answer.json"), Path(folder, "compiled.tflite")
        _run(_request(system, answer, compiled) + b"\n" + model, folder, version)
        try:
            found = json.loads(answer.read_bytes())
            if "refused" in found:
                why = f": {found['refused']} is not as TFLite defines it" if found["refused"] else ""
                raise VelaFailedError(f"Vela {version} does not compile this model{why}")
            made = parse_tflite(compiled.read_bytes(), graph.name)
            return _result(graph, found, made, system, version)
        except (OSError, ValueError, KeyError, TypeError, ModelFileError) as error:
            raise VelaFailedError(f"Vela {version} does not compile this model") from error


def _request(system: System, answer: Path, compiled: Path) -> bytes:
    return json.dumps(
        {
            "architecture": system.configuration.architecture,
            "system": system.text,
            "options": system.options,
            "answer": str(answer),
            "compiled": str(compiled),
        }
    ).encode()


def _run(request: bytes, folder: str, version: str) -> None:
    try:
        run_isolated(_WORKER, Path(folder), seconds=SECONDS, memory_bytes=MEMORY_BYTES, request=request)
    except LateError as late:
        raise VelaFailedError(f"Vela {version} did not finish within {SECONDS} s") from late
    except CrashedError as crashed:
        raise VelaFailedError(f"Vela {version} itself crashes on this model: {crashed}") from crashed
    except FailedError as failed:
        raise VelaFailedError(f"Vela {version} does not compile this model") from failed


def _result(graph: ModelGraph, answer: Any, made: ModelGraph, system: System, version: str) -> Compiled:
    memories: dict[str, int] = answer["memories"]
    return Compiled(
        version=version,
        system=system,
        operators=_operators(graph, answer),
        cycles=answer["cycles"],
        macs=answer["macs"],
        sram_bytes=memories.get("Sram", 0),
        dram_bytes=memories.get("Dram", 0),
        flash_bytes=memories.get("OffChipFlash", 0) + memories.get("OnChipFlash", 0),
        graph=made,
    )


def _operators(graph: ModelGraph, answer: Any) -> tuple[VelaOperator, ...]:
    known = {clean_text(name): sentence for _, name, sentence in reversed(answer["reasons"])}
    return tuple(_operator(graph, op.index, answer["operators"], known) for op in graph.ops)


def _operator(graph: ModelGraph, index: int, found: Any, given: dict[str, str]) -> VelaOperator:
    parts = found.get(str(index), {"parts": [], "on_cpu": False})
    if parts is None:
        raise ValueError(f"operator {index} is there more than once")
    home = Home.CPU if parts["on_cpu"] else Home.NPU if parts["parts"] else Home.MERGED
    outputs = [graph.tensors[i].name_untrusted for i in graph.ops[index].outputs]
    names = [name for output in outputs for name in (output, f"{output}_act")]
    reason = next((given[name] for name in names if name in given), "")
    return VelaOperator(
        index=index,
        home=home,
        reason=reason if home is Home.CPU else "",
        cycles=parts.get("op_cycles", 0),
        npu_cycles=parts.get("npu_cycles", 0),
        sram_cycles=parts.get("Sram_ac", 0),
        dram_cycles=parts.get("Dram_ac", 0),
        flash_cycles=parts.get("OnChipFlash_ac", 0) + parts.get("OffChipFlash_ac", 0),
        macs=parts.get("mac_count", 0),
        staging_bytes=parts.get("staging_usage", 0),
    )
