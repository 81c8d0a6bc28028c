"""Whether what is kept between answers can be read, and mending what cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from ...hardware_db.errors import EdgewrightError
from ...hardware_db.user_files import Directories, directories
from ...tools.conversion.environment import damaged_converters
from ...tools.core.calibrations import damaged_calibrations
from ...tools.core.mending import Damage, left_over
from ...tools.reports.page.library import damaged_cache
from ...tools.sweep.journal import damaged_sweep
from ..sessions.mending import damaged_sessions
from ..sessions.transcript import SESSIONS, state_directory
from .findings import Finding, Grade, broken

AREA = "state"
_STEP = "edgewright doctor --repair keeps what can be read and sets the rest aside"


def state(*, repair: bool, sweeps: Iterable[Path] = (), own: Directories | None = None) -> Iterator[Finding]:
    """One finding for each damaged file; one in all where nothing is damaged.

    Args:
        repair: mend what is damaged, a copy of it being kept; else nothing is changed.
        sweeps: output folders of sweeps.
        own: directories of the user's hardware; None takes those of the configuration.
    """
    places: dict[str, Callable[[], Iterable[Damage]]] = {
        "sessions": _sessions,
        "calibrations": partial(_hardware, own),
        "caches": damaged_cache,
        "converters": damaged_converters,
        **{f"sweep {folder}": partial(damaged_sweep, folder) for folder in sweeps},
    }
    found = [finding for about, look in places.items() for finding in _findings(about, look, repair)]
    whole = Finding(
        area=AREA, about="kept files", grade=Grade.OK, found=f"nothing is damaged: {', '.join(places)}"
    )
    yield from found or [whole]


def _findings(about: str, look: Callable[[], Iterable[Damage]], repair: bool) -> Iterator[Finding]:
    try:
        for damage in look():
            yield _mended(about, damage) if repair else _told(about, damage)
    except EdgewrightError as error:
        yield broken(AREA, about, error)
    except (OSError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        yield Finding(area=AREA, about=about, grade=Grade.NOTE, found=f"cannot be looked at: {reason}")


def _told(about: str, damage: Damage) -> Finding:
    found = f"{damage.file}: {damage.found}"
    return Finding(area=AREA, about=about, grade=Grade.PROBLEM, found=found, next_step=_STEP)


def _mended(about: str, damage: Damage) -> Finding:
    try:
        done = damage.mend()
    except (OSError, EdgewrightError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        found = f"{damage.file}: {damage.found}; it is left as it is: {reason}"
        step = "See that its folder can be written and has room, then repair again"
        return Finding(area=AREA, about=about, grade=Grade.PROBLEM, found=found, next_step=step)
    return Finding(area=AREA, about=about, grade=Grade.NOTE, found=f"{damage.file}: {damage.found}; {done}")


def _sessions() -> Iterator[Damage]:
    folder = state_directory() / SESSIONS
    return damaged_sessions(folder) if folder.is_dir() else iter(())


def _hardware(own: Directories | None) -> Iterator[Damage]:
    places = directories() if own is None else own
    yield from damaged_calibrations(places)
    for place in places:
        yield from left_over(place, ".*.yaml.*.part")
