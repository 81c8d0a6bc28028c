"""A linear model over hashed features, one logistic unit a label: small to keep, quick to load, no numpy.

`python -m tests.evaluation.fit` fits and writes them.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

BUCKETS = 1 << 15
_HERE = Path(__file__).parent


@dataclass(frozen=True)
class LinearModel:
    """Chance of a label = 1 / (1 + exp(-(bias + step × Σ weight × feature)))."""

    labels: tuple[str, ...]
    bias: tuple[float, ...]
    step: tuple[float, ...]
    """What one step of a weight of the label is worth."""
    weights: memoryview
    """Signed bytes, bucket by label."""

    def chances(self, features: Mapping[int, float]) -> dict[str, float]:
        """Each label with its chance, the likeliest first."""
        count = len(self.labels)
        sums = [0.0] * count
        for bucket, scale in features.items():
            for i, weight in enumerate(self.weights[bucket * count : (bucket + 1) * count]):
                if weight:
                    sums[i] += scale * weight
        found = {
            label: 1 / (1 + math.exp(-max(-60.0, min(60.0, bias + step * total))))
            for label, bias, step, total in zip(self.labels, self.bias, self.step, sums, strict=True)
        }
        return dict(sorted(found.items(), key=lambda each: -each[1]))


def hashed(features: Iterable[tuple[str, float]]) -> dict[int, float]:
    """Bucket → how much the feature counts; the first of two in a bucket."""
    found: dict[int, float] = {}
    for feature, weight in features:
        found.setdefault(zlib.crc32(feature.encode()) % BUCKETS, weight)
    return found


def packed(labels: Iterable[str], bias: list[float], step: list[float], weights: bytes) -> bytes:
    """As a model is stored: a line of labels, biases and steps as float32, then the signed bytes."""
    names = ",".join(labels).encode() + b"\n"
    return zlib.compress(names + struct.pack(f"<{2 * len(bias)}f", *bias, *step) + weights, 9)


@cache
def linear_model(name: str) -> LinearModel:
    """The model that is stored as `NAME.bin` beside this module.

    Raises:
        RuntimeError: it was fitted to other features.
    """
    stored = zlib.decompress((_HERE / f"{name}.bin").read_bytes())
    names, _, rest = stored.partition(b"\n")
    labels = tuple(names.decode().split(","))
    count = len(labels)
    numbers = struct.unpack_from(f"<{2 * count}f", rest)
    weights = memoryview(rest)[8 * count :].cast("b")
    if len(weights) != BUCKETS * count:
        raise RuntimeError(f"{name}.bin was fitted to other features: run python -m tests.evaluation.fit")
    return LinearModel(labels, numbers[:count], numbers[count:], weights)
