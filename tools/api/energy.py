"""What a model costs over time: duty cycle, battery life, and the clock that costs least."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from ..core.deployment import Deployment
from ..core.renamed import takes_where
from ..cost_model.study import study
from ..energy.cell import cell
from ..energy.draw import Use, board
from ..energy.duty_cycle import budget_of, duty
from ..energy.energy_budget import EnergyBudget, FrequencySweep
from ..energy.sweep import sweep_of
from ..placement.model_source import ModelSource, as_graph
from ..verdicts.limits import LimitsLike, as_limits


@takes_where
def estimate_energy_budget(
    model: ModelSource,
    deployment: Deployment | str,
    *,
    rate_hz: float | None = None,
    period_s: float | None = None,
    battery: str | None = None,
    battery_mah: float | None = None,
    battery_v: float | None = None,
    battery_wh: float | None = None,
    sleep_ua: float | None = None,
    wakeup_us: float | None = None,
    **path: Unpack[Use],
) -> EnergyBudget:
    """Tell average power, duty cycle and battery life of a model that runs at a rate.

    Args:
        model: a graph, a path or the name of an architecture.
        deployment: a deployment, or a target's name for its usual runtime.
        rate_hz: inferences per second; with neither it nor `period_s`, one after the other.
        period_s: seconds from one inference to the next.
        battery: a name such as CR2032 or "LiPo 500 mAh".
        battery_mah: capacity, where the name is none that is known or tells none.
        battery_v: nominal voltage of the battery.
        battery_wh: its energy, in place of its capacity; without a voltage that of a LiPo is taken.
        sleep_ua: current asleep; None takes the database's, and without one the life is unknown.
        wakeup_us: time to wake up, at the power of computing; None counts none and says so.
        path: `hours_per_day`, `life_days`, `regulator_efficiency`, `sensor_ua`, `sensor_mw`, `sensor`,
            `sensor_on_s`, `host` and `self_discharge_per_month`, as `Use` has them.

    Raises:
        InputError: a model, target or battery that cannot be used.
        UsageError: figures that contradict each other or cannot be.

    Example:
        >>> budget = estimate_energy_budget("kws", "nrf52840", rate_hz=1, battery="CR2032")
        >>> budget.verdict.value, budget.battery.battery
        ('PASS', 'cr2032')
        >>> 0.05 < float(budget.active_share) < 0.5
        True
    """
    hours, life = path.pop("hours_per_day", None), path.pop("life_days", None)
    asked = duty(rate_hz, period_s, sleep_ua, wakeup_us, hours, life)
    beside = board(path, asked.rate_hz)
    source = cell(battery, battery_mah, battery_v, path.get("self_discharge_per_month"), battery_wh)
    graph, place = as_graph(model, deployment)
    return budget_of(study(graph, place), asked, source, beside)


@takes_where
def sweep_frequency(
    model: ModelSource,
    deployment: Deployment | str,
    clocks_mhz: Sequence[float] | None = None,
    limits: LimitsLike | None = None,
) -> FrequencySweep:
    """Estimate latency, power, energy and energy-delay product over the clock.

    Args:
        model: a graph, a path or the name of an architecture.
        deployment: a deployment, or a target's name for its usual runtime.
        clocks_mhz: the clocks; None takes eight even steps up to the deployment's own.
        limits: latency, rate, energy and power that a clock has to meet; at a rate each step also has its
            average power, asleep between inferences.

    Raises:
        InputError: a model or target that cannot be used.
        UsageError: a clock above the maximum or not above zero.

    Example:
        >>> board = deployment("stm32h743zi", "tflm-cmsis-nn")
        >>> sweep = sweep_frequency("kws.tflite", board, [120, 240, 480])
        >>> [step.clock_mhz for step in sweep.steps]
        [120.0, 240.0, 480.0]
        >>> sweep.steps[0].latency_ms > sweep.steps[-1].latency_ms
        True
    """
    graph, place = as_graph(model, deployment)
    return sweep_of(graph, place, clocks_mhz, as_limits(limits))
