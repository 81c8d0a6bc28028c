"""Several models and other steps at their rates on one core: does it hold, and how long on a battery?"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

from ..core.deployment import Deployment, as_deployment
from ..energy.cell import cell
from ..energy.draw import PowerPath, board
from ..pipeline.analyze import Supply, pipeline_report
from ..pipeline.pipeline_report import PipelineReport
from ..pipeline.plan import PipelinePlan, pipeline_from, pipeline_of, read_pipeline
from ..verdicts.limits import LimitsLike, as_limits

_PLAN = (".yaml", ".yml")


def analyze_pipeline(
    plan: PipelinePlan | Mapping[str, Any] | Sequence[str] | str | os.PathLike[str],
    deployment: Deployment | str,
    limits: LimitsLike | None = None,
    *,
    battery: str | None = None,
    battery_mah: float | None = None,
    battery_v: float | None = None,
    sleep_ua: float | None = None,
    **path: Unpack[PowerPath],
) -> PipelineReport:
    """Judge several models and other steps that run at their rates in one loop on one core.

    Args:
        plan: a plan, its file, what the file would hold, or networks with rates such as ["kws@10/s"].
        deployment: a deployment, or a target's name for its usual runtime.
        limits: RAM, flash, latency of the last steps and average power; the target's own bounds always hold.
        battery: a name such as CR2032 or "LiPo 500 mAh".
        battery_mah: capacity, where the name is none that is known or tells none.
        battery_v: nominal voltage of the battery.
        sleep_ua: current asleep; None takes the database's.
        path: `regulator_efficiency`, `sensor_ua`, `sensor_mw` and `self_discharge_per_month`, as `PowerPath`
            has them.

    Raises:
        PlanError: a plan that cannot be read, or whose steps or rates do not go together.
        InputError: a model, target or battery that cannot be used.
        UsageError: figures that contradict each other or cannot be.

    Example:
        >>> report = analyze_pipeline(["kws@2/s", "vww@0.5/s"], "nrf52840", battery="CR2032")
        >>> [step.name for step in report.steps], report.ram_shared
        (['kws', 'vww'], True)
        >>> 0.1 < float(report.utilization) < 1
        True
    """
    folder, read = _plan(plan)
    supply = Supply(
        cell(battery, battery_mah, battery_v, path.get("self_discharge_per_month")), board(path), sleep_ua
    )
    return pipeline_report(read, folder, as_deployment(deployment), as_limits(limits), supply)


def _plan(
    plan: PipelinePlan | Mapping[str, Any] | Sequence[str] | str | os.PathLike[str],
) -> tuple[Path, PipelinePlan]:
    """With the folder that models in it are relative to."""
    match plan:
        case PipelinePlan():
            return Path.cwd(), plan
        case Mapping():
            return Path.cwd(), pipeline_from(plan)
        case str() if "@" in plan and not plan.endswith(_PLAN):
            return Path.cwd(), pipeline_of([plan])
        case str() | os.PathLike():
            return Path(plan).parent, read_pipeline(plan)
        case [str() as file] if file.endswith(_PLAN):
            return Path(file).parent, read_pipeline(file)
        case _:
            return Path.cwd(), pipeline_of(plan)
