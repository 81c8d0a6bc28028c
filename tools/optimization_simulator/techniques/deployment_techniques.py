"""Changes of the deployment: the model stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ....hardware_db import Runtime, resolve_runtime
from ....hardware_db.derived import accelerator_for
from ....hardware_db.errors import UsageError
from ....hardware_db.index import obtainable
from ...core.deployment import Deployment
from ...core.deployment import deployment as make_deployment
from ...core.releases import measured_releases
from ...graph import ModelGraph
from .technique import Technique

_EXACT = "none: the same arithmetic"
_OTHER_KERNELS = "none, but for how other kernels round: measure it where the type changes"


def _moved(
    name: str, about: str, risk: str, family: str, move: Callable[[Deployment], Deployment]
) -> Technique:
    """A technique that leaves the graph as it is; `move` raises UsageError where it does not apply."""

    def apply(graph: ModelGraph, deployment: Deployment) -> tuple[ModelGraph, Deployment]:
        return graph, move(deployment)

    return Technique(name, about, "minutes", risk, family, apply)


def at_clock(mhz: float) -> Technique:
    def move(deployment: Deployment) -> Deployment:
        if mhz == deployment.clock_mhz:
            raise UsageError(f"it runs at {mhz:g} MHz already")
        return deployment.at(clock_mhz=mhz)

    return _moved(f"clock-{mhz:g}MHz", f"at {mhz:g} MHz", _EXACT, "clock", move)


def at_maximum_clock() -> Technique:
    def move(deployment: Deployment) -> Deployment:
        fastest = _remade(deployment, deployment.runtime)
        if deployment.clock_mhz >= fastest.clock_mhz:
            raise UsageError(f"it runs at its maximum of {deployment.clock_mhz:g} MHz already")
        return fastest

    return _moved("clock-max", "the core's highest clock", _EXACT, "clock", move)


def on_runtime(runtime: str) -> Technique:
    def move(deployment: Deployment) -> Deployment:
        kernels = _described(runtime, deployment)
        if kernels.id == deployment.runtime.id:
            raise UsageError(f"it runs with {kernels.id} already")
        return _with_runtime(deployment, kernels)

    return _moved(f"runtime-{runtime}", f"the same model with {runtime}", _OTHER_KERNELS, "runtime", move)


def built_with(flags: str) -> Technique:
    """The same kernels as another compiler setting made them, where their times were measured."""

    def move(deployment: Deployment) -> Deployment:
        known = measured_releases(deployment.runtime.id)
        found = [name for name in known if name.partition(",")[0] == f"-{flags}"]
        return _as_built(deployment, found, f"-{flags}")

    return _moved(f"build-{flags}", f"compiled with -{flags}", _OTHER_KERNELS, "build", move)


def with_fpu(on: bool) -> Technique:
    """What a core without its floating-point unit would take, where that was measured."""
    state = "FPU on" if on else "FPU off"

    def move(deployment: Deployment) -> Deployment:
        unit = deployment.core.fpu
        if unit is not None and unit.value == "none":
            raise UsageError(f"{deployment.core.id} has no floating-point unit")
        found = [name for name in measured_releases(deployment.runtime.id) if name.endswith(state)]
        return _as_built(deployment, found, state)

    return _moved(f"fpu-{'on' if on else 'off'}", f"compiled with the {state}", _OTHER_KERNELS, "build", move)


def _as_built(deployment: Deployment, found: list[str], wanted: str) -> Deployment:
    runtime = deployment.runtime.id
    if not found:
        raise UsageError(f"nobody measured {runtime} with {wanted}")
    if deployment.release in found:
        raise UsageError(f"it is compiled with {wanted} already")
    settings, batch, threads = deployment.settings, deployment.batch, deployment.threads
    built = f"{runtime}@{sorted(found)[-1]}"
    made = make_deployment(deployment.target, built, batch=batch, threads=threads, settings=settings)
    return made.at(clock_mhz=deployment.clock_mhz)


def _described(runtime: str, deployment: Deployment) -> Runtime:
    return resolve_runtime(runtime, deployment.settings.hardware_directories)


def _remade(deployment: Deployment, runtime: Runtime) -> Deployment:
    """At the maximum clock of the processor that then runs the operators."""
    batch, threads, settings = deployment.batch, deployment.threads, deployment.settings
    return make_deployment(deployment.target, runtime, batch=batch, threads=threads, settings=settings)


def _with_runtime(deployment: Deployment, runtime: Runtime) -> Deployment:
    """At its clock, unless another processor runs the operators now.

    What a measurement with the kernels before made of the estimate says nothing of other kernels.
    """
    moved = _remade(deployment, runtime)
    if runtime.id != deployment.runtime.id:
        changes = {"carried": None, "measured_first": True}
        moved = moved.model_copy(update={"settings": moved.settings.model_copy(update=changes)})
    alike = moved.core.id == deployment.core.id and moved.accelerator == deployment.accelerator
    return moved.at(clock_mhz=deployment.clock_mhz) if alike else moved


def with_accelerator(on: bool) -> Technique:
    """Another runtime of the target: the first that drives an accelerator, or that drives none."""

    def move(deployment: Deployment) -> Deployment:
        if (deployment.accelerator is not None) == on:
            state = f"runs on {deployment.accelerator.id}" if deployment.accelerator else "runs on the core"
            raise UsageError(f"it {state} already")
        for runtime in obtainable(deployment.target.runtimes, deployment.settings.hardware_directories):
            kernels = _described(runtime, deployment)
            if (accelerator_for(deployment.target, kernels) is not None) == on:
                return _with_runtime(deployment, kernels)
        kind = "drives an accelerator" if on else "runs on the cores alone"
        raise UsageError(f"no runtime of {deployment.target.id} {kind}")

    about = "on the target's accelerator" if on else "on the cores, without the accelerator"
    return _moved(f"accelerator-{'on' if on else 'off'}", about, _OTHER_KERNELS, "runtime", move)


def in_batches(batch: int) -> Technique:
    def move(deployment: Deployment) -> Deployment:
        if batch == deployment.batch:
            raise UsageError(f"the batch is {batch} already")
        if batch < 1:
            raise UsageError(f"A batch of {batch} is no batch.", hint="Give 1 or more, such as batch-8.")
        return deployment.at(batch=batch)

    about = f"{batch} inferences at once: figures are of all of them"
    return _moved(f"batch-{batch}", about, _EXACT, "batch", move)


def on_threads(threads: int) -> Technique:
    def move(deployment: Deployment) -> Deployment:
        if threads == deployment.threads:
            raise UsageError(f"it runs on {threads} threads already")
        return make_deployment(
            deployment.target,
            deployment.runtime,
            clock_mhz=deployment.clock_mhz,
            batch=deployment.batch,
            threads=threads,
            settings=deployment.settings,
        )

    return _moved(f"threads-{threads}", f"on {threads} cores at once", _EXACT, "threads", move)


def operating_points(deployment: Deployment) -> tuple[float, ...]:
    """Clocks that the target's data sheet names a power mode for, highest first."""
    clocks = {mode.clock_mhz.value for mode in deployment.target.power if mode.clock_mhz is not None}
    return tuple(
        sorted((clock for clock in clocks if clock <= deployment.core.clock_max_mhz.value), reverse=True)
    )


def of_deployments(deployment: Deployment) -> Iterator[Technique]:
    """What could be changed on this deployment."""
    for runtime in obtainable(deployment.target.runtimes, deployment.settings.hardware_directories):
        if runtime != deployment.runtime.id:
            yield on_runtime(runtime)
    cores = deployment.core.count.value
    if cores > 1 and deployment.threads < cores:
        yield on_threads(cores)
    yield at_maximum_clock()
    for clock in operating_points(deployment):
        if clock < deployment.clock_mhz:
            yield at_clock(clock)
