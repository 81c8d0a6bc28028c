"""Calibrations of the user's own boards: learned, listed, removed."""

from __future__ import annotations

from typing import Annotated

import typer

from .. import tools
from .generated import Asked, Bodies
from .printing import print_result

BODIES = Bodies()
NOTHING_USED = 3


@BODIES.of("calibrate_target")
def calibrate(
    asked: Asked,
    *,
    show: Annotated[bool, typer.Option("--list", help="List the boards that are calibrated.")] = False,
    remove: Annotated[
        str | None, typer.Option("--remove", help="Forget what was learned of a board.")
    ] = None,
    anchors: Annotated[
        bool, typer.Option("--anchors", help="Name the three models to measure on --target, and how.")
    ] = False,
) -> None:
    described = asked.tool.describe
    if show:
        print_result(
            "list_calibrations", tools.list_calibrations(asked.flags.settings()), {}, asked.json, described
        )
    elif remove is not None:
        left = tools.remove_calibration(remove, asked.flags.settings())
        print_result("remove_calibration", left, {"target": remove}, asked.json, described)
    elif anchors:
        _print_anchors(asked)
    else:
        result = asked.result()
        asked.show(result)
        if isinstance(result, tools.Calibration) and not result.boards:
            raise typer.Exit(NOTHING_USED)


def _print_anchors(asked: Asked) -> None:
    given = asked.given
    if "target" not in given:
        raise tools.UsageError("No board is named.", hint="Name it: --anchors -t stm32h743zi.")
    place = tools.deployment(
        given["target"], given.get("runtime"), clock_mhz=given.get("clock_mhz"),
        batch=given.get("batch", 1), threads=given.get("threads", 1), settings=asked.flags.settings(),
    )  # fmt: skip
    print_result(
        "calibration_anchors", tools.calibration_anchors(place), dict(given), asked.json, asked.tool.describe
    )
