"""What runs a model so that it can be measured: one interface for machines, boards and what you add."""

from __future__ import annotations

import statistics
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ...hardware_db.errors import UsageError
from ..core.deployment import Deployment
from ..core.records import dataclass
from ..cost_model.study import study
from ..graph import ModelGraph
from ..traces.clock import scale_of
from ..traces.comparing import Origin, compared
from ..traces.explained.distrust import doubts_of_times
from ..traces.measured import Timing, timing_of
from ..traces.measured_profile import BoardFacts, MeasuredEnergy, MeasuredProfile
from ..traces.run_times import RunTimes, ThermalState, run_times
from ..traces.trace import Trace

WARM_UP = 10
MOST_RUNS = 10_000
_CLOCK_MOVES = 0.05


@dataclass(frozen=True)
class Runs:
    """Whole inferences."""

    times_ms: Sequence[float]
    """Of those that count, in their order."""
    first_ms: float
    """Of the very first."""
    warm_up_runs: int
    """That do not count, the first included."""
    load_ms: float | None = None
    peak_memory_bytes: int | None = None
    processors: tuple[int, ...] = ()
    governor: str = ""
    thermal: ThermalState | None = None


class Backend(ABC):
    """Something that holds one model and runs it; `run` alone has to be written.

    What it does not know it leaves out: never a 0.
    """

    source = "a backend"
    """What ran the model, for people."""
    machine = ""
    """What machine that was; empty for a board, which the deployment names."""

    def set_up(self) -> None:  # noqa: B027 - most are ready
        """Get ready to run.

        Raises:
            EdgewrightError: it cannot.
        """

    @abstractmethod
    def run(self, warm_up: int, repeat: int) -> Runs:
        """Run the model `warm_up` times, then `repeat` times.

        Raises:
            EdgewrightError: it does not run through.
        """

    def operators(self) -> Trace | None:
        """Times of operators of those runs, or of runs of their own."""
        return None

    def counters(self) -> Mapping[str, float]:
        """Mean counts of one run, by the names of `tools/traces/counters/counters.toml`."""
        return {}

    def energy(self) -> MeasuredEnergy:
        """Of one run; or why it is not known."""
        return MeasuredEnergy(why_not="nothing meters it")

    def facts(self) -> BoardFacts | None:
        """What a board said about itself."""
        return None

    def notes(self) -> tuple[Sequence[str], Sequence[str]]:
        """Assumptions and warnings."""
        return (), ()


def check_repeat(repeat: int) -> None:
    if not 1 <= repeat <= MOST_RUNS:
        raise UsageError(f"{repeat} runs cannot be measured.", hint=f"Give 1 to {MOST_RUNS:,}.")


def measured_by(
    backend: Backend, graph: ModelGraph, place: Deployment, *, repeat: int, notes: Sequence[str] = ()
) -> MeasuredProfile:
    """Runs by a backend that is set up, beside the estimate for `place`."""
    check_repeat(repeat)
    runs = backend.run(WARM_UP, repeat)
    trace = backend.operators()
    timing = Timing((), {}, (), 0)
    known, missing = backend.notes()
    cycles = False
    if trace is not None and trace.segments:
        scale = scale_of(trace, place, None)
        cycles = scale.counts_cycles
        timing = timing_of(trace, graph, scale.ms, is_its=True)
        known = (*known, *trace.notes)
    origin = Origin(
        source=backend.source, machine=backend.machine, whole_ms=runs.times_ms, middle=statistics.median,
        counts_cycles=cycles, written_by="" if trace is None else trace.written_by, run_times=spread_of(runs),
        assumptions=(*known, *notes), warnings=(*missing, *doubts(runs)),
    )  # fmt: skip
    found = compared(study(graph, place), timing, origin)
    more = {"counters": dict(backend.counters()), "energy": backend.energy(), "board": backend.facts()}
    return found.model_copy(update=more)


def spread_of(runs: Runs) -> RunTimes:
    found = run_times(runs.times_ms, runs.first_ms, runs.warm_up_runs, runs.load_ms)
    return found.model_copy(
        update={
            "peak_memory_bytes": runs.peak_memory_bytes,
            "processors": runs.processors,
            "governor": runs.governor,
            "thermal": runs.thermal,
        }
    )


def doubts(runs: Runs) -> tuple[str, ...]:
    """Why the spread of the runs is not that of the model alone."""
    found = [f"{each.name}: {each.why}; {each.remedy}" for each in doubts_of_times(np.asarray(runs.times_ms))]
    if runs.governor not in ("", "performance"):
        found.append(f"the clock's governor is {runs.governor}: performance holds it steady")
    return (*found, *(() if runs.thermal is None else _of_heat(runs.thermal)))


def _of_heat(seen: ThermalState) -> Iterator[str]:
    if seen.throttled:
        hot = "" if seen.most_c is None else f" at {seen.most_c:.3g} °C"
        yield f"throttling: heat slowed the processor during the runs{hot}; cool it, or pause between runs"
    low, high = seen.least_clock_mhz, seen.most_clock_mhz
    if low is not None and high is not None and low < (1 - _CLOCK_MOVES) * high:
        yield (
            f"the clock moved between {low:.4g} and {high:.4g} MHz during the runs: fix it, or report both"
        )
