"""Which engine, on which processor of a target: the one that was named, else the first that runs there."""

import functools
from pathlib import Path

from pydantic import Field

from ...hardware_db import Target, TargetClass
from ...hardware_db.cited import Closed, Source
from ...hardware_db.coefficients.decode import load_decode_fit
from ...hardware_db.errors import UsageError
from ...hardware_db.kept import yaml_in
from ..core.records import dataclass
from ..cost_model.decode import engine_of
from ..model_zoo.weight_format import Format, Named, named, weight_format

FILE = Path(__file__).with_name("engines.yaml")
_SM = "nvidia-sm"
_LEAST_OF = {"Maxwell": 5.0, "Pascal": 6.0, "Volta": 7.0, "Ampere": 8.0, "Blackwell": 10.0}
"""Compute capability that a generation begins with, as docs.vllm.ai lists them; systems name theirs alone."""


class Runs(Named):
    """A runtime of language models and where its maker says that it runs."""

    gpus: tuple[str, ...] = ()
    """Families of GPUs."""
    targets: tuple[str, ...] = ()
    """Chips whose NPU it drives."""
    cpu: bool = False
    """Whether it runs on cores of 64 bits under an operating system."""
    least_capability: float = 0.0
    formats: dict[str, float] = Field(default={})
    """Formats that ask for a later GPU of NVIDIA's."""
    weights_alone: dict[str, float] = Field(default={})
    """Of those, that an earlier one reads the weights of and computes in 16 bits; taken by name alone."""
    leaves_bytes: int = 0
    """Of each GPU, by default."""
    leaves_share: float = 0.0
    """Of a GPU's memory, by default."""
    leaves_by: str = ""
    """The source of that."""
    inside: str = ""
    """The runtime whose files and kernels it has."""


class _Engines(Closed):
    sources: dict[str, Source]
    engines: tuple[Runs, ...]


@dataclass(frozen=True)
class Engine:
    kind: str
    """gpu, cpu or npu."""
    runtime: str
    weights: Format | None
    """None: the widest usual one that fits."""
    assumptions: tuple[str, ...]


def engine_for(target: Target, runtime: str | None, weights: str | None) -> Engine:
    """As asked; else what reads the format, else what is usual on the target.

    Raises:
        UsageError: an engine that does not run on the target, or does not read the format.
        UnknownNameError: no such format or engine.
    """
    if runtime is None:
        chosen = _first_that_runs(target, weights)
        assumptions = [f"no runtime named: took {chosen.id}"]
    else:
        chosen = named(runtime, load_engines().engines, "runtime of language models")
        assumptions = []
    kind = kind_on(target, chosen)
    if kind is None:
        raise UsageError(
            f"Runtime {chosen.id!r} does not run on {target.id!r}.",
            hint=_others(target) or "No runtime of language models does.",
        )
    if f"{kind}/{engine_of(chosen.id)}" not in load_decode_fit().decode:
        assumptions.append(f"no speed with {chosen.id} was published: that of other runtimes is taken")
    format_ = None if weights is None else _readable(target, chosen, weights)
    if format_ is not None and kind == "gpu" and not runs_format(target, chosen, format_):
        assumptions.append(
            f"{target.id} has no {format_.id}: its weights are stored so, 16 bits are computed"
        )
    return Engine(kind, chosen.id, format_, tuple(assumptions))


def engines_on(target: Target) -> tuple[Runs, ...]:
    """Those that run on a target, the usual one first."""
    return tuple(engine for engine in load_engines().engines if kind_on(target, engine) is not None)


def kind_on(target: Target, engine: Runs) -> str | None:
    """The processor of a target that an engine runs on: npu, gpu or cpu; None where there is none."""
    if target.measured_as in engine.targets:
        return "npu"
    families = {accelerator.family for accelerator in target.accelerators if accelerator.kind == "gpu"}
    capability = capability_of(target)
    if families & set(engine.gpus) and (capability is None or capability >= engine.least_capability):
        return "gpu"
    hosted = target.target_class not in (TargetClass.MCU, TargetClass.DSP, TargetClass.GPU)
    return "cpu" if engine.cpu and hosted and target.cores and not target.needs_host else None


def capability_of(target: Target) -> float | None:
    """Of an NVIDIA GPU, such as 8.9; None of others."""
    digits = next((c.isa.value.removeprefix(_SM) for c in target.cores if c.isa.value.startswith(_SM)), "")
    if digits.isdecimal():
        return int(digits) / 10
    names = [a.name.split()[0] for a in target.accelerators if a.family == "nvidia-gpu"]
    return next((_LEAST_OF[name] for name in names if name in _LEAST_OF), None)


def runs_format(target: Target, engine: Runs, weights: Format) -> bool:
    """Whether the GPU is late enough for a format."""
    capability = capability_of(target)
    return capability is None or capability >= engine.formats.get(weights.id, 0.0)


@functools.cache
def load_engines() -> _Engines:
    """The shipped engines, each with its source."""
    return _Engines.model_validate(yaml_in(FILE))


def _first_that_runs(target: Target, weights: str | None) -> Runs:
    found = engines_on(target) or load_engines().engines[1:2]
    if weights is None:
        return found[0]
    weight_format(weights)
    return next((engine for engine in found if _reads(engine, weights)), found[0])


def _reads(engine: Runs, weights: str) -> bool:
    return family_of(engine.id) in weight_format(weights, family_of(engine.id)).engines


def family_of(runtime: str) -> str:
    """The engine whose files and kernels a runtime has: itself, or the one inside it."""
    inside = {engine.id: engine.inside for engine in load_engines().engines}
    return inside.get(runtime) or runtime


def _readable(target: Target, engine: Runs, weights: str) -> Format:
    found = weight_format(weights, family_of(engine.id))
    if family_of(engine.id) not in found.engines:
        raise UsageError(
            f"Runtime {engine.id!r} does not read weights in {found.id}.",
            hint=f"{', '.join(found.engines)} does; or name another format.",
        )
    if not (runs_format(target, engine, found) or _stores(target, engine, found)):
        raise UsageError(
            f"{engine.id} computes {found.id} on later GPUs than that of {target.id!r}.",
            hint="Name another format, or llama.cpp.",
        )
    return found


def _stores(target: Target, engine: Runs, weights: Format) -> bool:
    least = engine.weights_alone.get(weights.id)
    return least is not None and (capability_of(target) or 0.0) >= least


def _others(target: Target) -> str:
    names = [engine.id for engine in engines_on(target)]
    return f"Those that do: {', '.join(names)}." if names else ""
