"""Which units were busy when: overlap of transfers with compute, idle time, and time by operator."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ..recording import Doing, Floats, Span

_TIMED = (Doing.COMPUTE, Doing.TRANSFER, Doing.HOST)


def edges_of(spans: Iterable[Span]) -> Floats:
    """Begin and end of each, as rows."""
    return np.array([(span.start, span.end) for span in spans], float).reshape(-1, 2)


def merged(edges: Floats) -> Floats:
    """The stretches that they cover together, in order, none touching another."""
    if not len(edges):
        return edges
    ordered = edges[np.argsort(edges[:, 0], kind="stable")]
    reach = np.maximum.accumulate(ordered[:, 1])
    new = np.concatenate(([True], ordered[1:, 0] > reach[:-1]))
    last = np.concatenate((np.flatnonzero(new)[1:] - 1, [len(ordered) - 1]))
    return np.column_stack((ordered[new, 0], reach[last]))


def covered(edges: Floats) -> float:
    """Time that at least one of them lasts."""
    stretches = merged(edges)
    return float((stretches[:, 1] - stretches[:, 0]).sum()) if len(stretches) else 0.0


def overlap(one: Floats, other: Floats) -> float:
    """Time that both cover: what they cover alone, less what they cover together."""
    both = np.concatenate((one, other)) if len(one) and len(other) else None
    return 0.0 if both is None else max(0.0, covered(one) + covered(other) - covered(both))


def by_lane(spans: Iterable[Span]) -> dict[str, list[Span]]:
    lanes: dict[str, list[Span]] = defaultdict(list)
    for span in spans:
        lanes[span.lane].append(span)
    return dict(lanes)


def own_times(spans: Sequence[Span]) -> list[float]:
    """What each took itself: without those of its lane that run inside it."""
    own = [span.end - span.start for span in spans]
    for members in _positions(spans).values():
        open_: list[int] = []
        for at in sorted(members, key=lambda n: (spans[n].start, -spans[n].end)):
            while open_ and spans[open_[-1]].end <= spans[at].start:
                open_.pop()
            if open_ and spans[at].end <= spans[open_[-1]].end:
                own[open_[-1]] -= spans[at].end - spans[at].start
            open_.append(at)
    return [max(0.0, time) for time in own]


def _positions(spans: Sequence[Span]) -> Mapping[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for at, span in enumerate(spans):
        found[span.lane].append(at)
    return found


def doing(spans: Iterable[Span], *kinds: Doing) -> list[Span]:
    return [span for span in spans if span.doing in kinds]


def timed(spans: Iterable[Span]) -> list[Span]:
    """Without what others are only parts of."""
    return doing(spans, *_TIMED)
