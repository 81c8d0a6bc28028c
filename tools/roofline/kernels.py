"""Which fitted coefficients a deployment's kernels go by, and how far they can be trusted."""

from __future__ import annotations

import functools
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from ...hardware_db.calibration import AcceleratorCost, KernelCost, load_calibration
from ..quantity import Basis

BORROWED_ISA_FACTOR = 2.0
BORROWED_DTYPE_FACTOR = 3.0
BORROWED_RUNTIME_FACTOR = 4.0
"""How much wider the interval gets when the coefficients were measured on another instruction set, type or
library: about the spread that measured ones show between kin."""

KIN = (
    frozenset({"cortex-m4", "cortex-m7", "cortex-m33"}),
    frozenset({"cortex-m55", "cortex-m85"}),
    frozenset({"cortex-m0", "cortex-m0plus", "cortex-m3"}),
    frozenset({"cortex-a7", "cortex-a35", "cortex-a53", "cortex-a55"}),
    frozenset({"cortex-a72", "cortex-a73", "cortex-a76", "cortex-a78", "cortex-a78ae"}),
)
"""Cores whose kernels use the same instructions: Armv7E-M's SIMD, Helium, neither; in-order and
out-of-order cores with NEON."""

SAME_KERNELS = {"uint8": "int8", "bfloat16": "float16"}
"""Types that libraries compute with the kernels of another."""


@dataclass(frozen=True)
class Kernels:
    """Cycles per unit of work of one library on one core, for one type."""

    conv: float
    depthwise: float
    dense: float
    element: float
    transcendental: float
    output: float
    op: float
    interval_factor: float
    basis: Basis
    stands_on: str


@functools.cache
def core_kernels(runtime: str, isa: str, dtype: str) -> Kernels | None:
    """The nearest fitted kernels, None where nothing akin was measured."""
    dtype = SAME_KERNELS.get(dtype, dtype)
    known = load_calibration().kernels
    exact = [k for k in known if (k.runtime, k.isa, k.dtype) == (runtime, isa, dtype)]
    if exact:
        return _blend(
            exact, 1.0, Basis.FITTED, f"{exact[0].rows} measurements of {runtime} on {isa} in {dtype}"
        )
    kin: list[tuple[list[KernelCost], float, str]] = [
        (
            _kin([k for k in known if (k.runtime, k.dtype) == (runtime, dtype)], isa),
            BORROWED_ISA_FACTOR,
            "cores",
        ),
        ([k for k in known if (k.runtime, k.isa) == (runtime, isa)], BORROWED_DTYPE_FACTOR, "types"),
        ([k for k in known if (k.isa, k.dtype) == (isa, dtype)], BORROWED_RUNTIME_FACTOR, "libraries"),
    ]
    for group, widening, other in kin:
        if group:
            names = ", ".join(sorted({f"{k.runtime} on {k.isa} in {k.dtype}" for k in group}))
            told = f"no measurements of {runtime} on {isa} in {dtype}: borrowed from other {other} ({names})"
            return _blend(group, widening, Basis.ASSUMED, told)
    return None


@functools.cache
def accelerator_cost(runtime: str, kind: str, dtype: str) -> tuple[AcceleratorCost, float, str] | None:
    """The nearest fitted efficiencies, how much wider their interval gets, and what they stand on."""
    dtype = SAME_KERNELS.get(dtype, dtype)
    same_kind = [a for a in load_calibration().accelerators if a.kind == kind]
    for matches, widening in (
        ([a for a in same_kind if (a.runtime, a.dtype) == (runtime, dtype)], 1.0),
        ([a for a in same_kind if a.runtime == runtime], BORROWED_DTYPE_FACTOR),
        ([a for a in same_kind if a.dtype == dtype], BORROWED_RUNTIME_FACTOR),
        (same_kind, BORROWED_RUNTIME_FACTOR),
    ):
        if matches:
            found = max(matches, key=lambda a: a.rows)
            told = f"{found.rows} measurements of {found.runtime} on a {kind} in {found.dtype}"
            return found, widening, told if widening == 1.0 else f"borrowed: {told}"
    return None


def _kin(group: list[KernelCost], isa: str) -> list[KernelCost]:
    """Those on cores akin to `isa`, all where none is."""
    family = next((kin for kin in KIN if isa in kin), frozenset())
    return [k for k in group if k.isa in family] or group


def _blend(group: Sequence[KernelCost], widening: float, basis: Basis, stands_on: str) -> Kernels:
    def middle(values: list[float]) -> float:
        return statistics.geometric_mean(values)

    return Kernels(
        conv=middle([k.conv for k in group]),
        depthwise=middle([k.depthwise for k in group]),
        dense=middle([k.dense for k in group]),
        element=middle([k.element for k in group]),
        transcendental=middle([k.transcendental for k in group]),
        output=middle([k.output for k in group]),
        op=middle([k.op for k in group]),
        interval_factor=max(k.interval_factor for k in group) * widening,
        basis=basis,
        stands_on=stands_on,
    )
