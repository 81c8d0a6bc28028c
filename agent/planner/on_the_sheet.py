"""Figures that say which thing is meant: what the data sheet of a target that is named says of it."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator

from ...hardware_db.derived import accelerator_peak_ops_per_s, ram_bytes
from ...hardware_db.errors import EdgewrightError
from ...hardware_db.loader import load_target
from ...hardware_db.schema import Accelerator, Target
from ..quantities import Family, find_figures
from .query import Query, Role

_APART, _OF_A_PEAK, _OF_A_BOARD = 0.01, 0.05, 0.08
"""Shares by which it may differ: peaks are rounded, and a board keeps some of its RAM for itself."""
_A_BOARD = 64 * 1024**2
"""Bytes from which on a memory is a board's, not a chip's."""
_MARKED, _A_KILO = 1e9, 1e3


def on_the_sheet(query: Query, texts: Collection[str]) -> frozenset[str]:
    """Those of the figures that a target of the query is known to have."""
    figures = [one for text in texts for one in find_figures(text)[:1] if one.text == text]
    if not figures:
        return frozenset()
    held = [each for name in dict.fromkeys(query.all(Role.TARGET)) for each in _figures_of(str(name))]
    return frozenset(
        one.text
        for one in figures
        if any(
            one.family is family and math.isclose(one.value, value, rel_tol=_share(family, value))
            for family, value in held
        )
    )


def _share(family: Family, value: float) -> float:
    if family is Family.SPEED:
        return _OF_A_PEAK
    return _OF_A_BOARD if family is Family.BYTES and value >= _A_BOARD else _APART


def _figures_of(name: str) -> Iterator[tuple[Family, float]]:
    try:
        target = load_target(name)
    except EdgewrightError:
        return
    for size in (ram_bytes(target), *(region.size_bytes.value for region in target.memories)):
        if size:
            yield Family.BYTES, float(size)
    for core in target.cores:
        yield Family.CLOCK, core.clock_max_mhz.value
    for accelerator in target.accelerators:
        for ops_per_s in _peaks(accelerator):
            yield Family.SPEED, ops_per_s / _MARKED
    yield from _of_power(target)


def _peaks(accelerator: Accelerator) -> Iterator[float]:
    for dtype in dict.fromkeys((*accelerator.peak, *accelerator.macs_per_cycle)):
        for sparse in (False, True):
            if peak := accelerator_peak_ops_per_s(accelerator, dtype, sparse=sparse):
                yield peak


def _of_power(target: Target) -> Iterator[tuple[Family, float]]:
    for mode in target.power:
        if mode.clock_mhz is not None:
            yield Family.CLOCK, mode.clock_mhz.value
        for watts in (mode.board_power_w, mode.board_active_w):
            if watts is not None:
                yield Family.POWER, watts.value * _A_KILO
    for volts in (target.supply_v, target.supply_min_v, target.supply_max_v):
        if volts is not None:
            yield Family.VOLTAGE, volts.value
    if target.price_usd is not None:
        yield Family.MONEY, target.price_usd.value
