"""Which release of the figures verdicts stand on, and which verdicts another release turns."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...hardware_db import figures
from ...hardware_db.coefficients import RELEASE, load_coefficients
from ...hardware_db.errors import InputError, UsageError
from ..core.files import file_named, save_whole
from ..core.quantity import Result
from .verdict import Verdict

LARGEST_BYTES = 16 << 20


class TurnedVerdict(Result):
    """A check that another release of the figures judged otherwise."""

    name: str
    """The limit."""
    before: Verdict
    """The verdict as it was."""
    after: Verdict
    """The verdict as it is."""
    demand_before: float | None
    """What was needed, in `unit`."""
    demand_after: float | None
    """What is needed, in `unit`."""
    unit: str


class WhatChanged(Result):
    """The verdicts of a former answer to the same question that are others now."""

    figures_before: str
    """Release of the figures that the former answer stands on; empty where it names none."""
    figures_after: str
    """Release of the figures of this answer."""
    turned: tuple[TurnedVerdict, ...]
    """One row a verdict that is another."""
    same: int
    """Checks whose verdict stayed."""


def keep_figures(file: str | os.PathLike[str]) -> Path:
    """Write the figures that this release ships to a file of some 0.4 MB, to judge by them later.

    Chips and boards are not in it: those stay the installed package's.

    Raises:
        UsageError: the file is there already, or cannot be written.

    Example:
        >>> kept = keep_figures("2026.12.figures")
        >>> check_constraints("kws", "nrf52840", {"latency_ms": 300}, figures=kept).figures
        '2026.12'
    """
    path = Path(file).expanduser()
    if path.exists():
        raise UsageError(f"{str(path)!r} is there already.", hint="Name a new file.")
    save_whole(figures.shipped, path)
    return path


def figures_asked(pin: str | os.PathLike[str]) -> figures.KeptFigures | None:
    """The kept figures that a pin names; None for those that ship.

    Args:
        pin: the name of a release, or a file that `keep_figures` wrote.

    Raises:
        UsageError: neither the release that ships nor a file.
        InputError: a file that holds no figures, or whose figures this release cannot use.
    """
    if str(pin) == RELEASE:
        return None
    if file_named(pin) is None:
        raise UsageError(
            f"The figures {str(pin)!r} are asked for; these are {RELEASE}, and there is no such file.",
            hint="Give a file that `check --keep-figures` wrote, install the release that ships them, or drop"
            " the pin (--figures, or figures: in a budget).",
        )
    return figures.read_kept(pin)


def what_changed(former: str | os.PathLike[str], checks: Sequence[Any]) -> WhatChanged:
    """The checks of a report held against those of one that `check --json` printed before.

    Raises:
        InputError: a file that is no such report.
    """
    report = _report(Path(former))
    was = {check["name"]: check for check in report["checks"]}
    both = [(was[check.name], check) for check in checks if check.name in was]
    turned = tuple(
        TurnedVerdict(
            name=now.name,
            before=Verdict(old["verdict"]),
            after=now.verdict,
            demand_before=old.get("demand"),
            demand_after=now.demand,
            unit=now.unit,
        )
        for old, now in both
        if old["verdict"] != now.verdict
    )
    return WhatChanged(
        figures_before=str(report.get("figures", "")),
        figures_after=load_coefficients().release,
        turned=turned,
        same=len(both) - len(turned),
    )


def _report(file: Path) -> dict[str, Any]:
    try:
        if file.stat().st_size > LARGEST_BYTES:
            raise InputError(f"{str(file)!r} is larger than 16 MiB.")
        document = json.loads(file.read_text(encoding="utf-8"))
        found = document.get("result", document)
        verdicts = [Verdict(check["verdict"]) for check in found["checks"] if check["name"]]
    except OSError as error:
        raise InputError(f"{str(file)!r} cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        verdicts = []
    if not verdicts:
        raise InputError(
            f"{str(file)!r} is no report of a check.", hint="Keep what `edgewright check … --json` prints."
        )
    report: dict[str, Any] = found
    return report
