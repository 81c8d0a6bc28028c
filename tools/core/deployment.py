"""What one could flash: target × runtime × clock × batch × threads."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from pydantic import Field

from ...hardware_db import Accelerator, Core, Runtime, Target, TargetClass, resolve_runtime, resolve_target
from ...hardware_db.derived import accelerator_for
from ...hardware_db.errors import InputError, UsageError
from ...hardware_db.resolver import is_family
from ...hardware_db.user_files import Directories, user_files
from .own_figures import with_own_figures
from .quantity import Result
from .releases import measured_release
from .settings import Settings


class DeploymentRef(Result):
    """The deployment that a result holds for, by its names."""

    target: str
    runtime: str
    processor: str
    """The core or accelerator that runs the operators the runtime has kernels for."""
    clock_mhz: float
    batch: int
    threads: int

    def headline(self) -> str:
        """stm32h743zi/tflm-cmsis-nn at 480 MHz, and batch and threads where they are more than one."""
        many = [f"{name} {n}" for name, n in (("batch", self.batch), ("threads", self.threads)) if n > 1]
        return ", ".join([f"{self.target}/{self.runtime} at {self.clock_mhz:g} MHz", *many])

    def __str__(self) -> str:
        return self.headline()


class Deployment(Result):
    """A target with a runtime at a clock; build it with `deployment()`."""

    target: Target
    """The silicon: cores, memories, accelerators, power."""
    runtime: Runtime
    """The kernel library."""
    core: Core
    """The core that runs kernels, or that drives the accelerator."""
    accelerator: Accelerator | None
    """None where the runtime runs on the core."""
    clock_mhz: float
    """Of the accelerator where there is one with a known clock, else of the core."""
    batch: int = Field(ge=1)
    threads: int = Field(ge=1)
    release: str = Field(default="", repr=False)
    """Of the runtime, as x-cube-ai@10.2 names it; empty: the newest that was measured."""
    assumptions: tuple[str, ...] = ()
    settings: Settings = Field(default=Settings(), exclude=True, repr=False)
    """What of the user's own environment its figures depend on."""

    @property
    def ref(self) -> DeploymentRef:
        processor = self.accelerator.id if self.accelerator else self.core.id
        return DeploymentRef(
            target=self.target.id,
            runtime=f"{self.runtime.id}@{self.release}" if self.release else self.runtime.id,
            processor=processor,
            clock_mhz=self.clock_mhz,
            batch=self.batch,
            threads=self.threads,
        )

    def headline(self) -> str:
        return self.ref.headline()

    def __str__(self) -> str:
        """What is deployed on what, and what was taken for granted."""
        return "\n  ".join([self.headline(), *self.assumptions])

    def at(self, *, clock_mhz: float | None = None, batch: int | None = None) -> Self:
        """The same deployment at another clock or batch."""
        changes: dict[str, float | int] = {}
        if clock_mhz is not None:
            changes["clock_mhz"] = _checked_clock(self.target, self.core, clock_mhz)
        if batch is not None:
            changes["batch"] = batch
        return self.model_copy(update=changes)

    def with_figures(
        self,
        *,
        price_usd: float | None = None,
        active_mw: float | None = None,
        sleep_ua: float | None = None,
        external_ram_bytes: float | None = None,
    ) -> Self:
        """The same with figures of your own board in place of the database's; None leaves that one.

        Args:
            price_usd: of one board.
            active_mw: of the whole board while it computes, at this clock.
            sleep_ua: of the whole board asleep.
            external_ram_bytes: of PSRAM or SDRAM beside the chip.

        Raises:
            UsageError: a figure that is not above zero.
        """
        target, notes = with_own_figures(
            self.target, price_usd=price_usd, active_mw=active_mw, sleep_ua=sleep_ua,
            external_ram_bytes=external_ram_bytes,
        )  # fmt: skip
        return self.model_copy(update={"target": target, "assumptions": (*self.assumptions, *notes)})


def deployment(
    target: str | Target,
    runtime: str | Runtime | None = None,
    *,
    clock_mhz: float | None = None,
    batch: int = 1,
    threads: int = 1,
    settings: Settings | None = None,
) -> Deployment:
    """Put a runtime on a target.

    Args:
        target: id, nickname or part number, or a `Target`.
        runtime: id or nickname, or a `Runtime`; None takes the target's usual one and says so. A release
            that was measured may follow: x-cube-ai@10.2.
        clock_mhz: core clock; None takes the maximum and says so.
        batch: inferences computed at once.
        threads: cores used at once; 0 takes all cores of the kind where the kernels run on cores and divide
            their work, as those of microcontrollers do not. Kernels of an accelerator count more than there
            are as one.
        settings: what of the user's environment counts; None reads the environment and the configuration,
            once, and the deployment carries what was found.

    Raises:
        UnknownNameError: no such target or runtime (with the nearest names).
        AmbiguousNameError: the name fits several targets (with all of them).
        UsageError: a runtime that does not exist for the target, a clock above its maximum, more
            threads than cores, or a batch below 1.

    Example:
        >>> deployment("stm32h743zi", "tflm-cmsis-nn", clock_mhz=400)
        <Deployment stm32h743zi/tflm-cmsis-nn at 400 MHz>
        >>> print(deployment("nrf52840"))
        nrf52840/tflm-cmsis-nn at 64 MHz
          no runtime named: took tflm-cmsis-nn, the usual one on nrf52840
          no clock named: took the maximum, 64 MHz
        >>> deployment("stm32h743zi", "ncnn")
        Traceback (most recent call last):
        edgewright...UsageError: Runtime 'ncnn' does not run on 'stm32h743zi'. Runtimes for it: ...
    """
    settings = Settings.from_environment() if settings is None else settings
    own = settings.hardware_directories
    silicon = target if isinstance(target, Target) else resolve_target(target, own)
    family = [] if isinstance(target, Target) else _only_of_family(target, silicon, own)
    kernels, release, usual = _kernels(runtime, silicon, own)
    core, accelerator = _core_for(silicon, kernels, threads), accelerator_for(silicon, kernels)
    clock, highest = _clock(silicon, core, accelerator, clock_mhz)
    threads = threads or _cores_used(silicon, kernels, core, accelerator)
    idle = accelerator is not None and threads > core.count.value
    threads, asked = (1, threads) if idle else (threads, threads)
    mixed = _checked_counts(silicon, core, batch, threads)
    mixed += [f"{asked} threads are of the cores: {kernels.id} computes beside them"] if idle else []
    return Deployment.model_construct(  # validators of Target and Runtime cost more than a command computes
        target=silicon,
        runtime=kernels,
        core=core,
        accelerator=accelerator,
        clock_mhz=clock,
        batch=batch,
        threads=threads,
        release=release,
        assumptions=(*family, *usual, *highest, *mixed, *_described_by_user(silicon, kernels, own)),
        settings=settings,
    )


def as_deployment(given: Deployment | str) -> Deployment:
    """A deployment as it is, or the usual one of a target named."""
    return given if isinstance(given, Deployment) else deployment(given)


def _described_by_user(target: Target, runtime: Runtime, own: tuple[Path, ...]) -> Iterator[str]:
    for kind, part in (("target", target), ("runtime", runtime)):
        if own and part.id in user_files(kind, own):
            yield f"{part.id} as your own hardware files describe it"


def _only_of_family(name: str, silicon: Target, own: Directories) -> list[str]:
    """Says so where a family was named of which one member is known."""
    text = f"{name} taken as {silicon.id}, the only one known of that family"
    return [text] if is_family(name, own) else []


_REFERENCE = "tflm-reference"


def _kernels(
    runtime: str | Runtime | None, silicon: Target, own: Directories
) -> tuple[Runtime, str, list[str]]:
    """The runtime that is meant, its release if one is, and what was assumed where it was not said in full.

    Raises:
        UsageError: it does not run on the target.
    """
    named, _, wanted = runtime.partition("@") if isinstance(runtime, str) else (runtime, "", "")
    kernels, assumed = _named_kernels(named, silicon, own)
    if kernels.id not in silicon.runtimes:
        raise UsageError(
            f"Runtime {kernels.id!r} does not run on {silicon.id!r}.",
            hint=f"Runtimes for it: {', '.join(silicon.runtimes)}.",
        )
    return kernels, measured_release(kernels, wanted) if wanted else "", assumed


def _named_kernels(
    named: str | Runtime | None, silicon: Target, own: Directories
) -> tuple[Runtime, list[str]]:
    if named is None:
        usual = resolve_runtime(silicon.runtimes[0], own)
        return usual, [f"no runtime named: took {usual.id}, the usual one on {silicon.id}"]
    if isinstance(named, Runtime):
        return named, []
    kernels = resolve_runtime(named, own)
    if not _is_tflm_alone(named, kernels):
        return kernels, []
    usual = resolve_runtime(_usual_tflm(silicon, kernels), own)
    return usual, [f"{named} taken as {usual.id}, its usual kernels on {silicon.id}"]


def _is_tflm_alone(name: str, kernels: Runtime) -> bool:
    """Whether TensorFlow Lite Micro was named, and not which of its kernels."""
    return kernels.id == _REFERENCE and "ref" not in name.casefold()


def _usual_tflm(silicon: Target, kernels: Runtime) -> str:
    return next((name for name in silicon.runtimes if name.startswith("tflm-")), kernels.id)


def _core_for(target: Target, runtime: Runtime, threads: int) -> Core:
    """The slowest kind of core that the threads take, the fast ones first, as the file lists them."""
    if not target.cores:
        raise InputError(f"{target.name} has no core to run on.", hint="Describe one under cores.")
    driven = [core for core in target.cores if core.isa.value in runtime.runs_on_isas] or [target.cores[0]]
    if _small(target):
        return driven[0]
    reached = itertools.accumulate(core.count.value for core in driven)
    return next((core for core, count in zip(driven, reached, strict=True) if threads <= count), driven[-1])


def _clock(
    target: Target, core: Core, accelerator: Accelerator | None, clock_mhz: float | None
) -> tuple[float, list[str]]:
    """The clock in MHz, and what was assumed where none was named."""
    if clock_mhz is not None:
        return _checked_clock(target, core, clock_mhz), []
    boosted = accelerator.clock_max_mhz if accelerator else None
    highest = (boosted or core.clock_max_mhz).value
    return highest, [f"no clock named: took the maximum, {highest:g} MHz"]


def _checked_clock(target: Target, core: Core, clock_mhz: float) -> float:
    highest = max(
        [core.clock_max_mhz.value]
        + [a.clock_max_mhz.value for a in target.accelerators if a.clock_max_mhz is not None]
    )
    if not 0 < clock_mhz <= highest:
        raise UsageError(
            f"{target.id} cannot run at {clock_mhz:g} MHz.", hint=f"Its maximum is {highest:g} MHz."
        )
    return clock_mhz


def _cores_used(target: Target, runtime: Runtime, core: Core, accelerator: Accelerator | None) -> int:
    """All of its kind; one of a microcontroller, with kernels made for these, and beside an accelerator."""
    alone = any(isa.startswith("cortex-m") for isa in runtime.runs_on_isas)
    return 1 if accelerator or _small(target) or alone else core.count.value


def _small(target: Target) -> bool:
    return target.target_class in (TargetClass.MCU, TargetClass.DSP)


def _checked_counts(target: Target, core: Core, batch: int, threads: int) -> list[str]:
    """What is assumed where threads take cores of several kinds: all wait for the slowest.

    Raises:
        UsageError: a batch below 1, or more threads than there are cores.
    """
    if batch < 1:
        raise UsageError(f"A batch of {batch} is no batch.", hint="Give 1 or more.")
    if 1 <= threads <= core.count.value:
        return []
    used = target.cores[: target.cores.index(core) + 1]
    has = " and ".join(f"{each.count.value} {each.isa.value}" for each in used)
    if not 1 <= threads <= sum(each.count.value for each in used):
        raise UsageError(f"{target.id} cannot run {threads} threads.", hint=f"It has {has} cores.")
    return [f"{threads} threads on {has} cores, reckoned as {threads} {core.isa.value}"]
