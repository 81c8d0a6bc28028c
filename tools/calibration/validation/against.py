"""Estimates beside a user's own measurements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ....hardware_db.user_files import Directories
from ...core.files import save_whole
from ...core.render.csv_lines import csv_lines
from .own_rows import OwnRow, read_own_rows
from .predictions import Prediction, predict
from .samples import Collected, Sample, class_of_row
from .validation_report import Measured, Scheme

OUTPUT_COLUMNS = (
    "id", "class", "runtime", "network", "dtype", "board", "quantity", "scheme", "measured", "predicted",
    "low", "high", "error", "why_not",
)  # fmt: skip
BY_CALIBRATION = (
    "{:,} of {:,} rows predicted by what was fitted for their core and library: their board, their number of "
    "threads or their type is none that an estimate can be asked for"
)


def samples_against(table: Path, own_hardware: Directories) -> Collected:
    """A sample for every figure that a row has and that we can predict.

    Args:
        own_hardware: directories of the user's own hardware, which rows may name.

    Raises:
        InputError: the table cannot be read.
    """
    collected = Collected()
    estimated = rows = 0
    for own in read_own_rows(table, own_hardware):
        prediction = predict(own, own_hardware)
        if prediction.refused:
            collected.refused.append((own.row["id"], prediction.refused))
            continue
        if prediction.why_not:
            collected.leave_out(own.row["id"], prediction.why_not)
            continue
        collected.samples += list(_samples(own, prediction))
        rows += 1
        estimated += prediction.estimated
    if rows > estimated:
        collected.assumptions = (BY_CALIBRATION.format(rows - estimated, rows),)
    return collected


def _samples(own: OwnRow, prediction: Prediction) -> Iterable[Sample]:
    row = own.row
    for what, figure in prediction.figures.items():
        if not row[what.column] or not figure.value:
            continue
        counted = what is Measured.WEIGHTS
        yield Sample(
            id=row["id"],
            device_class=class_of_row(row["kind"], row["processor"]),
            runtime=row["runtime"],
            quantity=what,
            scheme=Scheme.AGAINST,
            network=row["network"],
            dtype=row["dtype"],
            board=row["target"] or row["device"],
            measured=float(row[what.column]),
            predicted=figure.value,
            low=None if counted else figure.low,
            high=None if counted else figure.high,
            processor=row["processor"],
        )


def write_predictions(collected: Collected, file: Path) -> None:
    """One line per prediction, and one per measurement without any."""
    rows: list[Sequence[str]] = [OUTPUT_COLUMNS]
    rows += [
        (s.id, s.device_class, s.runtime, s.network, s.dtype, s.board, s.quantity, s.scheme,
         f"{s.measured:.6g}", f"{s.predicted:.6g}", _figure(s.low), _figure(s.high),
         f"{s.predicted / s.measured - 1:.4f}", "")
        for s in collected.samples
    ]  # fmt: skip
    empty = [""] * (len(OUTPUT_COLUMNS) - 2)
    rows += [(name, *empty, reason) for name, reason in [*collected.reasons, *collected.refused]]
    save_whole(csv_lines(rows), file, force=True)


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.6g}"
