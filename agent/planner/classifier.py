"""What a question wants, by a linear model over its features.

The weights are fitted to labelled questions by `python -m tests.evaluation.fit`; without numpy, so that a
short answer loads none.
"""

from __future__ import annotations

import math
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .features import BUCKETS
from .intent import Intent

WEIGHTS = Path(__file__).with_name("weights.bin")
_STEPS = 127.0


@dataclass(frozen=True)
class Classifier:
    """Chance of an intent = 1 / (1 + exp(-(bias + Σ weight × feature)))."""

    intents: tuple[Intent, ...]
    bias: tuple[float, ...]
    step: tuple[float, ...]
    """What one step of a weight of the intent is worth."""
    weights: memoryview
    """Signed bytes, bucket by intent."""

    def chances(self, features: Mapping[int, float]) -> dict[Intent, float]:
        """Each intent with its chance, the likeliest first."""
        count = len(self.intents)
        sums = [0.0] * count
        for bucket, scale in features.items():
            for i, weight in enumerate(self.weights[bucket * count : (bucket + 1) * count]):
                if weight:
                    sums[i] += scale * weight
        found = {
            intent: 1 / (1 + math.exp(-(bias + step * total)))
            for intent, bias, step, total in zip(self.intents, self.bias, self.step, sums, strict=True)
        }
        return dict(sorted(found.items(), key=lambda each: -each[1]))


def packed(intents: tuple[Intent, ...], bias: list[float], step: list[float], weights: bytes) -> bytes:
    """As `weights.bin` is stored: a line of names, biases and steps as float32, then the signed bytes."""
    names = ",".join(intents).encode() + b"\n"
    return zlib.compress(names + struct.pack(f"<{2 * len(intents)}f", *bias, *step) + weights, 9)


@cache
def classifier() -> Classifier:
    names, _, rest = zlib.decompress(WEIGHTS.read_bytes()).partition(b"\n")
    intents = tuple(Intent(name) for name in names.decode().split(","))
    count = len(intents)
    numbers = struct.unpack_from(f"<{2 * count}f", rest)
    weights = memoryview(rest)[8 * count :].cast("b")
    if len(weights) != BUCKETS * count:
        raise RuntimeError("weights.bin was fitted to other features: run python -m tests.evaluation.fit")
    return Classifier(intents, numbers[:count], numbers[count:], weights)
