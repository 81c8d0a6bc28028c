"""What quantising does to the output of each layer, and which layers to leave as they are."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from ....hardware_db.errors import InputError, UsageError
from ...core.isolated import FailedError
from ...graph import ModelGraph
from .applied_optimization import LayerError
from .drift import drift_of
from .process import noise_by_layer, quantise, run_both, workplace
from .samples import Samples

HALVED_DB = 6.0
"""What halves the error of the outputs."""


def layer_errors(graph: ModelGraph, folder: Path) -> tuple[LayerError, ...]:
    """Of the two files in a workplace, the layer that adds the most noise first.

    Raises:
        FailedError: one of the two does not run here.
    """
    shares = {op: noise / signal for op, (signal, noise) in noise_by_layer(folder).items() if signal > 0}
    own = dict(_added(graph, shares))
    found = (
        LayerError(
            index=op,
            op=graph.ops[op].label,
            sqnr_db=_decibels(share),
            own_sqnr_db=_decibels(own.get(op, 0.0)),
        )
        for op, share in shares.items()
    )
    return tuple(sorted(found, key=lambda each: (each.own_sqnr_db is None, each.own_sqnr_db or 0.0)))


def layers_to_keep(
    graph: ModelGraph,
    content: bytes,
    samples: Samples,
    wanted_db: float | None,
    progress: Callable[[str], None],
) -> tuple[int, ...]:
    """The fewest layers, of those that add the most noise, that have to stay in float32.

    Args:
        graph: of the float .tflite file `content`.
        wanted_db: what the outputs' SQNR has to reach; None for half of the error that int8 makes.

    Raises:
        UsageError: no share of the layers in float32 reaches it.
        InputError: the quantiser fails, or the result does not run here.
    """
    with workplace(content, samples) as folder:

        def reached(keep: Sequence[int]) -> float:
            quantise(folder, ".tflite", "int8", keep)
            run = run_both(folder, ".tflite", seconds=0.0)
            drift = drift_of(run.reference, run.changed)
            made = math.inf if drift is None or drift.sqnr_db is None else drift.sqnr_db
            progress(f"{len(keep)} of {len(graph.ops)} layers in float32: {made:.1f} dB")
            return made

        try:
            whole = reached(())
            goal = whole + HALVED_DB if wanted_db is None else wanted_db
            if whole >= goal:
                return ()
            order = [each.index for each in layer_errors(graph, folder) if each.own_sqnr_db is not None]
            return tuple(sorted(_fewest(order, goal, reached)))
        except FailedError as error:
            raise InputError(f"The quantised model does not run on this machine: {error}.") from error


def _fewest(order: Sequence[int], goal: float, reached: Callable[[Sequence[int]], float]) -> Sequence[int]:
    """Doubled until enough, then bisected."""
    low, high, most = 0, 1, max(len(order) - 1, 1)
    while (made := reached(order[:high])) < goal:
        if high >= most:
            raise UsageError(
                f"int8 with {high} of {len(order)} layers in float32 reaches {made:.1f} dB, not {goal:g}.",
                hint="Ask for less, or take int16x8.",
            )
        low, high = high, min(2 * high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(order[:middle]) >= goal else (middle, high)
    return order[:high]


def _added(graph: ModelGraph, shares: Mapping[int, float]) -> Iterator[tuple[int, float]]:
    """Noise to signal at a layer's output beyond the most that one of its inputs has."""
    maker = {op.outputs[0]: op.index for op in graph.ops if op.outputs}
    for index, share in shares.items():
        brought = [shares.get(maker[i], 0.0) for i in graph.ops[index].inputs if i in maker]
        yield index, max(0.0, share - max(brought, default=0.0))


def _decibels(share: float) -> float | None:
    return -10 * math.log10(share) if share > 0 else None
