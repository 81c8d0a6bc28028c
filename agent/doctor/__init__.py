"""What a user needs to know when something does not work."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from pathlib import Path

from ...hardware_db.user_files import checked
from ...tools.core.sanitize import clean_text
from ..llm.keys import without_keys
from .assistant import endpoint, sessions, terminal
from .data import configuration, hardware, safe_url
from .findings import Diagnosis, Finding, Grade
from .installation import installed
from .state import state
from .text import diagnosis_text

__all__ = ["Diagnosis", "Finding", "Grade", "diagnose", "diagnosis_text", "safe_url"]
_LONGEST = 600


def diagnose(
    llm: str | None = None,
    base_url: str | None = None,
    *,
    reach: bool = False,
    hardware_directories: Iterable[Path] | None = None,
    repair: bool = False,
    sweeps: Iterable[Path] = (),
) -> Diagnosis:
    """Check the installation, its data, the configuration and the places it writes to.

    Args:
        llm: as `ask` takes it.
        base_url: likewise.
        reach: ask the endpoint which models it serves; nothing else here uses a network.
        hardware_directories: of the user's own hardware; None takes those of the configuration.
        repair: mend what is damaged of sessions, calibrations, caches and sweeps; copies of it are kept.
        sweeps: output folders of sweeps to look at too.

    Raises:
        UsageError: one of `hardware_directories` is none.
    """
    own = None if hardware_directories is None else checked(hardware_directories)
    kept = tuple(state(repair=repair, sweeps=sweeps, own=own))  # first, as the rest then finds it mended
    found = tuple(
        _safe(finding)
        for finding in chain(
            installed(),
            hardware(own),
            configuration(own),
            endpoint(llm, base_url, reach),
            sessions(),
            kept,
            terminal(),
        )
    )
    return Diagnosis(healthy=all(each.grade is not Grade.PROBLEM for each in found), findings=found)


def _safe(finding: Finding) -> Finding:
    """Without keys, and without what a terminal would obey; files and servers wrote some of it."""
    shown = {
        name: clean_text(without_keys(getattr(finding, name)), _LONGEST)
        for name in ("about", "found", "next_step")
    }
    return finding.model_copy(update=shown)
