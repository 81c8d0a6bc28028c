"""What share of a GPU's peaks a runtime reaches, fitted to ResNet-50 v1.5 at many batch sizes."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq, least_squares

from ...hardware_db import load_target
from ...hardware_db.calibration import AcceleratorCost
from ...hardware_db.derived import accelerator_peak_ops_per_s, region_bytes_per_s
from ..graph.costs import layer_table
from ..graph.layer_table import LayerTable, OpClass
from ..model_parser.architectures import build_architecture

Floats = npt.NDArray[np.float64]

SWEEP = ("nvidia-resnet50v1.5", "NVIDIA A100", "TensorFlow", "float16 AMP", "a100-sxm4-80gb")
SINGLE = ("ResNet50 (3 classes)", "Jetson AGX Orin", "TensorRT", "fp16", "jetson-agx-orin-64gb")
SINGLE_FACTOR = 3.0
"""Interval of efficiencies that rest on a single network."""


@dataclass(frozen=True)
class Machine:
    """Peaks of a GPU in float16, and the network that was measured on it."""

    table: LayerTable
    macs_per_s: float
    bytes_per_s: float

    def seconds(self, theta: Sequence[float], batch: int) -> float:
        """Time of one batch at efficiencies and overhead `theta`."""
        compute, memory, op_us = theta
        work = (self.table.macs + self.table.element_ops / 2) * batch / (self.macs_per_s * compute)
        moved = self.table.weight_bytes + (self.table.input_bytes + self.table.output_bytes) * batch
        launched = np.array([c is not OpClass.VIEW for c in self.table.classes])
        roof = np.maximum(work, moved / (self.bytes_per_s * memory))
        return float(((roof + op_us * 1e-6) * launched).sum())


def fit_accelerators(data: Path) -> tuple[AcceleratorCost, ...]:
    """TensorFlow from a sweep of batches; TensorRT, one share of both peaks, from one network."""
    sweep = _rows(data, SWEEP)
    swept = _machine(SWEEP[-1])

    def residuals(theta: Floats) -> Floats:
        guesses = [swept.seconds(np.exp(theta).tolist(), batch) for batch, _ in sweep]
        found: Floats = np.log(guesses) - np.log([seconds for _, seconds in sweep])
        return found

    fit = least_squares(residuals, np.log([0.3, 0.5, 20.0]), bounds=([-5, -5, -2], [0, 0, 7]), loss="soft_l1")
    compute, memory, op_us = np.exp(fit.x).tolist()
    worst = math.exp(float(np.quantile(np.abs(residuals(fit.x)), 0.9)))
    launch_us = _launch_us(data)
    (batch, seconds), *_ = single = _rows(data, SINGLE)
    other = _machine(SINGLE[-1])
    share = brentq(lambda e: other.seconds((e, e, launch_us), batch) - seconds, 0.05, 1.0)
    return (
        _cost("tensorflow", compute, memory, op_us, len(sweep), worst),
        _cost("tensorrt", float(share), float(share), launch_us, len(single), SINGLE_FACTOR),
    )


def _launch_us(data: Path) -> float:
    """Overhead of a TensorRT operator, about: half of the fastest small detector's time, over the operators
    of a backbone of its size. The other half is taken to be work."""
    with (data / "measurements.csv").open(newline="", encoding="utf-8") as file:
        fastest_ms = min(
            float(raw["latency_ms"])
            for raw in csv.DictReader(file)
            if raw["runtime"].startswith("TensorRT") and raw["device"].startswith("NVIDIA A100")
            and raw["model_name"] == "mlperf-inf-ssd-mobilenet"
        )  # fmt: skip
    return fastest_ms * 1e3 / 2 / len(build_architecture("mobilenet_v2").ops)


def _cost(
    runtime: str, compute: float, memory: float, op_us: float, rows: int, factor: float
) -> AcceleratorCost:
    return AcceleratorCost(
        runtime=runtime,
        kind="gpu",
        dtype="float16",
        compute_efficiency=float(f"{compute:.4g}"),
        memory_efficiency=float(f"{memory:.4g}"),
        op_us=float(f"{op_us:.4g}"),
        rows=rows,
        models=1,
        interval_factor=round(max(factor, SINGLE_FACTOR), 3),
    )


def _machine(target_id: str) -> Machine:
    target = load_target(target_id)
    gpu = next(unit for unit in target.accelerators if unit.kind == "gpu")
    peak = accelerator_peak_ops_per_s(gpu, "float16")
    clock = target.cores[0].clock_max_mhz.value
    bandwidths = [rate for r in target.memories if (rate := region_bytes_per_s(r, clock)) is not None]
    assert peak is not None
    return Machine(layer_table(build_architecture("resnet50", dtype="float16")), peak / 2, max(bandwidths))


def _rows(data: Path, wanted: tuple[str, str, str, str, str]) -> list[tuple[int, float]]:
    """(batch, seconds) of a model on a device with a runtime in a type, without a compiler on top."""
    with (data / "measurements.csv").open(newline="", encoding="utf-8") as file:
        return [
            (int(raw["batch"]), float(raw["latency_ms"]) / 1e3)
            for raw in csv.DictReader(file)
            if (raw["model_name"], raw["device"], raw["runtime"], raw["dtype"]) == wanted[:4]
            and raw["latency_ms"]
            and "XLA" not in raw["notes"]
        ]
