"""The figures of one model on many deployments, as columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from ..core.deployment import Deployment, DeploymentRef
from ..core.frames import frame
from ..core.records import dataclass
from ..graph import ModelGraph
from ..memory_planner.region_placement import Placement
from ..placement.flags import OperatorFlags
from .bounds import BOUNDS
from .quantity_column import QuantityColumn

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Item = TypeVar("Item")
Number = TypeVar("Number", bound=np.generic)
_FIGURES = ("latency_ms", "energy_uj", "power_mw", "arena_bytes", "flash_bytes", "model_bytes")


class Lack(StrEnum):
    """What stands against a deployment, or is not known of it."""

    UNSUPPORTED_OPERATORS = "unsupported_operators"
    UNKNOWN_OPERATORS = "unknown_operators"
    DOES_NOT_FIT = "does_not_fit"
    FIT_UNKNOWN = "fit_unknown"
    TIME_UNKNOWN = "time_unknown"
    ENERGY_UNKNOWN = "energy_unknown"


@dataclass(frozen=True)
class Reason:
    lack: Lack
    stated: str


@dataclass(frozen=True, eq=False, repr=False)
class EstimateTable:
    """One row a deployment, in the order given. Each figure is that of the estimate made alone.

    A row is picked by its position: `table.latency_ms[3]` is a `Quantity`. All rows are numpy arrays:
    `table.latency_ms.value`, or every column by name in `to_dict()`.
    """

    deployments: tuple[Deployment, ...]
    models: tuple[ModelGraph, ...]
    """Of each row: one graph, or a named architecture in the usual precision of each runtime."""
    latency_ms: QuantityColumn
    """Of one batch."""
    energy_uj: QuantityColumn
    power_mw: QuantityColumn
    arena_bytes: QuantityColumn
    flash_bytes: QuantityColumn
    """Model and code; unknown while the code is."""
    model_bytes: QuantityColumn
    fits: Ints
    """1 yes, 0 no, -1 not known."""
    runs: Ints
    """Whether every operator is supported, likewise."""
    accelerated_layers: Ints
    """On an accelerator."""
    accelerated_share: Floats
    """Of the work (2 × MACs + element operations), what runs on kernels written for its processor, 0 to 1."""
    bound: Ints
    """Positions in `BOUNDS`."""
    placements: tuple[Placement, ...]
    flags: tuple[OperatorFlags, ...]

    def __len__(self) -> int:
        return len(self.deployments)

    def __repr__(self) -> str:
        names = dict.fromkeys(model.name for model in self.models)
        return f"<EstimateTable {', '.join(names)} on {len(self)} deployments>"

    def to_dict(self) -> dict[str, npt.NDArray[Any]]:
        """Columns by name, one value a deployment; NaN, or -1 of `fits` and `runs`, is what is unknown."""
        refs = [deployment.ref for deployment in self.deployments]
        names: dict[str, npt.NDArray[Any]] = {
            "model": np.array([model.name for model in self.models]),
            "target": np.array([ref.target for ref in refs]),
            "runtime": np.array([ref.runtime for ref in refs]),
            "clock_mhz": np.array([ref.clock_mhz for ref in refs]),
            "batch": np.array([ref.batch for ref in refs]),
            "threads": np.array([ref.threads for ref in refs]),
        }
        for name in _FIGURES:
            names |= getattr(self, name).to_dict(name)
        return names | {
            "fits": self.fits,
            "runs": self.runs,
            "accelerated_layers": self.accelerated_layers,
            "accelerated_share": self.accelerated_share,
            "bound": np.array([bound.value for bound in BOUNDS])[self.bound],
        }

    def to_frame(self) -> Any:
        """`to_dict` as a pandas DataFrame.

        Raises:
            UsageError: pandas is not installed.
        """
        return frame(self.to_dict())

    def ref(self, row: int) -> DeploymentRef:
        return self.deployments[row].ref

    def reasons(self, row: int) -> tuple[Reason, ...]:
        """What keeps the model from running there, or is not known."""
        return tuple(self._lacks(row))

    def _lacks(self, row: int) -> Iterator[Reason]:
        for state, lack in ((False, Lack.UNSUPPORTED_OPERATORS), (None, Lack.UNKNOWN_OPERATORS)):
            kinds = self._operators(row, state)
            if kinds:
                yield Reason(lack, f"{', '.join(sorted(kinds))} on {self.deployments[row].runtime.id}")
        if self.fits[row] != 1:
            lack = Lack.DOES_NOT_FIT if self.fits[row] == 0 else Lack.FIT_UNKNOWN
            yield Reason(lack, self.placements[row].why_not)
        if np.isnan(self.latency_ms.value[row]):
            yield Reason(Lack.TIME_UNKNOWN, "no measurement akin, or work that cannot be counted")
        elif np.isnan(self.energy_uj.value[row]):
            yield Reason(Lack.ENERGY_UNKNOWN, f"no source gives the power of {self.ref(row).target}")

    def _operators(self, row: int, state: bool | None) -> set[str]:
        graph, flags = self.models[row], self.flags[row]
        others = [op for sub in graph.subgraphs[1:] for op in sub.ops]
        ops = zip((*graph.ops, *others), (*flags.supported, *flags.elsewhere), strict=True)
        return {op.kind for op, supported in ops if supported is state}


def joined(tables: Sequence[EstimateTable], rows: Sequence[Sequence[int]]) -> EstimateTable:
    """The tables as one, whose row `rows[t][i]` is row i of table t."""
    order = np.argsort(np.concatenate([np.array(r, dtype=np.int64) for r in rows]))

    def column(each: Callable[[EstimateTable], QuantityColumn]) -> QuantityColumn:
        return QuantityColumn.joined([each(table) for table in tables]).take(order)

    def array(each: Callable[[EstimateTable], npt.NDArray[Number]]) -> npt.NDArray[Number]:
        return np.concatenate([each(table) for table in tables])[order]

    def items(each: Callable[[EstimateTable], tuple[Item, ...]]) -> tuple[Item, ...]:
        every = [item for table in tables for item in each(table)]
        return tuple([every[at] for at in order])

    return EstimateTable(
        deployments=items(lambda table: table.deployments),
        models=items(lambda table: table.models),
        latency_ms=column(lambda table: table.latency_ms),
        energy_uj=column(lambda table: table.energy_uj),
        power_mw=column(lambda table: table.power_mw),
        arena_bytes=column(lambda table: table.arena_bytes),
        flash_bytes=column(lambda table: table.flash_bytes),
        model_bytes=column(lambda table: table.model_bytes),
        fits=array(lambda table: table.fits),
        runs=array(lambda table: table.runs),
        accelerated_layers=array(lambda table: table.accelerated_layers),
        accelerated_share=array(lambda table: table.accelerated_share),
        bound=array(lambda table: table.bound),
        placements=items(lambda table: table.placements),
        flags=items(lambda table: table.flags),
    )
