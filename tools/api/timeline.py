"""A model's run on a deployment, operator by operator: what is in memory, how long each takes."""

from __future__ import annotations

from ..core.deployment import Deployment
from ..core.renamed import takes_where
from ..placement.model_source import ModelSource, as_graph
from ..timeline.timeline import Timeline
from ..timeline.trace import trace


@takes_where
def trace_timeline(
    model: ModelSource, deployment: Deployment | str, *, levers: bool = True, order_time_limit_s: float = 2.0
) -> Timeline:
    """Follow memory and time through a run, and simulate what would lower the peak of memory.

    Args:
        model: a path, the name of an architecture, or a `ModelGraph`.
        deployment: a deployment, or a target for its usual one.
        levers: whether to simulate changes; without, only the run itself is reported.
        order_time_limit_s: how long to seek a better order of the operators.

    Raises:
        InputError: a model or target that cannot be used.

    Example:
        >>> board = deployment("stm32h743zi", "tflm-cmsis-nn")
        >>> timeline = trace_timeline("kws.tflite", board, levers=False)
        >>> timeline.peak.op, timeline.peak.live_bytes, timeline.gap_bytes
        ('DEPTHWISE_CONV_2D', 16000, 0)
    """
    graph, place = as_graph(model, deployment)
    return trace(graph, place, levers=levers, order_time_limit_s=order_time_limit_s)
