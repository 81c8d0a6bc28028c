"""Changes of the deployment: the model stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....hardware_db import resolve_runtime
from ....hardware_db.derived import accelerator_for
from ....hardware_db.errors import UsageError
from ...core.deployment import Deployment, deployment
from ...graph import ModelGraph
from .technique import Technique

_EXACT = "none: the same arithmetic"
_OTHER_KERNELS = "none, but for how other kernels round: measure it where the type changes"


def _moved(
    name: str, about: str, risk: str, family: str, move: Callable[[Deployment], Deployment]
) -> Technique:
    """A technique that leaves the graph as it is; `move` raises UsageError where it does not apply."""

    def apply(graph: ModelGraph, where: Deployment) -> tuple[ModelGraph, Deployment]:
        return graph, move(where)

    return Technique(name, about, "minutes", risk, family, apply)


def at_clock(mhz: float) -> Technique:
    def move(where: Deployment) -> Deployment:
        if mhz == where.clock_mhz:
            raise UsageError(f"it runs at {mhz:g} MHz already")
        return where.at(clock_mhz=mhz)

    return _moved(f"clock-{mhz:g}MHz", f"at {mhz:g} MHz", _EXACT, "clock", move)


def at_maximum_clock() -> Technique:
    def move(where: Deployment) -> Deployment:
        fastest = deployment(where.target, where.runtime, batch=where.batch, threads=where.threads)
        if where.clock_mhz >= fastest.clock_mhz:
            raise UsageError(f"it runs at its maximum of {where.clock_mhz:g} MHz already")
        return fastest

    return _moved("clock-max", "the core's highest clock", _EXACT, "clock", move)


def on_runtime(runtime: str) -> Technique:
    def move(where: Deployment) -> Deployment:
        kernels = resolve_runtime(runtime)
        if kernels.id == where.runtime.id:
            raise UsageError(f"it runs with {kernels.id} already")
        return _with_runtime(where, kernels.id)

    return _moved(f"runtime-{runtime}", f"the same model with {runtime}", _OTHER_KERNELS, "runtime", move)


def _with_runtime(where: Deployment, runtime: str) -> Deployment:
    """At its clock, unless another processor runs the operators now."""
    moved = deployment(where.target, runtime, batch=where.batch, threads=where.threads)
    alike = moved.core.id == where.core.id and moved.accelerator == where.accelerator
    return moved.at(clock_mhz=where.clock_mhz) if alike else moved


def with_accelerator(on: bool) -> Technique:
    """Another runtime of the target: the first that drives an accelerator, or that drives none."""

    def move(where: Deployment) -> Deployment:
        if (where.accelerator is not None) == on:
            state = f"runs on {where.accelerator.id}" if where.accelerator else "runs on the core"
            raise UsageError(f"it {state} already")
        for runtime in where.target.runtimes:
            found = accelerator_for(where.target, resolve_runtime(runtime))
            if (found is not None) == on:
                return _with_runtime(where, runtime)
        kind = "drives an accelerator" if on else "runs on the cores alone"
        raise UsageError(f"no runtime of {where.target.id} {kind}")

    about = "on the target's accelerator" if on else "on the cores, without the accelerator"
    return _moved(f"accelerator-{'on' if on else 'off'}", about, _OTHER_KERNELS, "runtime", move)


def in_batches(batch: int) -> Technique:
    def move(where: Deployment) -> Deployment:
        if batch == where.batch:
            raise UsageError(f"the batch is {batch} already")
        if batch < 1:
            raise UsageError(f"A batch of {batch} is no batch.", hint="Give 1 or more, such as batch-8.")
        return where.at(batch=batch)

    about = f"{batch} inferences at once: figures are of all of them"
    return _moved(f"batch-{batch}", about, _EXACT, "batch", move)


def on_threads(threads: int) -> Technique:
    def move(where: Deployment) -> Deployment:
        if threads == where.threads:
            raise UsageError(f"it runs on {threads} threads already")
        return deployment(
            where.target, where.runtime, clock_mhz=where.clock_mhz, batch=where.batch, threads=threads
        )

    return _moved(f"threads-{threads}", f"on {threads} cores at once", _EXACT, "threads", move)


def operating_points(where: Deployment) -> tuple[float, ...]:
    """Clocks that the target's data sheet names a power mode for, highest first."""
    clocks = {mode.clock_mhz.value for mode in where.target.power if mode.clock_mhz is not None}
    return tuple(sorted((clock for clock in clocks if clock <= where.core.clock_max_mhz.value), reverse=True))


def places(where: Deployment) -> Iterator[Technique]:
    """What could be changed on this deployment."""
    for runtime in where.target.runtimes:
        if runtime != where.runtime.id:
            yield on_runtime(runtime)
    cores = where.core.count.value
    if cores > 1 and where.threads < cores:
        yield on_threads(cores)
    yield at_maximum_clock()
    for clock in operating_points(where):
        if clock < where.clock_mhz:
            yield at_clock(clock)
