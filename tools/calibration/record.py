"""One measurement as the fit sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..cost_model.hierarchy import Path, ProcessorKind, class_of_path
from ..cost_model.work import whole_cost

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Record:
    """One measurement with everything that the fit needs of it."""

    id: str
    row: Mapping[str, str]
    network: str
    target: str
    device: str
    kind: ProcessorKind
    path: Path
    work: Floats
    """In the processor's unit of cost."""
    cost: float
    """Measured, in the same unit."""
    seconds: float

    def estimated(self, cost: Floats) -> float:
        """What coefficients make of its work, in the same unit."""
        return float(whole_cost(self.work * cost, class_of_path(self.path)))


def by_network(record: Record) -> str:
    return record.network


def by_board(record: Record) -> str:
    return record.target or record.device


def by_source(record: Record) -> str:
    """The repository that it was read in: one author's way to measure."""
    return record.row["repository"]
