"""From lines of measurements to what is kept of them: each is used, or says why not."""

from __future__ import annotations

import datetime
import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ....hardware_db.coefficients import load_coefficients
from ....hardware_db.errors import EdgewrightError
from ...core.calibrations import BoardCalibration, Learned
from ...core.deployment import Deployment
from ...core.quantity import Basis, Quantity
from ...core.records import replace
from ...core.settings import Settings
from ...cost_model.anchor import sort_of_place
from ...cost_model.features import work_features
from ...cost_model.hierarchy import processor_of
from ...cost_model.own_measured import asked_of
from ...cost_model.own_offset import Asked, offset
from ...cost_model.study import study
from ...cost_model.times import least_seconds
from .calibration import CalibrationRow, LearnedBoard
from .cases import Line, MeasuredLine, measured_line, reason_of

PHYSICS_TOLERANCE = 1.02
"""Clocks and times are written rounded."""
FARTHEST = 30.0
"""A board is not this many times off what is estimated of it: another unit is, or another model."""
WITHOUT: Mapping[str, object] = {"calibrations": (), "carried": None}
DOUBTFUL = 5.0
"""So far off that the row asks what was measured, though it is learned from."""
CONTRADICTING = 1.3
"""Times that measurements of one case may differ without a remark."""
UNITS = {"microseconds": 1e3, "seconds": 1e-3, "nanoseconds": 1e6}
NEAR_UNIT = 5.0


@dataclass(frozen=True)
class Judged:
    """A line with its verdict; what is kept of it where it is used."""

    row: CalibrationRow
    learned: Learned | None = None
    sort: str = ""


def judged(lines: Sequence[Line], folder: Path, settings: Settings) -> list[Judged]:
    """Every line, in order."""
    without = settings.model_copy(update=WITHOUT)
    first: dict[object, int] = {}
    found: list[Judged] = []
    for line in lines:
        try:
            one = judged_case(measured_line(line, folder, without))
        except EdgewrightError as error:
            one = Judged(_row(line, reason=reason_of(error)))
        if one.learned is not None:
            twin = first.setdefault((one.row.target, one.learned), line.number)
            if twin != line.number:
                row = one.row.model_copy(update={"used": False, "reason": f"the same as line {twin}"})
                one = replace(one, row=row, learned=None)
            else:
                one = _beside(one, found)
        found.append(one)
    return found


def _beside(one: Judged, earlier: Sequence[Judged]) -> Judged:
    """With the first line that measured the same case and contradicts it."""
    assert one.learned is not None
    case, ms = (one.row.target, *_case(one.learned)), one.learned.latency_ms
    for other in earlier:
        if other.learned is None or (other.row.target, *_case(other.learned)) != case:
            continue
        if max(ms, other.learned.latency_ms) > CONTRADICTING * min(ms, other.learned.latency_ms):
            reason = (
                f"{one.row.reason}; line {other.row.line} has {other.learned.latency_ms:.4g} ms of the same"
            )
            return replace(one, row=one.row.model_copy(update={"reason": reason}))
    return one


def by_estimates(place: Deployment) -> Deployment:
    """The same without what was learned before: what a measurement is compared with."""
    return place.model_copy(update={"settings": place.settings.model_copy(update=WITHOUT)})


def judged_case(case: MeasuredLine) -> Judged:
    """One measurement, held against physics and against its estimate."""
    estimated = study(case.graph, case.place)
    latency = estimated.latency_ms
    row = _row(case.line, case=case, estimated_ms=latency.value)
    least_ms = float(least_seconds(work_features(case.graph), case.place).sum()) * 1e3
    if case.latency_ms * PHYSICS_TOLERANCE < least_ms:
        reason = f"physics forbids it: the peak of {case.place.ref.processor} needs {least_ms:.3g} ms"
        unit = None if latency.value is None else _unit(case.latency_ms / latency.value, case)
        meant = f"; are these {unit}? latency_ms is in milliseconds" if unit else ""
        return Judged(row.model_copy(update={"reason": reason + meant}))
    if latency.value is None:
        why = next(iter(estimated.warnings), "no estimate to compare it with")
        return Judged(row.model_copy(update={"reason": f"nothing is estimated there: {why}"}))
    ratio = case.latency_ms / latency.value
    if not 1 / FARTHEST <= ratio <= FARTHEST:
        return Judged(row.model_copy(update={"reason": _far_off(ratio, case)}))
    asked = asked_of(case.graph, case.place, estimated.anchor)
    learned = Learned(
        model=case.graph.name,
        signature=asked.signature,
        model_sha256=case.graph.sha256,
        runtime=case.place.runtime.id,
        release=case.line.cell("runtime_version"),
        processor=processor_of(case.place)[1],
        dtype=asked.dtype,
        batch=case.place.batch,
        threads=case.place.threads,
        clock_mhz=case.place.clock_mhz,
        latency_ms=case.latency_ms,
        estimated_ms=latency.value,
        standing=asked.standing,
    )
    how = "this very case was published" if latency.basis is Basis.PUBLISHED else "used"
    doubt = (
        ""
        if 1 / DOUBTFUL <= ratio <= DOUBTFUL
        else "; is it this board, library, type and an optimised build?"
    )
    reason = f"{how}: measured {ratio:.2f} × estimated{doubt}"
    used = row.model_copy(update={"used": True, "reason": reason})
    return Judged(used, learned, sort_of_place(case.place))


def _far_off(ratio: float, case: MeasuredLine) -> str:
    """Which unit would make it near, else that something else was measured."""
    times = f"{ratio:,.0f}" if ratio > 1 else f"{ratio:.2g}"
    if unit := _unit(ratio, case):
        return f"{times} times what is estimated: are these {unit}? latency_ms is in milliseconds"
    return f"{times} times what is estimated: another model, another board or another unit"


def _unit(ratio: float, case: MeasuredLine) -> str | None:
    """In which a time that is `ratio` times the estimate would be near it."""
    units = {**UNITS, "cycles": case.place.clock_mhz * 1e3}
    return next((name for name, per in units.items() if 1 / NEAR_UNIT <= ratio / per <= NEAR_UNIT), None)


def _row(
    line: Line, *, case: MeasuredLine | None = None, estimated_ms: float | None = None, reason: str = ""
) -> CalibrationRow:
    return CalibrationRow(
        line=line.number,
        model=line.cell("model") if case is None else case.graph.name,
        target=line.cell("target") if case is None else case.place.target.id,
        runtime=line.cell("runtime") if case is None else case.place.runtime.id,
        measured_ms=None if case is None else case.latency_ms,
        estimated_ms=estimated_ms,
        used=False,
        reason=reason,
    )


def calibrations(rows: Iterable[Judged], today: datetime.date) -> list[BoardCalibration]:
    """One for each target that a line of was used."""
    by_target: dict[str, list[Learned]] = defaultdict(list)
    for one in rows:
        if one.learned is not None:
            by_target[one.row.target].append(one.learned)
    figures = load_coefficients().release
    return [
        BoardCalibration(target=target, figures=figures, date=today, measurements=tuple(learned))
        for target, learned in sorted(by_target.items())
    ]


def added(new: BoardCalibration, old: BoardCalibration | None) -> BoardCalibration:
    """What is new after what is kept, in which the same cases are replaced."""
    if old is None:
        return new
    cases = {_case(each) for each in new.measurements}
    rest = tuple(each for each in old.measurements if _case(each) not in cases)
    return new.model_copy(update={"measurements": (*rest, *new.measurements)})


def _case(each: Learned) -> tuple[object, ...]:
    return each.signature, each.runtime, each.dtype, each.batch, each.threads, each.clock_mhz


def learned_boards(kept: BoardCalibration, sorts: Mapping[str, str]) -> list[LearnedBoard]:
    """What the measurements of each library on a board come to.

    Args:
        sorts: runtime → mcu, cpu, gpu or npu.
    """
    by_runtime: dict[str, list[Learned]] = defaultdict(list)
    for each in kept.measurements:
        by_runtime[each.runtime].append(each)
    return [
        LearnedBoard(
            target=kept.target,
            runtime=runtime,
            measurements=len(learned),
            networks=len({each.signature for each in learned}),
            factor=_factor(learned, sorts.get(runtime, "")),
            error_before=statistics.median(errors_before(learned)),
            error_after=median_or_none(errors_after(learned, sorts.get(runtime, ""))),
            file=kept.file,
        )
        for runtime, learned in sorted(by_runtime.items())
    ]


def _factor(learned: Sequence[Learned], sort: str) -> Quantity:
    """Of another network in the type of the first, about which as little is known as about that one."""
    found = offset(learned, Asked("", learned[0].dtype, learned[0].standing), sort)
    if found is None:
        return Quantity.unknown("x")
    return Quantity.within_factor(math.exp(found.log_ratio), found.interval_factor, "x", Basis.SCALED)


def errors_before(learned: Sequence[Learned]) -> list[float]:
    return [abs(each.estimated_ms / each.latency_ms - 1) for each in learned]


def errors_after(learned: Sequence[Learned], sort: str) -> list[float]:
    """Of each by what the other networks tell of it; none where there is only one network."""
    errors = []
    for each in learned:
        others = [other for other in learned if other.signature != each.signature]
        asked = Asked(each.signature, each.dtype, each.standing)
        found = offset(others, asked, sort) if others else None
        if found is not None:
            errors.append(abs(each.estimated_ms * math.exp(found.log_ratio) / each.latency_ms - 1))
    return errors


def median_or_none(errors: Sequence[float]) -> float | None:
    return statistics.median(errors) if errors else None
