"""What this machine really reaches: the ceilings of its roofline, measured in about two seconds.

The method is the usual one: a large matrix product for the peak of a type, a copy that fits no cache for the
bandwidth, each at its fastest repetition; a byte that is copied counts twice, as it is read and written.
"""

from __future__ import annotations

import datetime
import functools
import json
from pathlib import Path

from ...hardware_db.cited import ClaimKind, Leaf, Source
from ...hardware_db.errors import EdgewrightError, UsageError
from ..core.deployment import Deployment
from ..core.isolated import FailedError, run_isolated, worker_folder
from ..core.quantity import Result
from ..graph import DType, ModelGraph
from ..graph.builder import GraphBuilder
from ..graph.costs.table import layer_table
from ..graph.requantize import to_int8
from ..model_formats.writer.save import save_tflite
from ..traces.measured_profile import AttainedRates, MeasuredProfile
from .host import TARGET, machine_name

SECONDS, MEMORY_BYTES = 60, 8 << 30
ROWS, COLUMNS, BYTES = 256, 1024, 64 << 20
"""Of the matrix product, and of what each core copies."""
_WORKER = f"{__package__}.worker"
_HERE = "here"


class TypePeak(Result):
    """The fastest large matrix product of one type."""

    dtype: str
    """float32 or int8."""
    gops: float
    """10^9 operations per second; 1 MAC is 2."""
    by: str
    """What computed it."""


class HostCeilings(Result):
    """Peaks of this machine, as they were measured."""

    schema_version: str = "1.0"
    machine: str
    """Its processor and system."""
    threads: int
    """Cores that worked at once."""
    bandwidth_gb_s: float
    """Of copying what fits no cache: 10^9 bytes per second, read and written together."""
    peaks: tuple[TypePeak, ...]
    """A type that nothing here computes is left out."""

    def headline(self) -> str:
        peaks = (f"{peak.dtype} {peak.gops:.3g} GOP/s" for peak in self.peaks)
        return f"{self.bandwidth_gb_s:.3g} GB/s, {', '.join(peaks)}"

    def peak_gops(self, dtype: str) -> float | None:
        return next((peak.gops for peak in self.peaks if peak.dtype == dtype), None)


def measure_ceilings(threads: int = 1) -> HostCeilings:
    """Measure this machine's bandwidth, and its peak for each type, in about two seconds.

    float32 and int8 are computed by LiteRT's XNNPACK where it is installed, else float32 alone by numpy.

    Args:
        threads: cores that work at once; numpy takes as many as it likes.

    Raises:
        EdgewrightError: the machine is too small or too busy to be measured.

    Example:
        >>> found = measure_ceilings()
        >>> found.bandwidth_gb_s > 0.1, found.peaks[0].dtype
        (True, 'float32')
    """
    with worker_folder("ceilings") as made:
        folder = Path(made)
        for dtype in (DType.FLOAT32, DType.INT8):
            save_tflite(_product(dtype), folder / f"{dtype}.tflite")
        request = {"step": "ceilings", "threads": threads, "bytes": BYTES}
        request |= {"side": COLUMNS, "rows": ROWS}
        try:
            folder.joinpath("request.json").write_text(json.dumps(request), encoding="utf-8")
            run_isolated(_WORKER, folder, seconds=SECONDS, memory_bytes=MEMORY_BYTES)
            answer = json.loads(folder.joinpath("answer.json").read_text(encoding="utf-8"))
            return HostCeilings(machine=machine_name(), threads=threads, **answer)
        except (FailedError, OSError, ValueError) as error:
            raise EdgewrightError(f"The ceilings of this machine were not measured: {error}.") from error


@functools.cache
def _product(dtype: DType) -> ModelGraph:
    """One matrix product: every core's share fits its cache, and all of it does not."""
    builder = GraphBuilder(f"product_{dtype}")
    graph = builder.build([builder.fully_connected(builder.input((ROWS, COLUMNS)), COLUMNS)])
    return graph if dtype is DType.FLOAT32 else to_int8(graph)


def attained(found: MeasuredProfile, graph: ModelGraph, ceilings: HostCeilings) -> AttainedRates | None:
    """What a run here reaches of them; None of a type whose peak was not measured."""
    table = layer_table(graph)
    macs = float(table.macs.sum())
    moved = float((table.weight_bytes + table.input_bytes + table.output_bytes).sum())
    by_type: dict[str, float] = {}
    for dtype, each in zip(table.dtypes, table.macs.tolist(), strict=True):
        by_type[dtype] = by_type.get(dtype, 0.0) + each
    peak = ceilings.peak_gops(max(by_type, key=lambda dtype: by_type[dtype], default=""))
    seconds = float(found.latency_ms) / 1e3
    if peak is None or not macs or not moved or not seconds:
        return None
    gops, gb_s = 2e-9 * macs / seconds, 1e-9 * moved / seconds
    return AttainedRates(
        threads=ceilings.threads,
        attained_gops=gops,
        peak_gops=peak,
        compute_share=gops / peak,
        attained_gb_s=gb_s,
        bandwidth_gb_s=ceilings.bandwidth_gb_s,
        memory_share=gb_s / ceilings.bandwidth_gb_s,
        arithmetic_intensity=2 * macs / moved,
        ridge_point=peak / ceilings.bandwidth_gb_s,
    )


def with_ceilings(place: Deployment) -> Deployment:
    """The host with what is measured now in place of what is assumed of any.

    Raises:
        UsageError: the target is no stand-in for this machine.
    """
    if place.target.id != TARGET:
        raise UsageError(
            f"Ceilings are measured of this machine, not of {place.target.id}.",
            hint=f"Name --target {TARGET}.",
        )
    found = measure_ceilings(place.threads)
    today = datetime.datetime.now(tz=datetime.UTC).date()
    source = Source(title="this machine", where=found.machine, date=today, kind=ClaimKind.MEASURED)
    macs = place.clock_mhz * 1e6 * found.threads * 2
    peaks = {
        peak.dtype: _leaf(peak.gops * 1e9 / macs, "MAC/cycle", f"{peak.by}, {found.threads} threads")
        for peak in found.peaks
    }
    core = place.core.model_copy(update={"macs_per_cycle": {**place.core.macs_per_cycle, **peaks}})
    bandwidth = _leaf(found.bandwidth_gb_s * 1e9, "B/s", "copying what fits no cache")
    first, *others = place.target.memories
    memories = (first.model_copy(update={"bandwidth_bytes_per_s": bandwidth}), *others)
    sources = {**place.target.sources, _HERE: source}
    target = place.target.model_copy(update={"cores": (core,), "memories": memories, "sources": sources})
    note = f"ceilings measured here, {found.threads} thread{'s' if found.threads > 1 else ''}: "
    more = (*place.assumptions, note + found.headline())
    return place.model_copy(update={"target": target, "core": core, "assumptions": more})


def _leaf(value: float, unit: str, locator: str) -> Leaf[float]:
    return Leaf[float](value=value, unit=unit, source=_HERE, locator=locator)
