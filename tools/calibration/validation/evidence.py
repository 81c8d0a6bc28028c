"""Which measurements stand behind an estimate."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from ....hardware_db.coefficients import load_coefficients
from ....hardware_db.measurements import rows
from ...core.deployment import Deployment, DeploymentRef
from ...core.quantity import Result
from ...core.renamed import takes_where
from ...cost_model.deployment_path import deployment_path
from ...cost_model.features import work_features
from ...cost_model.hierarchy import Path
from ...cost_model.kernels import Tier
from ...cost_model.work import OVERHEAD, TRAFFIC
from ...placement.model_source import ModelSource, as_graph
from ..record import Record
from ..records import read_records

Floats = npt.NDArray[np.float64]

MOST = 20
ALIKE = 0.01
"""Distance below which two networks do the same work."""


class Evidence(Result):
    """A published figure, and where it was read."""

    id: str
    network: str
    """The network that was measured."""
    dtype: str
    device: str
    """The device as the source names it."""
    runtime: str
    runtime_version: str
    """Version of the runtime, where the source gives it."""
    clock_mhz: float | None
    batch: int
    latency_ms: float
    """Time of one batch, as published."""
    repository: str
    """Where it was published."""
    path: str
    """File in that repository."""
    commit: str
    """Commit that was read."""
    same_network: bool = False
    """Whether it is of the network that was asked about: by its name, or by the same work in a batch."""


class EvidenceReport(Result):
    """The measurements that the coefficients of an estimate were fitted to, networks most alike first."""

    main_rows: ClassVar[str] = "nearest"

    schema_version: str = "1.0"
    model: str = ""
    deployment: DeploymentRef
    akin_by: str
    """What the measurements share with the deployment: target, pair (library and core), runtime, isa; nothing
    where none is akin."""
    measurements: int
    """How many there are."""
    networks: int
    """Distinct networks among them."""
    nearest: tuple[Evidence, ...]
    """The measurements, networks most alike first."""
    assumptions: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return f"{self.measurements} measurements of {self.networks} networks"


@takes_where
def evidence(model: ModelSource, deployment: Deployment | str) -> EvidenceReport:
    """List the measurements that stand behind the latency of a model on a deployment.

    Args:
        model: a graph, a path or the name of an architecture.
        deployment: a deployment, or a target's name for its usual runtime.

    Raises:
        InputError: a model or target that cannot be used.

    Example:
        >>> board = deployment("stm32h743zi", "tflm-cmsis-nn")
        >>> report = evidence("kws.tflite", board)
        >>> report.akin_by, report.nearest[0].runtime
        ('target', 'tflm-cmsis-nn')
    """
    graph, place = as_graph(model, deployment)
    tier, node = nearest_node(deployment_path(place, graph.dtype))
    akin = _akin(place, tier, node)
    work = _comparable(work_features(graph).totals(place.batch))
    name = graph.name.removesuffix(f":{graph.dtype}")
    away = {record.id: _distance(work, _comparable(record.work)) for record in akin}
    same = {record.id for record in akin if record.network == name or away[record.id] < ALIKE}
    elsewhere = [] if same or tier is not Tier.TARGET else _of_network(place, name, graph.dtype)
    ordered = sorted(akin, key=lambda record: (record.id not in same, away[record.id], record.id))
    ordered, same = [*elsewhere, *ordered], same | {record.id for record in elsewhere}
    return EvidenceReport(
        model=graph.name,
        deployment=place.ref,
        akin_by=tier.value,
        measurements=len(akin),
        networks=len({record.network for record in akin}),
        nearest=tuple(_evidence(record, record.id in same) for record in ordered[:MOST]),
        assumptions=place.assumptions,
        warnings=() if akin else ("no measurement is akin to this deployment",),
    )


def nearest_node(path: Path) -> tuple[Tier, str]:
    """The most special node of a path that was fitted, by the tiers that intervals are known for."""
    by_level = {node.partition(":")[0]: node for node in path if node in load_coefficients().nodes}
    return next(((tier, by_level[tier.value]) for tier in Tier if tier.value in by_level), (Tier.NOTHING, ""))


def _akin(deployment: Deployment, tier: Tier, node: str) -> list[Record]:
    """Records that hold the node; a network is only read for them."""
    match tier:
        case Tier.NOTHING:
            return []
        case Tier.TARGET:
            found = (row for row in rows() if row["target"] == deployment.target.measured_as)
            return read_records(found, within=node)
        case Tier.PAIR | Tier.RUNTIME:
            return read_records((r for r in rows() if r["runtime"] == deployment.runtime.id), within=node)
        case _:
            return read_records(within=node)


def _of_network(deployment: Deployment, network: str, dtype: str) -> list[Record]:
    """Records of the very network with this library on the same core of other targets."""
    pair = next((node for node in deployment_path(deployment, dtype) if node.startswith(Tier.PAIR.value)), "")
    akin = read_records((r for r in rows() if r["runtime"] == deployment.runtime.id), within=pair)
    return [record for record in akin if record.network == network]


def _comparable(work: Floats) -> Floats:
    """Work without traffic and launches, which are counted in units of the processor."""
    kept = work.copy()
    kept[OVERHEAD + TRAFFIC] = 0.0
    return kept


def _distance(one: Floats, other: Floats) -> float:
    """How many times more work, in logarithms, and how differently it is spread over kinds of work."""
    a, b = float(one.sum()), float(other.sum())
    if not a or not b:
        return np.inf
    return abs(float(np.log(a / b))) + float(np.abs(one / a - other / b).sum())


def _evidence(record: Record, is_same: bool) -> Evidence:
    row = record.row
    return Evidence(
        id=record.id,
        network=record.network,
        dtype=row["dtype"],
        device=record.device,
        runtime=row["runtime"],
        runtime_version=row["runtime_version"],
        clock_mhz=float(row["clock_mhz"]) if row["clock_mhz"] else None,
        batch=int(row["batch"] or 1),
        latency_ms=float(row["latency_ms"]),
        repository=row["repository"],
        path=row["path"],
        commit=row["commit"],
        same_network=is_same,
    )
