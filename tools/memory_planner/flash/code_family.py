"""How a runtime comes to run a model, and so what of it has to lie in flash."""

from __future__ import annotations

from enum import StrEnum

from ....hardware_db import Planner, Runtime, TargetClass
from ...core.records import dataclass

_INTERPRETED = ("ethos-u", "ethos-u85", "neutron", "plumerai")
"""Planned by a compiler, yet run by TFLite Micro's interpreter, to which what was compiled is one operator
(tflite-micro tensorflow/lite/micro/kernels/ethos_u/ethosu.cc), or which it brings kernels to
(`fallback_runtimes` and notes in runtimes/*.yaml)."""
_HOSTED = (TargetClass.MPU, TargetClass.CPU, TargetClass.GPU, TargetClass.GPU_SOC)
"""Where an operating system loads programs from a disk."""


class Family(StrEnum):
    INTERPRETER = "interpreter"
    """It reads the model from flash: that of TFLite Micro."""
    COMPILER = "compiler"
    """It turns the model into code: its parameters stay, its file does not."""


@dataclass(frozen=True)
class Build:
    """What a program is built for."""

    runtime: str
    family: Family
    isa: str
    target: str

    @property
    def places(self) -> tuple[str, str, str, str]:
        """From the family to the target."""
        isa = f"{self.runtime}@{isa_group(self.isa)}"
        return self.family.value, self.runtime, isa, f"{isa}@{self.target}"


def isa_group(isa: str) -> str:
    """Cores that one compiler serves, and whose code differs little in size."""
    return "cortex-m" if isa.startswith("cortex-m") else isa


def code_family(runtime: Runtime, target_class: TargetClass | None) -> Family | None:
    """None where programs are loaded from a disk, or nobody knows how the runtime keeps a model."""
    if runtime.planner is Planner.TFLM_GREEDY:
        return Family.INTERPRETER
    if target_class in _HOSTED:
        return None
    if runtime.id in _INTERPRETED:
        return Family.INTERPRETER
    if runtime.planner is Planner.IN_PLACE:
        return Family.COMPILER
    compiled = runtime.planner is Planner.COMPILED and target_class in (TargetClass.MCU, None)
    return Family.COMPILER if compiled else None
