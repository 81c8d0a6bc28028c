"""A written model on disk: whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from ...hardware_db.errors import UsageError
from ..graph import ModelGraph
from ..memory_planner import OrderReport
from ..whole_files import save_whole


def save_tflite(
    graph: ModelGraph, path: str | os.PathLike[str], *, seed: int = 0, force: bool = False
) -> int:
    """Write `graph` with random weights to `path`, and return the number of bytes.

    Raises:
        UsageError: the file exists and `force` is not set, its folder does not, or what cannot be written.
        EdgewrightError: the disk is full, or the folder may not be written to.
    """
    from .tflite import write_tflite

    return save_whole(lambda: write_tflite(graph, seed=seed), path, force=force)


def save_reordered(
    model: str | os.PathLike[str], report: OrderReport, path: str | os.PathLike[str], *, force: bool = False
) -> int:
    """Write the .tflite file `model` in the order, and with the memory plan, that `report` found for it.

    Returns:
        The bytes written; 0 where nothing is saved, and nothing written.

    Raises:
        UsageError: `model` is no .tflite file, the file exists and `force` is not set, its folder does not,
            or the model's file cannot be changed so.
        EdgewrightError: the disk is full, or the folder may not be written to.
    """
    from .reorder import reorder_file

    source = Path(model)
    if source.suffix != ".tflite" or not source.is_file():
        raise UsageError(
            f"{str(model)!r} is no .tflite file, and only such a file can be written in another order.",
            hint="Write one with `edgewright models write`.",
        )
    if report.saved_by_order_bytes + report.saved_by_packing_bytes <= 0:
        return 0
    return save_whole(
        lambda: reorder_file(source.read_bytes(), report.order, report.offline_plan), path, force=force
    )
