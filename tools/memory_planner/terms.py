"""What of a deployment the arena and the flash depend on, and nothing else of it.

Plans are made once for deployments with equal terms. A planner is therefore handed these and never the
deployment: what it is to read more has to become a field here, and so tells deployments apart.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...hardware_db import Planner, TargetClass
from ..deployments import Deployment
from .abi import Abi, abi_of
from .kernel_library import KernelLibrary, library_of


@dataclass(frozen=True)
class Interpreter:
    """An interpreter of TFLite Micro as it is linked and compiled."""

    runtime: str
    library: KernelLibrary
    abi: Abi


@dataclass(frozen=True)
class ArenaTerms:
    planner: Planner
    alignment: int | None
    """Of buffers, in bytes, as the runtime tells it."""
    interpreter: Interpreter | None
    """None where the planner is no interpreter's."""


@dataclass(frozen=True)
class FlashTerms:
    runtime: str
    planner: Planner
    folds_constants: bool
    code_bytes: int | None
    target_class: TargetClass


def arena_terms(where: Deployment) -> ArenaTerms:
    runtime, interpreter = where.runtime, None
    if runtime.planner is Planner.TFLM_GREEDY:
        interpreter = Interpreter(runtime.id, library_of(runtime.id, where.core), abi_of(where.core))
    alignment = runtime.arena_alignment.value if runtime.arena_alignment else None
    return ArenaTerms(runtime.planner, alignment, interpreter)


def flash_terms(where: Deployment) -> FlashTerms:
    runtime = where.runtime
    code = None if runtime.code_bytes is None else runtime.code_bytes.value
    return FlashTerms(runtime.id, runtime.planner, runtime.folds_constants, code, where.target.target_class)
