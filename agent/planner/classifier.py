"""How likely labels are, from hashed features: the mean of two opinions over the same features.

One is a logistic unit a label, the other a network with one hidden layer; `python -m tests.evaluation.fit`
fits and writes them.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import fields
from functools import cache
from os import SEEK_CUR
from pathlib import Path
from struct import unpack
from typing import Literal
from zipfile import ZipInfo

import numpy as np
import numpy.typing as npt

from ...tools.core.records import dataclass

Floats = npt.NDArray[np.float32]
_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Classifier:
    """Chance of a label = mean of σ(bias + Σ weight × feature) and σ(out_bias + out · relu(hidden))."""

    labels: npt.NDArray[np.str_]
    known: npt.NDArray[np.uint32]
    """Hashes of the features that were seen, ascending."""
    table: npt.NDArray[np.int8]
    """Feature by column: first what the hidden layer sees of it, then its weight for each label."""
    step: Floats
    """What one of a column is worth."""
    bias: Floats
    turn: Floats
    """Column by hidden unit."""
    hidden_bias: Floats
    out: Floats
    """Hidden unit by label."""
    out_bias: Floats

    def chances(self, features: Mapping[int, float]) -> dict[str, float]:
        """Each label with its chance, the likeliest first; hash of a feature → how much it counts."""
        hashes = np.fromiter(features, dtype=np.uint32, count=len(features))
        counts = np.fromiter(features.values(), dtype=np.float32, count=len(features))
        at = np.minimum(np.searchsorted(self.known, hashes), len(self.known) - 1)
        seen = self.known[at] == hashes
        sums = (counts[seen] @ self.table[at[seen]].astype(np.float32)) * self.step
        inner = len(self.turn)
        hidden = np.maximum(sums[:inner] @ self.turn + self.hidden_bias, 0)
        both = _sigmoid(sums[inner:] + self.bias) + _sigmoid(hidden @ self.out + self.out_bias)
        order = np.argsort(-both, kind="stable")
        return {str(self.labels[i]): float(both[i]) / 2 for i in order}

    def logits(self, feature: str) -> Floats:
        """What a feature adds to the first opinion on each label; 0 where it was never seen."""
        number = np.uint32(zlib.crc32(feature.encode()))
        at = int(np.searchsorted(self.known, number))
        if at == len(self.known) or self.known[at] != number:
            return np.zeros(len(self.labels), dtype=np.float32)
        inner = len(self.turn)
        found: Floats = self.table[at, inner:].astype(np.float32) * self.step[inner:]
        return found


def _sigmoid(sums: Floats) -> Floats:
    chances: Floats = (1 / (1 + np.exp(-np.clip(sums, -60, 60)))).astype(np.float32)
    return chances


def hashed(features: Iterable[tuple[str, float]]) -> dict[int, float]:
    """Hash of a feature → how much it counts; the first of two with one hash."""
    found: dict[int, float] = {}
    for feature, weight in features:
        found.setdefault(zlib.crc32(feature.encode()), weight)
    return found


@cache
def classifier(name: str) -> Classifier:
    """The one that is stored as `NAME.npz` beside this module: plain arrays, not packed."""
    file = _HERE / f"{name}.npz"
    with np.load(file, allow_pickle=False) as stored:
        read = {each.name: stored[each.name] for each in fields(Classifier) if each.name != "table"}
        table = _mapped(file, stored.zip.getinfo("table.npy"))
    return Classifier(table=table, **read)


def _mapped(file: Path, member: ZipInfo) -> npt.NDArray[np.int8]:
    """The array of a member, not read: a question needs few of its rows."""
    with file.open("rb") as opened:
        opened.seek(member.header_offset + _OF_LENGTHS)
        opened.seek(sum(unpack("<HH", opened.read(4))), SEEK_CUR)
        np.lib.format.read_magic(opened)
        shape, in_columns, dtype = np.lib.format.read_array_header_1_0(opened)
        order: Literal["F", "C"] = "F" if in_columns else "C"
        return np.asarray(np.memmap(opened, dtype, "r", opened.tell(), shape, order))


_OF_LENGTHS = 26
"""Where a file in an archive says how long its name is, and what stands behind that."""
