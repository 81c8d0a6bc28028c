"""What a core would take that had no SIMD: its library's plain C, as on a core of its make that has none."""

from __future__ import annotations

from ....hardware_db import Core, load_target
from ....hardware_db.errors import UsageError
from ...core.deployment import Deployment
from ...graph import DType, ModelGraph
from .technique import Technique

_PLAIN = {"tflm-cmsis-nn": ("cortex-m", "sam3x8e"), "tflm-esp-nn": ("xtensa-lx7", "esp32")}
"""Library with kernels for SIMD and in plain C → the cores it is for, a target whose core has none.

CMSIS-NN: README, "Pure C: for processors like Arm Cortex-M0 or Cortex-M3". ESP-NN: esp_nn_generic_opt.h.
"""


def without_simd() -> Technique:
    return Technique(
        "simd-off", "the library's plain C, as on a core without SIMD at this clock",
        "redesign", "none: the same arithmetic", "build", _change,
    )  # fmt: skip


def _change(graph: ModelGraph, deployment: Deployment) -> tuple[ModelGraph, Deployment]:
    """
    Raises:
        UsageError: a core without SIMD, a type that it is not for, or a library without plain C.
    """
    core, library = deployment.core, deployment.runtime.id
    if deployment.accelerator is not None:
        raise UsageError(f"{deployment.accelerator.id} computes it, not the core's SIMD")
    if core.vector is None and not (core.dsp is not None and core.dsp.value):
        raise UsageError(f"{core.id} has no SIMD that is known")
    makes, plain = _PLAIN.get(library, ("", ""))
    if not makes or not core.isa.value.startswith(makes):
        raise UsageError(f"what {library} takes on {core.isa.value} without SIMD was not measured")
    if graph.dtype is DType.FLOAT32:
        raise UsageError(f"{library} computes float32 without SIMD already")
    return graph, _on(deployment, _without(core, load_target(plain).cores[0]))


def _without(core: Core, plain: Core) -> Core:
    """The core with the instructions of one that has no SIMD; clock, cache and memory stay."""
    return core.model_copy(
        update={
            "isa": plain.isa, "dsp": plain.dsp, "vector": None, "macs_per_cycle": plain.macs_per_cycle,
        }
    )  # fmt: skip


def _on(deployment: Deployment, core: Core) -> Deployment:
    cores = tuple(core if each.id == core.id else each for each in deployment.target.cores)
    note = (
        f"without SIMD: {deployment.runtime.id} in plain C, as on a {core.isa.value} at this clock; a core "
        "that issues several instructions at once may be faster"
    )
    return deployment.model_copy(
        update={
            "target": deployment.target.model_copy(update={"cores": cores}),
            "core": core,
            "assumptions": (*deployment.assumptions, note),
        }
    )
