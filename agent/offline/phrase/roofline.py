"""What bounds a model."""

from __future__ import annotations

import re

from ....tools.core.units import digits
from ....tools.cost_model.report import Bound
from ....tools.roofline.report import LayerRoofline, RooflineReport
from ..reading import Reading
from ..turns import Outcome
from .figures import bullets, intensity, layer, listed, percent, plain, quantity
from .subject import bare_place_of, model_of

_NAMES = {
    Bound.COMPUTE: "compute-bound",
    Bound.MEMORY: "memory-bound",
    Bound.OVERHEAD: "bound by the overhead of its kernels",
    Bound.UNKNOWN: "bound by what is unknown",
}
_ASSERTED = re.compile(r"\b(compute|memory)[- ]bound\b", re.IGNORECASE)
_HEAVIEST = 4
_WORTH_TELLING = 0.001


def phrase(outcome: Outcome, asked: Reading) -> list[str]:
    report = RooflineReport.model_validate(outcome.result)
    lead = (
        f"{_premise(report, asked)}{model_of(outcome)} ({report.dtype}, batch {report.deployment.batch}) on "
        f"{bare_place_of(report.deployment)} is **{_NAMES[report.bound]}**."
    )
    lines = [_against_ridge(report), _utilisation(report), _shares(report), _time(report), *_roofs(report)]
    return [lead, bullets([line for line in lines if line]), *_layers(report)]


def _premise(report: RooflineReport, asked: Reading) -> str:
    """Yes or no, where the question holds one of the two to be true."""
    asserted = {match.casefold() for match in _ASSERTED.findall(asked.question)}
    if len(asserted) != 1 or report.bound is Bound.UNKNOWN:
        return ""
    return "Yes: " if asserted == {report.bound.value} else "No: "


def _against_ridge(report: RooflineReport) -> str:
    intense, ridge = intensity(report.arithmetic_intensity), intensity(report.ridge_point)
    told = f"arithmetic intensity {intense}, ridge point {ridge}"
    if report.arithmetic_intensity is None or report.ridge_point is None:
        return told
    below = report.arithmetic_intensity < report.ridge_point
    side, roof = ("below", "memory") if below else ("above", "compute")
    return f"{told}: {side} the ridge, where the {roof} roof is the lower"


def _utilisation(report: RooflineReport) -> str:
    compute, memory = percent(report.compute_utilization), percent(report.memory_utilization)
    return f"it reaches {compute} of the peak arithmetic and {memory} of the peak bandwidth"


def _shares(report: RooflineReport) -> str:
    shares = sorted(report.bound_shares.items(), key=lambda item: -item[1])
    told = [f"{percent(share)} under {name}" for name, share in shares if share >= _WORTH_TELLING]
    return f"of the time, {listed(told)}" if told else ""


def _time(report: RooflineReport) -> str:
    return "" if report.latency_ms.value is None else f"latency {quantity(report.latency_ms)}"


def _roofs(report: RooflineReport) -> list[str]:
    if report.peak_gops is None or report.bandwidth_gb_s is None:
        return []
    peak, bandwidth = digits(report.peak_gops), digits(report.bandwidth_gb_s)
    return [f"roofs: {peak} GOPS dense, {bandwidth} GB/s from {report.memory_level}"]


def _layers(report: RooflineReport) -> list[str]:
    known = [row for row in report.layers if row.share]
    heaviest = sorted(known, key=lambda row: -(row.share or 0.0))[:_HEAVIEST]
    if not heaviest:
        return []
    return ["Where the time goes:\n" + bullets([_layer(row) for row in heaviest])]


def _layer(row: LayerRoofline) -> str:
    told = f"{layer(row.index, row.op)}: {percent(row.share)} of the time, {plain(row.latency_ms, 'ms')}"
    told += f", {_NAMES[row.bound]}"
    if row.arithmetic_intensity is not None:
        told += f", {intensity(row.arithmetic_intensity)}"
    return told
