"""The hierarchy of coefficients: the nodes of a deployment, from the most general to the target itself."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from enum import StrEnum

from ...hardware_db import Target
from ..core.deployment_table import Machine
from .hardware_figures import HardwareFigures
from .lanes import SHARED_ISAS, USUAL_LANES, lanes_of

Path = tuple[str, ...]
"""Steps: names of nodes; behind a * stands how many times a node counts, once where nothing does."""

GPU_FAMILIES = ("mali", "adreno", "apple-gpu", "nvidia-gpu", "amd-gpu", "intel-gpu", "powervr", "videocore",
                "vivante-gpu")  # fmt: skip
USUAL_MHZ = {"mcu": 120.0, "cpu": 2000.0}
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
    "armv6m-v7m": ("cortex-m0", "cortex-m0plus", "cortex-m3", "cortex-m23"),
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
                  "neoverse-v3ae", "apple-m", "apple-firestorm", "apple-icestorm", "apple-avalanche",
                  "apple-blizzard", "apple-everest", "apple-sawtooth", "apple-m3-p", "apple-m3-e", "carmel",
                  "oryon", "kryo-gold", "kryo670-gold", "kryo670-prime"),
    "avx": ("zen", "zen2", "zen3", "zen4", "x86-64", "cpu"),
    "sse": ("silvermont", "tremont"),
    "rv64": ("rv64gc", "sifive-u74", "xuantie-c906", "xuantie-c910", "rv64imafcv"),
    "riscv-vector": ("spacemit-x60", "rv64gcv"),
    "loongarch": ("la264", "loongarch64"),
    "mips": ("mips32", "mips1004kc", "loongson-mips"),
    "hailo": ("hailo8", "hailo8l", "hailo10", "hailo15"),
    "ethos-u": ("ethos-u55", "ethos-u65", "ethos-u85"),
    "neutron": ("neutron-n1", "neutron-n3"),
    "gap-cluster": ("gap8-cluster", "gap9-cluster"),
}  # fmt: skip
"""Instruction sets, and families of accelerators, whose kernels are alike: what was not measured takes after
these."""


HALF_PRECISION_CORES = frozenset((
    "cortex-a55", "cortex-a75", "cortex-a76", "cortex-a77", "cortex-a78", "cortex-a78ae", "cortex-a78c",
    "cortex-a510", "cortex-a520", "cortex-a710", "cortex-a715", "cortex-a720", "cortex-x1", "cortex-x1c",
    "cortex-x3", "cortex-x4", "neoverse-v3ae", "carmel", "apple-m", "apple-firestorm", "apple-icestorm",
    "apple-avalanche", "apple-blizzard", "apple-everest", "apple-sawtooth", "apple-m3-p",
    "apple-m3-e", "oryon", "kryo-gold", "kryo670-silver", "kryo670-gold", "kryo670-prime",
))  # fmt: skip
"""Cores with arithmetic in float16 (llvm AArch64Processors.td: FeatureFullFP16)."""


def computed_type(runtime: str, processor: str, dtype: str) -> str:
    """The type that a library computes in: ncnn takes float16 for float32 where the core has it.

    benchncnn and ncnn's defaults set use_fp16_arithmetic (Tencent/ncnn benchmark/benchncnn.cpp).
    """
    name = runtime.partition("@")[0]
    return "float16" if name == "ncnn" and dtype == "float32" and processor in HALF_PRECISION_CORES else dtype


@functools.cache
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
    chip_mhz: float | None = None,
    macs_per_cycle: float | None = None,
    hardware: HardwareFigures | None = None,
) -> Path:
    """Nodes of a group of measurements or of a deployment, each `level:class/name`.

    Classes of processors are fitted apart, so every name holds its class: a board, or a library, is another
    node for the CPU than for the GPU beside it.

    Args:
        processor: instruction set of the core, or family of the accelerator.
        threads: 0 where it is not known.
        chip_mhz: highest clock of the target's cores. Faster chips are of later generations, and their flash
            has more wait states.
        macs_per_cycle: ceiling of a microcontroller's core for the type; of another core for float32.
        hardware: what is around an accelerator, by which boards are alike.
    """
    dtype = computed_type(runtime, processor, SAME_KERNELS.get(dtype, dtype))
    name, _, named_version = runtime.partition("@")
    release = version or named_version
    kernels = FLOAT_KERNELS.get(name, name) if dtype == "float32" else name
    lanes = lanes_of(processor, macs_per_cycle) if kind == ProcessorKind.CPU else None
    core = f"{processor}-{lanes:g}" if lanes and processor in SHARED_ISAS else processor
    steps = [
        f"dtype:{dtype}",
        f"kin:{kin_of(processor)}/{dtype}",
        f"isa:{core}/{dtype}",
        f"runtime:{kernels}/{dtype}",
        f"library:{kernels}/{kin_of(processor)}/{dtype}",
        f"pair:{name}/{core}/{dtype}",
    ]
    if release:
        steps.append(f"version:{name}@{release}/{core}/{dtype}")
    if target:
        steps.append(f"target:{name}/{target}/{core}/{dtype}")
        steps.append(f"board:{target}")
    steps += [f"software:{name}", f"family:{core}"]
    match kind:
        case ProcessorKind.MCU:
            steps += _of_mcu(macs_per_cycle, chip_mhz)
        case ProcessorKind.CPU:
            steps += _of_cpu(name, processor, threads, chip_mhz, lanes)
        case ProcessorKind.UNIT:
            steps += _of_unit(processor, target, hardware or HardwareFigures())
    return tuple(step.replace(":", f":{class_of(kind, processor)}/", 1) for step in steps)


NO_FPU = "FPU off"
"""Of the name of a build that computes float32 in software."""


def with_fpu(path: Path, fpu: str) -> Path:
    """The path on a core with that unit: where a microcontroller has `none`, calls compute float32."""
    return (*path, "soft:mcu/float32") if path[0] == "dtype:mcu/float32" and fpu == "none" else path


def class_of(kind: ProcessorKind, processor: str) -> str:
    """What is fitted together: mcu, cpu, gpu, npu."""
    if kind is not ProcessorKind.UNIT:
        return str(kind)
    return "gpu" if processor in GPU_FAMILIES else "npu"


def class_of_path(path: Path) -> str:
    return path[0].partition(":")[2].partition("/")[0]


@functools.cache
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


def _of_cpu(
    library: str, processor: str, threads: int, chip_mhz: float | None, lanes: float | None
) -> list[str]:
    wider = f"lanes*{math.log(lanes / USUAL_LANES):.4f}" if lanes else "untold"
    steps = [f"clock:mhz*{_clock('cpu', chip_mhz):.4f}", f"width:{wider}"]
    if not threads:
        return [*steps, "threads:untold"]
    times = math.log(threads)
    return [
        *steps,
        f"threads:{threads}",
        f"spread:{library}/{processor}/{threads}",
        f"cores:threads*{times:.4f}",
        f"cores_of:{kin_of(processor)}*{times:.4f}",
    ]


def _of_unit(family: str, target: str, hardware: HardwareFigures) -> list[str]:
    steps = [
        f"host:{hardware.host or 'untold'}",
        f"hardware:{hardware}",
        f"hardware_of:{family}/{hardware}",
    ]
    usual = hardware.peak_is_own or not target or family in GPU_FAMILIES
    return steps if usual else [*steps, f"untold:{target}"]


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
