"""Accelerators behind a link, over which weights that do not fit on the chip at once come anew each time.

Such a chip is given one part of the network after the other, and each part's weights cross the link from the
host's memory. Whether a network is one of these, no source says; a time in which all its weights could not
have come shows that it is none.
"""

from __future__ import annotations

import functools
import math
from pathlib import Path

from ...hardware_db import load_target
from ...hardware_db.index import targets_by_id
from ...hardware_db.measurements.published import Published
from ..core.deployment import Deployment
from ..core.records import dataclass
from .hierarchy import processor_of


@dataclass(frozen=True)
class Link:
    """Of an accelerator on a target."""

    here: float
    """Bytes a second over the link as it is connected."""
    widest: float
    """Over all lanes that the accelerator has."""

    @property
    def is_narrowed(self) -> bool:
        return self.here < self.widest


@functools.cache
def link_of(target: str, processor: str, own: tuple[Path, ...] = ()) -> Link | None:
    """The link of the accelerator of that family; None where the target states none.

    Args:
        target: id; of one that is not known there is none.
        processor: family of the accelerator.
        own: directories of the user's hardware.
    """
    if target not in targets_by_id(own):
        return None
    for unit in load_target(target, own).accelerators:
        here, widest = unit.link_bytes_per_s, unit.widest_link_bytes_per_s
        if processor == (unit.family or unit.kind) and here is not None:
            return Link(here.value, widest.value if widest is not None else here.value)
    return None


def is_narrowed(target: str, processor: str, own: tuple[Path, ...] = ()) -> bool:
    """Whether what is measured there waits for a narrower link than the accelerator has elsewhere."""
    link = link_of(target, processor, own)
    return link is not None and link.is_narrowed


def _behind_the_link(row: Published, place: Deployment, weight_bytes: int, ratio: float) -> float | None:
    """What a latency that was measured of an accelerator comes to on another of its family, in ms.

    None where one of the two has no link that is known.

    Args:
        weight_bytes: of the network, which cross the link where the measured time leaves room for it.
        ratio: of the place's time over that of where it was measured, by the cost model.
    """
    processor, own = processor_of(place)[1], place.settings.hardware_directories
    there, here = (link_of(name, processor, own) for name in (row.target, place.target.measured_as))
    if there is None or here is None or not ratio > 0:
        return None
    there_ms, here_ms = (weight_bytes / link.here * 1e3 for link in (there, here))
    if row.latency_ms < there_ms:
        return row.latency_ms * ratio
    return (row.latency_ms - there_ms) * ratio + here_ms


def log_ratio(row: Published, place: Deployment, weight_bytes: int, there_ms: float, here_ms: float) -> float:
    """Of measured over estimated, with the link of the place where both have one."""
    linked = _behind_the_link(row, place, weight_bytes, here_ms / there_ms)
    return math.log(row.latency_ms / there_ms) if linked is None else math.log(linked / here_ms)
