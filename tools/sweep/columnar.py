"""The parts of a sweep read back as columns: what the summary, the Pareto fronts and the tree look at."""

from __future__ import annotations

import csv
import io
import math
import operator
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ..core.records import dataclass
from .columns import Column
from .evaluate import Part

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
TEXTS = ("model", "transform", "model_sha256", "precision", "target", "class", "runtime", "verdict")
NUMBERS = (
    "macs", "parameter_bytes", "peak_activation_bytes", "clock_mhz", "batch",
    "latency_ms", "energy_uj", "arena_bytes", "flash_bytes",
)  # fmt: skip
_FLAGS = {"true": 1, "false": 0, "": -1}


@dataclass(frozen=True, eq=False)
class Texts:
    """A column of words, each kept once."""

    words: tuple[str, ...]
    codes: Ints

    def __getitem__(self, row: int) -> str:
        return self.words[int(self.codes[row])]


@dataclass(frozen=True, eq=False)
class Swept:
    """All evaluations, in the order of the results; NaN and -1 are not known."""

    texts: dict[str, Texts]
    numbers: dict[str, Floats]
    flags: dict[str, Ints]

    def __len__(self) -> int:
        return len(self.flags["accepted"])

    @property
    def accepted(self) -> npt.NDArray[np.bool_]:
        accepted: npt.NDArray[np.bool_] = self.flags["accepted"] == 1
        return accepted

    def per_inference(self, name: str) -> Floats:
        return self.numbers[name] / self.numbers["batch"]


class Collector:
    """Takes parts as they come, in whatever order: what they hold is read while others are evaluated."""

    def __init__(self, columns: Sequence[Column]) -> None:
        self._flags = ["accepted", *(name for name, _ in columns if name.startswith("violates_"))]
        self._names = [*TEXTS, *NUMBERS, *self._flags]
        place = {name: index for index, (name, _) in enumerate(columns)}
        self._pick = operator.itemgetter(*(place[name] for name in self._names))
        self._words: dict[str, dict[str, int]] = {name: {} for name in TEXTS}
        self._parts: dict[int, dict[str, Floats | Ints]] = {}
        self.left_out: dict[int, dict[str, int]] = {}

    def add(self, number: int, part: Part) -> None:
        self.left_out[number] = part.left_out
        cells = list(zip(*map(self._pick, csv.reader(io.StringIO(part.lines, newline=""))), strict=True))
        found: dict[str, Floats | Ints] = {}
        for name, column in zip(self._names, cells or [()] * len(self._names), strict=True):
            if name in TEXTS:
                known = self._words[name]
                found[name] = np.array(
                    [known.setdefault(word, len(known)) for word in column], dtype=np.int64
                )
            elif name in NUMBERS:
                found[name] = np.array([float(cell) if cell else math.nan for cell in column])
            else:
                found[name] = np.array([_FLAGS[cell] for cell in column], dtype=np.int64)
        self._parts[number] = found

    def missing(self, count: int) -> list[int]:
        return [number for number in range(count) if number not in self._parts]

    def swept(self) -> Swept:
        """Everything, in the order of the units."""
        ordered = [self._parts[number] for number in sorted(self._parts)]
        joined = {name: np.concatenate([part[name] for part in ordered]) for name in self._names}
        return Swept(
            {name: _in_order(tuple(self._words[name]), joined[name].astype(np.int64)) for name in TEXTS},
            {name: joined[name].astype(np.float64) for name in NUMBERS},
            {name: joined[name].astype(np.int64) for name in self._flags},
        )


def _in_order(words: tuple[str, ...], codes: Ints) -> Texts:
    """Words numbered by where they first occur, whichever part came first."""
    used, first = np.unique(codes, return_index=True)
    order = used[np.argsort(first)]
    place = np.zeros(len(words), dtype=np.int64)
    place[order] = np.arange(len(order))
    return Texts(tuple(words[code] for code in order.tolist()), place[codes])
