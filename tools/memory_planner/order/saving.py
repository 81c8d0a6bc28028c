"""A model file in the order that needs least memory, on disk: whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from ....hardware_db.errors import UsageError
from ...core.files import save_whole
from ...model_formats.writer.reorder import reorder_file
from .order_report import OrderReport


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
