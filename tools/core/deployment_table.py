"""Many deployments, with what follows from them alone worked out once for every model asked about."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from typing import Any, Protocol, TypeVar, overload

from ...hardware_db import (
    Accelerator,
    Core,
    Target,
    TargetClass,
    load_runtime,
    load_target,
    resolve_runtime,
    resolve_target,
)
from ...hardware_db.errors import UsageError
from ...hardware_db.index import obtainable, read_index
from .deployment import Deployment, deployment
from .records import dataclass
from .settings import Settings

T = TypeVar("T")


class Machine(Protocol):
    """A deployment without what is flashed: of deployments that share these four, facts are worked out once.

    What is given a `Machine` cannot read the runtime, batch or threads, as the type checker sees to.
    """

    @property
    def target(self) -> Target: ...
    @property
    def core(self) -> Core: ...
    @property
    def accelerator(self) -> Accelerator | None: ...
    @property
    def clock_mhz(self) -> float: ...


@dataclass(frozen=True)
class Groups:
    of_each: tuple[int, ...]
    """Number of each deployment's group."""
    first: tuple[Deployment, ...]
    """Of each group."""

    def spread(self, fact: Callable[[Deployment], T]) -> list[T]:
        """The fact of every deployment, worked out for the first of each group."""
        facts = [fact(place) for place in self.first]
        return [facts[number] for number in self.of_each]


class DeploymentTable(Sequence[Deployment]):
    """Deployments in order, with columns of facts that are computed on the first call and kept."""

    def __init__(self, deployments: Iterable[Deployment]) -> None:
        self._deployments = tuple(deployments)
        self._kept: dict[Hashable, Any] = {}

    def __len__(self) -> int:
        return len(self._deployments)

    def __repr__(self) -> str:
        return f"<DeploymentTable of {len(self)} deployments>"

    def __iter__(self) -> Iterator[Deployment]:
        return iter(self._deployments)

    @overload
    def __getitem__(self, index: int) -> Deployment: ...
    @overload
    def __getitem__(self, index: slice) -> DeploymentTable: ...
    def __getitem__(self, index: int | slice) -> Deployment | DeploymentTable:
        if isinstance(index, slice):
            return DeploymentTable(self._deployments[index])
        return self._deployments[index]

    def memoized(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gave for this key on the first call; it must depend on the key and the table alone."""
        if key not in self._kept:
            self._kept[key] = make()
        found: T = self._kept[key]
        return found

    def kept(self, key: Hashable, make: Callable[[], T]) -> T:
        """Deprecated: `memoized`."""
        warnings.warn("kept goes with the next release: say memoized", DeprecationWarning, stacklevel=2)
        return self.memoized(key, make)

    def each(self, fact: Callable[[Deployment], T]) -> list[T]:
        """The fact of every deployment."""
        return self.memoized(fact, lambda: [fact(place) for place in self])

    def groups(self, key: Callable[[Deployment], Hashable]) -> Groups:
        """Deployments with equal keys are of one group."""

        def made() -> Groups:
            numbers: dict[Hashable, int] = {}
            first: list[Deployment] = []
            of_each = []
            for place in self:
                number = numbers.setdefault(key(place), len(numbers))
                if number == len(first):
                    first.append(place)
                of_each.append(number)
            return Groups(tuple(of_each), tuple(first))

        return self.memoized(("groups", key), made)

    @property
    def machines(self) -> list[int]:
        """Of each deployment, the number of its machine; equal where deployments share it."""
        return self.memoized("machines", self._machines)

    def each_machine(self, fact: Callable[[Machine], T]) -> list[T]:
        """The fact of every deployment's machine, worked out once a machine."""

        def found() -> list[T]:
            facts: dict[int, T] = {}
            for number, place in zip(self.machines, self, strict=True):
                if number not in facts:
                    facts[number] = fact(place)
            return [facts[number] for number in self.machines]

        return self.memoized(fact, found)

    def _machines(self) -> list[int]:
        """Parts are compared by identity: they are loaded once, and large."""
        numbers: dict[Hashable, int] = {}
        parts = ((id(p.target), id(p.core), id(p.accelerator), p.clock_mhz) for p in self)
        return [numbers.setdefault(key, len(numbers)) for key in parts]


def as_table(deployments: Iterable[Deployment]) -> DeploymentTable:
    return deployments if isinstance(deployments, DeploymentTable) else DeploymentTable(deployments)


def all_deployments(
    *,
    targets: Collection[str] | None = None,
    runtimes: Collection[str] | None = None,
    classes: Collection[TargetClass | str] | None = None,
    threads: int = 1,
    settings: Settings | None = None,
) -> DeploymentTable:
    """Every target with each of its runtimes at its maximum clock, one inference at a time.

    The same table is returned for the same question, so that what it keeps serves the next model too.

    Args:
        targets: ids or nicknames; None takes all. User files are among them, except such as break the schema.
        runtimes: ids or nicknames; None takes all that can be obtained.
        classes: of targets (mcu, mpu, gpu, …); None takes all.
        threads: 1, or 0 for all cores of each, as of `deployment`.
        settings: of each deployment; None reads the environment and the configuration.

    Raises:
        UnknownNameError: no such target or runtime.
        AmbiguousNameError: a name that fits several.
        UsageError: no such class.

    Example:
        >>> table = all_deployments(targets=["stm32h743zi", "nrf52840"], runtimes=["tflm-cmsis-nn"])
        >>> [str(place.ref) for place in table]
        ['nrf52840/tflm-cmsis-nn at 64 MHz', 'stm32h743zi/tflm-cmsis-nn at 480 MHz']
    """
    for name in classes or ():
        if name not in list(TargetClass):
            raise UsageError(f"There is no class {name!r}.", hint=f"Classes: {', '.join(TargetClass)}.")
    settings = Settings.from_environment() if settings is None else settings
    own = settings.hardware_directories
    return _table(
        settings,
        None if targets is None else frozenset(resolve_target(name, own).id for name in targets),
        None if runtimes is None else frozenset(resolve_runtime(name, own).id for name in runtimes),
        None if classes is None else frozenset(map(str, classes)),
        threads,
    )


@functools.lru_cache(maxsize=16)
def _table(
    settings: Settings,
    targets: frozenset[str] | None,
    runtimes: frozenset[str] | None,
    classes: frozenset[str] | None,
    threads: int,
) -> DeploymentTable:
    own = settings.hardware_directories
    return DeploymentTable(
        deployment(load_target(summary.id, own), load_runtime(name, own), threads=threads, settings=settings)
        for summary in read_index(own).targets
        if (targets is None or summary.id in targets) and (classes is None or summary.target_class in classes)
        for name in (obtainable(summary.runtimes, own) if runtimes is None else summary.runtimes)
        if runtimes is None or name in runtimes
    )
