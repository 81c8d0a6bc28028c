"""Changes that can be simulated: each makes another graph or deployment, or says why it cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ...hardware_db.errors import EdgewrightError, UsageError
from ..deployments import Deployment, deployment
from ..graph import ModelGraph
from .casts import integer_io, without_needless_casts
from .channels import pruned

Change = Callable[[ModelGraph, Deployment], tuple[ModelGraph, Deployment]]


@dataclass(frozen=True)
class Technique:
    """A change with what it asks of people. `apply` raises UsageError where it does not apply."""

    name: str
    about: str
    """What it does, as the user reads it."""
    effort: str
    accuracy_risk: str
    family: str
    """Techniques of one family exclude each other."""
    apply: Change


RETRAINED_RISK = "depends on retraining: measure it on your data"


def prune(ratio: float) -> Change:
    def change(graph: ModelGraph, where: Deployment) -> tuple[ModelGraph, Deployment]:
        return pruned(graph, ratio), where

    return change


def shrink_input(scale: float) -> Change:
    def change(graph: ModelGraph, where: Deployment) -> tuple[ModelGraph, Deployment]:
        from ..graph.shapes import with_input_shapes

        shapes = {
            index: (n, max(1, round(h * scale)), max(1, round(w * scale)), c)
            for index in graph.main.inputs
            if len(shape := graph.tensors[index].shape) == 4
            for n, h, w, c in [shape]
        }
        if not shapes:
            raise UsageError("no input is an image with height and width")
        return with_input_shapes(graph, shapes), where

    return change


def with_integer_io(graph: ModelGraph, where: Deployment) -> tuple[ModelGraph, Deployment]:
    return integer_io(graph), where


def with_fewer_casts(graph: ModelGraph, where: Deployment) -> tuple[ModelGraph, Deployment]:
    return without_needless_casts(graph), where


def on_runtime(runtime: str) -> Change:
    def change(graph: ModelGraph, where: Deployment) -> tuple[ModelGraph, Deployment]:
        return graph, deployment(
            where.target, runtime, clock_mhz=None, batch=where.batch, threads=where.threads
        )

    return change


def at_maximum_clock(graph: ModelGraph, where: Deployment) -> tuple[ModelGraph, Deployment]:
    fastest = deployment(where.target, where.runtime, batch=where.batch, threads=where.threads)
    if where.clock_mhz >= fastest.clock_mhz:
        raise UsageError(f"it runs at its maximum of {where.clock_mhz:g} MHz already")
    return graph, fastest


def techniques(where: Deployment) -> Iterator[Technique]:
    """What is worth simulating on a deployment."""
    from .precision import precision_techniques

    yield from precision_techniques()
    for percent in (25, 50):
        yield Technique(
            f"prune-{percent}", f"{percent} % of the channels of every layer that allows it removed",
            "retraining", RETRAINED_RISK, "pruning", prune(percent / 100),
        )  # fmt: skip
    for percent in (75, 50):
        yield Technique(
            f"input-{percent}", f"input images at {percent} % of their height and width",
            "retraining", RETRAINED_RISK, "resolution", shrink_input(percent / 100),
        )  # fmt: skip
    yield Technique(
        "integer-io", "inputs and outputs in the model's integers, without QUANTIZE and DEQUANTIZE around it",
        "minutes", "none", "io", with_integer_io,
    )  # fmt: skip
    yield Technique(
        "fewer-casts", "integers that are made float and integers again stay integers",
        "minutes", "none", "casts", with_fewer_casts,
    )  # fmt: skip
    for runtime in where.target.runtimes:
        if runtime != where.runtime.id:
            yield Technique(
                f"runtime {runtime}", f"the same model with {runtime}",
                "minutes", "none", "runtime", on_runtime(runtime),
            )  # fmt: skip
    yield Technique("clock-max", "the core's highest clock", "minutes", "none", "clock", at_maximum_clock)


def reason_of(error: EdgewrightError) -> str:
    return f"{error.message} {error.hint}".strip()
