"""Spans of a trace as tables: units, operators, and compile time beside run time."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ...core.sanitize import plain_name
from ..formats.locations import lines_of
from ..recording import Doing, Recording, Span
from ..trace import MS_PER, Unit
from .occupancy import by_lane, covered, doing, edges_of, overlap, own_times, timed
from .trace_report import JoinedProgram, LaneUse, Occupancy, OperatorTime

_TOP = 20
_MOST_JOINED = 2_000
_ROUNDING = 1e-9


class Clock(NamedTuple):
    """Milliseconds of one count; None where it is a cycle of a clock that is not known."""

    ms: float | None
    counts_cycles: bool

    def time_ms(self, counts: float) -> float | None:
        return None if self.ms is None else counts * self.ms

    def cycles(self, counts: float) -> float | None:
        return counts if self.counts_cycles else None


def clock_of(unit: Unit, mhz: float | None) -> Clock:
    if unit in MS_PER:
        return Clock(MS_PER[unit], False)
    return Clock(None if mhz is None else 1e-3 / mhz, True)


def occupancy_of(spans: Sequence[Span], clock: Clock) -> Occupancy | None:
    every = edges_of(timed(spans))
    if not len(every):
        return None
    total = float(every[:, 1].max() - every[:, 0].min())
    if total <= 0:
        return None
    compute = edges_of(doing(spans, Doing.COMPUTE, Doing.HOST))
    moved = edges_of(doing(spans, Doing.TRANSFER))
    both, computed, transferred = overlap(compute, moved), covered(compute), covered(moved)
    return Occupancy(
        total_ms=clock.time_ms(total),
        total_cycles=clock.cycles(total),
        compute_only_share=_share((computed - both) / total),
        transfer_only_share=_share((transferred - both) / total),
        overlap_share=_share(both / total),
        idle_share=_share(1 - (computed + transferred - both) / total),
        hidden_transfer_share=both / transferred if transferred else None,
    )


def _share(value: float) -> float:
    """Without what sums of floating point leave over."""
    return value if value > _ROUNDING else 0.0


def lanes_of(spans: Sequence[Span]) -> tuple[LaneUse, ...]:
    kept = timed(spans)
    every = edges_of(kept)
    total = float(every[:, 1].max() - every[:, 0].min()) if len(every) else 0.0
    if total <= 0:
        return ()
    found = []
    for lane, members in sorted(by_lane(kept).items()):
        moved = [span.bytes for span in members if span.bytes is not None]
        found.append(
            LaneUse(
                lane_untrusted=lane,
                doing=str(members[0].doing),
                times=len(members),
                busy_share=covered(edges_of(members)) / total,
                bytes=sum(moved) if moved else None,
            )
        )
    return tuple(found)


def operators_of(spans: Sequence[Span], clock: Clock) -> tuple[OperatorTime, ...]:
    """By name, without transfers, which have their own lanes."""
    return _totals(doing(spans, Doing.COMPUTE, Doing.HOST), lambda span: span.name, clock)


def by_source(spans: Sequence[Span], sources: Mapping[int, str], clock: Clock) -> tuple[OperatorTime, ...]:
    """By operator of the source: named in the trace, found by line in its source, or by its place."""
    kept = [span for span in timed(spans) if span.operator or span.location]
    return _totals(kept, lambda span: span.operator or operator_at(span.location, sources), clock)


def operator_at(location: str, sources: Mapping[int, str]) -> str:
    named = [f"{sources[line]}@L{line}" for line in lines_of(location) if line in sources]
    return " + ".join(dict.fromkeys(named)) or location


def _totals(spans: Sequence[Span], name_of: Callable[[Span], str], clock: Clock) -> tuple[OperatorTime, ...]:
    times: dict[str, float] = defaultdict(float)
    counts: Counter[str] = Counter()
    places: dict[str, Counter[str]] = defaultdict(Counter)
    for span, own in zip(spans, own_times(spans), strict=True):
        name = name_of(span)
        times[name] += own
        counts[name] += 1
        places[name][span.location] += 1
    total = sum(times.values())
    ranked = sorted(times, key=lambda name: (-times[name], name))[:_TOP] if total else ()
    return tuple(
        OperatorTime(
            name_untrusted=name or "unnamed",
            op=plain_name(name),
            times=counts[name],
            time_ms=clock.time_ms(times[name]),
            cycles=clock.cycles(times[name]),
            share=times[name] / total,
            location_untrusted=places[name].most_common(1)[0][0],
        )
        for name in ranked
    )


def joined(expected: Recording, measured: Recording, sources: Mapping[int, str]) -> tuple[JoinedProgram, ...]:
    """By place of the source: what ran there, beside what the compiler planned for it."""
    ms = MS_PER[measured.unit]
    planned, ran = _by_place(expected.spans), _by_place(timed(measured.spans))
    shared = [place for place in ran if place in planned]
    total = sum(covered(edges_of(ran[place])) for place in ran)
    rows = [_row(place, planned[place], ran[place], sources, ms, total) for place in shared[:_MOST_JOINED]]
    return tuple(sorted(rows, key=lambda row: row.start_ms))


def _by_place(spans: Sequence[Span]) -> dict[str, list[Span]]:
    found: dict[str, list[Span]] = defaultdict(list)
    for span in spans:
        if span.location:
            found[span.location].append(span)
    return dict(found)


def _row(
    place: str,
    planned: Sequence[Span],
    ran: Sequence[Span],
    sources: Mapping[int, str],
    ms: float,
    total: float,
) -> JoinedProgram:
    cycles, time = covered(edges_of(planned)), covered(edges_of(ran))
    operator = operator_at(place, sources)
    return JoinedProgram(
        location_untrusted=place,
        operator_untrusted="" if operator == place else operator,
        programs=tuple(dict.fromkeys(span.program for span in ran if span.program))[:_TOP],
        lanes=tuple(dict.fromkeys(span.lane for span in planned)),
        invocations=tuple(dict.fromkeys(span.name for span in planned if span.doing is Doing.COMPUTE))[:_TOP],
        expected_cycles=cycles,
        start_ms=min(span.start for span in ran) * ms,
        end_ms=max(span.end for span in ran) * ms,
        measured_ms=time * ms,
        share=time / total if total else 0.0,
        implied_clock_mhz=cycles / (time * ms * 1e3) if time else None,
    )
