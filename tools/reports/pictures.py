"""The pictures of a result, written as files: PNG, SVG, a page, the rows that they draw, collapsed stacks."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping
from pathlib import Path

from ...hardware_db.errors import UsageError, install_line
from ..api.analysis import AnalysisReport
from ..core.files import save_all, save_whole
from ..core.quantity import Result
from ..core.render.csv_lines import csv_lines, number
from ..hardware_selector.hardware_ranking import Comparison, HardwareRanking
from ..host_runs.measured_candidates import MeasuredCandidates
from ..model_choice.model_ranking import ModelRanking
from ..optimization_simulator.optimization_report import OptimizationReport
from ..roofline.roofline_report import RooflineReport
from ..timeline.timeline import Timeline
from ..traces.measured_profile import MeasuredProfile
from .charts.attribution import sunburst
from .charts.board_rows import COLUMNS, compared_rows
from .charts.boards import dashboard
from .charts.flame import estimated_flame, measured_flame
from .charts.pareto import ENERGY, LATENCY, front_picture, of_candidates, of_changes, of_models
from .charts.picture import Picture, can_draw, picture_png, picture_svg
from .charts.predicted import predicted_and_measured
from .charts.radar import radar
from .charts.steps import optimization_timeline
from .charts.utilization import utilization
from .page.library import EXTRA
from .page.pictures_page import pictures_page

_ENDINGS = "Name it .png, .svg, .html, .csv or .folded, or name a folder for all of it."


@functools.singledispatch
def pictures_of(_result: Result) -> tuple[Picture, ...]:
    """What can be drawn of a result; nothing of most."""
    return ()


@pictures_of.register
def _analysis(result: AnalysisReport) -> tuple[Picture, ...]:
    drawn = (
        sunburst(result.roofline, result.performance),
        estimated_flame(result.roofline, result.performance),
        optimization_timeline(result.optimization),
        of_changes(result.optimization),
    )
    return _known(*drawn)


@pictures_of.register
def _roofline(result: RooflineReport) -> tuple[Picture, ...]:
    return _known(sunburst(result))


@pictures_of.register
def _comparison(result: Comparison) -> tuple[Picture, ...]:
    rows = compared_rows(result.ranking)
    front = front_picture(rows, COLUMNS, LATENCY, ENERGY, f"{result.model}: deployments")
    return _known(dashboard(rows, result.model), radar(rows, result.model), front)


@pictures_of.register
def _timeline(result: Timeline) -> tuple[Picture, ...]:
    return _known(utilization(result))


@pictures_of.register
def _profile(result: MeasuredProfile) -> tuple[Picture, ...]:
    return _known(predicted_and_measured(result), measured_flame(result))


@pictures_of.register
def _optimizations(result: OptimizationReport) -> tuple[Picture, ...]:
    return _known(optimization_timeline(result), of_changes(result))


@pictures_of.register
def _models(result: ModelRanking) -> tuple[Picture, ...]:
    return tuple(of_models(result))


@pictures_of.register
def _candidates(result: MeasuredCandidates) -> tuple[Picture, ...]:
    return tuple(of_candidates(result))


@pictures_of.register
def _hardware(result: HardwareRanking) -> tuple[Picture, ...]:
    passing = [row for row in result.ranking if row.rank is not None and row.best_of_target]
    others = len(result.ranking) - len(passing)
    more = f" Left out, as they fail, cannot be judged or come after another runtime: {others:,}."
    rows = compared_rows(passing) if passing else ()
    title = f"Hardware for {result.model or 'the model'}"
    return _known(front_picture(rows, COLUMNS, LATENCY, ENERGY, title, more if others else ""))


def _known(*pictures: Picture | None) -> tuple[Picture, ...]:
    return tuple(picture for picture in pictures if picture is not None)


def write_pictures(
    result: Result, path: str | os.PathLike[str], *, force: bool = False, needed: bool = True
) -> tuple[str, ...]:
    """Draw what a result can be shown as.

    Args:
        result: of `analyze_model`, `analyze_roofline`, `import_profile` and others that can be drawn.
        path: a file that ends in .png or .svg for one picture, .html for a page of all with their tables,
            .csv for the rows of one, .folded for its collapsed stacks (flamegraph.pl, speedscope); else a
            folder for all pictures, each as PNG, SVG and CSV, made if it is not there.
        force: overwrite files.
        needed: whether it is an error that there is no picture of it.

    Returns:
        The paths of the files.

    Raises:
        UsageError: there is no picture of it, or several and a file for one was named; the charting library
            is not installed and the file needs it; a file exists.
        EdgewrightError: the disk is full, or the folder may not be written to. Nothing is left behind then.

    Example:
        >>> write_pictures(analyze_model("kws", "stm32h743zi"), "kws.folded")
        ('kws.folded',)
        >>> Path("kws.folded").read_text().splitlines()[0].split(";")[:3]
        ['kws:int8', 'cm7', 'CONV_2D']
    """
    target, pictures = Path(path), pictures_of(result)
    if not pictures and not needed:
        return ()
    if not pictures:
        raise UsageError("There is no picture of it.", hint="--json has all that it holds.")
    match target.suffix.lower():
        case ".html" | ".htm":
            content = functools.partial(_page, pictures)
        case ".png" | ".svg" | ".csv" | ".folded" as ending:
            content = functools.partial(_of_one, pictures, ending)
        case "":
            return save_all(_files(pictures), target, force=force)
        case ending:
            raise UsageError(f"Pictures are not written as {ending!r}.", hint=_ENDINGS)
    save_whole(content, target, force=force)
    return (str(target),)


def _page(pictures: tuple[Picture, ...]) -> bytes:
    _needs_library()
    return pictures_page(pictures).encode("utf-8", "replace")


def _of_one(pictures: tuple[Picture, ...], ending: str) -> bytes:
    if ending == ".folded":
        pictures = tuple(picture for picture in pictures if picture.stacks)
    if len(pictures) != 1:
        names = ", ".join(picture.name for picture in pictures) or "none"
        raise UsageError(f"Of it {ending!r} can hold one picture: {names}.", hint="Name a folder for them.")
    return _forms(pictures[0])[ending]()


def _files(pictures: tuple[Picture, ...]) -> Mapping[str, bytes]:
    """All that can be written here: without the charting library rows and stacks alone."""
    return {
        f"{picture.name}{ending}": made()
        for picture in pictures
        for ending, made in _forms(picture).items()
        if can_draw() or ending not in (".png", ".svg")
    }


def _forms(picture: Picture) -> dict[str, Callable[[], bytes]]:
    forms: dict[str, Callable[[], bytes]] = {
        ".png": lambda: picture_png(picture) if _needs_library() else b"",
        ".svg": lambda: picture_svg(picture).encode("utf-8", "replace") if _needs_library() else b"",
        ".csv": lambda: _rows(picture).encode("utf-8", "replace"),
    }
    return forms | ({".folded": picture.stacks.encode} if picture.stacks else {})


def _needs_library() -> bool:
    """
    Raises:
        UsageError: it is not installed.
    """
    if not can_draw():
        raise UsageError("Pictures need the charting library.", hint=install_line(EXTRA))
    return True


def _rows(picture: Picture) -> str:
    """What the charts draw, one below the other."""
    lines: list[list[str]] = []
    for chart in picture.charts:
        lines.append([f"{c.title} [{c.unit}]" if c.unit else c.title for c in chart.columns])
        lines += [[_cell(row[column.field]) for column in chart.columns] for row in chart.rows]
    return csv_lines(lines)


def _cell(value: object) -> str:
    match value:
        case None:
            return "unknown"
        case int() | float():
            return number(float(value))
        case _:
            return str(value)
