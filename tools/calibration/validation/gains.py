"""How well the gain of int8 over float32 is foretold: pairs of measurements that differ in nothing else."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from statistics import median

import numpy as np

from ....hardware_db.measurements import rows
from ..records import sifted_records
from .latencies import latency_samples
from .samples import Collected, Sample
from .validation_report import Measured, Scheme

_SUFFIXES = re.compile(
    r"(__basic|__q_full_int(_only)?|_int8|_fp32|_float32|_float|_quant(ized)?|:int8|:float32)+(?=\.|$)"
)
_HOSTED = re.compile(r"^google-coral_test_data/(mobilenet_v[12])_([\d.]+)_(\d+)(?=\.|$)")
_SAME = ("repository", "target", "device", "kind", "processor", "threads", "clock_mhz", "runtime",
         "runtime_version", "batch", "flag")  # fmt: skip

Key = tuple[str, ...]


@dataclass(frozen=True)
class Gain:
    """int8 over float32 as a ratio of latencies: below 1 where int8 is faster."""

    network: str
    repository: str
    device: str
    runtime: str
    measured: float
    predicted: float

    @property
    def error(self) -> float:
        return self.predicted / self.measured - 1

    @property
    def right(self) -> bool:
        """Whether both say that int8 is faster, or both that it is not."""
        return (self.measured < 1) == (self.predicted < 1)


@dataclass(frozen=True)
class GainGroup:
    repository: str
    runtime: str
    pairs: int
    right: float
    """Share of pairs whose direction was foretold."""
    median_error: float
    """Of |predicted / measured - 1|."""


def int8_gains(samples: Iterable[Sample], scheme: Scheme) -> tuple[Gain, ...]:
    """Every pair on one device with one runtime, clock and thread count; repeats enter as their median."""
    of_row = {
        s.id: s for s in samples if s.scheme is scheme and s.quantity is Measured.LATENCY and s.predicted > 0
    }
    found: dict[Key, dict[str, list[Sample]]] = defaultdict(lambda: defaultdict(list))
    for row in rows():
        sample = of_row.get(row["id"])
        if sample is not None and row["dtype"] in {"int8", "float32"}:
            found[_key(row)][row["dtype"]].append(sample)
    gains = []
    for key, kinds in found.items():
        if len(kinds) == 2:
            gains.append(_gain(key, kinds["int8"], kinds["float32"]))
    return tuple(gains)


def shipped_gains(scheme: Scheme) -> tuple[Gain, ...]:
    """Of the shipped measurements, as foretold by the shipped fit or one that had not seen the network."""
    collected = Collected()
    latency_samples(sifted_records()[0], scheme, collected)
    return int8_gains(collected.samples, scheme)


def gain_groups(gains: Iterable[Gain]) -> tuple[GainGroup, ...]:
    """By source and library, and over all of them."""
    groups: dict[tuple[str, str], list[Gain]] = defaultdict(list)
    for gain in gains:
        groups[gain.repository, gain.runtime].append(gain)
        groups["all", "all"].append(gain)
    return tuple(
        GainGroup(
            repository,
            runtime,
            len(group),
            float(np.mean([gain.right for gain in group])),
            median(abs(gain.error) for gain in group),
        )
        for (repository, runtime), group in sorted(groups.items())
    )


def stem(network: str) -> str:
    """A network's name without the type that it was stored in."""
    plain = _HOSTED.sub(_as_built, _SUFFIXES.sub("", network))
    return plain.removesuffix(".tflite").removesuffix(".param")


def _as_built(match: re.Match[str]) -> str:
    """As the architecture is called: parts of their usual value left out."""
    name, width, size = match.groups()
    parts = [name, *([] if float(width) == 1 else [width]), *([] if size == "224" else [size])]
    return ":".join(parts)


def _key(row: Mapping[str, str]) -> Key:
    return (stem(row["network"]), *(row[name] for name in _SAME))


def _gain(key: Key, int8: list[Sample], float32: list[Sample]) -> Gain:
    def ratio(of: str) -> float:
        one, other = (median(float(getattr(s, of)) for s in samples) for samples in (int8, float32))
        return one / other

    named = dict(zip(("network", *_SAME), key, strict=True))
    return Gain(
        network=named["network"],
        repository=named["repository"],
        device=named["target"] or named["device"],
        runtime=named["runtime"],
        measured=ratio("measured"),
        predicted=ratio("predicted"),
    )
