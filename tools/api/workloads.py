"""What a stream of events or a job takes: devices, time, energy and money."""

from __future__ import annotations

from typing import Unpack

from ..constraint_checker.checks import EvaluatedModel
from ..core.deployment import Deployment
from ..core.renamed import takes_where
from ..cost_model.study import study
from ..energy.draw import board
from ..placement.model_source import ModelSource, as_graph
from ..verdicts.limits import Limits
from ..verdicts.verdict import Verdict
from ..workload.demand import Terms, checked, demand
from ..workload.estimating import workload_of
from ..workload.workload_estimate import WorkloadEstimate


@takes_where
def estimate_workload(  # noqa: PLR0913 - each is an option of its own on the command line
    model: ModelSource,
    deployment: Deployment | str,
    *,
    rate_hz: float | None = None,
    streams: int | None = None,
    per_event: int | None = None,
    items: float | None = None,
    within_h: float | None = None,
    devices: int | None = None,
    sites: int | None = None,
    most_wait_ms: float | None = None,
    host: str | None = None,
    **terms: Unpack[Terms],
) -> WorkloadEstimate:
    """Tell how many devices, how long, how much energy and money so many inferences take.

    Args:
        model: a graph, a path or the name of an architecture.
        deployment: a deployment, or a target's name for its usual runtime.
        rate_hz: events of each stream in a second.
        streams: cameras, lines or sensors at that rate; None is one.
        per_event: inferences that each event, or each piece of a job, takes; None is one.
        items: pieces of a job, in place of a rate.
        within_h: time that there is for the job, in hours.
        devices: that share the work; None is one, and over a period as many as the rate needs.
        sites: places with such a rate and devices of their own; None is one.
        most_wait_ms: that a result may take from the arrival of its input, which bounds `best_batch`; None is
            until the next of the stream, or 100 ms.
        host: board that an accelerator is plugged into, which draws idle too.
        terms: `hours_per_day`, `days`, `price_per_kwh`, `price_per_hour`, `rents`, `device_price`, `buys`
            and `overhead`, as `Terms` has them.

    Raises:
        InputError: a model or target that cannot be used.
        UsageError: figures that contradict each other or cannot be.

    Example:
        >>> found = estimate_workload("kws", "stm32h743zi", rate_hz=10, streams=4)
        >>> found.demanded_per_second.value, found.verdict.value, found.devices_needed.value
        (40.0, 'PASS', 1.0)
    """
    agreed = checked(terms)
    asked = demand(rate_hz, streams, per_event, items, within_h, devices, sites)
    beside = board({"host": host} if host else {})
    graph, place = as_graph(model, deployment)
    case = study(graph, place)
    failing = (each for each in EvaluatedModel.of(case).checks(Limits()) if each.verdict is Verdict.FAIL)
    return workload_of(
        case, asked, agreed, beside, "; ".join(each.statement for each in failing), most_wait_ms
    )
