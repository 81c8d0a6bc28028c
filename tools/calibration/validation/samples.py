"""A prediction beside its measurement."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import field

from ...core.records import dataclass
from ...cost_model.hierarchy import GPU_FAMILIES, ProcessorKind, kind_of_isa
from .validation_report import DeviceClass, LeftOut, Measured, Scheme

SHOWN_IDS = 5


@dataclass(frozen=True)
class Sample:
    id: str
    device_class: DeviceClass
    runtime: str
    quantity: Measured
    scheme: Scheme
    network: str
    dtype: str
    board: str
    measured: float
    predicted: float
    low: float | None
    """Bounds of the 90 % interval; None where there is none."""
    high: float | None
    processor: str = ""
    """Core or family of accelerator; empty where it makes no difference."""


@dataclass
class Collected:
    """What could be compared, and why the rest could not."""

    samples: list[Sample] = field(default_factory=list)
    reasons: list[tuple[str, str]] = field(default_factory=list)
    """(id of the measurement, why it has no prediction)"""
    refused: list[tuple[str, str]] = field(default_factory=list)
    """(id of the measurement, what physics has against it)"""
    assumptions: tuple[str, ...] = ()

    def leave_out(self, name: str, reason: str) -> None:
        self.reasons.append((name, reason))


def device_class(kind: ProcessorKind, processor: str) -> DeviceClass:
    if kind is ProcessorKind.UNIT:
        return DeviceClass.GPU if processor in GPU_FAMILIES else DeviceClass.NPU
    return DeviceClass.MCU if kind is ProcessorKind.MCU else DeviceClass.CPU


def class_of_row(kind: str, processor: str) -> DeviceClass:
    """Class of the processor of a row of measurements."""
    unit = kind == ProcessorKind.UNIT
    return device_class(ProcessorKind.UNIT if unit else kind_of_isa(processor), processor)


def grouped_reasons(reasons: Iterable[tuple[str, str]]) -> tuple[LeftOut, ...]:
    """Reasons with how many share them, the most frequent first."""
    ids: dict[str, list[str]] = defaultdict(list)
    for name, reason in reasons:
        ids[reason].append(name)
    found = [LeftOut(reason=r, n=len(names), ids=tuple(names[:SHOWN_IDS])) for r, names in ids.items()]
    return tuple(sorted(found, key=lambda left: (-left.n, left.reason)))
