"""A plan of a pipeline: which steps run how often, after which others, and what the user knows of them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field, model_validator

from ...hardware_db.errors import EdgewrightError, LimitsError, UnknownNameError, YamlPath, nearest
from ...hardware_db.steps import step_named
from ...hardware_db.yaml_reader import Document
from ..core.files import file_named
from ..core.plan_files import PlanError, checked_plan, line_at, read_mapping
from ..core.quantity import Result
from ..core.units import Dimension, digits, parse_measure

PAGE = "docs/pipelines.md"
MAX_STEPS = 100
_NAME = re.compile(r"\w[\w .:+-]{0,59}")


def _in(dimension: Dimension) -> BeforeValidator:
    """Text with a unit, or a number that is in the field's unit already."""

    def read(value: Any) -> Any:
        if not isinstance(value, str):
            return value
        try:
            return parse_measure(value, dimension)
        except LimitsError as error:
            raise ValueError(str(error)) from None

    return BeforeValidator(read)


Positive = Annotated[float | None, Field(gt=0, allow_inf_nan=False)]


class Ram(StrEnum):
    """How the arenas of several models lie in RAM."""

    SHARED = "shared"
    """One arena: what models keep is stacked, what they only need while they run overlays."""
    APART = "apart"


class StepPlan(Result):
    """One step: a model, or anything else by its kind."""

    model: str | None = None
    """An architecture, or a file relative to the plan."""
    step: str | None = None
    """A kind of step that is no network, such as fft or camera."""
    size: int | None = Field(default=None, ge=1)
    """Of that kind, such as the points of an FFT."""
    times: int = Field(default=1, ge=1, le=1_000_000)
    """How often it is done each time, such as 49 frames."""
    rate: Annotated[Positive, _in(Dimension.RATE_HZ)] = None
    """How often, such as 10/s; else as often as what it comes after."""
    every: Annotated[Positive, _in(Dimension.TIME_MS)] = None
    """Or the time from one to the next, such as 100ms."""
    after: Annotated[
        tuple[str, ...], BeforeValidator(lambda value: (value,) if isinstance(value, str) else value)
    ] = ()
    """Steps that it waits for."""
    latency: Annotated[Positive, _in(Dimension.TIME_MS)] = None
    """Longest time from the start of the chain to the end of this step."""
    time: Annotated[Positive, _in(Dimension.TIME_MS)] = None
    """What one run of it takes, where the user knows it."""
    cycles: Positive = None
    """Or that in clock cycles."""
    power: Annotated[Positive, _in(Dimension.POWER_MW)] = None
    """Of the whole target while it runs; else that of computing."""
    ram: Annotated[Positive, _in(Dimension.BYTES)] = None
    """Buffers of its own beside a model's arena."""
    flash: Annotated[Positive, _in(Dimension.BYTES)] = None
    """Code and tables of its own."""

    @model_validator(mode="after")
    def _is_one_thing(self) -> StepPlan:
        if (self.model is None) == (self.step is None):
            raise ValueError("a step names either a model or a kind of step")
        if self.rate is not None and self.every is not None:
            raise ValueError("a step has a rate or a time from one to the next, not both")
        if self.time is not None and self.cycles is not None:
            raise ValueError("a step has a time or cycles, not both")
        return self


class PipelinePlan(Result):
    """What a plan file holds."""

    main_rows: ClassVar[str] = "steps"

    steps: Mapping[str, StepPlan] = Field(min_length=1, max_length=MAX_STEPS)
    """By a name of their own."""
    ram: Ram = Ram.SHARED
    """Whether models share one arena."""

    def headline(self) -> str:
        return f"{len(self.steps)} steps"


class Task(Result):
    """A step in the order that it runs in, with its rate."""

    name: str
    plan: StepPlan
    """As the plan has it."""
    rate_hz: float


def read_pipeline(path: str | os.PathLike[str]) -> PipelinePlan:
    """Read a plan file.

    Raises:
        PlanError: not readable as YAML, an unknown key (with the nearest), a value out of place, a step that
            comes after itself or after none that there is, or rates that do not go together.

    Example:
        >>> _ = Path("pipeline.yaml").write_text("steps: {wake-word: {model: kws, rate: 10/s}}")
        >>> read_pipeline("pipeline.yaml")
        <PipelinePlan 1 steps>
    """
    document = read_mapping(Path(path), "steps: {wake-word: {model: kws, rate: 10/s}}", PAGE)
    return pipeline_from(document.data, document)


def pipeline_from(data: Mapping[str, Any], document: Document | None = None) -> PipelinePlan:
    """Raises PlanError."""
    plan = checked_plan(PipelinePlan, data, document, _keys_beside, PAGE)
    tasks_of(plan, document)
    return plan


def pipeline_of(texts: Sequence[str]) -> PipelinePlan:
    """Networks with their rates, such as kws@10/s.

    Raises:
        PlanError: a text that is none.
    """
    steps: dict[str, Any] = {}
    for text in texts:
        model, at, rate = text.strip().rpartition("@")
        if not at or not model.strip() or not rate.strip():
            raise PlanError(f"{text[:60]!r} is no network with its rate.", hint="Write it like kws@10/s.")
        name = re.sub(r"[^\w .:+-]", "-", Path(model.strip()).name) or "model"
        while name in steps:
            name += "+"
        how = "rate" if re.search(r"/|hz|fps", rate, re.IGNORECASE) else "every"
        steps[name] = {"model": model.strip(), how: rate.strip().removeprefix("every ")}
    return pipeline_from({"steps": steps})


def tasks_of(plan: PipelinePlan, document: Document | None = None) -> tuple[Task, ...]:
    """The steps, each behind those that it comes after.

    Raises:
        PlanError: as `read_pipeline`.
    """
    done: dict[str, Task] = {}
    for name in plan.steps:
        _check_name(name, plan, document)
    waiting = dict(plan.steps)
    while waiting:
        ready = [name for name, step in waiting.items() if all(other in done for other in step.after)]
        if not ready:
            first = next(iter(waiting))
            around = " → ".join(_cycle(waiting, first))
            raise PlanError(
                f"{line_at(document, ('steps', first, 'after'))}steps wait for each other: {around}.",
                hint="Drop one `after`.",
            )
        for name in ready:
            step = waiting.pop(name)
            rate = _rate(name, step, [done[other] for other in step.after], document)
            done[name] = Task(name=name, plan=step, rate_hz=rate)
    return tuple(done.values())


def _check_name(name: str, plan: PipelinePlan, document: Document | None) -> None:
    step = plan.steps[name]
    at = ("steps", name)
    if not _NAME.fullmatch(name):
        raise PlanError(
            f"{line_at(document, at)}{name[:60]!r} is no name of a step.",
            hint="Letters, digits, blanks and . : + - _, up to 60.",
        )
    for other in step.after:
        if other not in plan.steps:
            close = nearest(other, plan.steps) or list(plan.steps)
            raise PlanError(
                f"{line_at(document, (*at, 'after'))}{name} comes after {other[:60]!r}, which is no step.",
                hint=f"Nearest: {', '.join(close)}.",
            )
    if step.step is not None:
        try:
            step_named(step.step)
        except UnknownNameError as error:
            raise PlanError(f"{line_at(document, (*at, 'step'))}{error.message}", hint=error.hint) from None


def _cycle(waiting: Mapping[str, StepPlan], first: str) -> list[str]:
    found = [first]
    while (name := next(other for other in waiting[found[-1]].after if other in waiting)) not in found:
        found.append(name)
    return [*found[found.index(name) :], name]


def _rate(name: str, step: StepPlan, before: Sequence[Task], document: Document | None) -> float:
    """Its own rate, or that of the slowest it comes after; each of those runs it or a whole number of times.

    Raises:
        PlanError: no rate, or one that does not go with those before.
    """
    rate = step.rate if step.rate is not None else 1e3 / step.every if step.every is not None else None
    at = ("steps", name, "rate" if step.rate is not None else "every" if step.every is not None else "after")
    if rate is None:
        if not before:
            raise PlanError(
                f"{line_at(document, ('steps', name))}{name} has no rate.",
                hint="Add rate: 10/s or after: STEP.",
            )
        rate = min(task.rate_hz for task in before)
    for task in before:
        often = task.rate_hz / rate
        if often < 1 - 1e-9 or abs(often - round(often)) > 1e-6 * often:
            raise PlanError(
                f"{line_at(document, at)}{name} at {digits(rate)}/s cannot come after {task.name} at "
                f"{digits(task.rate_hz)}/s.",
                hint="A step runs as often as what it comes after, or after every second, third … of it.",
            )
    return rate


def _keys_beside(at: YamlPath) -> list[str]:
    return list(PipelinePlan.model_fields) if len(at) == 1 else list(StepPlan.model_fields)


def model_of(step: StepPlan, folder: Path) -> str:
    """The file beside the plan where there is one, else the name."""
    assert step.model is not None
    return str(file_named(step.model, folder) or step.model)


def named(error: EdgewrightError, name: str) -> EdgewrightError:
    """The error of a step, with its name before it."""
    error.message = f"{name}: {error.message}"
    return error
