"""What Vela made of a model: the compiled file's figures, whole and operator by operator."""

from __future__ import annotations

from enum import StrEnum

from ..core.records import dataclass
from ..graph import ModelGraph
from .system import System


class Home(StrEnum):
    """What became of an operator."""

    NPU = "npu"
    CPU = "cpu"
    MERGED = "merged"
    """It costs nothing of its own: folded, or part of its neighbours."""


@dataclass(frozen=True)
class VelaOperator:
    """One operator of the file. Cycles are the NPU's; 0 where the CPU computes it."""

    index: int
    home: Home
    reason: str
    """Why the CPU computes it, in Vela's words; empty where Vela gave none."""
    cycles: int
    """Of the slowest of computing and each memory's accesses."""
    npu_cycles: int
    sram_cycles: int
    dram_cycles: int
    flash_cycles: int
    macs: int
    staging_bytes: int


@dataclass(frozen=True)
class Compiled:
    """Vela's estimate of a compiled model, which leaves out what the CPU computes."""

    version: str
    system: System
    operators: tuple[VelaOperator, ...]
    cycles: int
    macs: int
    sram_bytes: int
    """Most SRAM in use at once, by the feature maps or what is staged."""
    dram_bytes: int
    flash_bytes: int
    """Constants, as the NPU reads them."""
    graph: ModelGraph
    """The compiled .tflite file."""

    @property
    def on_cpu(self) -> tuple[VelaOperator, ...]:
        return tuple(operator for operator in self.operators if operator.home is Home.CPU)
