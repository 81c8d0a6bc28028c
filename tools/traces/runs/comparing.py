"""Two files of measurements to one comparison."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import NormalDist, fmean, variance

from ....hardware_db.errors import UsageError
from ...core.sanitize import plain_name
from ..counters.derived import derived
from ..counters.rules import Rules, rules_of
from ..formats import read_recording
from .attribution import Piece, by_counter, by_structure
from .matching import Match, matched
from .run import Run, run_of
from .run_comparison import DifferenceCause, LayerPair, RunComparison, RunFigure, RunSide

_LEAST_RUNS = 3
_UNITS = {"power_mw": "mW", "frequency_mhz": "MHz"}
_SUFFIX = re.compile(r"_(?:mhz|mw|gb_s)$")
_CLOCK = re.compile("clock|freq")
_OTHER_NAMES = {"temperature_c": "temperature in degrees Celsius"}


def runs_compared(
    before: str | os.PathLike[str],
    after: str | os.PathLike[str],
    clock_mhz: float | None,
    rules: str | os.PathLike[str] | None,
    supply_v: float | None,
) -> RunComparison:
    judging = rules_of(rules)
    one, other = run_of(before, clock_mhz, supply_v), run_of(after, clock_mhz, supply_v)
    one, other = _in_one_unit(one, other)
    matches = matched(one.layers, other.layers)
    change = other.whole - one.whole
    counted, notes = by_counter(one, other, judging)
    figures = tuple(_figures(one, other, judging))
    return RunComparison(
        before=_side(one),
        after=_side(other),
        figures=figures,
        differs=_differs(figures[0]),
        by_structure=_causes(by_structure(one, other, matches), change, one.unit),
        by_counter=_causes(counted, change, one.unit),
        layers=tuple(sorted((_pair(m, change, one.unit) for m in matches), key=lambda row: -abs(row.change))),
        assumptions=tuple(dict.fromkeys((*_stated(one, other), *one.notes, *other.notes, *notes))),
        warnings=tuple(dict.fromkeys((*one.warnings, *other.warnings, *_strangers(one, other, matches)))),
    )


def are_two_runs(before: str | os.PathLike[str], after: str | os.PathLike[str]) -> bool:
    """Whether two files are of the same kind and measured, so that they are two runs and not parts of one.

    Raises:
        InputError: a file in no form that is known.
    """
    one, other = read_recording(before), read_recording(after)
    return one.format == other.format and not one.sources and Path(before) != Path(after)


def _in_one_unit(one: Run, other: Run) -> tuple[Run, Run]:
    """Cycles become time where only one of the two counts them and its clock is known."""
    if one.unit == other.unit:
        return one, other
    timed = tuple(_timed(run) for run in (one, other))
    if timed[0].unit != timed[1].unit:
        raise UsageError(
            f"{one.file} counts in {one.unit}, {other.file} in {other.unit}.",
            hint="Name the clock of what is counted in cycles or ticks: --clock 480MHz.",
        )
    return timed[0], timed[1]


def _stated(one: Run, other: Run) -> Iterator[str]:
    """What both files say about themselves and say differently: another compiler, other flags."""
    for name, before in one.facts.items():
        after = other.facts.get(name, before)
        if before != after and not _CLOCK.search(name):
            yield f"{name}, as the files state it: {before} before, {after} after"


def _timed(run: Run) -> Run:
    if run.unit not in ("cycles", "ticks") or not run.clock_mhz:
        return run
    ms = 1e-3 / run.clock_mhz
    return run._replace(
        unit="ms",
        layers=tuple(layer._replace(time=layer.time * ms) for layer in run.layers),
        whole=run.whole * ms,
        totals=tuple(total * ms for total in run.totals),
        outside={name: value * ms for name, value in run.outside.items()},
    )


def _side(run: Run) -> RunSide:
    return RunSide(
        file=run.file, format=run.format, layers=len(run.layers), runs=run.runs, clock_mhz=run.clock_mhz
    )


def _causes(pieces: Sequence[Piece], change: float, unit: str) -> tuple[DifferenceCause, ...]:
    """The largest first, what is not explained last."""
    ordered = sorted(pieces, key=lambda piece: (piece.cause == "unexplained", -abs(piece.change)))
    return tuple(
        DifferenceCause(
            cause=piece.cause, change=piece.change, share=piece.change / change if change else 0.0, unit=unit,
            why=piece.why, layers_untrusted=piece.layers,
        )
        for piece in ordered
    )  # fmt: skip


def _pair(match: Match, change: float, unit: str) -> LayerPair:
    one, other = match.times
    named = match.after or match.before
    joined = len(match.before) == len(match.after) == 1
    energy = _energy(match)
    return LayerPair(
        name_untrusted=" + ".join(layer.name for layer in named),
        op=plain_name(named[0].kind),
        matched_by=match.by,
        before=one if match.before else None,
        after=other if match.after else None,
        change=other - one,
        share=(other - one) / change if change else 0.0,
        ratio=other / one if match.before and match.after and one > 0 else None,
        unit=unit,
        energy_change_uj=energy,
        counters=_ratios(match.before[0].counts, match.after[0].counts) if joined else {},
    )


def _energy(match: Match) -> float | None:
    layers = (*match.before, *match.after)
    if not layers or any("energy_mj" not in layer.counts for layer in layers):
        return None
    one, other = (sum(row.counts["energy_mj"] for row in side) for side in (match.before, match.after))
    return (other - one) * 1e3


def _ratios(one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    shared = (name for name in one if one[name] and name in other and name != "time_ms")
    return {name: other[name] / one[name] for name in shared}


def _figures(one: Run, other: Run, rules: Rules) -> Iterator[RunFigure]:
    low, high = _interval(one.totals, other.totals)
    yield _figure("time" if one.unit == "ms" else one.unit, one.whole, other.whole, one.unit, low, high)
    for name in one.counts:
        if name in other.counts and name not in ("time_ms", one.unit):
            factor, unit = (1e3, "uJ") if name == "energy_mj" else (1.0, _UNITS.get(name, ""))
            title = "energy" if name == "energy_mj" else _OTHER_NAMES.get(name, name.replace("_", " "))
            yield _figure(title, one.counts[name] * factor, other.counts[name] * factor, unit)
    before = {each.name: each for each in derived(one.counts, rules)}
    for each in derived(other.counts, rules):
        if each.name in before:
            name = _SUFFIX.sub("", each.name).replace("_", " ")
            unit = "" if each.unit == "1" else each.unit
            yield _figure(name, before[each.name].value, each.value, unit)


def _figure(
    name: str, one: float, other: float, unit: str, low: float | None = None, high: float | None = None
) -> RunFigure:
    ratio = other / one if one else None
    return RunFigure(
        name=name, before=one, after=other, change=other - one, low=low, high=high, ratio=ratio, unit=unit
    )


def _interval(one: Sequence[float], other: Sequence[float]) -> tuple[float | None, float | None]:
    """90 % of the difference of two means, after Welch; the quantile of t by Abramowitz and Stegun 26.7.5."""
    if min(len(one), len(other)) < _LEAST_RUNS:
        return None, None
    parts = [variance(totals) / len(totals) for totals in (one, other)]
    change, error = fmean(other) - fmean(one), math.sqrt(sum(parts))
    if not error:
        return change, change
    sizes = (len(one), len(other))
    free = sum(parts) ** 2 / sum(part**2 / (size - 1) for part, size in zip(parts, sizes, strict=True))
    z = NormalDist().inv_cdf(0.95)
    t = z + (z**3 + z) / (4 * free) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * free**2)
    return change - t * error, change + t * error


def _differs(whole: RunFigure) -> bool | None:
    if whole.low is None or whole.high is None:
        return None
    return not whole.low <= 0 <= whole.high


def _strangers(one: Run, other: Run, matches: Sequence[Match]) -> Iterator[str]:
    paired = sum(bool(match.before and match.after) for match in matches)
    if one.layers and other.layers and paired * 2 < min(len(one.layers), len(other.layers)):
        yield (
            f"{paired} of {len(one.layers)} and {len(other.layers)} layers have a partner: these may be two "
            "models"
        )
    if bool(one.layers) != bool(other.layers):
        named = one.file if one.layers else other.file
        yield f"only {named} has times of layers: the wholes alone are compared"
