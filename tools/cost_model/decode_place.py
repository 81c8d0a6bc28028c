"""What of a target decodes a language model: its processor, bandwidth and peak."""

from __future__ import annotations

from ...hardware_db import Core, Target, TargetClass
from ...hardware_db.cores import float32_macs_per_cycle
from ...hardware_db.derived import accelerator_peak_ops_per_s, core_peak_ops_per_s
from .decode import CPU, GPU, INT8_TO_FLOAT32, DecodePlace
from .peaks import widest_bytes_per_s

_BACKENDS = {"nvidia-gpu": "cuda", "apple-gpu": "metal"}
_ARITHMETIC = {"w8a8": ("int8", "float16"), "FP8": ("float8", "float16")}
"""Formats whose activations are as narrow as they; others are multiplied in float16."""
DESKTOP_MHZ = 5000.0
"""Of the desktop cores that published speeds of cards were measured with, when one thread runs."""
_ARM_CORES = ("cortex-", "neoverse-", "carmel", "denver")
_X86, _AMD = "x86-64", "AMD"
X86_INT8_OPERATIONS = 128
"""Of a core in a cycle with AVX2, four times its 32 in float32: 486.4 GFLOPS of four cores at 3.8 GHz, says
AUGMXNT/llm-tracker.info-vault@b56234c, howto/Intel GPUs.md, line 145. Small cores do less, AVX-512 more."""
_HALF_FLOATS = ("F16", "BF16")
"""Which x86 cores convert before they multiply; two networks of one reached a third of others' share."""
PHONE_THREADS = 4
"""That llama.cpp and whisper.cpp start where nobody says more; a phone runs them on its fastest cores."""
HALVES = 2
"""Numbers of float16 where one of float32 is: of Arm's cores since the Cortex-A75 and A55."""
_SINGLE_ONLY = ("cortex-a53", "cortex-a57", "cortex-a72", "cortex-a73", "cortex-a35", "cortex-a7")
_EVERY = ("int4", "int8", "float8", "float16", "bfloat16", "float32")
_FLOATS = ("float16", "float32", "int8")
"""Where float16 is the slower one, as on Pascal, engines compute in float32."""


def decode_place(
    target: Target, kind: str, runtime: str, weights: str, bytes_per_s: float | None = None
) -> DecodePlace:
    """The processor of a kind on a target; `bytes_per_s` in place of the database's bandwidth."""
    rate = bytes_per_s or widest_bytes_per_s(target, _clock_mhz(target))
    backend, peak = backend_of(target, kind, runtime), _peak(target, kind, weights)
    launch = _launch(target) if kind == GPU else 1.0
    unpacks = _unpacks_at(target, kind)
    return DecodePlace(kind, runtime, rate, peak, backend, unpacks, _most(target, kind, peak), launch)


def _most(target: Target, kind: str, peak: float | None) -> float | None:
    """Of all types that are known."""
    if kind == CPU:
        rates = [core_peak_ops_per_s(c, d, threads=c.count.value) for c in target.cores[:1] for d in _EVERY]
        own = [_int8_ops_per_s(core, target.vendor) for core in target.cores[:1]]
        return max((rate for rate in (*rates, *own, peak) if rate), default=None) if peak else None
    every = [accelerator_peak_ops_per_s(a, d) for a in target.accelerators if a.kind == kind for d in _EVERY]
    return max((rate for rate in (*every, peak) if rate), default=None)


def _unpacks_at(target: Target, kind: str) -> float | None:
    if kind == CPU:
        return next((_int8_ops_per_s(core, target.vendor) for core in target.cores[:1]), None)
    gpus = (each for each in target.accelerators if each.kind == kind == GPU)
    return next((accelerator_peak_ops_per_s(each, "float32") for each in gpus), None)


def _int8_ops_per_s(core: Core, vendor: str) -> float | None:
    """Of all such cores."""
    return _x86_int8_ops_per_s(core, vendor) or core_peak_ops_per_s(core, "int8", threads=core.count.value)


def _x86_int8_ops_per_s(core: Core, vendor: str) -> float | None:
    """Where AVX2 is known. AMD's sheets name no vectors: these are all Zen."""
    if core.isa.value != _X86 or (core.vector is None and vendor != _AMD):
        return None
    return core.count.value * core.clock_max_mhz.value * 1e6 * X86_INT8_OPERATIONS


def _launch(target: Target) -> float:
    """Of a GPU that the Arm cores of its board drive: by their clock, as if each cycle did as much."""
    driving = [core for core in target.cores if core.isa.value.startswith(_ARM_CORES)]
    if not driving or target.target_class is TargetClass.GPU:
        return 1.0
    return max(1.0, DESKTOP_MHZ / max(core.clock_max_mhz.value for core in driving))


def backend_of(target: Target, kind: str, runtime: str) -> str:
    """What a runtime drives a processor by; of AMD's GPUs Vulkan, but for Ollama, which brings ROCm."""
    if kind != GPU:
        return kind
    family = next((a.family for a in target.accelerators if a.kind == GPU), "")
    if family == "amd-gpu" and runtime != "llama.cpp":
        return "rocm"
    return _BACKENDS.get(family, "vulkan")


def _clock_mhz(target: Target) -> float:
    return max((core.clock_max_mhz.value for core in target.cores), default=0.0)


def _peak(target: Target, kind: str, weights: str) -> float | None:
    """Of the arithmetic that the weights are multiplied in."""
    order = _ARITHMETIC.get(weights, _FLOATS)
    if kind == CPU:
        core = target.cores[0] if target.cores else None
        if core is None:
            return None
        rates = (core_peak_ops_per_s(core, dtype, threads=core.count.value) for dtype in order)
        stated = next((rate for rate in rates if rate), None) or _of_fastest(target)
        wide = None if weights in _HALF_FLOATS else _x86_int8_ops_per_s(core, target.vendor)
        return stated or (wide and wide / INT8_TO_FLOAT32)
    for accelerator in target.accelerators:
        if accelerator.kind == kind:
            found = [accelerator_peak_ops_per_s(accelerator, dtype) for dtype in order]
            if order is _FLOATS and found[0] and found[1]:
                return max(found[0], found[1])
            return next((rate for rate in found if rate), None)
    return None


def _of_fastest(target: Target) -> float | None:
    """Of the fastest cores of a chip whose own sheet names no width, by the width of such cores elsewhere."""
    wide = float32_macs_per_cycle()
    rates = [
        2.0 * wide[isa] * (1 if isa in _SINGLE_ONLY else HALVES) * core.clock_max_mhz.value * 1e6
        for core in target.cores
        if (isa := core.isa.value) in wide
        for _ in range(core.count.value)
    ]
    known = target.cores[0].isa.value in wide
    return sum(sorted(rates, reverse=True)[:PHONE_THREADS]) if known else None
