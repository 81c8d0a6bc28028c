"""How well an operator that runs is computed. A rule's docstring is the sentence that the user reads."""

from __future__ import annotations

from ...hardware_db import Core
from .op_context import Finding, KernelContext, KernelRule, Outcome, PlacementContext, Rule, listed

_UNITS = {"none": 0, "sp": 32, "dp": 64}
"""Widest float that a floating-point unit computes, in bits."""


def computed_ahead(context: KernelContext) -> Finding | None:
    """The compiler computes it once, so that it does not run on the device."""
    return Finding(Outcome.FAST, "it follows from constants and fixed shapes") if context.folded else None


def float_unit(context: PlacementContext) -> Finding | None:
    """The core computes floating point of this width in software."""
    unit, element = context.deployment.core.fpu, context.element
    if context.deployment.accelerator is not None or unit is None or unit.value not in _UNITS:
        return None
    if element is None or not element.is_float or (element.bits or 0) <= _UNITS[unit.value]:
        return None
    return Finding(
        Outcome.SLOW, f"input is {context.dtype}, {context.deployment.core.isa.value} has FPU {unit.value}"
    )


def instructions(context: PlacementContext) -> Finding | None:
    """The kernel uses instructions that the core lacks, and is portable code without them."""
    if (
        context.support is None
        or context.dtype not in context.support.optimized
        or not context.support.optimized_on
    ):
        return None
    has = features(context.deployment.core)
    if has is None or has.intersection(context.support.optimized_on):
        return None
    needs = " or ".join(context.support.optimized_on)
    return Finding(
        Outcome.SLOW, f"it needs {needs}, {context.deployment.core.isa.value} has {listed(sorted(has))}"
    )


def portable_kernel(context: KernelContext) -> Finding | None:
    """It runs on portable code, not on a kernel written for the processor."""
    if context.support is None or context.computed_as in context.support.optimized:
        return None
    written = context.support.optimized
    text = (
        f"kernels are written for {listed(written)}"
        if written
        else "the runtime has no kernel written for it"
    )
    return Finding(Outcome.SLOW, f"input is {context.dtype}, {text}" if context.at.inputs else text)


def written_kernel(context: KernelContext) -> Finding:
    """It runs on a kernel written for the processor."""
    if not context.at.inputs:
        return Finding(Outcome.FAST)
    mixed = f", computed in {context.computed_as}" if context.computed_as != context.dtype else ""
    return Finding(Outcome.FAST, f"input is {context.dtype}{mixed}")


OF_KERNELS: tuple[KernelRule, ...] = (portable_kernel, written_kernel)
RULES: tuple[Rule, ...] = (float_unit, instructions, *OF_KERNELS)
"""In the order in which they are asked; the last always applies."""


def runs_as_written(context: PlacementContext) -> bool:
    """Whether a kernel written for the processor computes an operator that runs."""
    return next(rule for rule in RULES if rule(context) is not None) is written_kernel


def features(core: Core) -> frozenset[str] | None:
    """SIMD that a core has: dsp, mve, neon, …; None where no source tells."""
    if core.dsp is None and core.vector is None:
        return _BY_ISA.get(core.isa.value)
    has = {core.vector.value} if core.vector is not None and core.vector.value != "none" else set()
    return frozenset(has | {"dsp"} if core.dsp is not None and core.dsp.value else has)


_BY_ISA = {
    "cortex-m0": frozenset[str](),
    "cortex-m0plus": frozenset[str](),
    "cortex-m3": frozenset[str](),
    "cortex-m4": frozenset({"dsp"}),
    "cortex-m7": frozenset({"dsp"}),
}
"""Where the architecture leaves no choice: Armv6-M and Armv7-M have no DSP extension, Armv7E-M always has."""
