"""What a user's own measurements of a board tell: kept, listed, removed, shared."""

from __future__ import annotations

import datetime
import os
from collections.abc import Sequence
from pathlib import Path

from ...hardware_db import user_files
from ...hardware_db.errors import UsageError
from ..calibration.boards.anchor_set import AnchorSet, anchor_set
from ..calibration.boards.calibration import Calibration, CalibrationList, Foretold, LearnedBoard
from ..calibration.boards.cases import Line, MeasuredLine, read_lines
from ..calibration.boards.learning import (
    Judged,
    added,
    by_estimates,
    calibrations,
    errors_after,
    errors_before,
    judged,
    judged_case,
    learned_boards,
    median_or_none,
)
from ..calibration.boards.sharing import write_shared
from ..core.calibrations import (
    BoardCalibration,
    calibration_folder,
    forget,
    kept_in,
    read_calibrations,
)
from ..core.calibrations import keep as write
from ..core.deployment import Deployment, as_deployment
from ..core.deployment import deployment as deployment_of
from ..core.files import regular_file
from ..core.settings import Settings
from ..cost_model.anchor import sort_of_place
from ..cost_model.study import study
from ..placement.model_source import ModelSource, as_graph

NOT_NOW = "nothing was learned, and what was kept before is as it was"


def calibrate_target(
    path: str | os.PathLike[str] | None = None,
    *,
    model: ModelSource | None = None,
    deployment: Deployment | str | None = None,
    latency_ms: float | None = None,
    share: str | os.PathLike[str] | None = None,
    folder: str | os.PathLike[str] | None = None,
    keep: bool = True,
    then: Sequence[ModelSource] = (),
    settings: Settings | None = None,
) -> Calibration:
    """Learn from measurements of boards how far they are off their estimates, and keep it for every answer.

    What a file tells of a board takes the place of what was kept of it before, once every line has been read;
    where no line of a board can be used, that stays as it was. A single measurement is added to it.

    Args:
        path: a CSV with the columns model, target, runtime, dtype, batch, threads, clock_mhz and latency_ms,
            of which runtime, dtype, batch, threads and clock_mhz may be empty or missing.
        model: instead of a file, the model of a single measurement.
        deployment: where that was taken.
        latency_ms: what was measured, of one batch.
        share: a new YAML file of the used rows, as the project takes them.
        folder: where to keep it; None takes `calibrations` beside the user's hardware files.
        keep: whether answers are to go by it; else it is only said what it comes to, and nothing is written.
        then: other models, to be estimated by it where the single measurement was taken.
        settings: what of the user's environment counts; None reads it.

    Raises:
        InputError: a file that cannot be read or lacks a column. A line that cannot be used is a row.
        UsageError: neither a file nor a measurement, no place to keep it, or a file to share that is there.

    Example:
        >>> head = "model,target,latency_ms"
        >>> _ = Path("mine.csv").write_text(head + "\\nkws,stm32h743zi,19.2")
        >>> found = calibrate_target("mine.csv", folder="boards")
        >>> found.rows[0].used, found.boards[0].networks
        (True, 1)
    """
    settings = Settings.from_environment() if settings is None else settings
    where = _folder(folder, settings) if keep else None
    if path is not None:
        rows = judged(read_lines(regular_file(path)), Path(path).parent, settings)
        return _learned(rows, str(path), where, share)
    if model is None or deployment is None or latency_ms is None:
        raise UsageError(
            "There is nothing to learn from.",
            hint="Name a CSV of measurements, or a model, a target and what was measured.",
        )
    graph, place = as_graph(model, deployment)
    line = Line(1, {"model": graph.name, "target": place.target.id, "runtime": place.runtime.id})
    rows = [judged_case(MeasuredLine(line, graph, by_estimates(place), latency_ms))]
    learned = _learned(rows, "a measurement that was given", where, share, add=True)
    if not then or not learned.boards:
        return learned
    return learned.model_copy(update={"then": tuple(_foretold(rows, place, other) for other in then)})


def _foretold(rows: Sequence[Judged], place: Deployment, model: ModelSource) -> Foretold:
    """A model there, by what was published and fitted alone, and by the measurement too."""
    graph, without = as_graph(model, by_estimates(place))
    learned = calibrations(rows, datetime.datetime.now(tz=datetime.UTC).date())
    own = without.settings.model_copy(update={"calibrations": tuple(learned)})
    return Foretold(
        model=graph.name,
        estimated_ms=study(graph, without).latency_ms,
        latency_ms=study(graph, without.model_copy(update={"settings": own})).latency_ms,
    )


def _learned(
    rows: Sequence[Judged],
    source: str,
    folder: Path | None,
    share: str | os.PathLike[str] | None = None,
    *,
    add: bool = False,
) -> Calibration:
    """Keep what the rows tell, and say what it comes to.

    Args:
        folder: None keeps nothing.
        add: to what is kept of the board, of which the same case is replaced.
    """
    found = calibrations(rows, datetime.datetime.now(tz=datetime.UTC).date())
    if add and folder is not None:
        found = [added(each, kept_in(folder, each.target)) for each in found]
    written: tuple[str, ...] = ()
    if share is not None and found:
        written = (write_shared(found, Path(share)),)
    files = [str(write(each, folder)) if folder else "" for each in found]
    kept = [each.model_copy(update={"file": file}) for each, file in zip(found, files, strict=True)]
    sorts = {key: sort for each in kept for key, sort in _sorts(each).items()}
    after = [error for each in kept for error in _errors_after(each, sorts)]
    before = [error for each in kept for error in errors_before(each.measurements)]
    return Calibration(
        source=source,
        rows=tuple(one.row for one in rows),
        boards=tuple(board for each in kept for board in learned_boards(each, sorts)),
        error_before=median_or_none(before),
        error_after=median_or_none(after),
        file=kept[0].file if kept else "",
        written=written,
        assumptions=_goes_by(kept, written=folder is not None),
        warnings=() if kept else (NOT_NOW,),
    )


def _errors_after(kept: BoardCalibration, sorts: dict[str, str]) -> list[float]:
    runtimes = {each.runtime for each in kept.measurements}
    by_runtime = {name: [e for e in kept.measurements if e.runtime == name] for name in sorted(runtimes)}
    return [error for name, own in by_runtime.items() for error in errors_after(own, sorts.get(name, ""))]


def _goes_by(kept: Sequence[BoardCalibration], *, written: bool) -> tuple[str, ...]:
    if not kept:
        return ()
    if not written:
        return ("nothing was kept: no other answer goes by it",)
    return (f"every answer on {_names(kept)} goes by it until it is removed",)


def _names(kept: Sequence[BoardCalibration]) -> str:
    return ", ".join(each.target for each in kept)


def calibration_anchors(deployment: Deployment | str) -> AnchorSet:
    """The three public models to measure on a board so that all other estimates gain most, and how.

    Args:
        deployment: a deployment, or a target's name for its usual runtime.

    Raises:
        InputError: a target that there is not.

    Example:
        >>> [each.model for each in calibration_anchors("stm32h743zi").models]
        ['kws', 'ad', 'ic']
    """
    return anchor_set(as_deployment(deployment))


def list_calibrations(settings: Settings | None = None) -> CalibrationList:
    """The calibrations that answers go by.

    Raises:
        UsageError: a file that is no calibration.

    Example:
        >>> list_calibrations(Settings()).boards
        ()
    """
    settings = Settings.from_environment() if settings is None else settings
    return CalibrationList(boards=_boards(settings.calibrations))


def remove_calibration(target: str, settings: Settings | None = None) -> CalibrationList:
    """Forget what was learned of a board, even where its file is damaged: answers are what they were without.

    Raises:
        UnknownNameError: nothing was learned of it.

    Example:
        >>> remove_calibration("nrf52840", Settings())
        Traceback (most recent call last):
        edgewright...UnknownNameError: Unknown calibration 'nrf52840'...
    """
    directories = user_files.directories() if settings is None else settings.hardware_directories
    gone = forget(target, directories)
    return CalibrationList(boards=_boards(read_calibrations(directories)), removed=str(gone))


def _boards(kept: Sequence[BoardCalibration]) -> tuple[LearnedBoard, ...]:
    return tuple(board for each in kept for board in learned_boards(each, _sorts(each)))


def _sorts(kept: BoardCalibration) -> dict[str, str]:
    """Runtime → class of hardware that it runs on."""
    runtimes = sorted({one.runtime for one in kept.measurements})
    return {name: sort_of_place(deployment_of(kept.target, name)) for name in runtimes}


def _folder(given: str | os.PathLike[str] | None, settings: Settings) -> Path:
    folder = calibration_folder(settings.hardware_directories) if given is None else Path(given)
    if folder is None:
        raise UsageError(
            "There is no place to keep a calibration: no home, no hardware directory.",
            hint="Name one: EDGEWRIGHT_CONFIG_DIR or EDGEWRIGHT_HARDWARE_DIR.",
        )
    return folder
