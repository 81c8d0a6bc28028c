"""Which release of the figures verdicts stand on, and which verdicts another release turns."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...hardware_db.coefficients import RELEASE
from ...hardware_db.errors import InputError, UsageError
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


def require_figures(name: str) -> None:
    """Refuse to answer by other figures than those that are named.

    Raises:
        UsageError: these are others.
    """
    if name != RELEASE:
        raise UsageError(
            f"The figures {name!r} are asked for; these are {RELEASE}.",
            hint="Install the release that ships them, or drop the pin (--figures, or figures: in a budget).",
        )


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
        figures_after=RELEASE,
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
