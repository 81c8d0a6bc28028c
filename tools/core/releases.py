"""Releases of a runtime that measurements tell apart."""

from __future__ import annotations

import functools
import re

from ...hardware_db import Runtime
from ...hardware_db.coefficients import load_coefficients
from ...hardware_db.errors import UsageError, nearest

_NUMBERED = re.compile(r"\d+(?:\.\d+)*")


@functools.cache
def measured_releases(runtime: str) -> tuple[str, ...]:
    """Releases, or ways to build it, that a runtime was measured in; the newest first."""
    mark = f"/{runtime}@"
    nodes = (name for name in load_coefficients().evidence if name.startswith("version:") and mark in name)
    return tuple(newest_first({name.partition(mark)[2].split("/")[0] for name in nodes}))


def newest_first(releases: set[str]) -> list[str]:
    """Releases by their numbers, the newest first; what is no number comes last, by its name.

    >>> newest_first({"9.0", "10.2", "-Ofast", "10.0.0"})
    ['10.2', '10.0.0', '9.0', '-Ofast']
    """
    return sorted(releases, key=lambda name: (*_age(name), name))


def is_numbered(release: str) -> bool:
    """Whether it is a number, and no way to build a library or a commit: 10.2, not -Ofast or 3e190e53."""
    return _NUMBERED.fullmatch(release) is not None


def nearest_release(wanted: str, known: set[str]) -> str:
    """The one next to `wanted` by their numbers, the newer of two; the newest where it names none.

    >>> nearest_release("8.0", {"7.1", "9.0", "10.2"}), nearest_release("", {"9.0", "10.2"})
    ('9.0', '10.2')
    """
    order = newest_first({*known, wanted})
    if not is_numbered(wanted):
        return newest_first(known)[0]
    at = order.index(wanted)
    return min(known, key=lambda name: (abs(order.index(name) - at), order.index(name)))


def measured_release(runtime: Runtime, wanted: str) -> str:
    """The release that a user names: 10 and 10.0 name 10.0.0.

    Raises:
        UsageError: none of that number was measured; the hint names those that were.
    """
    known = measured_releases(runtime.id)
    found = next((name for name in known if name == wanted or name.startswith(f"{wanted}.")), None)
    if found is not None:
        return found
    near = nearest(wanted, known)
    meant = f" Did you mean {near[0]}?" if near else ""
    hint = f"Measured: {', '.join(known)}." if known else f"Name {runtime.id} without one."
    raise UsageError(f"No release {wanted!r} of {runtime.id} was measured.{meant}", hint=hint)


def _age(release: str) -> tuple[bool, list[int]]:
    numbered = is_numbered(release)
    return not numbered, [-int(part) for part in release.split(".")] if numbered else []
