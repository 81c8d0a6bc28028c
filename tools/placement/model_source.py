"""What a tool takes for a model, and how it becomes a graph for a deployment."""

from __future__ import annotations

import os

from ..core.deployment import Deployment, as_deployment
from ..graph import ModelGraph

ModelSource = ModelGraph | str | os.PathLike[str] | bytes


def as_graph(model: ModelSource, deployment: Deployment | str) -> tuple[ModelGraph, Deployment]:
    """The graph and the deployment that are meant.

    A named architecture without a type is taken in the runtime's usual precision, which the deployment's
    assumptions then say.
    """
    from ..model_formats.source import parse_model

    place = as_deployment(deployment)
    if isinstance(model, ModelGraph):
        return model, _told_by_compiler(model, place)
    graph = parse_model(model, settings=place.settings)
    if graph.format != "architecture" or not isinstance(model, str):
        return graph, _told_by_compiler(graph, place)
    from ..model_zoo.named import build_architecture, names_dtype

    if names_dtype(model):
        return graph, place
    usual = place.runtime.usual_dtype.value
    told = f"{graph.name} taken as {usual}, the usual precision with {place.runtime.id}"
    return build_architecture(model, dtype=usual), place.model_copy(
        update={"assumptions": (*place.assumptions, told)}
    )


def _told_by_compiler(graph: ModelGraph, place: Deployment) -> Deployment:
    """The deployment with what an accelerator's compiler was told, or why it was not asked."""
    from ..ethos_u.asked import is_for_vela

    if not is_for_vela(place):
        return place
    from ..ethos_u.vela import vela_answer

    told = [line for line in vela_answer(graph, place).told if line not in place.assumptions]
    return place.model_copy(update={"assumptions": (*place.assumptions, *told)}) if told else place
