"""Changes that can be simulated: each makes another graph or deployment, or says why it cannot."""

from __future__ import annotations

from collections.abc import Iterator

from ....hardware_db.errors import EdgewrightError
from ...core.deployment import Deployment
from ...graph import ModelGraph
from .casts import integer_io, without_needless_casts
from .channels import pruned
from .deployment_techniques import of_deployments
from .precision import precision_techniques
from .sparsity import sparsity_techniques
from .structure.options import scale_input, worth_trying
from .structure.published import lost_by_pruning
from .technique import Technique


def prune(percent: float) -> Technique:
    """That share of the channels of every layer which allows it."""

    def change(graph: ModelGraph, deployment: Deployment) -> tuple[ModelGraph, Deployment]:
        return pruned(graph, percent / 100), deployment

    return Technique(
        f"prune-{percent:g}", f"{percent:g} % of the channels of every layer that allows it removed",
        "retraining", lost_by_pruning(percent / 100), "pruning", change,
    )  # fmt: skip


def with_integer_io(graph: ModelGraph, deployment: Deployment) -> tuple[ModelGraph, Deployment]:
    return integer_io(graph), deployment


def with_fewer_casts(graph: ModelGraph, deployment: Deployment) -> tuple[ModelGraph, Deployment]:
    return without_needless_casts(graph), deployment


def techniques(deployment: Deployment) -> Iterator[Technique]:
    """What is worth simulating on a deployment."""
    yield from of_models()
    yield from of_deployments(deployment)


def of_models() -> Iterator[Technique]:
    """Those that leave the deployment as it is."""
    yield from precision_techniques()
    yield from sparsity_techniques()
    for percent in (25, 50):
        yield prune(percent)
    for percent in (75, 50):
        yield scale_input(percent)
    yield from worth_trying()
    yield Technique(
        "integer-io", "inputs and outputs in the model's integers, without QUANTIZE and DEQUANTIZE around it",
        "minutes", "none", "io", with_integer_io,
    )  # fmt: skip
    yield Technique(
        "fewer-casts", "integers that are made float and integers again stay integers",
        "minutes", "none", "casts", with_fewer_casts,
    )  # fmt: skip


def reason_of(error: EdgewrightError) -> str:
    return f"{error.message} {error.hint}".strip()
