"""The hierarchy of coefficients: the nodes of a deployment, from the most general to the target itself."""

from __future__ import annotations

import math
from collections.abc import Mapping
from enum import StrEnum

from ...hardware_db import Target
from ..core.deployment import Deployment
from ..core.deployment_table import Machine

Path = tuple[str, ...]
"""Steps: names of nodes; behind a * stands how many times a node counts, once where nothing does."""

GPU_FAMILIES = ("mali", "adreno", "apple-gpu", "nvidia-gpu", "amd-gpu", "intel-gpu", "powervr", "videocore",
                "vivante-gpu")  # fmt: skip
USUAL_MHZ = {"mcu": 120.0, "cpu": 2000.0, "unit": 2400.0}
"""Highest clock of a chip's cores from which the effect of another is counted, by kind of processor."""
MACS_PER_CYCLE = 2.0
"""Of a microcontroller's core, likewise."""


class ProcessorKind(StrEnum):
    """Processors that share a physics: what work is counted in, and what it shrinks to."""

    MCU = "mcu"
    CPU = "cpu"
    UNIT = "unit"
    """An accelerator: GPU, NPU, vector unit."""


_MCU_ISAS = ("cortex-m", "xtensa", "rv32", "rxv", "rh850", "avr", "hifi", "sharc", "qingke", "andes")
SAME_KERNELS = {"uint8": "int8", "uint4": "int4"}
"""Types that libraries compute with the kernels of another."""

FLOAT_KERNELS = {"tflm-cmsis-nn": "tflm-reference"}
"""Libraries whose kernels of float32 are another's: those of CMSIS-NN take int8 and int16 alone, and leave
float32 to the reference (tensorflow/tflite-micro 06118a8f, lite/micro/kernels/cmsis_nn/conv.cc)."""

KIN: dict[str, tuple[str, ...]] = {
    "armv6m-v7m": ("cortex-m0", "cortex-m0plus", "cortex-m3"),
    "armv7em-dsp": ("cortex-m4", "cortex-m7", "cortex-m33"),
    "helium": ("cortex-m52", "cortex-m55", "cortex-m85"),
    "xtensa": ("xtensa-lx6", "xtensa-lx7", "xtensa-lx106"),
    "rv32": ("rv32", "rv32ec", "rv32imac", "rv32imc", "rv32imafc", "rv32imafdc", "rv32imafc-hp"),
    "neon-in-order": ("cortex-a5", "cortex-a7", "cortex-a35", "cortex-a53", "cortex-a55", "cortex-a510",
                      "cortex-a520", "kryo670-silver"),
    "neon-narrow": ("cortex-a9", "cortex-a15", "cortex-a57", "cortex-a72", "cortex-a73", "cortex-a75",
                    "kryo", "denver2", "apple-a", "apple-cyclone"),
    "neon-wide": ("cortex-a76", "cortex-a77", "cortex-a78", "cortex-a78ae", "cortex-a78c", "cortex-a710",
                  "cortex-a715", "cortex-a720", "cortex-x1", "cortex-x1c", "cortex-x3", "cortex-x4",
                  "neoverse-v3ae", "apple-m", "apple-firestorm", "apple-icestorm", "apple-m3-p", "apple-m3-e",
                  "carmel", "oryon", "kryo-gold", "kryo670-gold", "kryo670-prime"),
    "avx": ("zen", "zen2", "zen3", "zen4", "x86-64", "cpu"),
    "sse": ("silvermont", "tremont"),
    "rv64": ("rv64gc", "sifive-u74", "xuantie-c906", "xuantie-c910", "rv64imafcv"),
    "riscv-vector": ("spacemit-x60", "rv64gcv"),
    "loongarch": ("la264", "loongarch64"),
    "mips": ("mips32", "mips1004kc"),
    "hailo": ("hailo8", "hailo8l", "hailo10", "hailo15"),
    "ethos-u": ("ethos-u55", "ethos-u65", "ethos-u85"),
    "neutron": ("neutron-n1", "neutron-n3"),
    "gap-cluster": ("gap8-cluster", "gap9-cluster"),
}  # fmt: skip
"""Instruction sets, and families of accelerators, whose kernels are alike: what was not measured takes after
these."""


def kin_of(isa: str) -> str:
    """The name of a core's kin; its own where it has none."""
    return next((kin for kin, members in KIN.items() if isa in members), isa)


def kind_of_isa(isa: str) -> ProcessorKind:
    return ProcessorKind.MCU if isa.startswith(_MCU_ISAS) else ProcessorKind.CPU


def calibration_path(
    kind: ProcessorKind,
    processor: str,
    dtype: str,
    runtime: str,
    *,
    version: str = "",
    target: str = "",
    threads: int = 0,
    host_class: str = "",
    chip_mhz: float | None = None,
    macs_per_cycle: float | None = None,
) -> Path:
    """Nodes of a group of measurements or of a deployment, each `level:kind/name`.

    Kinds of processors are fitted apart, so every name holds its kind: a board, or a library, is another node
    for the CPU than for the GPU beside it.

    Args:
        processor: instruction set of the core, or family of the accelerator.
        threads: 0 where it is not known.
        host_class: class of the target that an accelerator is part of.
        chip_mhz: highest clock of the target's cores. Faster chips are of later generations, and their flash
            has more wait states.
        macs_per_cycle: ceiling of a microcontroller's core for the type.
    """
    dtype = SAME_KERNELS.get(dtype, dtype)
    name, _, named_version = runtime.partition("@")
    release = version or named_version
    kernels = FLOAT_KERNELS.get(name, name) if dtype == "float32" else name
    steps = [
        f"dtype:{dtype}",
        f"kin:{kin_of(processor)}/{dtype}",
        f"isa:{processor}/{dtype}",
        f"runtime:{kernels}/{dtype}",
        f"library:{kernels}/{kin_of(processor)}/{dtype}",
        f"pair:{name}/{processor}/{dtype}",
    ]
    if release:
        steps.append(f"version:{name}@{release}/{processor}/{dtype}")
    if target:
        steps.append(f"target:{name}/{target}/{processor}/{dtype}")
        steps.append(f"board:{target}")
    steps += [f"software:{name}", f"family:{processor}"]
    match kind:
        case ProcessorKind.MCU:
            steps += _of_mcu(macs_per_cycle, chip_mhz)
        case ProcessorKind.CPU:
            steps += _of_cpu(name, processor, threads, chip_mhz)
        case ProcessorKind.UNIT:
            steps += _of_unit(processor, host_class, chip_mhz)
    return tuple(step.replace(":", f":{kind}/", 1) for step in steps)


def amount(step: str) -> tuple[str, float]:
    """A step's node, and how many times it counts."""
    node, star, times = step.partition("*")
    return node, float(times) if star else 1.0


def _clock(kind: str, chip_mhz: float | None) -> float:
    return math.log(chip_mhz / USUAL_MHZ[kind]) if chip_mhz else 0.0


def _of_mcu(macs_per_cycle: float | None, chip_mhz: float | None) -> list[str]:
    clock = f"clock:mhz*{_clock('mcu', chip_mhz):.4f}"
    if macs_per_cycle is None:
        return [clock, "width:untold"]
    return [clock, f"width:macs*{math.log(macs_per_cycle / MACS_PER_CYCLE):.4f}"]


def _of_cpu(library: str, processor: str, threads: int, chip_mhz: float | None) -> list[str]:
    clock = f"clock:mhz*{_clock('cpu', chip_mhz):.4f}"
    if not threads:
        return [clock, "threads:untold"]
    times = math.log(threads)
    return [
        clock,
        f"threads:{threads}",
        f"spread:{library}/{processor}/{threads}",
        f"cores:threads*{times:.4f}",
        f"cores_of:{kin_of(processor)}*{times:.4f}",
    ]


def _of_unit(family: str, host_class: str, chip_mhz: float | None) -> list[str]:
    times = 0.0 if host_class in ("", "mcu") else _clock("unit", chip_mhz)
    return [
        f"sort:{'gpu' if family in GPU_FAMILIES else 'npu'}",
        f"host:{host_class or 'untold'}",
        f"clock:mhz*{times:.4f}",
        f"clock_of:{family}*{times:.4f}",
    ]


def highest_clock_mhz(target: Target | None) -> float | None:
    return max((core.clock_max_mhz.value for core in target.cores), default=None) if target else None


def kind_of_row(row: Mapping[str, str]) -> ProcessorKind:
    """Of the processor that a measurement was taken on."""
    return ProcessorKind.UNIT if row["kind"] == ProcessorKind.UNIT else kind_of_isa(row["processor"])


def processor_of(deployment: Machine) -> tuple[ProcessorKind, str]:
    """Kind and name of what runs the kernels of a deployment."""
    if deployment.accelerator is not None:
        return ProcessorKind.UNIT, deployment.accelerator.family or deployment.accelerator.kind
    isa = deployment.core.isa.value
    return kind_of_isa(isa), isa


def deployment_path(deployment: Deployment, dtype: str) -> Path:
    kind, processor = processor_of(deployment)
    ceiling = deployment.core.macs_per_cycle.get(SAME_KERNELS.get(dtype, dtype))
    return calibration_path(
        kind, processor, dtype, deployment.runtime.id,
        version=deployment.release,
        target=deployment.target.measured_as,
        threads=deployment.threads if kind is ProcessorKind.CPU else 0,
        host_class=deployment.target.target_class.value,
        chip_mhz=highest_clock_mhz(deployment.target),
        macs_per_cycle=None if ceiling is None else ceiling.value,
    )  # fmt: skip
