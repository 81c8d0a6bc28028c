"""What of a deployment the arena and the flash depend on, and nothing else of it.

Plans are made once for deployments with equal terms. A planner is therefore handed these and never the
deployment: what it is to read more has to become a field here, and so tells deployments apart.
"""

from __future__ import annotations

from ...hardware_db import Planner
from ...hardware_db.coefficients.flash import load_flash_fit
from ..core.deployment import Deployment
from ..core.records import dataclass, replace
from .flash.code_family import Build, code_family
from .flash.dead_channels import drops_dead_channels
from .kernels.abi import Abi, abi_of
from .kernels.kernel_library import KernelLibrary, library_of

_X_CUBE_AI = "x-cube-ai"


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
    release: str = ""
    """Of the runtime, where its planner changes with it; empty for the newest."""


@dataclass(frozen=True)
class FlashTerms:
    runtime: str
    folds_constants: bool
    code_bytes: int | None
    build: Build | None
    """None where programs do not lie in flash, or nobody knows how the runtime keeps a model."""
    drops_dead_channels: bool = False


def arena_terms(deployment: Deployment) -> ArenaTerms:
    runtime, interpreter = deployment.runtime, None
    if runtime.planner is Planner.TFLM_GREEDY:
        interpreter = Interpreter(
            runtime.id, library_of(runtime.id, deployment.core), abi_of(deployment.core)
        )
    alignment = runtime.arena_alignment.value if runtime.arena_alignment else None
    release = deployment.release if runtime.planner is Planner.IN_PLACE else ""
    return ArenaTerms(runtime.planner, alignment, interpreter, release)


def flash_terms(deployment: Deployment) -> FlashTerms:
    runtime = deployment.runtime
    code = None if runtime.code_bytes is None else runtime.code_bytes.value
    drops = runtime.id == _X_CUBE_AI and drops_dead_channels(deployment.release)
    return FlashTerms(runtime.id, runtime.folds_constants, code, _build(deployment), drops)


def _build(deployment: Deployment) -> Build | None:
    """The target matters only where programs were measured on it: others are all alike."""
    family = code_family(deployment.runtime, deployment.target.target_class)
    if family is None:
        return None
    build = Build(deployment.runtime.id, family, deployment.core.isa.value, deployment.target.measured_as)
    measured = f"base:{build.places[-1]}" in load_flash_fit().nodes
    return build if measured else replace(build, target="")
