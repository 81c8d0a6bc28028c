"""Fit kernel costs and power to published measurements: `python -m edgewright.tools.roofline.fit DATA`.

DATA holds `measurements.csv` and the model files that its rows point at. For every group of one runtime,
instruction set and type, cycles = Σ coefficient × work, in log space with a Huber loss and shrunk towards
the pattern of all groups, so that few measurements move it little. The interval is that of the errors on
networks that were left out.
"""

from __future__ import annotations

import csv
import hashlib
import math
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import least_squares

from ...hardware_db.calibration import ActivePower, Calibration, KernelCost
from ..graph import ModelGraph
from ..graph.costs import layer_table
from ..model_parser import parse_model
from .fit_gpu import fit_accelerators
from .fit_names import CORES, DTYPES, POWERED, RUNTIMES
from .work import work_columns

Floats = npt.NDArray[np.float64]

USABLE_HINTS = {"calibration", "validation", "overhead_calibration"}
USABLE_FLAGS = {"", "model_reconstructed", "overhead_bound", "model_equivalent_not_identical"}
FLOAT_ON_REFERENCE = ("tflm-cmsis-nn", "tflm-reference")
PATTERN = np.log([1.0, 2.0, 1.0, 3.0, 20.0, 5.0, 500.0])
"""Where coefficients shrink to, up to a common factor: cycles per MAC of convolutions, depthwise and dense
layers, per element, per element of a transcendental function, per output element, per operator."""
SHRINKAGE = 0.3
HUBER = 0.2
Z_90 = 1.645
LEAST_FACTOR = 1.15
FEW_MODELS = 4
FEW_MODELS_FACTOR = 2.0


@dataclass(frozen=True)
class Row:
    """One usable latency measurement."""

    group: tuple[str, str, str]
    model: str
    work: tuple[float, ...]
    cycles: float


def main(data: Path, output: Path) -> None:
    rows = list(read_rows(data))
    groups: dict[tuple[str, str, str], list[Row]] = defaultdict(list)
    for row in rows:
        for group in same_kernels(row.group):
            groups[group].append(row)
    calibration = Calibration(
        schema_version="1.0",
        data_sha256=hashlib.sha256((data / "measurements.csv").read_bytes()).hexdigest(),
        kernels=tuple(fit_group(key, groups[key]) for key in sorted(groups)),
        accelerators=fit_accelerators(data),
        power=tuple(fit_power(data)),
    )
    output.write_text(calibration.model_dump_json(indent=1) + "\n", encoding="utf-8")
    for kernel in calibration.kernels:
        name = f"{kernel.runtime} {kernel.isa} {kernel.dtype}"
        size = f"{kernel.rows:4} rows {kernel.models:3} models"
        print(f"{name:44} {size}  median error {kernel.median_ape:.1%}")


def read_rows(data: Path) -> Iterator[Row]:
    """Latency rows with a model file, a known clock and no doubt about them."""
    graphs: dict[str, tuple[float, ...] | None] = {}
    for raw in _table(data):
        group = _group(raw)
        if group is None or not raw["latency_ms"] or not raw["clock_mhz"]:
            continue
        if raw["use_hint"] not in USABLE_HINTS or raw["flag"] not in USABLE_FLAGS:
            continue
        if "-Os" in raw["runtime_version"]:
            continue
        path = raw["local_model"]
        if not path.endswith(".tflite"):
            continue
        if path not in graphs:
            graphs[path] = work_of(parse_model(data / path))
        work = graphs[path]
        if work is None:
            continue
        cycles = float(raw["latency_ms"]) * float(raw["clock_mhz"]) * 1e3
        yield Row(group, raw["model_blob_sha"] or path, work, cycles)


def work_of(graph: ModelGraph) -> tuple[float, ...] | None:
    """Totals of the priced columns, and the number of operators; None if not all of it can be counted."""
    table = layer_table(graph)
    if not table.counted.all():
        return None
    return (*work_columns(table).sum(axis=0).tolist(), float(len(table)))


def same_kernels(group: tuple[str, str, str]) -> tuple[tuple[str, str, str], ...]:
    """TFLM runs float on its reference kernels, whatever library its integer kernels are from."""
    runtime, isa, dtype = group
    if dtype == "float32" and runtime in FLOAT_ON_REFERENCE:
        both = FLOAT_ON_REFERENCE if isa.startswith("cortex-m") else FLOAT_ON_REFERENCE[1:]
        return tuple((name, isa, dtype) for name in both)
    return (group,)


def fit_group(key: tuple[str, str, str], rows: Sequence[Row]) -> KernelCost:
    """Coefficients of one group, with the error on networks left out."""
    models = sorted({row.model for row in rows})
    theta = _fit(rows)
    errors = []
    for model in models:
        kept = [row for row in rows if row.model != model]
        left_out = [row for row in rows if row.model == model]
        guess = _fit(kept) if kept else PATTERN
        errors.append(float(np.median([_log_error(guess, row) for row in left_out])))
    spread = math.exp(Z_90 * 1.4826 * float(np.median(np.abs(errors)))) if len(models) > 1 else 0.0
    tail = math.exp(float(np.quantile(np.abs(errors), 0.9))) if len(models) > 1 else 0.0
    least = LEAST_FACTOR if len(models) >= FEW_MODELS else FEW_MODELS_FACTOR
    prices = (float(f"{value:.4g}") for value in np.exp(theta))
    conv, depthwise, dense, element, transcendental, output, op = prices
    return KernelCost(
        runtime=key[0], isa=key[1], dtype=key[2],
        conv=conv, depthwise=depthwise, dense=dense, element=element,
        transcendental=transcendental, output=output, op=op,
        rows=len(rows),
        models=len(models),
        interval_factor=round(max(spread, tail, least), 3),
        median_ape=round(float(np.median(np.abs(np.expm1(errors)))), 4),
    )  # fmt: skip


def _fit(rows: Sequence[Row]) -> Floats:
    work = np.array([row.work for row in rows])
    cycles = np.array([row.cycles for row in rows])
    counts: dict[str, int] = defaultdict(int)
    for row in rows:
        counts[row.model] += 1
    weight = np.array([1 / math.sqrt(counts[row.model]) for row in rows])
    scale = float(np.median(np.log(cycles) - np.log(work @ np.exp(PATTERN))))
    start = PATTERN + np.array([*[scale] * 6, 0.0])

    def residuals(theta: Floats) -> Floats:
        misfit = (np.log(work @ np.exp(theta)) - np.log(cycles)) * weight
        off_pattern = theta - PATTERN
        off_pattern[:-1] -= off_pattern[:-1].mean()
        shrunk: Floats = np.concatenate([_huber(misfit), SHRINKAGE * off_pattern])
        return shrunk

    found: Floats = least_squares(residuals, start).x
    return found


def _huber(misfit: Floats) -> Floats:
    """Residuals whose squares are the Huber loss: quadratic within `HUBER`, linear beyond."""
    size = np.abs(misfit)
    linear = np.sqrt(np.maximum(2 * HUBER * size - HUBER**2, 0.0))
    return np.sign(misfit) * np.where(size <= HUBER, size, linear)


def _log_error(theta: Floats, row: Row) -> float:
    return math.log(float(np.array(row.work) @ np.exp(theta)) / row.cycles)


def fit_power(data: Path) -> Iterator[ActivePower]:
    """Median power per MHz of every target whose energy was measured, at the supply measured most often."""
    seen: dict[tuple[str, str], list[tuple[float, str]]] = defaultdict(list)
    for raw in _table(data):
        target = POWERED.get(raw["device"])
        if target is None or raw["use_hint"] == "exclude" or not raw["clock_mhz"]:
            continue
        if not raw["energy_uj"] or not raw["latency_ms"] or "clock_unverified" in raw["flag"]:
            continue
        mw = float(raw["energy_uj"]) / float(raw["latency_ms"])
        seen[target, raw["supply_mv"]].append((mw / float(raw["clock_mhz"]), raw["model_name"]))
    for target in sorted({target for target, _ in seen}):
        supply_mv = max((mv for t, mv in seen if t == target), key=lambda mv: len(seen[target, mv]))
        found = seen[target, supply_mv]
        logs = np.log([value for value, _ in found])
        spread = math.exp(float(np.quantile(np.abs(logs - np.median(logs)), 0.9)))
        yield ActivePower(
            target=target,
            supply_v=float(supply_mv) / 1e3,
            mw_per_mhz=float(f"{math.exp(float(np.median(logs))):.4g}"),
            rows=len(found),
            models=len({model for _, model in found}),
            interval_factor=round(max(spread, LEAST_FACTOR if len(found) > 2 else FEW_MODELS_FACTOR), 3),
        )


def _group(raw: dict[str, str]) -> tuple[str, str, str] | None:
    runtime, isa, dtype = RUNTIMES.get(raw["runtime"]), CORES.get(raw["core"]), DTYPES.get(raw["dtype"])
    return None if runtime is None or isa is None or dtype is None else (runtime, isa, dtype)


def _table(data: Path) -> list[dict[str, str]]:
    with (data / "measurements.csv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


if __name__ == "__main__":
    from ...hardware_db import calibration as package

    main(Path(sys.argv[1]), Path(package.__file__).parent / "fitted.json")
