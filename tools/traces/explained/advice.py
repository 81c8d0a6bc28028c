"""What the use of units says about an accelerator's run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..power.energy_report import EnergyReport
from .trace_report import Advice, LaneUse, Occupancy

_WAITS = 0.2
"""Share of the whole time from which waiting for transfers, or for nothing, is worth a line."""
_STATIC = 0.4
"""Share of the energy from which the document's tree turns to duty-cycling."""
_UNEVEN = 2.0
"""Factor between the busiest and the least busy slice."""


def advice_of(occupancy: Occupancy | None, lanes: Sequence[LaneUse]) -> tuple[Advice, ...]:
    return () if occupancy is None else tuple(_found(occupancy, lanes))


def advice_of_power(report: EnergyReport | None) -> tuple[Advice, ...]:
    """Where the energy of one inference goes, and so what to change first: waiting, or computing."""
    if report is None or report.static_uj is None or not report.inference_uj:
        return ()
    share = report.static_uj / report.inference_uj
    if share > _STATIC:
        return (
            Advice(
                name="static power", severity="high",
                why=f"{share:.0%} of the energy of one is what idling for as long takes: above {_STATIC:.0%}",
                remedy="duty-cycle: run at the highest clock, then sleep; switch off what idles; a core or a "
                "regulator that leaks less",
            ),
        )  # fmt: skip
    return (
        Advice(
            name="dynamic power", severity="low",
            why=f"{1 - share:.0%} of the energy of one inference is spent on computing and moving",
            remedy="fewer or narrower operations first, which save time too; then a lower voltage and clock",
        ),
    )  # fmt: skip


def _found(use: Occupancy, lanes: Sequence[LaneUse]) -> Iterator[Advice]:
    if use.transfer_only_share >= _WAITS:
        hidden = (
            "" if use.hidden_transfer_share is None else f"; {use.hidden_transfer_share:.0%} of it is hidden"
        )
        yield Advice(
            name="waits for transfers",
            severity="high",
            why=f"for {use.transfer_only_share:.0%} of the time data moves and nothing computes{hidden}",
            remedy="smaller tiles, so that the next one loads while this one computes; narrower weights; "
            "weights kept in local memory",
        )
    if use.idle_share >= _WAITS:
        yield Advice(
            name="idle",
            severity="high",
            why=f"for {use.idle_share:.0%} of the time neither a transfer nor an operator runs",
            remedy="fewer, larger programs: what stands between two is start, wait and the host",
        )
    slices = [lane for lane in lanes if lane.lane_untrusted.startswith("slice ")]
    if len(slices) > 1:
        most, least = max(s.busy_share for s in slices), min(s.busy_share for s in slices)
        if most > _UNEVEN * least:
            yield Advice(
                name="slices unevenly used",
                severity="medium",
                why=f"the busiest slice computes {most:.0%} of the time, the least busy {least:.0%}",
                remedy="let the compiler split operators over the slices; what it cannot split stays on one",
            )
    host = sum(lane.busy_share for lane in lanes if lane.doing == "host")
    if host >= _WAITS:
        yield Advice(
            name="host works",
            severity="high",
            why=f"the host is busy for {host:.0%} of the time",
            remedy="replace the operators that fall back to it, or keep them together",
        )
