"""How each operator runs, as arrays, worked out once for deployments that a placement cannot tell apart."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property

import numpy as np
import numpy.typing as npt

from ...hardware_db import Accelerator, Core
from ..core.deployment import Deployment
from ..core.records import dataclass
from ..graph import ModelGraph
from ..graph.costs.table import layer_table
from ..graph.layer_table import OpClass
from ..graph.memoize import memoized
from . import speed, support
from .kernel_findings import Found, kernel_findings
from .op_context import Finding, Outcome, PlacementContext
from .op_placement import Runs
from .operators import Desk, Placed, place_operators
from .speed import features

Bools = npt.NDArray[np.bool_]
_TELLS_NOTHING: dict[type[Core | Accelerator], set[str]] = {
    Core: {"id", "isa", "count", "clock_max_mhz", "macs_per_cycle", "cache"},
    Accelerator: {"id", "name", "count", "clock_max_mhz", "peak_includes", "link", "module"},
}
"""Fields that no rule decides by; one that the schema gains tells deployments apart until it stands here.
The instruction set says what a core has where its file does not, and which kernels a fallback takes."""
_BY_TYPES_ALONE = frozenset({"macs_per_cycle", "peak"})
"""Of an accelerator that no compiler's own decisions are asked for."""


@dataclass(frozen=True, eq=False)
class OperatorFlags:
    """Of the main subgraph's operators, in order."""

    supported: tuple[bool | None, ...]
    optimized: Bools
    runs: tuple[Runs, ...]
    elsewhere: tuple[bool | None, ...]
    """`supported` of the operators of all other subgraphs."""
    placed: tuple[Placed, ...] | None
    """Of one of the deployments; None where all of it runs on one processor."""
    alive: Deployment
    """Whose runtime and parts the key names by identity."""

    @cached_property
    def verdict(self) -> bool | None:
        """Whether every operator runs; None where that is not known of one."""
        supported = {*self.supported, *self.elsewhere}
        return False if False in supported else None if None in supported else True

    @cached_property
    def accelerated(self) -> int:
        """Operators on an accelerator."""
        return sum(runs is Runs.ACCELERATED for runs in self.runs)


def operator_flags(graph: ModelGraph, deployment: Deployment, key: Hashable = None) -> OperatorFlags:
    """Kept with the graph; `key` is `host_key(where)`, if it is at hand."""
    return memoized(graph, "operator flags", key or host_key(deployment), lambda: _flags(graph, deployment))


def host_key(deployment: Deployment) -> Hashable:
    """Equal for deployments on which the same rules apply to the same operators.

    What a rule reads of a core or a GPU is in it by content. The runtime is by identity, and so are other
    accelerators with their target, clock and batch, by which their compilers may decide.
    """
    runtime, accelerator = deployment.runtime, deployment.accelerator
    if accelerator is None:
        return id(runtime), _identity(deployment.core), features(deployment.core)
    if accelerator.kind != "gpu":
        return (
            id(runtime),
            id(deployment.target),
            id(deployment.core),
            id(accelerator),
            deployment.clock_mhz,
            deployment.batch,
            deployment.settings.vela,
        )
    types = tuple(sorted({*accelerator.macs_per_cycle, *accelerator.peak}))
    host = _identity(deployment.core), deployment.core.isa.value, deployment.target.needs_host
    return id(runtime), host, _identity(accelerator, _BY_TYPES_ALONE), types


def _identity(part: Core | Accelerator, without: frozenset[str] = frozenset()) -> Hashable:
    apart = _TELLS_NOTHING[type(part)] | without
    return tuple(getattr(value, "value", value) for name, value in part if name not in apart)


def _flags(graph: ModelGraph, deployment: Deployment) -> OperatorFlags:
    others = range(1, len(graph.subgraphs))
    elsewhere = tuple([p.supported for i in others for p in place_operators(graph, deployment, (i,))])
    gets_all = deployment.accelerator is None or deployment.accelerator.kind == "gpu"
    outcomes = _outcomes(graph, deployment) if gets_all else []
    if deployment.accelerator is not None and not (gets_all and _RUNNING.issuperset(outcomes)):
        placed = place_operators(graph, deployment)
        supported, optimized = [p.supported for p in placed], [p.optimized for p in placed]
        runs = tuple(p.runs for p in placed)
        return OperatorFlags(
            tuple(supported), np.array(optimized, np.bool_), runs, elsewhere, placed, deployment
        )
    on_core = deployment.accelerator is None
    return OperatorFlags(
        supported=tuple([_SUPPORTED[outcome] for outcome in outcomes]),
        optimized=np.array([outcome is Outcome.FAST for outcome in outcomes], dtype=np.bool_),
        runs=tuple([_RUNS[outcome] if on_core else Runs.ACCELERATED for outcome in outcomes]),
        elsewhere=elsewhere,
        placed=None,
        alive=deployment,
    )


def _outcomes(graph: ModelGraph, deployment: Deployment) -> list[Outcome]:
    """By the rules; operators of one class, kernels and type are alike to those that read the machine."""
    here = kernel_findings(graph, 0, deployment.runtime)
    if any(here.calls):
        desk = Desk(graph, deployment, (0,))
        return [desk.decided(index)[1].outcome for index in range(len(graph.ops))]
    classes = layer_table(graph).classes
    of_machine: dict[tuple[int, str, OpClass], tuple[Finding | None, Finding | None]] = {}
    by_number = []
    for index in here.first:
        context = here.contexts[index]
        key = id(context.support), context.dtype, classes[index]
        if key not in of_machine:
            of_machine[key] = _of_machine(PlacementContext.on(context, deployment, (0,)))
        computed, slowed = of_machine[key]
        ahead, kernels, memory = here.ahead[index], here.of_kernels[index], here.of_memory[index]
        found = _finding(ahead or kernels) or computed or _finding(memory) or slowed
        found = found or _finding(here.of_speed[index])
        assert found is not None, "the last rule of speed always applies"
        by_number.append(found.outcome)
    return [by_number[number] for number in here.alike]


def _of_machine(context: PlacementContext) -> tuple[Finding | None, Finding | None]:
    return support.accelerator_computes(context), speed.float_unit(context) or speed.instructions(context)


def _finding(found: Found | None) -> Finding | None:
    return None if found is None else found[1]


_RUNNING = frozenset({Outcome.FAST, Outcome.SLOW})
"""A GPU that takes every operator gets all of them: how the runtime splits a model need not be asked."""
_SUPPORTED = {Outcome.FAST: True, Outcome.SLOW: True, Outcome.UNKNOWN: None, Outcome.REFUSED: False}
_RUNS = {
    Outcome.FAST: Runs.CPU,
    Outcome.SLOW: Runs.CPU,
    Outcome.UNKNOWN: Runs.UNKNOWN,
    Outcome.REFUSED: Runs.NOT,
}
