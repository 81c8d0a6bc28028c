"""Where a deployment stands in the calibration: its nodes, from the most general to the target itself."""

from __future__ import annotations

from enum import StrEnum

from ..deployments import Deployment

Path = tuple[str, ...]


class ProcessorKind(StrEnum):
    """Processors that share a physics: what work is counted in, and what it shrinks to."""

    MCU = "mcu"
    CPU = "cpu"
    UNIT = "unit"
    """An accelerator: GPU, NPU, vector unit."""


_MCU_ISAS = ("cortex-m", "xtensa", "rv32", "rxv", "rh850", "avr", "hifi", "sharc", "qingke", "andes")
SAME_KERNELS = {"uint8": "int8", "uint4": "int4"}
"""Types that libraries compute with the kernels of another."""


KIN: dict[str, tuple[str, ...]] = {
    "armv6m-v7m": ("cortex-m0", "cortex-m0plus", "cortex-m3"),
    "armv7em-dsp": ("cortex-m4", "cortex-m7", "cortex-m33"),
    "helium": ("cortex-m52", "cortex-m55", "cortex-m85"),
    "xtensa": ("xtensa-lx6", "xtensa-lx7", "xtensa-lx106"),
    "neon-in-order": ("cortex-a5", "cortex-a7", "cortex-a35", "cortex-a53", "cortex-a55"),
    "neon-narrow": ("cortex-a9", "cortex-a15", "cortex-a57", "cortex-a72", "cortex-a73", "cortex-a75",
                    "kryo", "denver2", "apple-a"),
    "neon-wide": ("cortex-a76", "cortex-a78", "cortex-a78ae", "cortex-x1", "cortex-x3", "cortex-x4",
                  "apple-m", "carmel", "oryon", "kryo-gold"),
    "avx": ("zen", "zen2", "zen3", "zen4", "x86-64"),
    "sse": ("silvermont", "tremont"),
    "riscv-vector": ("spacemit-x60", "xuantie-c906", "xuantie-c910"),
}  # fmt: skip
"""Instruction sets whose kernels are alike: a core that was not measured takes after these."""


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
) -> Path:
    """Nodes of a group of measurements or of a deployment; the part before the colon is the level.

    Args:
        processor: instruction set of the core, or family of the accelerator.
        threads: 0 where it is not told.
    """
    dtype = SAME_KERNELS.get(dtype, dtype)
    name, _, named_version = runtime.partition("@")
    release = version or named_version
    nodes = [
        f"dtype:{kind}/{dtype}",
        f"kin:{kind}/{kin_of(processor)}/{dtype}",
        f"isa:{kind}/{processor}/{dtype}",
        f"runtime:{kind}/{name}/{dtype}",
        f"library:{name}/{kin_of(processor)}/{dtype}",
        f"pair:{name}/{processor}/{dtype}",
    ]
    if release:
        nodes.append(f"version:{name}@{release}/{processor}/{dtype}")
    if target:
        nodes.append(f"target:{name}/{target}/{processor}/{dtype}")
    if threads:
        nodes += [f"threads:{kind}/{threads}", f"spread:{name}/{processor}/{threads}"]
    return tuple(nodes)


def processor_of(where: Deployment) -> tuple[ProcessorKind, str]:
    """Kind and name of what runs the kernels of a deployment."""
    if where.accelerator is not None:
        return ProcessorKind.UNIT, where.accelerator.family or where.accelerator.kind
    isa = where.core.isa.value
    return kind_of_isa(isa), isa


def deployment_path(where: Deployment, dtype: str) -> Path:
    kind, processor = processor_of(where)
    threads = where.threads if kind is ProcessorKind.CPU else 0
    return calibration_path(kind, processor, dtype, where.runtime.id, target=where.target.id, threads=threads)
