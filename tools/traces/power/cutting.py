"""Where each layer begins and ends in a power trace: by markers, by pins, or by the times of a log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ..recording import Floats, PowerSamples

Ints = npt.NDArray[np.int64]
_MOST_LAYERS = 2_000
_LEAST_STEP = 1.3
"""Active power over idle power from which an inference is seen without a marker."""

_BLUR = 100
"""Into so many parts an inference is divided at least: what is averaged over more moves its edges."""


class Cut(NamedTuple):
    """Windows of time, each of one layer; a layer has one for each inference."""

    names: tuple[str, ...]
    layer: Ints
    start_s: Floats
    end_s: Floats
    how: str


class Layers(NamedTuple):
    """Names and times of a log, in order."""

    names: tuple[str, ...]
    ms: Floats


def cut(samples: PowerSamples, power_w: Floats, layers: Layers | None) -> Cut | None:
    """None where nothing tells where anything begins."""
    marks = samples.marks
    if marks is not None and len(np.unique(marks)) > 1:
        return _by_marks(samples.time_s, marks, layers)
    length = 0.0 if layers is None else float(layers.ms.sum()) / 1e3
    windows = _active(samples.time_s, power_w, length)
    if windows is None:
        return None
    if layers is None:
        return _whole(windows, "inferences seen as power above idle")
    return _aligned(windows, layers, "by the times of the log, within what stands out from idle")


def _by_marks(time_s: Floats, marks: Ints, layers: Layers | None) -> Cut:
    values, starts, ends = _runs(marks, time_s)
    busy = values != 0
    if len(np.unique(values[busy])) > 1:
        return _by_value(values[busy], starts[busy], ends[busy], layers)
    windows = np.column_stack((starts[busy], ends[busy]))
    if layers is None:
        return _whole(windows, "inferences by a pin that gates them")
    count = len(layers.names)
    if count > 1 and len(windows) % count == 0 and _fits(windows, layers):
        order = np.tile(np.arange(count), len(windows) // count)
        return Cut(layers.names, order, windows[:, 0], windows[:, 1], "by a pin that is high for each layer")
    return _aligned(windows, layers, "by a pin that gates each inference, within it by the times of the log")


def _by_value(values: Ints, starts: Floats, ends: Floats, layers: Layers | None) -> Cut:
    """A number a layer: in the order in which the numbers first come."""
    _, first, index = np.unique(values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    known = layers is not None and len(layers.names) == len(order)
    named = tuple(f"mark {values[first[n]]}" for n in order)
    return Cut(layers.names if known and layers else named, place[index], starts, ends, "by markers")


def _runs(marks: Ints, time_s: Floats) -> tuple[Ints, Floats, Floats]:
    """Stretches of one value; each ends half way to the first sample of the next."""
    change = np.flatnonzero(np.diff(marks)) + 1
    edges = (time_s[change] + time_s[change - 1]) / 2
    return (
        marks[np.concatenate(([0], change))],
        np.concatenate(([time_s[0]], edges)),
        np.concatenate((edges, [time_s[-1]])),
    )


def _fits(windows: Floats, layers: Layers) -> bool:
    """Whether windows last as the layers do, in their order."""
    lengths = (windows[:, 1] - windows[:, 0]).reshape(-1, len(layers.names)).mean(axis=0)
    shares = layers.ms / layers.ms.sum()
    return bool(np.abs(lengths / lengths.sum() - shares).sum() < 0.5)


def _whole(windows: Floats, how: str) -> Cut:
    return Cut(("inference",), np.zeros(len(windows), np.int64), windows[:, 0], windows[:, 1], how)


def _aligned(windows: Floats, layers: Layers, how: str) -> Cut:
    """Layers one after the other within each window, scaled to it: the clocks of two instruments differ."""
    edges = np.concatenate(([0.0], np.cumsum(layers.ms))) / layers.ms.sum()
    lengths = (windows[:, 1] - windows[:, 0])[:, None]
    moments = windows[:, :1] + lengths * edges[None, :]
    order = np.tile(np.arange(len(layers.names)), len(windows))
    return Cut(layers.names, order, moments[:, :-1].ravel(), moments[:, 1:].ravel(), how)


def _active(time_s: Floats, power_w: Floats, least_s: float) -> Floats | None:
    """Stretches above idle by more than its noise; None where idle and active cannot be told apart.

    What lies closer than a fifth of `least_s`, the length of an inference where it is known, is one stretch.
    """
    low, high = np.quantile(power_w, (0.05, 0.95))
    if low <= 0 or high < _LEAST_STEP * low:
        return None
    resting = power_w[power_w < low + 0.3 * (high - low)]
    idle = float(np.median(resting))
    noise = 1.4826 * float(np.median(np.abs(resting - idle)))
    width = max(1, len(power_w) // 20_000)
    if least_s:
        width = max(1, min(width, int(least_s / _BLUR * len(time_s) / (time_s[-1] - time_s[0]))))
    smooth = np.convolve(power_w, np.ones(width) / width, "same")
    above = (smooth > idle + max(6 * noise, 0.05 * (high - idle))).astype(np.int64)
    values, starts, ends = _runs(above, time_s)
    windows = np.column_stack((starts, ends))[values == 1]
    if not len(windows):
        return None
    apart = np.concatenate(([True], windows[1:, 0] - windows[:-1, 1] > least_s / 5))
    last = np.concatenate((np.flatnonzero(apart)[1:] - 1, [len(windows) - 1]))
    windows = np.column_stack((windows[apart, 0], windows[last, 1]))
    lengths = windows[:, 1] - windows[:, 0]
    kept: Floats = windows[lengths > lengths.max() / 2]
    return kept


def layers_of(names: Sequence[str], ms: Sequence[float]) -> Layers | None:
    """None where there is nothing to cut by."""
    if not names or len(names) > _MOST_LAYERS or min(ms) < 0 or sum(ms) <= 0:
        return None
    return Layers(tuple(names), np.asarray(ms, float))
