"""One unit of a sweep: a variant on a chunk of deployments, as rows of the results."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from ...hardware_db.errors import EdgewrightError
from ..core.deployment_table import DeploymentTable
from ..core.records import dataclass
from ..core.render.csv_lines import csv_lines, number
from ..cost_model.bounds import BOUNDS
from ..cost_model.estimate_table import EstimateTable
from ..cost_model.table import estimate_many
from ..graph import ModelGraph
from ..graph.costs.table import layer_table
from ..graph.memoize import memoized
from ..memory_planner.liveness import liveness
from ..optimization_simulator.techniques.catalogue import reason_of
from ..verdicts.judge import MARGINAL, PASS, VERDICTS, Judged, overall
from ..verdicts.rules import judged, prices
from .budgets import judged_models, violations
from .columns import FIGURES, flags, numbers, quantity_cells
from .job import Unit, Workplace
from .variants import Changed

Cells = list[list[str]]


@dataclass(frozen=True)
class Part:
    """The results of one unit: rows as they stand in the CSV file, and what was left out, with the reason."""

    rows: int
    left_out: dict[str, int]
    lines: str

    def as_bytes(self) -> bytes:
        body = self.lines.encode()
        head = {"rows": self.rows, "left_out": self.left_out, "sha256": hashlib.sha256(body).hexdigest()}
        return json.dumps(head).encode() + b"\n" + body

    @classmethod
    def from_bytes(cls, data: bytes) -> Part:
        """Raises ValueError where the bytes are not those of a part, or not all of them."""
        head, _, body = data.partition(b"\n")
        known_ = json.loads(head)
        if not isinstance(known_, dict) or known_.get("sha256") != hashlib.sha256(body).hexdigest():
            raise ValueError("damaged")
        return cls(int(known_["rows"]), dict(known_["left_out"]), body.decode())


def evaluate(unit: Unit, work: Workplace) -> Part:
    """Rows in the order of the unit; deployments that share a graph are estimated at once."""
    left_out: Counter[str] = Counter()
    lines: dict[int, Sequence[str]] = {}
    for changed, rows in _by_graph(unit, work):
        reason = changed.reason
        if changed.graph is not None:
            try:
                lines |= dict(zip(rows, _rows(unit, changed, changed.graph, rows, work), strict=True))
                continue
            except EdgewrightError as error:
                reason = reason_of(error)
        left_out[f"{unit.variant.model}, {unit.variant.transform}: {reason}"] += len(rows)
    return Part(len(lines), dict(left_out), csv_lines(lines[row] for row in unit.rows if row in lines))


def _by_graph(unit: Unit, work: Workplace) -> Iterator[tuple[Changed, tuple[int, ...]]]:
    transformed = work.transformed(unit.variant)
    found: dict[int, tuple[Changed, list[int]]] = {}
    for row in unit.rows:
        place = work.places.table[unit.start + row]
        changed = transformed.on(work.graph(unit.variant.model, place), place)
        found.setdefault(id(changed), (changed, []))[1].append(row)
    return ((changed, tuple(rows)) for changed, rows in found.values())


def _rows(
    unit: Unit, changed: Changed, graph: ModelGraph, rows: tuple[int, ...], work: Workplace
) -> Iterator[tuple[str, ...]]:
    places = work.table(unit.start, rows)
    table = estimate_many(graph, places)
    parts = [*judged(table, places, work.limits.hard), *judged_models(work.thresholds, table)]
    verdict = overall(parts)
    cells = [
        *_model_cells(unit, changed, graph, len(places)),
        *places.memoized("sweep cells", lambda: _place_cells(places)),
        *(cell for name in FIGURES for cell in quantity_cells(getattr(table, name))),
        *_estimate_cells(table, places),
        [VERDICTS[at].value for at in verdict.tolist()],
        flags((verdict <= MARGINAL).astype(np.int64)),
    ]
    for oversteps, known in violations(work.thresholds, table, places, work.limits.reserve_bytes):
        cells.append(flags(np.where(known, oversteps, -1).astype(np.int64)))
    cells.append(_reasons(parts, verdict))
    return zip(*cells, strict=True)


def _model_cells(unit: Unit, changed: Changed, graph: ModelGraph, count: int) -> Cells:
    table = layer_table(graph)
    known = bool(np.all(table.counted))
    peak = memoized(graph, "sweep peak", None, lambda: _peak_activation_bytes(graph))
    texts = (
        unit.variant.model, unit.variant.transform, graph.sha256, changed.precision,
        str(table.total_macs) if known else "", str(graph.parameter_bytes), "" if peak is None else str(peak),
    )  # fmt: skip
    return [[text] * count for text in texts]


def _peak_activation_bytes(graph: ModelGraph) -> int | None:
    """The most that is alive at once with operators in the file's order, before any runtime has its say."""
    try:
        live = liveness(graph, lambda tensor: tensor.bytes).live_bytes()
    except EdgewrightError:
        return None
    return int(live.max(initial=0))


def _place_cells(places: DeploymentTable) -> Cells:
    refs = [place.ref for place in places]
    return [
        [ref.target for ref in refs],
        [place.target.target_class.value for place in places],
        [ref.runtime for ref in refs],
        [ref.processor for ref in refs],
        [number(float(ref.clock_mhz)) for ref in refs],
        [str(ref.batch) for ref in refs],
        numbers(prices(places).value),
    ]


def _estimate_cells(table: EstimateTable, places: DeploymentTable) -> Cells:
    batches = np.array([place.batch for place in places], dtype=np.float64)
    with np.errstate(divide="ignore"):
        rate = batches * 1e3 / table.latency_ms.value
    return [
        numbers(rate),
        [BOUNDS[at].value for at in table.bound.tolist()],
        numbers(table.accelerated_share),
        flags(table.fits),
        flags(table.runs),
    ]


def _reasons(parts: list[Judged], verdict: npt.NDArray[np.int64]) -> list[str]:
    """What decides each verdict, where that is not PASS."""
    of_parts = [(part, part.verdict.tolist()) for part in parts]
    notes = []
    for row, decided in enumerate(verdict.tolist()):
        deciding = [part for part, each in of_parts if each[row] == decided] if decided != PASS else []
        notes.append("; ".join(f"{part.name}: {part.sentence(row)}" for part in deciding))
    return notes
