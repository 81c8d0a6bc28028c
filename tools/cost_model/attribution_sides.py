"""One of two deployments whose latencies are compared: the parts of its cost that another's can stand for."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from ..core.deployment import Deployment
from ..core.records import dataclass, replace
from ..graph import ModelGraph
from .coefficients import costs_of, rates_of
from .deployment_path import deployment_path, hardware_of, width_type
from .features import COLUMN, WorkFeatures, work_features
from .hardware_figures import HardwareFigures
from .hierarchy import (
    Path,
    ProcessorKind,
    calibration_path,
    class_of,
    computed_type,
    highest_clock_mhz,
    processor_of,
)
from .kernels import Kernels, kernels_on
from .peaks import peak_macs_per_s, widest_bytes_per_s
from .study import Study, study
from .times import waits_for_memory
from .work import OVERHEAD, TRAFFIC, Floats, least_macs

_COMPUTED = [at for at in COLUMN.values() if at not in OVERHEAD + TRAFFIC]


class Why(StrEnum):
    """What makes two deployments differ in latency."""

    CLOCK = "clock"
    THREADS = "threads"
    WIDTH = "arithmetic width"
    """MACs that a processor starts in a cycle at most: SIMD, FPU, an array of multipliers."""
    CORE = "core"
    """What it reaches of that: pipeline, instruction set, caches."""
    KERNELS = "kernels"
    NUMBERS = "number type"
    BATCH = "batch"
    MEMORY = "memory"
    """Moving activations and weights, and wait states."""
    OVERHEAD = "overhead"
    """Starting operators."""
    PLACEMENT = "placement"
    """Layers that fall back to the CPU, and what moves because of them."""
    BOARD = "board"
    """What measurements of the board show beyond its core and kernels: no single cause is known."""
    MEASUREMENT = "measurement"
    """What measurements of this very model show beyond the cost model: likewise."""


@dataclass(frozen=True, eq=False)
class Side:
    """A model on a deployment. Methods take the side whose model is computed, and its parts, by cause."""

    study: Study

    @classmethod
    def of(cls, graph: ModelGraph, deployment: Deployment) -> Self:
        return cls(study(graph, deployment))

    @property
    def deployment(self) -> Deployment:
        return self.study.deployment

    @cached_property
    def work(self) -> WorkFeatures:
        return work_features(self.study.graph)

    @cached_property
    def kind(self) -> ProcessorKind:
        return processor_of(self.deployment)[0]

    @cached_property
    def group(self) -> str:
        """Class of processors that is fitted together."""
        return class_of(*processor_of(self.deployment))

    @property
    def is_core(self) -> bool:
        """Whether everything is priced in cycles of its clock."""
        return self.kind is not ProcessorKind.UNIT

    @property
    def clock_mhz(self) -> float:
        return self.deployment.clock_mhz

    @cached_property
    def layers(self) -> Mapping[str, npt.NDArray[np.int64]]:
        """Of each type of arithmetic the layers whose work is known."""
        dtypes = np.array(self.work.table.dtypes)
        return {d: np.flatnonzero((dtypes == d) & self.work.table.counted) for d in sorted(set(dtypes))}

    @cached_property
    def main_dtype(self) -> str:
        """The type that most MACs are done in."""
        macs = self.work.table.macs
        return max(self.layers, key=lambda dtype: int(macs[self.layers[dtype]].sum()))

    @cached_property
    def parts(self) -> Mapping[Why, Hashable]:
        """What it has of each cause: causes of which two deployments have the same explain nothing.

        None where it is not known: an accelerator whose clock no source gives, a core without a known peak.
        """
        place, levels, processor = self.deployment, self.study.levels, processor_of(self.deployment)
        clocked = place.accelerator is None or place.accelerator.clock_max_mhz is not None
        kernels, particular = self._own(self.main_dtype), self._particular(self.main_dtype)
        costs = None if kernels is None else kernels.cost.tobytes()
        return {
            Why.CLOCK: place.clock_mhz if clocked else None,
            Why.THREADS: place.threads,
            Why.WIDTH: self.width(self.main_dtype),
            Why.CORE: (processor, place.core.id, self._hardware(self.main_dtype)),
            Why.KERNELS: (place.runtime.id, place.release),
            Why.NUMBERS: self.study.graph.sha256,
            Why.BATCH: place.batch,
            Why.MEMORY: (levels.activations, levels.weights, highest_clock_mhz(place.target), costs),
            Why.OVERHEAD: costs,
            Why.BOARD: None if particular is None else particular.tobytes(),
        }

    @property
    def placement(self) -> float:
        """How many times as long it takes as if no layer fell back to the CPU."""
        shared = self.study.shared
        return float(shared.times.total_s.sum() / shared.accelerated.total_s.sum()) if shared else 1.0

    @property
    def measured(self) -> float:
        """The latency over the cost model's."""
        return self.study.anchor.ratio if self.study.anchor else 1.0

    def can_run(self, other: Side) -> bool:
        """Whether the other's kernels exist for it."""
        return self.group == other.group and other.deployment.runtime.id in self.deployment.target.runtimes

    def width(self, dtype: str) -> float | None:
        """MACs that a thread, or an accelerator, starts in a cycle at most."""
        place = self.deployment
        peak = peak_macs_per_s(place, computed_type(place.runtime.id, processor_of(place)[1], dtype))
        return None if peak is None else peak / (place.clock_mhz * 1e6 * place.threads)

    def compute_s(
        self,
        model: Side,
        dtype: str,
        batch: int,
        *,
        kernels: Side,
        board: Side,
        waits: Side,
        threads: Side,
    ) -> Floats | None:
        """Seconds of the arithmetic of each layer of a type at its own clock; None where unknown."""
        path = self._path(dtype, kernels=kernels, waits=waits, threads=threads)
        found, particular = kernels_on(path), board._particular(dtype)
        if found is None or particular is None:
            return None
        return self._costed(_COMPUTED, model, dtype, batch, replace(found, cost=found.cost * particular))

    def moved_s(self, model: Side, dtype: str, batch: int) -> Floats | None:
        found = self._own(dtype)
        return None if found is None else self._costed(TRAFFIC, model, dtype, batch, found)

    def started_s(self, model: Side, dtype: str, batch: int) -> Floats | None:
        found = self._own(dtype)
        return None if found is None else self._costed(OVERHEAD, model, dtype, batch, found)

    def least_macs(self, model: Side, dtype: str, batch: int) -> Floats:
        found: Floats = least_macs(model.work.columns, model.work.table.macs, self.kind)[model.layers[dtype]]
        return found * batch

    def roof_s(self, model: Side, dtype: str, batch: int) -> Floats | float:
        """Seconds to move a layer's bytes at full bandwidth, where nothing can hide that."""
        levels = self.study.levels
        if levels.assumptions or not waits_for_memory(self.deployment):
            return 0.0
        columns = model.work.columns[model.layers[dtype]]
        activations, weights = (columns[:, COLUMN[name]] for name in ("activation_bytes", "weight_bytes"))
        found: Floats = activations * batch / (levels.activations.bytes_per_s or np.inf)
        return found + weights / (levels.weights.bytes_per_s or np.inf)

    def _own(self, dtype: str) -> Kernels | None:
        return kernels_on(deployment_path(self.deployment, dtype))

    def _particular(self, dtype: str) -> Floats | None:
        """(features,): what measurements of the very target make of the costs of its core and kernels."""
        own = self._own(dtype)
        usual = kernels_on(self._path(dtype, kernels=self, waits=self, threads=self))
        return None if own is None or usual is None else own.cost / usual.cost

    def _path(self, dtype: str, *, kernels: Side, waits: Side, threads: Side) -> Path:
        """As `deployment_path` without the target, and with parts of others."""
        kind, processor = processor_of(self.deployment)
        ceiling = self.deployment.core.macs_per_cycle.get(width_type(kind, dtype))
        chip = waits if kind is ProcessorKind.MCU else self
        return calibration_path(
            kind, processor, dtype, kernels.deployment.runtime.id,
            version=kernels.deployment.release,
            threads=threads.deployment.threads if kind is ProcessorKind.CPU else 0,
            chip_mhz=highest_clock_mhz(chip.deployment.target),
            macs_per_cycle=None if ceiling is None else ceiling.value,
            hardware=self._hardware(dtype),
        )  # fmt: skip

    def _hardware(self, dtype: str) -> HardwareFigures | None:
        return None if self.is_core else hardware_of(self.deployment, processor_of(self.deployment)[1], dtype)

    def _costed(self, columns: list[int], model: Side, dtype: str, batch: int, kernels: Kernels) -> Floats:
        place = self.deployment
        rates = rates_of(place, self.kind, dtype, widest_bytes_per_s(place.target, place.clock_mhz))
        costs = costs_of(kernels, self.kind, rates, batch)
        work = model.work.columns[model.layers[dtype]]
        seconds: Floats = work[:, columns] @ costs[columns] / rates.per_s
        return seconds
