"""How large, slow or often: the furthest value of one variable that still meets the limits."""

from __future__ import annotations

from ...hardware_db.errors import UsageError, nearest
from ..core.deployment import Deployment, as_deployment
from ..core.renamed import takes_where
from ..cost_model.comparing import for_changes
from ..energy.cell import cell
from ..energy.duty_cycle import duty
from ..ethos_u.asked import by_rules
from ..graph import ModelGraph
from ..hardware_selector.inverse.answering import searched
from ..hardware_selector.inverse.battery import longest_life
from ..hardware_selector.inverse.exact import highest_rate, smallest_ram
from ..hardware_selector.inverse.limit_answer import LimitAnswer
from ..hardware_selector.inverse.probes import Probes
from ..hardware_selector.inverse.variables import SEARCHED
from ..placement.model_source import ModelSource, as_graph
from ..verdicts.limits import Limits, LimitsLike, as_limits

VARIABLES = ("input", "width", "clock", "ram", "batch", "rate", "battery-life", "depth")
_BOUNDED_BY = {
    "clock": ("latency_ms", "rate_hz"),
}
"""Variables that nothing of the hardware bounds, and the limits one of which has to."""


@takes_where
def find_limit(
    model: ModelSource,
    deployment: Deployment | str,
    limits: LimitsLike | None = None,
    variable: str = "input",
    *,
    battery: str | None = None,
    battery_mah: float | None = None,
    battery_v: float | None = None,
    sleep_ua: float | None = None,
    wakeup_us: float | None = None,
) -> LimitAnswer:
    """Find the furthest value of a variable that still meets the limits, and what binds there.

    The model is made and estimated anew at each value: `input` is the height of the images, `width` per cent
    of the channels, `depth` operators before an early exit; the lowest `clock`, the smallest `ram`, the
    largest `batch`, the highest `rate`, and the longest `battery-life` over clocks at `limits.rate_hz`.

    Args:
        model: a graph, a path or the name of an architecture.
        deployment: a deployment, or a target's name for its usual runtime.
        limits: what is demanded beside fitting the target at all.
        variable: one of `VARIABLES`.
        battery: for battery-life: a name such as CR2032 or "LiPo 500 mAh".
        battery_mah: its capacity, where the name tells none.
        battery_v: its nominal voltage.
        sleep_ua: current asleep; None takes the database's.
        wakeup_us: time to wake up; None counts none.

    Raises:
        InputError: a model, target or battery that cannot be used.
        UsageError: no such variable, one that the model does not have, or nothing that bounds it.

    Example:
        >>> board = deployment("stm32h743zi", "tflm-cmsis-nn")
        >>> find_limit("vww", board, {"ram_bytes": "128 KiB"}, "input").value
        114.0
    """
    wanted = as_limits(limits)
    _check(variable, wanted)
    graph, place = as_graph(model, by_rules(as_deployment(deployment)))
    place = for_changes(graph, place)
    if variable == "battery-life":
        source = cell(battery, battery_mah, battery_v)
        if source is None:
            raise UsageError("There is no battery to ask about.", hint="Name one: CR2032 (--battery).")
        if wanted.rate_hz is None:
            raise UsageError(
                "A battery's life depends on how often it runs.", hint="Give a rate: 1fps (--min-rate)."
            )
        return longest_life(graph, place, wanted, duty(wanted.rate_hz, None, sleep_ua, wakeup_us), source)
    return _answered(variable, graph, place, wanted)


def _answered(variable: str, graph: ModelGraph, place: Deployment, limits: Limits) -> LimitAnswer:
    match variable:
        case "ram":
            return smallest_ram(graph, place, limits)
        case "rate":
            return highest_rate(graph, place, limits)
        case _:
            return searched(Probes(SEARCHED[variable](graph, place), limits), graph, place)


def _check(variable: str, limits: Limits) -> None:
    if variable not in VARIABLES:
        close = ", ".join(nearest(variable, VARIABLES) or VARIABLES)
        raise UsageError(f"There is no variable {variable!r}.", hint=f"Known: {close}.")
    needed = _BOUNDED_BY.get(variable, ())
    if needed and all(getattr(limits, field) is None for field in needed):
        raise UsageError(
            f"Nothing bounds the {variable} from below.", hint="Give a limit: --max-latency or --min-rate."
        )
