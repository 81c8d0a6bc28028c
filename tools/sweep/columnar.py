"""The parts of a sweep read back as columns: what the summary, the Pareto fronts and the tree look at."""

from __future__ import annotations

import csv
import io
import math
import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

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


def read_columns(parts: Iterable[Part], columns: Sequence[Column]) -> Swept:
    flag_names = ["accepted", *(name for name, _ in columns if name.startswith("violates_"))]
    wanted = [*TEXTS, *NUMBERS, *flag_names]
    place = {name: index for index, (name, _) in enumerate(columns)}
    pick = operator.itemgetter(*(place[name] for name in wanted))
    words: dict[str, dict[str, int]] = {name: {} for name in TEXTS}
    codes: dict[str, list[Ints]] = {name: [] for name in TEXTS}
    numbers: dict[str, list[Floats]] = {name: [] for name in NUMBERS}
    flags: dict[str, list[Ints]] = {name: [] for name in flag_names}
    for part in parts:
        if not part.rows:
            continue
        picked = zip(*map(pick, csv.reader(io.StringIO(part.lines, newline=""))), strict=True)
        cells = dict(zip(wanted, picked, strict=True))
        for name in TEXTS:
            known = words[name]
            codes[name].append(np.array([known.setdefault(word, len(known)) for word in cells[name]]))
        for name in NUMBERS:
            numbers[name].append(np.array([float(cell) if cell else math.nan for cell in cells[name]]))
        for name in flag_names:
            flags[name].append(np.array([_FLAGS[cell] for cell in cells[name]], dtype=np.int64))
    none = np.zeros(0, dtype=np.int64)
    return Swept(
        {name: Texts(tuple(words[name]), np.concatenate([none, *codes[name]])) for name in TEXTS},
        {name: np.concatenate([none.astype(np.float64), *found]) for name, found in numbers.items()},
        {name: np.concatenate([none, *found]) for name, found in flags.items()},
    )
