"""The CPU that computes what an accelerator does not get."""

from __future__ import annotations

from ...hardware_db import Fallback, load_runtime
from ..core.deployment import Deployment

HOST = "host"
"""The processor of what a module leaves to a computer that is not part of it."""


def cpu_side(deployment: Deployment) -> Deployment | None:
    """The same target, with the kernels that then compute on its core; None where no source tells which.

    The core runs at its share of the deployment's clock. For a module that needs a host these are kernels
    of a computer that nobody described: fit for asking whether they take an operator, not for times.
    """
    if deployment.accelerator is None or deployment.runtime.fallback is not Fallback.CPU:
        return None
    for name in deployment.runtime.fallback_runtimes:
        runtime = load_runtime(name, deployment.settings.hardware_directories)
        if deployment.target.needs_host or deployment.core.isa.value in runtime.runs_on_isas:
            changes = {"runtime": runtime, "accelerator": None, "clock_mhz": _core_clock_mhz(deployment)}
            return deployment.model_copy(update=changes)
    return None


def _core_clock_mhz(deployment: Deployment) -> float:
    highest = deployment.core.clock_max_mhz.value
    fastest = deployment.accelerator.clock_max_mhz if deployment.accelerator else None
    if fastest is None:
        return min(deployment.clock_mhz, highest)
    return highest * min(deployment.clock_mhz / fastest.value, 1.0)
