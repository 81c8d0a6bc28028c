"""Weights set to zero or to few values: what that saves, and where kernels make use of it.

A .tflite file stores zeros and repeated values like any other number, and kernels that do not know of them
read and multiply them all: only a compressed file is smaller then (LiteRT tflite/g3doc/performance/
model_optimization.md, Pruning and Clustering, at commit f67457790c9c2ab67347d6fe53270e8d3df20868).
Accuracies: github.com/tensorflow/model-optimization, tensorflow_model_optimization/g3doc/guide,
pruning/index.md at commit 0ccb5af7b95d140ff047c7daa490314dbc270876, clustering/index.md at
19b5ea28962ae156cb10359595fb954e5ffc1613.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from ....hardware_db.errors import UsageError
from ...core.deployment import Deployment
from ...core.records import dataclass
from ...graph import ModelGraph
from ...graph.stored_weights import weights_of
from .technique import Change, Technique

_GUIDE = "TensorFlow Model Optimization guide"
SPARSE_RISK = (
    "with retraining small up to half, growing beyond: MobileNetV1 0.2 points less at 50 %, InceptionV3 0.1 "
    f"at 50 %, 2.0 at 75 %, 3.5 at 87.5 % ({_GUIDE}, pruning): measure it on your data"
)
CLUSTERED_RISK = (
    f"depends on retraining; 32 clusters took 3.0 points of MobileNetV2 and 0.3 of DS-CNN-L ({_GUIDE}, "
    "clustering): measure it on your data"
)


@dataclass(frozen=True)
class _Pattern:
    name: str
    zeros: float
    """Share of the weights."""
    bits_of_place: float
    """What tells which weights are left, in bits for each weight."""


def sparsity_techniques() -> Iterator[Technique]:
    yield sparse(50)
    yield sparse(80)
    yield sparse_in_groups(2, 4)
    yield clustered(16)
    yield clustered(32)


def sparse(percent: float) -> Technique:
    """That share of the weights zero, wherever they stand."""
    zeros = percent / 100
    return _sparse(
        _Pattern(f"sparse-{percent:g}", zeros, _entropy(zeros)), f"{percent:g} % of the weights zero"
    )


def sparse_in_groups(zeros: int, of: int) -> Technique:
    """So many of so many neighbouring weights zero.

    Raises:
        UsageError: none or all of them.
    """
    if not 0 < zeros < of:
        raise UsageError(f"{zeros} of {of} weights cannot be zero.", hint="Write it as in 2:4.")
    place = math.log2(math.comb(of, zeros)) / of
    pattern = _Pattern(f"sparse-{zeros}:{of}", zeros / of, place)
    return _sparse(pattern, f"{zeros} of every {of} neighbouring weights zero")


def clustered(clusters: int) -> Technique:
    return Technique(
        f"cluster-{clusters}", f"{clusters} different values among the weights of each layer",
        "retraining", CLUSTERED_RISK, "sparsity", _clustered(clusters),
    )  # fmt: skip


def _sparse(pattern: _Pattern, about: str) -> Technique:
    return Technique(pattern.name, about, "retraining", SPARSE_RISK, "sparsity", _zeroed(pattern))


def _zeroed(pattern: _Pattern) -> Change:
    def change(graph: ModelGraph, deployment: Deployment) -> tuple[ModelGraph, Deployment]:
        count, stored = _weights(graph)
        bits = 8 * stored / count
        packed = count * ((1 - pattern.zeros) * bits + pattern.bits_of_place) / 8
        raise UsageError(f"{_kernels_in_words(pattern, deployment)}; {_compressed(stored, packed)}")

    return change


def _clustered(clusters: int) -> Change:
    def change(graph: ModelGraph, deployment: Deployment) -> tuple[ModelGraph, Deployment]:
        count, stored = _weights(graph)
        packed = count * math.log2(clusters) / 8
        if packed >= stored:
            raise UsageError(f"the weights take {8 * stored / count:g} bits each already")
        raise UsageError(
            f"nothing that was read of {deployment.runtime.id} "
            "tells of kernels that look values up in a table: "
            f"the model takes as much memory and time as before; {_compressed(stored, packed)}"
        )

    return change


def _kernels_in_words(pattern: _Pattern, deployment: Deployment) -> str:
    kernels = deployment.runtime.sparse_kernels
    if not kernels:
        return (
            f"nothing that was read of {deployment.runtime.id} "
            "tells of sparse kernels: zeros are stored, read "
            "and multiplied like any weight"
        )
    fitting = [each for each in kernels if each.pattern in {"any", pattern.name.removeprefix("sparse-")}]
    enough = [each for each in fitting if pattern.zeros >= each.least_zeros]
    if not enough:
        named = "; ".join(f"{each.pattern} from {each.least_zeros:.0%} on" for each in kernels)
        return f"{deployment.runtime.id} has sparse kernels for other patterns ({named})"
    return (
        f"{deployment.runtime.id} has sparse kernels ({enough[0].condition}), "
        "but no measurement of them is at "
        "hand: measure it"
    )


def _weights(graph: ModelGraph) -> tuple[int, int]:
    """Number of the layers' weights, and the bytes they take."""
    indices = {weights_of(op) for op in graph.ops}
    tensors = [graph.tensors[i] for i in indices if i >= 0 and graph.tensors[i].is_constant]
    count, stored = sum(t.elements or 0 for t in tensors), sum(t.stored_bytes for t in tensors)
    if not count or not stored:
        raise UsageError("no layer of this model has constant weights")
    return count, stored


def _compressed(stored: int, packed: float) -> str:
    return (
        f"compressed for download, {stored:,} bytes of weights come to no less than {round(packed):,} by "
        "their entropy"
    )


def _entropy(share: float) -> float:
    return -(share * math.log2(share) + (1 - share) * math.log2(1 - share))
