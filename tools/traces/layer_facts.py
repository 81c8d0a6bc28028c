"""What model, deployment and trace say of a layer that the estimate misses, and what to look at next.

A fact is derived. A hypothesis is not: it names a cause that the facts leave open, and the check to do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from statistics import median

from ...hardware_db.schema import TargetClass
from ..core.records import dataclass
from ..core.units import digits, show
from ..cost_model.peaks import peak_macs_per_s
from ..cost_model.study import Study
from ..graph import ModelGraph
from ..placement.op_placement import Runs
from .measured_profile import Hypothesis, MeasuredLayer
from .twins import timed_twins

_NAMED = 6
_VARIES = 1.2
_ALIKE = 1.25
_SLOW = 1.25
_SAME = 0.05


@dataclass(frozen=True)
class Surroundings:
    """All that a layer is compared with."""

    case: Study
    layers: Mapping[int, MeasuredLayer]
    twins: Mapping[int, tuple[int, ...]]
    averaged_runs: int = 1
    """Of how many runs a single time is the mean already; 0 where nothing was run."""

    @property
    def graph(self) -> ModelGraph:
        return self.case.graph

    def timed_twins(self, layer: MeasuredLayer) -> dict[int, float]:
        return timed_twins(layer, self.layers, self.twins, self.graph)

    def twins_ms(self, layer: MeasuredLayer) -> float | None:
        """Median of what the twins took."""
        return median(times) if (times := list(self.timed_twins(layer).values())) else None

    def kin(self, index: int) -> list[MeasuredLayer]:
        """The other layers of its kind with a residual."""
        kind = self.graph.ops[index].kind
        return [
            layer
            for layer in self.layers.values()
            if layer.index != index and layer.residual_ratio and self.graph.ops[layer.index].kind == kind
        ]


def facts_of(layer: MeasuredLayer, around: Surroundings) -> tuple[str, ...]:
    rules = (_beside_twins, _beside_its_kind, _over_runs, _on_its_kernel, _in_memory, _above_peak)
    return tuple(fact for rule in rules for fact in rule(layer, around))


def hypotheses_of(layer: MeasuredLayer, around: Surroundings) -> tuple[Hypothesis, ...]:
    """Only of layers that are slower: a faster one has fewer ways to be wrong, and none costs time."""
    if (layer.residual_ratio or layer.ratio or 0.0) < _SLOW:
        return ()
    rules = (_interrupted, _elsewhere, _other_kernel, _slow_memory)
    return tuple(found for rule in rules for found in rule(layer, around))


def _beside_twins(layer: MeasuredLayer, around: Surroundings) -> Iterator[str]:
    twins = around.timed_twins(layer)
    middle = around.twins_ms(layer)
    if not middle or not layer.measured_ms:
        return
    names = _listed([*twins])
    if abs(layer.measured_ms / middle - 1) < _SAME:
        yield f"it takes as long as {names}, with the same operator, options, shapes and types"
        return
    take = "twin takes" if len(twins) == 1 else "twins take"
    yield (
        f"it takes {digits(layer.measured_ms / middle)} times what its {take} ({names}: same "
        f"operator, options, shapes and types), {show(layer.measured_ms, 'ms')} against {show(middle, 'ms')}"
    )


def _beside_its_kind(layer: MeasuredLayer, around: Surroundings) -> Iterator[str]:
    others = [kin.residual_ratio for kin in around.kin(layer.index) if kin.residual_ratio]
    if len(others) < 2 or layer.residual_ratio is None:
        return
    kind = around.graph.ops[layer.index].kind
    low, high = min(others), max(others)
    yield (
        f"the other {len(others)} {kind} are at {digits(low)} to {digits(high)} of the common level, "
        f"this one at {digits(layer.residual_ratio)}"
    )


def _over_runs(layer: MeasuredLayer, around: Surroundings) -> Iterator[str]:
    if layer.runs == 1 and around.averaged_runs > 1:
        yield f"its time is the mean of {around.averaged_runs:,} runs, of which none is known alone"
    elif layer.runs == 1 and around.averaged_runs:
        yield "one run of it was logged, so whether it always takes as long is not known"
    elif layer.low_ms and layer.high_ms and layer.runs > 1:
        sentence = (
            f"over {layer.runs:,} runs it took {show(layer.low_ms, 'ms')} to {show(layer.high_ms, 'ms')}"
        )
        yield sentence + (", so it varies" if layer.high_ms > _VARIES * layer.low_ms else ", so it is steady")


def _on_its_kernel(layer: MeasuredLayer, around: Surroundings) -> Iterator[str]:
    placed = around.case.placed[layer.index]
    runtime = around.case.deployment.runtime.id
    if placed.supported is False:
        yield f"{runtime} does not support it: {_sentence(placed.reason)}"
    elif placed.runs is Runs.FALLBACK:
        yield f"it falls back to the CPU: {_sentence(placed.reason)}"
    elif not placed.optimized:
        yield f"with {runtime}, {_sentence(placed.reason)}"


def _sentence(reason: str) -> str:
    return reason[:1].lower() + reason[1:].rstrip(".")


def _in_memory(layer: MeasuredLayer, around: Surroundings) -> Iterator[str]:
    weights = int(around.case.table.weight_bytes[layer.index])
    if not weights:
        return
    regions = [use for use in around.case.plan.regions if "weights" in use.holds]
    chip = any(not region.external for region in around.case.deployment.target.memories)
    if chip and any(use.external for use in regions):
        yield f"its weights, {show(weights, 'bytes')}, lie outside the chip, in {regions[0].region}"
    cache = around.case.deployment.core.cache.data
    if cache is not None and weights > cache.value:
        yield f"its weights, {show(weights, 'bytes')}, exceed the data cache of {show(cache.value, 'bytes')}"


def _above_peak(layer: MeasuredLayer, around: Surroundings) -> Iterator[str]:
    table = around.case.table
    peak = peak_macs_per_s(around.case.deployment, table.dtypes[layer.index])
    if not peak or not layer.measured_ms or layer.covers:
        return
    macs = int(table.macs[layer.index]) * around.case.deployment.batch
    if macs > peak * layer.measured_ms / 1e3:
        yield (
            f"its {macs:,} MACs in {show(layer.measured_ms, 'ms')} are above the processor's peak: clock, "
            "batch or unit of the trace are not as taken"
        )


def _slower_than_twins(layer: MeasuredLayer, around: Surroundings) -> bool:
    twins = around.timed_twins(layer).values()
    return bool(twins) and all(ms * _SLOW < (layer.measured_ms or 0.0) for ms in twins)


def _interrupted(layer: MeasuredLayer, around: Surroundings) -> Iterator[Hypothesis]:
    steady = layer.runs > 1 and (layer.high_ms or 0.0) <= _VARIES * (layer.low_ms or 0.0)
    if not steady and (layer.runs > 1 or around.averaged_runs == 1):
        yield Hypothesis(
            cause="an interrupt or another task ran in between",
            check="log several runs with interrupts off: what was interrupted is slow in some of them only",
        )


def _elsewhere(layer: MeasuredLayer, around: Surroundings) -> Iterator[Hypothesis]:
    if _slower_than_twins(layer, around) and is_firmware(around.case):
        names = _listed([*around.timed_twins(layer)])
        yield Hypothesis(
            cause="its weights, buffers or scratch memory lie in slower memory, or are aligned otherwise, "
            "than those of its twins",
            check=f"compare their addresses with those of {names}: print the tensors' data pointers, and "
            "look into the linker's map file for their regions",
        )


def _other_kernel(layer: MeasuredLayer, around: Surroundings) -> Iterator[Hypothesis]:
    if _slower_than_twins(layer, around) or not around.case.placed[layer.index].optimized:
        return
    kind, runtime = around.graph.ops[layer.index].kind, around.case.deployment.runtime.id
    kin = [other.residual_ratio for other in around.kin(layer.index) if other.residual_ratio]
    own = layer.residual_ratio or 1.0
    alike = kin and all(1 / _ALIKE <= residual / own <= _ALIKE for residual in kin)
    yield Hypothesis(
        cause=f"{'all' if alike else 'this'} {kind} took another kernel than that of {runtime}",
        check=kernels_check(around.case),
    )


def is_firmware(case: Study) -> bool:
    """Linked into one program, whose memory its author lays out."""
    return case.deployment.target.target_class in (TargetClass.MCU, TargetClass.DSP)


def kernels_check(case: Study) -> str:
    if is_firmware(case):
        return "look into the build's flags and the linker's map file for the kernels that were linked"
    return "compare the runtime's version, delegates or providers, and threads with what was named"


def _slow_memory(layer: MeasuredLayer, around: Surroundings) -> Iterator[Hypothesis]:
    times, core = around.case.times, around.case.deployment.core
    memory = float(times.memory_s[layer.index])
    compute = float(times.compute_s[layer.index])
    if memory <= compute or _slower_than_twins(layer, around) or not is_firmware(around.case):
        return
    region = around.case.levels.weights.region
    yield Hypothesis(
        cause=f"reading from {region} is slower than the database says",
        check=f"look up the wait states and the clock of {region}"
        + (", and that the data cache is on" if core.cache.data is not None else ""),
    )


def _listed(indices: list[int]) -> str:
    shown = [str(index) for index in indices[:_NAMED]]
    more = [f"{len(indices) - _NAMED} others"] if len(indices) > _NAMED else []
    parts = [*shown, *more]
    text = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return f"layer{'s' if len(indices) > 1 else ''} {text}"
