"""The analysis as files: tables a spreadsheet reads, and pictures where the charting library is installed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from ...hardware_db.errors import UsageError, install_line
from ..api.constraints import check_constraints
from ..api.roofline import analyze_roofline, estimate_performance
from ..core.deployment import Deployment, DeploymentRef
from ..core.files import save_all
from ..core.quantity import Result
from ..core.render.csv_lines import csv_lines, number
from ..cost_model.performance_estimate import PerformanceEstimate
from ..graph import ModelGraph
from ..graph.summarize import summarize_model
from ..graph.summary import ModelSummary
from ..placement.model_source import ModelSource, as_graph
from ..roofline.roofline_report import RooflineReport
from ..sweep.variants import Transformed
from ..verdicts.verdict import Verdict
from .charts.artifacts import activation_chart, macs_chart, precision_chart
from .charts.picture import can_draw, png
from .page.library import EXTRA

LAYERS, PRECISIONS, SUMMARY = "layerwise_breakdown.csv", "precision_tradeoffs.csv", "hardware_summary.csv"
_MIB = 1024**2
_TYPES = ("float32", "float16", "int8")
_LAYER_COLUMNS = ("layer", "output_elements", "parameter_bytes", "activation_bytes", "macs")
_PRECISION_COLUMNS = (
    "precision", "accuracy_mean", "latency_ms_mean", "memory_mb_mean", "energy_proxy_j_mean",
    "accepted_ratio",
)  # fmt: skip

LayerRow = tuple[str, int | None, int, int | None, int | None]


class WrittenArtifacts(Result):
    """The files of an analysis."""

    schema_version: str = "1.0"
    deployment: DeploymentRef
    output: str
    """The folder."""
    files: tuple[str, ...]
    """Names of the files in it."""
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return f"{self.output}: {', '.join(self.files)}"


def write_artifacts(
    model: ModelSource,
    deployment: Deployment | str,
    folder: Path,
    *,
    memory_bandwidth_gb_s: float | None = None,
    power_watts: float | None = None,
    force: bool = False,
) -> WrittenArtifacts:
    """Write layers, precisions and the hardware's use as CSV, and a picture of each where one can be drawn.

    Args:
        model: a graph, a path or the name of an architecture.
        deployment: a deployment, or a target's name for its usual runtime.
        folder: is made if it is not there; all files are written or none.
        memory_bandwidth_gb_s: what the utilisation is measured by, in 10^9 B/s; None takes that of the memory
            that limits.
        power_watts: of the whole board while it computes, in place of the database's.
        force: overwrite files.

    Raises:
        InputError: a model or target that cannot be used.
        UsageError: a figure that is not above zero, a file that exists, or a folder that cannot be made.
        EdgewrightError: the disk is full, or the folder may not be written to. Nothing is left behind then.

    Example:
        >>> written = write_artifacts("kws", deployment("stm32l4r5zi"), Path("kws-analysis"))
        >>> written.files[:3]
        ('layerwise_breakdown.csv', 'precision_tradeoffs.csv', 'hardware_summary.csv')
    """
    if memory_bandwidth_gb_s is not None and not 0 < memory_bandwidth_gb_s < math.inf:
        raise UsageError(f"A bandwidth of {memory_bandwidth_gb_s:g} GB/s is none.", hint="Give more than 0.")
    graph, place = as_graph(model, deployment)
    if power_watts is not None:
        place = place.with_figures(active_mw=power_watts * 1e3)
    summary = summarize_model(graph)
    roofline = analyze_roofline(graph, place)
    layers = layer_rows(summary, place.batch)
    precisions = list(_precisions(graph, place))
    figures = hardware_summary(layers, roofline, memory_bandwidth_gb_s)
    files: dict[str, bytes | str] = {
        LAYERS: csv_lines([_LAYER_COLUMNS, *(tuple(map(_cell, row)) for row in layers)]),
        PRECISIONS: csv_lines([_PRECISION_COLUMNS, *precisions]),
        SUMMARY: csv_lines([tuple(figures), tuple(map(_cell, figures.values()))]),
    }
    if can_draw():
        files |= {
            "layerwise_activation_memory.png": png(activation_chart(layers)),
            "layerwise_macs.png": png(macs_chart(layers)),
            "precision_tradeoffs.png": png(precision_chart(_PRECISION_COLUMNS, precisions)),
        }
    save_all(files, folder, force=force)
    without = () if can_draw() else (f"no pictures: {install_line(EXTRA)}",)
    return WrittenArtifacts(
        deployment=place.ref, output=str(folder), files=tuple(files), warnings=(*roofline.warnings, *without)
    )


def layer_rows(model: ModelSummary, batch: int) -> list[LayerRow]:
    """Layer, output elements, parameter bytes, bytes of the output, MACs: of a batch, nothing reused."""
    rows: list[LayerRow] = []
    for layer in model.layers:
        known = all(side >= 0 for side in layer.output_shape)
        elements = batch * math.prod(layer.output_shape) if known else None
        activation = None if layer.output_bytes is None else batch * layer.output_bytes
        macs = None if layer.macs is None else batch * layer.macs
        rows.append((f"{layer.index} {layer.op}", elements, layer.parameter_bytes, activation, macs))
    return rows


def hardware_summary(
    layers: Sequence[LayerRow], roofline: RooflineReport, bandwidth_gb_s: float | None
) -> Mapping[str, float | None]:
    """Traffic and work over the time; None where a layer's is not known.

    Total bytes are parameters and outputs, each once, as in common practice; what layers read again is in the
    roofline's own utilisation.
    """
    activations, macs = [row[3] for row in layers], [row[4] for row in layers]
    moved = None if None in activations else sum(row[2] for row in layers) + sum(a or 0 for a in activations)
    work = None if None in macs else sum(m or 0 for m in macs)
    ms = roofline.latency_ms.value
    bandwidth = roofline.bandwidth_gb_s if bandwidth_gb_s is None else bandwidth_gb_s
    achieved = moved / ms / 1e6 if moved is not None and ms else None
    return {
        "estimated_total_bytes": moved,
        "estimated_total_macs": work,
        "achieved_bandwidth_gbps": achieved,
        "configured_memory_bandwidth_gbps": bandwidth,
        "bandwidth_utilization": achieved / bandwidth if achieved is not None and bandwidth else None,
        "achieved_gmacs": work / ms / 1e6 if work is not None and ms else None,
    }


def _precisions(graph: ModelGraph, place: Deployment) -> Iterator[tuple[str, ...]]:
    """Each type that the model can be had in here; accuracy is empty, as nothing here measures it."""
    for dtype in _TYPES:
        changed = graph if graph.dtype.value == dtype else Transformed((dtype,)).on(graph, place).graph
        if changed is None:
            continue
        estimate = estimate_performance(changed, place)
        parameters = summarize_model(changed).parameter_bytes
        cells = (_ms(estimate), parameters / _MIB, _joules(estimate), _accepted(changed, place))
        yield (dtype, "", *map(_cell, cells))


def _ms(estimate: PerformanceEstimate) -> float | None:
    return estimate.per_image_ms.value


def _joules(estimate: PerformanceEstimate) -> float | None:
    value = estimate.energy_uj.value
    return None if value is None else value * 1e-6 / estimate.deployment.batch


def _accepted(graph: ModelGraph, place: Deployment) -> float | None:
    match check_constraints(graph, place, remedies=False).verdict:
        case Verdict.UNKNOWN:
            return None
        case verdict:
            return float(verdict is not Verdict.FAIL)


def _cell(value: str | float | None) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case _:
            return number(float(value))
