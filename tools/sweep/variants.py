"""Models with transforms applied: once for all deployments, where a transform does not look at them."""

from collections.abc import Hashable, Mapping
from typing import Any

from pydantic import PrivateAttr

from ...hardware_db.errors import EdgewrightError, UsageError
from ..core.deployment import Deployment
from ..core.records import dataclass, replace
from ..graph import ModelGraph
from ..graph.serialize import graph_sha256
from ..optimization_simulator.techniques.catalogue import reason_of
from ..optimization_simulator.techniques.names import technique

FIELDS = frozenset(Deployment.model_fields)
NONE = "none"
OF_DEPLOYMENTS = frozenset({"runtime", "clock", "batch", "threads"})
"""Families of techniques that a plan sweeps by itself."""


@dataclass(frozen=True)
class Variant:
    model: str
    """As the plan names it."""
    transform: str

    @property
    def steps(self) -> tuple[str, ...]:
        return steps_of(self.transform)


def steps_of(transform: str) -> tuple[str, ...]:
    steps = tuple(" ".join(step.split()) for step in transform.split("+"))
    return () if steps == (NONE,) else steps


def check_transform(transform: str, deployment: Deployment) -> None:
    """Raises UsageError where a step is unknown, belongs to the deployment, or excludes another."""
    families: dict[str, str] = {}
    for step in steps_of(transform):
        change = technique(step, deployment)
        if change.family in OF_DEPLOYMENTS:
            raise UsageError(
                f"{step!r} changes the deployment, not the model.",
                hint="Name those under `runtimes`, `clocks` and `batches`.",
            )
        other = families.setdefault(change.family, step)
        if other != step:
            raise UsageError(f"{other!r} and {step!r} exclude each other.", hint="Keep one of them.")


@dataclass(frozen=True)
class Changed:
    """A model as transformed, or why it cannot be."""

    graph: ModelGraph | None
    reason: str = ""
    precision: str = ""


class Transformed:
    """One variant on any deployment; what was made for one serves all that give the same reads."""

    def __init__(self, steps: tuple[str, ...]) -> None:
        self._steps = steps
        self._made: list[tuple[ModelGraph, Mapping[str, Hashable], Changed]] = []

    def on(self, graph: ModelGraph, place: Deployment) -> Changed:
        for source, reads, changed in self._made:
            if source is graph and all(_identity(place, name) == seen for name, seen in reads.items()):
                return changed
        watched = _Watched.watching(place)
        changed = self._changed(graph, watched)
        self._made.append((graph, {name: _identity(place, name) for name in watched.reads()}, changed))
        return changed

    def _changed(self, graph: ModelGraph, deployment: Deployment) -> Changed:
        found, precision = graph, ""
        for step in self._steps:
            try:
                change = technique(step, _unwatched(deployment))
                found, there = change.apply(found, deployment)
            except EdgewrightError as error:
                return Changed(
                    None, f"{step}: {reason_of(error)}" if len(self._steps) > 1 else reason_of(error)
                )
            if there is not deployment:
                return Changed(None, f"{step}: it changes the deployment; sweep runtimes and clocks instead")
            precision = step if change.family == "precision" else precision
        if found is not graph:
            found = replace(found, history=(*graph.history, *self._steps), sha256=graph_sha256(found))
        return Changed(found, precision=precision or found.dtype.value)


class _Watched(Deployment):
    """A deployment that remembers which of its fields were read."""

    _read: set[str] = PrivateAttr(default_factory=set)
    _place: Deployment | None = PrivateAttr(default=None)

    @classmethod
    def watching(cls, place: Deployment) -> "_Watched":
        found = cls.model_construct(**{name: getattr(place, name) for name in FIELDS})
        found._place = place
        found._read.clear()
        return found

    def reads(self) -> frozenset[str]:
        return frozenset(self._read)

    def __getattribute__(self, name: str) -> Any:
        if name in FIELDS:
            self._read.add(name)
        elif name == "__dict__":
            self._read.update(FIELDS)
        return super().__getattribute__(name)


def _unwatched(deployment: Deployment) -> Deployment:
    """Which techniques there are is asked of the plain deployment: each looks for itself when applied."""
    found = deployment._place if isinstance(deployment, _Watched) else deployment
    assert found is not None
    return found


def _identity(place: Deployment, name: str) -> Hashable:
    value = getattr(place, name)
    return value if isinstance(value, (int, float, str, tuple)) else id(value)
