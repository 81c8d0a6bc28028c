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
        f"isa:{kind}/{processor}/{dtype}",
        f"runtime:{kind}/{name}/{dtype}",
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
