"""What a chip computes on, by kind, and the clocks that its power modes allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from .derived import accelerator_for, units_on
from .index import obtainable
from .resolver import resolve_runtime, resolve_target
from .user_files import Directories

CPU = "cpu"
_KINDS = {"gpu": "gpu", "dla": "dla", "npu": "npu", "cnn-engine": "npu"}
"""Kind of an accelerator → the word for it."""


@lru_cache(maxsize=64)
def kernels_by_processor(target: str, own: Directories | None = None) -> Mapping[str, tuple[str, ...]]:
    """Kind of processor of a target → the kernels that run there, the usual ones first."""
    chip, found = resolve_target(target, own), dict[str, tuple[str, ...]]()
    for name in obtainable(chip.runtimes, own) or chip.runtimes:
        driven = accelerator_for(chip, resolve_runtime(name, own))
        kind = _KINDS.get(driven.kind, CPU) if driven else CPU
        found[kind] = (*found.get(kind, ()), name)
    return found


def clocks_of_modes(
    target: str, heads: Mapping[str, str], own: Directories | None = None, *, above: bool = False
) -> dict[str, float]:
    """Words for a power mode → the clock in MHz that it allows; without those that the target does not have.

    Args:
        heads: words → how the id of the mode begins, or its rated power: `max`, `15w`.
        above: of modes that begin alike those beyond the rated ones.
    """
    modes = [(mode, mode.clock_mhz.value) for mode in resolve_target(target, own).power if mode.clock_mhz]
    found = dict[str, float]()
    for words, head in heads.items() if len(modes) > 1 else ():
        rated = [(m, mhz) for m, mhz in modes if m.board_power_w and f"{m.board_power_w.value:g}w" == head]
        fitting = [(mode, mhz) for mode, mhz in modes if mode.id.startswith(head)] or rated
        alike = [each for each in fitting if each[0].id.endswith("super") is above] or fitting
        found |= {words: alike[0][1]} if alike else {}
    return found


def shares_on(target: str, clocks: Sequence[float], own: Directories | None = None) -> list[float]:
    """Of the accelerator's units what is on at each of these clocks, 0 to 1."""
    return [units_on(resolve_target(target, own), mhz) for mhz in clocks]
