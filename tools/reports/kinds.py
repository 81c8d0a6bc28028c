"""The layers of a model put together by kind of operator: their work, time and bound."""

from collections import defaultdict

from ..core.quantity import Result
from ..cost_model.performance_estimate import Bound
from ..graph.summary import ModelSummary
from ..roofline.roofline_report import LayerRoofline, RooflineReport

_Layer = tuple[LayerRoofline, float | None]
"""With its FLOP."""


class Kind(Result):
    """All layers with one operator."""

    op: str
    layers: int
    latency_ms: float | None
    """None where the time of one of them is not known."""
    share: float | None
    """Of the whole time."""
    intensity: float | None
    """FLOP per byte moved; None where one of them cannot be counted."""
    gops: float | None
    """10^9 operations per second."""
    bound: Bound
    """Of most of the time."""

    @property
    def can_be_placed(self) -> bool:
        return bool(self.intensity and self.gops)


def kinds_of(model: ModelSummary, roofline: RooflineReport) -> list[Kind]:
    """The kind that takes longest first."""
    by_op: dict[str, list[_Layer]] = defaultdict(list)
    for layer, flop in zip(roofline.layers, flops_of(model, roofline), strict=True):
        by_op[layer.op].append((layer, flop))
    return sorted((_kind(op, layers) for op, layers in by_op.items()), key=lambda kind: -(kind.share or 0.0))


def flops_of(model: ModelSummary, roofline: RooflineReport) -> list[float | None]:
    """Of each layer for the deployment's batch; None where it cannot be counted."""
    batch = roofline.deployment.batch
    return [
        None if layer.macs is None else batch * (2.0 * layer.macs + (layer.element_ops or 0))
        for layer in model.layers
    ]


def whole_gops(model: ModelSummary, roofline: RooflineReport) -> tuple[float, ...]:
    """10^9 operations per second of what can be counted: as estimated, and at the interval's ends."""
    flop, time = sum(flop or 0.0 for flop in flops_of(model, roofline)), roofline.latency_ms
    if not flop or not time.value or not time.low or not time.high:
        return ()
    return flop / time.value / 1e6, flop / time.high / 1e6, flop / time.low / 1e6


def _kind(op: str, layers: list[_Layer]) -> Kind:
    flop = _sum([flop for _, flop in layers])
    moved = sum(
        flop / layer.arithmetic_intensity for layer, flop in layers if flop and layer.arithmetic_intensity
    )
    ms = _sum([layer.latency_ms for layer, _ in layers])
    return Kind(
        op=op,
        layers=len(layers),
        latency_ms=ms,
        share=_sum([layer.share for layer, _ in layers]),
        intensity=flop if not flop else flop / moved if moved else None,
        gops=flop / ms / 1e6 if flop is not None and ms else None,
        bound=_bound([layer for layer, _ in layers]),
    )


def _sum(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _bound(layers: list[LayerRoofline]) -> Bound:
    if any(layer.latency_ms is None for layer in layers):
        return Bound.UNKNOWN
    spent: dict[Bound, float] = defaultdict(float)
    for layer in layers:
        spent[layer.bound] += layer.latency_ms or 0.0
    return max(spent, key=lambda bound: spent[bound])
