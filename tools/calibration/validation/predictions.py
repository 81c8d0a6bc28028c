"""What the product says where somebody measured."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ....hardware_db import load_target, target_ids
from ....hardware_db.errors import EdgewrightError
from ....hardware_db.measurements import networks
from ....hardware_db.user_files import Directories
from ...core.deployment import Deployment, deployment
from ...core.quantity import Quantity
from ...core.settings import Settings
from ...cost_model.energy import energy
from ...cost_model.estimate import estimate_of
from ...cost_model.hierarchy import SAME_KERNELS, ProcessorKind, processor_of
from ...cost_model.kernels import kernels_on
from ...cost_model.performance_estimate import PerformanceEstimate
from ...cost_model.power import active_power
from ...cost_model.study import study
from ...graph import ModelGraph
from ...graph.serialize import graph_from_json
from ...memory_planner.reporting import plan as memory_plan
from ...model_zoo.named import build_architecture
from ..importer import read_network
from ..impossible import breaks_physics
from ..record import Record
from ..records import record_of
from ..work import graph_of_type
from .own_rows import OwnRow
from .validation_report import Measured

COST_MODEL_ALONE = Settings(measured_first=False)
"""A score with the measurement in the estimate would be none."""


@dataclass(frozen=True)
class Prediction:
    """Figures of one row; those that cannot be known are missing."""

    figures: Mapping[Measured, Quantity]
    why_not: str = ""
    """Why there is no latency."""
    estimated: bool = False
    """By the deployment's estimate; otherwise by the calibration, for a board that the database lacks."""
    refused: str = ""
    """What physics has against the measurement."""


def predict(own: OwnRow, own_hardware: Directories = ()) -> Prediction:
    """Latency, energy and memory, as far as the row has asked for them and they can be known."""
    if own.odd:
        return Prediction({}, own.odd)
    try:
        graph = _graph(own)
        record = record_of(own.row, None if graph is None else lambda _: graph)
        refused = breaks_physics(record) if record is not None else ""
        if refused:
            return Prediction({}, refused=refused)
        estimated = _estimated(own.row, graph, _place(own.row, own_hardware))
    except EdgewrightError as error:
        return Prediction({}, error.message)
    return estimated or _calibrated(own.row, graph, record)


def _graph(own: OwnRow) -> ModelGraph | None:
    """The network; None where only its likeness is known, whose work is scaled."""
    name = own.row["network"]
    if own.file is not None:
        return _read(own.file, own.row["dtype"])
    return None if not name or "*" in name else _named(name, own.row["dtype"])


@functools.lru_cache(maxsize=256)
def _read(file: Path, dtype: str) -> ModelGraph:
    return graph_of_type(read_network(file), dtype)


@functools.lru_cache(maxsize=256)
def _named(name: str, dtype: str) -> ModelGraph | None:
    text = networks().get(name)
    if text is None and name.endswith((".tflite", ".param")):
        return None
    return graph_of_type(build_architecture(name) if text is None else graph_from_json(text), dtype)


def _place(row: Mapping[str, str], own: Directories) -> Deployment | None:
    """The deployment that a row was measured on; None where the database has not got it."""
    if row["target"] not in _targets(own) or row["runtime"] not in load_target(row["target"], own).runtimes:
        return None
    clock = float(row["clock_mhz"]) if row["clock_mhz"] else None
    settings = COST_MODEL_ALONE.model_copy(update={"hardware_directories": own})
    try:
        where = deployment(
            row["target"], row["runtime"], clock_mhz=clock, batch=int(row["batch"] or 1),
            threads=int(row["threads"] or 1), settings=settings,
        )  # fmt: skip
    except EdgewrightError:
        return None
    kind, processor = processor_of(where)
    meant = (ProcessorKind.UNIT, row["processor"]) if row["kind"] == "unit" else (kind, row["processor"])
    threads_unknown = kind is ProcessorKind.CPU and not row["threads"] and where.core.count.value > 1
    return None if (kind, processor) != meant or threads_unknown else where


@functools.cache
def _targets(own: Directories) -> frozenset[str]:
    return frozenset(target_ids(own))


def _estimated(
    row: Mapping[str, str], graph: ModelGraph | None, deployment: Deployment | None
) -> Prediction | None:
    if graph is None or deployment is None or not _ran_as(graph, row["dtype"]):
        return None
    estimate = estimate_of(study(graph, deployment))
    if estimate.latency_ms.value is None:
        return Prediction({}, _unknown(estimate))
    figures = {Measured.LATENCY: estimate.latency_ms, Measured.ENERGY: estimate.energy_uj}
    if row["supply_mv"]:
        power = active_power(deployment, supply_v=float(row["supply_mv"]) / 1e3)
        figures[Measured.ENERGY] = energy(power.milliwatts, estimate.latency_ms)
    figures |= _memory(row, graph, deployment)
    return Prediction({what: q for what, q in figures.items() if q.value is not None}, estimated=True)


def _memory(row: Mapping[str, str], graph: ModelGraph, deployment: Deployment) -> dict[Measured, Quantity]:
    if not any(row[what.column] for what in (Measured.ACTIVATIONS, Measured.FLASH, Measured.WEIGHTS)):
        return {}
    plan = memory_plan(graph, deployment)
    return {
        Measured.ACTIVATIONS: plan.arena.scaled(1 / 1024, "KiB"),
        Measured.FLASH: plan.flash.scaled(1 / 1024, "KiB"),
        Measured.WEIGHTS: Quantity.exact(plan.model_bytes / 1024, "KiB"),
    }


def _unknown(estimate: PerformanceEstimate) -> str:
    """Why the estimate has no latency."""
    why = next((warning for warning in estimate.warnings if "time unknown" in warning), "")
    without = sorted({layer.op for layer in estimate.layers if layer.latency_ms is None})
    return why or f"the estimate has no time for its operators {', '.join(without)}"


def _ran_as(graph: ModelGraph, dtype: str) -> bool:
    return SAME_KERNELS.get(graph.dtype, graph.dtype) == (SAME_KERNELS.get(dtype, dtype) or graph.dtype)


def _calibrated(row: Mapping[str, str], graph: ModelGraph | None, record: Record | None) -> Prediction:
    """By the nodes that the row's own words lead to."""
    if record is None:
        return Prediction({}, _missing(row, graph))
    kernels = kernels_on(record.path)
    if kernels is None:
        return Prediction({}, f"nothing of type {row['dtype']} was measured on a {record.kind}")
    ms = record.estimated(kernels.cost) / record.cost * record.seconds * 1e3
    latency = Quantity.within_factor(ms, kernels.interval_factor, "ms", kernels.basis)
    return Prediction({Measured.LATENCY: latency})


def _missing(row: Mapping[str, str], graph: ModelGraph | None) -> str:
    if not row["latency_ms"]:
        return "no latency"
    if not row["network"]:
        return "its network is none that we can build, and it names no model file"
    if graph is None and "*" not in row["network"]:
        return "its model file is not there"
    for name, label in (("dtype", "type"), ("processor", "processor")):
        if not row[name]:
            return f"its {label} is not stated"
    return f"flagged as no measure of the network alone: {row['flag']}" if row["flag"] else "work unknown"
