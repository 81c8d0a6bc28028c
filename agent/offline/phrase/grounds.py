"""What an estimate stands on, and how far estimates are off."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....tools.calibration.validation.report import ErrorGroup, Measured, Scheme
from ....tools.calibration.validation.stands_on import Evidence, EvidenceReport
from ....tools.core.units import digits
from ..reading import Reading
from ..turns import Outcome
from .figures import bullets, count, percent
from .subject import model_of, place_of

_NEAREST = 5
_GROUPS = 10
_SHARED = {
    "target": "on this very target with this library",
    "pair": "of this library on this kind of core",
    "runtime": "of this library on other cores",
    "isa": "of other libraries on this kind of core",
}
_QUANTITIES = {
    Measured.LATENCY: "latency",
    Measured.ENERGY: "energy",
    Measured.ACTIVATIONS: "activation RAM",
    Measured.FLASH: "flash",
    Measured.WEIGHTS: "flash of the weights",
}
_UNSEEN = {
    Scheme.MODEL_OUT: "for models that were not in the fit",
    Scheme.BOARD_OUT: "for boards that were not in the fit",
}


def phrase_evidence(outcome: Outcome, _asked: Reading) -> list[str]:
    report = EvidenceReport.model_validate(outcome.result)
    where = f"{model_of(outcome)} on {place_of(report.deployment)}"
    if not report.measurements:
        return [f"No measurement is akin to {where}: its latency stands on assumptions alone."]
    akin = _SHARED.get(report.akin_by, "that are akin")
    lead = (
        f"The latency of {where} is an estimate. Behind it stand {count(report.measurements)} published "
        f"measurements {akin}, of {count(report.networks)} networks. The most alike:"
    )
    return [lead, bullets([_read(row) for row in report.nearest[:_NEAREST]])]


def phrase_validation(outcome: Outcome, _asked: Reading) -> list[str]:
    told = outcome.result or {}
    groups = [_group_of(group) for group in told.get("groups", ())]
    unseen = [group for group in groups if group.scheme in _UNSEEN]
    groups = [group for group in unseen if group.runtime == "all"] or unseen
    if not groups:
        return ["No measurement of that kind has been compared: how far the estimates are off is unknown."]
    lead = "Compared with published measurements that the estimate had not been fitted to:"
    return [lead, bullets([_group(group) for group in groups[:_GROUPS]])]


def _group_of(row: Mapping[str, Any]) -> ErrorGroup:
    """Out of a document, where the class goes by another name."""
    return ErrorGroup.model_validate({"device_class" if key == "class" else key: row[key] for key in row})


def _read(row: Evidence) -> str:
    return (
        f"{row.network} ({row.dtype}) on {row.device} with {row.runtime}: {digits(row.latency_ms)} ms "
        f"({row.repository})"
    )


def _group(group: ErrorGroup) -> str:
    spread = "" if group.coverage is None else f", {percent(group.coverage)} inside the interval"
    return (
        f"{group.device_class} {_QUANTITIES[group.quantity]} {_UNSEEN[group.scheme]}: median error "
        f"{percent(group.median_ape)}, {percent(group.within_25)} within a quarter{spread} "
        f"({count(group.n)} measurements, {count(group.models)} models, {count(group.boards)} boards)"
    )
