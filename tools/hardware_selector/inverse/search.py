"""The largest value that meets limits: bracketed, bisected, and then looked for beyond what was found.

Arena and latency are not monotone in sizes (alignment, kernels chosen by shape): values above the answer are
probed too, and where one meets the limits the search goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ...core.records import dataclass

NEIGHBOURS = 8
"""Values right above the answer that are all tried."""
BELOW = 4
"""Values right below the answer that are tried too, to tell whether what meets is a single run."""
SAMPLES = 12
"""Values spread over the rest of the range that are tried."""
_WORK_AT_MOST = 40_000
"""Operators, of all the values that are spread together, that are estimated."""


def samples_of(operators: int) -> int:
    """Values that are spread over a range: fewer of a network so large that each takes long."""
    return max(2, min(SAMPLES, _WORK_AT_MOST // max(operators, 1)))


@dataclass(frozen=True)
class Found:
    value: int | None
    """None where no value that was tried meets the limits."""
    beyond: int | None
    """The next value, which does not; None at the end of the range."""
    monotone: bool
    """Whether all values up to the answer meet, of those tried."""


def largest(meets: Callable[[int], bool], low: int, high: int, anchor: int, samples: int = SAMPLES) -> Found:
    """The largest of low to high that meets, starting from `anchor`, with the next one that does not.

    For a question of the smallest, ask with values negated.
    """
    tried: dict[int, bool] = {}

    def meeting(value: int) -> bool:
        if value not in tried:
            tried[value] = meets(value)
        return tried[value]

    good = _first_good(meeting, low, high, anchor, samples)
    if good is None:
        return Found(None, None, monotone=True)
    while True:
        good = high if samples < SAMPLES and meeting(high) else _boundary(meeting, good, high)
        again = next((value for value in _above(good, high, samples) if meeting(value)), None)
        if again is None:
            break
        good = again
    below = [meeting(value) for value in range(max(low, good - min(BELOW, samples)), good)]
    monotone = all(below) and all(met for value, met in tried.items() if value < good)
    return Found(good, good + 1 if good < high else None, monotone)


def _first_good(meets: Callable[[int], bool], low: int, high: int, anchor: int, samples: int) -> int | None:
    """A value that meets: the anchor, else one below by doubling steps, else one of a spread."""
    if meets(anchor):
        return anchor
    step, at = 1, anchor
    while at > low:
        at = max(low, at - step)
        if meets(at):
            return at
        step *= 2
    spread = sorted({low + (high - low) * part // samples for part in range(samples + 1)}, reverse=True)
    return next((value for value in spread if meets(value)), None)


def _boundary(meets: Callable[[int], bool], good: int, high: int) -> int:
    """From a value that meets upwards: doubled steps until one does not, then halved in between."""
    step = 1
    while good < high:
        at = min(high, good + step)
        if not meets(at):
            return _bisected(meets, good, at)
        good, step = at, 2 * step
    return good


def _bisected(meets: Callable[[int], bool], good: int, bad: int) -> int:
    while bad - good > 1:
        middle = (good + bad) // 2
        if meets(middle):
            good = middle
        else:
            bad = middle
    return good


def _above(good: int, high: int, samples: int) -> Iterator[int]:
    near = range(good + 2, min(high, good + 1 + min(NEIGHBOURS, samples)) + 1)
    yield from near
    last = good + 1 + NEIGHBOURS
    reach = min(high, max(good * 2, last + samples)) if good > 0 else high
    if reach > last:
        yield from sorted({last + (reach - last) * part // samples for part in range(1, samples + 1)})
