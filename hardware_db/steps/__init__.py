"""Steps that are no network, such as an FFT or a camera, and their published costs by kind of core."""

import functools
from enum import StrEnum
from pathlib import Path

from ..cited import Closed, Leaf, Source
from ..errors import UnknownNameError, nearest
from ..kept import yaml_in

FILE = Path(__file__).parent / "steps.yaml"


class Work(StrEnum):
    """How what there is to do grows with the size."""

    N_LOG_N = "n log n"
    """Of powers of two."""


class StepCost(Closed):
    """What was measured on one kind of core."""

    isa: str
    fpu: bool = True
    """Whether the core computed floats in hardware: of one that cannot, this says nothing."""
    note: str
    """Which chip, and how its figures became cycles."""
    cycles: dict[int, Leaf[float]]
    """By the size that was measured."""


class Step(Closed):
    id: str
    name: str
    sized: str = ""
    """What its size counts; empty where it has none."""
    work: Work | None = None
    """By which it grows between and beyond sizes that were measured; null: not known."""
    costs: tuple[StepCost, ...] = ()


class Steps(Closed):
    sources: dict[str, Source]
    steps: tuple[Step, ...]


@functools.cache
def load_steps() -> Steps:
    return Steps.model_validate(yaml_in(FILE))


def step_named(name: str) -> Step:
    """
    Raises:
        UnknownNameError: no step of that name, with the nearest.
    """
    steps = {step.id: step for step in load_steps().steps}
    if name not in steps:
        known = f"Known: {', '.join(steps)}."
        raise UnknownNameError("step", name, nearest(name, steps), hint=known)
    return steps[name]
