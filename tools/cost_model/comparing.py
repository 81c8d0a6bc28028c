"""A deployment to compare a model with changed ones on: what was measured of the one carries over to all."""

from __future__ import annotations

import math

from ..core.deployment import Deployment
from ..core.settings import Carried
from ..ethos_u.asked import by_rules
from ..graph import ModelGraph
from .study import study


def by_cost_model(deployment: Deployment) -> Deployment:
    """The same without any measurement of the model itself: what a measurement is compared with."""
    changes = {"measured_first": False, "calibrations": (), "carried": None}
    settings = deployment.settings.model_copy(update=changes)
    return deployment.model_copy(update={"settings": settings})


def for_changes(graph: ModelGraph, deployment: Deployment) -> Deployment:
    """The same without Vela, and with what a measurement makes of the estimate of `graph` for every change.

    A gain stays the ratio of two estimates: where the model was measured and its changed self was not, both
    move alike.
    """
    place = by_rules(deployment)
    settings = place.settings
    if settings.carried is not None or not settings.measured_first:
        return place
    changes = {"measured_first": False, "carried": _carried(graph, place)}
    return place.model_copy(update={"settings": settings.model_copy(update=changes)})


def _carried(graph: ModelGraph, place: Deployment) -> Carried | None:
    anchor = study(graph, place).anchor
    if anchor is None or not anchor.ratio > 0 or not anchor.latency_ms.value or not anchor.latency_ms.high:
        return None
    return Carried(
        target=place.target.id,
        log_ratio=math.log(anchor.ratio),
        interval_factor=anchor.latency_ms.high / anchor.latency_ms.value,
        basis=anchor.latency_ms.basis,
        note=f"{anchor.note}; changed models and clocks move with it",
    )
