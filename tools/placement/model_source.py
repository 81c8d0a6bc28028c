"""What a tool takes for a model, and how it becomes a graph for a deployment."""

from __future__ import annotations

import os

from ..core.deployment import Deployment, as_deployment
from ..ethos_u.asked import is_for_vela
from ..graph import ModelGraph
from ..model_formats.source import parse_model

ModelSource = ModelGraph | str | os.PathLike[str] | bytes


def as_graph(model: ModelSource, deployment: Deployment | str) -> tuple[ModelGraph, Deployment]:
    """The graph and the deployment that are meant.

    A named architecture without a type is taken in the runtime's usual precision, which the deployment's
    assumptions then say; so is a graph that `parse_model` built from such a name.
    """
    place = as_deployment(deployment)
    graph, place = _in_usual_type(parse_model(model, settings=place.settings), place)
    return graph, _with_compiler_figures(graph, place)


def _in_usual_type(graph: ModelGraph, place: Deployment) -> tuple[ModelGraph, Deployment]:
    if graph.format != "architecture":
        return graph, place
    from ..model_zoo.usual_type import in_type, is_of_open_type

    if not is_of_open_type(graph):
        return graph, place
    usual = place.runtime.usual_dtype.value
    said = f"{graph.name} taken as {usual}, the usual precision with {place.runtime.id}"
    return in_type(graph, usual), place.model_copy(update={"assumptions": (*place.assumptions, said)})


def _with_compiler_figures(graph: ModelGraph, place: Deployment) -> Deployment:
    """The deployment with what an accelerator's compiler was given, or why it was not asked."""
    if not is_for_vela(place):
        return place
    from ..ethos_u.vela import vela_answer

    notes = [line for line in vela_answer(graph, place).notes if line not in place.assumptions]
    return place.model_copy(update={"assumptions": (*place.assumptions, *notes)}) if notes else place
