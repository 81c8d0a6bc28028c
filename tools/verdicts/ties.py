"""Which figures can be told apart, and how likely one reaches what is demanded."""

from __future__ import annotations

import math

Ends = tuple[float, float] | None
"""The interval of a figure; None where it is not known."""
ALIKE, HARDLY = 1.02, 1.1
"""Times better that nobody cares about, and that count for nothing where intervals overlap."""


def apart(one: Ends, other: Ends) -> bool:
    """Whether two intervals do not overlap."""
    return one is not None and other is not None and (one[1] < other[0] or other[1] < one[0])


def alike(one: float | None, other: float | None) -> bool:
    """Whether two figures are the same for all that anybody cares."""
    return bool(one and other) and max(one or 0.0, other or 0.0) < ALIKE * min(one or 0.0, other or 0.0)


def is_tie(one: float | None, other: float | None, ends: Ends, of_other: Ends) -> bool:
    """Whether two figures do not differ enough to be told apart.

    >>> is_tie(583, 554, (408, 824), (375, 811)), is_tie(583, 400, (408, 824), (375, 811))
    (True, False)
    """
    if not one or not other or alike(one, other):
        return alike(one, other)
    exact = ends is None or ends[0] == ends[1] or apart(ends, of_other)
    return not exact and max(one, other) < HARDLY * min(one, other)


def rounded(number: float) -> float:
    """Two figures alike within a hundredth or so are one."""
    return round(math.log(abs(number)), 2) * math.copysign(1.0, number) if number else 0.0


def reaches(value: float | None, ends: Ends, least: float) -> str:
    """How likely a figure is as large as is demanded.

    >>> reaches(55, (29, 82), 50), reaches(55, (51, 82), 50)
    ('probably', 'yes')
    """
    if ends is None or value is None:
        return "not sure"
    if ends[0] >= least or ends[1] < least:
        return "yes" if ends[0] >= least else "no"
    return "probably" if value >= least else "probably not"
