"""What makes the difference of two runs up: parts that sum to it, the last of them called unexplained."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ...core.units import digits
from ..counters.attribution import Part, attributed
from ..counters.rules import Rules
from ..names import LIGHT
from .matching import Match
from .run import Run

Floats = npt.NDArray[np.float64]
_ALIKE = 0.1
"""Logarithms this near are the same factor."""
_LEAST_COMMON, _LEAST_LAYERS = 0.5, 3
"""Share of the time that has to have the common factor, and layers."""
_OFF = 0.02
"""A factor this near to 1 is none."""
_SINGLE = 0.05
"""Share of all that changed, from which a single layer is named."""
_CONVERSIONS = frozenset(("QUANTIZE", "DEQUANTIZE", "CAST", "TRANSPOSE"))


class Piece(NamedTuple):
    cause: str
    change: float
    why: str
    layers: tuple[str, ...] = ()


def by_structure(before: Run, after: Run, matches: Sequence[Match]) -> list[Piece]:
    """A factor that all layers share, then one that a kind shares, then single layers, and what came or went.

    With b and a the times of a matched layer, m the common factor and k that of its kind: (m - 1)·Σb, then
    (k - m)·Σb of each kind, then a - k·b of each layer; with layers that only one run has, and what is
    outside of layers, these sum to the change of the whole.
    """
    both = [match for match in matches if match.before and match.after and match.times[0] > 0]
    clock = _clock_factor(before, after)
    common = clock or _common(both)
    pieces = []
    if common != 1.0 and both:
        name, why = ("clock", _clocks(before, after)) if clock else ("all layers alike", _of_all(common))
        pieces.append(Piece(name, (common - 1) * sum(match.times[0] for match in both), why))
    kinds: dict[str, list[Match]] = defaultdict(list)
    for match in both:
        kinds[match.kind].append(match)
    moved = sum(abs(match.times[1] - common * match.times[0]) for match in both)
    moved += sum(sum(match.times) for match in matches if not match.before or not match.after)
    rest = 0.0
    for kind, members in kinds.items():
        found, left = _of_kind(kind, members, common, moved, only=len(kinds) == 1 and clock is None)
        pieces += found
        rest += left
    pieces += [*_one_sided(matches), *_outside(before, after)]
    change = after.whole - before.whole
    explained = sum(piece.change for piece in pieces)
    if not math.isclose(change, explained, abs_tol=1e-9 * max(before.whole, after.whole)):
        scatter = "single layers off from what they share, each too little to be named"
        whole_only = "no layers were measured: counters, where there are any, say more"
        pieces.append(Piece("unexplained", change - explained, scatter if both else whole_only))
    return pieces


def _clock_factor(before: Run, after: Run) -> float | None:
    """What the clocks alone would make of a time; None where they are not known, or alike."""
    one, other = before.clock_mhz, after.clock_mhz
    if before.unit != "ms" or not one or not other or abs(one / other - 1) < _OFF:
        return None
    return one / other


def _common(both: Sequence[Match]) -> float:
    """The weighted median of after over before, where most of the time and two kinds have it; else 1."""
    if len(both) < _LEAST_LAYERS:
        return 1.0
    logs, weights = _logs(both)
    middle = _median(logs, weights)
    agree = np.abs(logs - middle) < _ALIKE
    kinds = {match.kind for match, agrees in zip(both, agree, strict=True) if agrees}
    alike = weights[agree].sum() >= _LEAST_COMMON * weights.sum() and abs(math.expm1(middle)) > _OFF
    return math.exp(middle) if alike and len(kinds) > 1 else 1.0


def _logs(both: Sequence[Match]) -> tuple[Floats, Floats]:
    times = np.array([match.times for match in both])
    return np.log(np.maximum(times[:, 1], 1e-12) / times[:, 0]), times[:, 0]


def _median(values: Floats, weights: Floats) -> float:
    order = np.argsort(values)
    sums = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(sums, sums[-1] / 2)])


def _clocks(before: Run, after: Run) -> str:
    one, other = digits(before.clock_mhz or 0.0, 4), digits(after.clock_mhz or 0.0, 4)
    return f"{one} MHz before, {other} MHz after: what layers would gain that follow the clock"


def _of_all(common: float) -> str:
    said = f"the layers have the factor {digits(common)} in common"
    return f"{said}: a clock, wait states, a build or a load that touches all of them"


def _of_kind(
    kind: str, members: Sequence[Match], common: float, moved: float, *, only: bool
) -> tuple[list[Piece], float]:
    """Its own factor where two or more agree, else its layers one by one; and what is left."""
    total = sum(match.times[0] for match in members)
    over = sum(match.times[1] for match in members)
    logs, weights = _logs(members)
    middle = _median(logs, weights)
    agree = weights[np.abs(logs - middle) < 2 * _ALIKE].sum() / weights.sum()
    change = over - common * total
    if abs(change) < _SINGLE / 2 * moved and abs(over / (common * total) - 1) < _ALIKE:
        return [], change
    if len(members) > 1 and agree > 0.7:
        factor = over / total
        beside = "" if common == 1.0 else f" beside {digits(common)} of all"
        cause = _kernel(factor / common, only)
        why = f"{len(members)} {kind} take {digits(factor)} times as long{beside}: {cause}"
        return [Piece(f"{kind} layers", change, why)], 0.0
    pieces, left = [], 0.0
    for match in sorted(members, key=lambda one: -abs(one.times[1] - common * one.times[0])):
        one, other = match.times
        if abs(other - common * one) < _SINGLE * moved:
            left += other - common * one
            continue
        name = (match.after or match.before)[0].name
        beside = "" if common == 1.0 else f", beside {digits(common)} of all"
        alone = "the only one of its kind" if len(members) == 1 else "others of its kind do not"
        why = f"it takes {digits(other / one)} times as long{beside}; {alone}"
        pieces.append(Piece("one layer", other - common * one, why, (name,)))
    return pieces, left


def _kernel(factor: float, only: bool) -> str:
    if only:
        return "all layers are of this kind, so that a clock cannot be told from a kernel"
    return (
        "another kernel, type or tile for this kind"
        if factor < 1
        else "a slower kernel for this kind, or a fallback"
    )


def _one_sided(matches: Sequence[Match]) -> Iterator[Piece]:
    gone = [match.before[0] for match in matches if not match.after]
    new = [match.after[0] for match in matches if not match.before]
    if gone:
        fused = all(layer.kind in LIGHT for layer in gone)
        why = "no longer there: joined to a neighbour, folded, or removed" if fused else "no longer there"
        names = tuple(layer.name for layer in gone)
        yield Piece("layers gone", -sum(layer.time for layer in gone), f"{_count(names)} {why}", names)
    if new:
        converts = [layer for layer in new if layer.kind in _CONVERSIONS]
        why = "new; those that convert are the price of another type or layout" if converts else "new"
        names = tuple(layer.name for layer in new)
        yield Piece("layers new", sum(layer.time for layer in new), f"{_count(names)} {why}", names)


def _count(names: Sequence[str]) -> str:
    return "1 layer is" if len(names) == 1 else f"{len(names)} layers are"


def _outside(before: Run, after: Run) -> Iterator[Piece]:
    for name in dict.fromkeys((*before.outside, *after.outside)):
        one, other = before.outside.get(name, 0.0), after.outside.get(name, 0.0)
        if one != other:
            yield Piece(name, other - one, "of the whole, what no layer's own time is")


def by_counter(before: Run, after: Run, rules: Rules) -> tuple[list[Piece], list[str]]:
    """The clock, and what the cycles went into, each run attributed by the same rules.

    t = c / f: the clock makes c1 · (1/f2 - 1/f1), the cycles then (c2 - c1) / f2, which sum to t2 - t1. The
    cycles' part is divided by what each run's counters attribute its cycles to.
    """
    one, other = before.counts.get("cycles"), after.counts.get("cycles")
    if not one or not other or before.unit == "ticks":
        return [], []
    of_one, note = attributed(before.counts, rules)
    of_other, note_after = attributed(after.counts, rules)
    notes = [text for text in (note, note_after) if text]
    if before.unit == "cycles":
        if not _more_than_cycles(of_one, of_other):
            return [], []
        return _of_cycles(before, after, of_one, of_other, 1.0), notes
    slow, fast = before.whole / one, after.whole / other
    clock = one * (fast - slow)
    why = f"{digits(1e-3 / slow, 4)} MHz before, {digits(1e-3 / fast, 4)} MHz after, by cycles over time"
    pieces = [Piece("clock", clock, why)] if abs(slow / fast - 1) > 1e-3 else []
    if _more_than_cycles(of_one, of_other):
        pieces += _of_cycles(before, after, of_one, of_other, fast)
    else:
        why = "only cycles were counted: what they went into is not known"
        pieces.append(Piece("cycles", (other - one) * fast, why))
    return pieces, notes


def _more_than_cycles(one: Sequence[Part], other: Sequence[Part]) -> bool:
    return len({part.cause for part in (*one, *other)}) > 1


def _of_cycles(
    before: Run, after: Run, of_one: Sequence[Part], of_other: Sequence[Part], scale: float
) -> list[Piece]:
    one, other = before.counts["cycles"], after.counts["cycles"]
    was = {part.words: part.share * one for part in of_one}
    now = {part.words: part.share * other for part in of_other}
    how = {part.words: part.how for part in (*of_one, *of_other)}
    return [
        Piece(words, (now.get(words, 0.0) - was.get(words, 0.0)) * scale, _cycles_of(words, was, now, how))
        for words in dict.fromkeys((*was, *now))
    ]


def _cycles_of(words: str, was: Mapping[str, float], now: Mapping[str, float], how: Mapping[str, str]) -> str:
    return f"{was.get(words, 0.0):,.0f} cycles before, {now.get(words, 0.0):,.0f} after; {how[words]}"
