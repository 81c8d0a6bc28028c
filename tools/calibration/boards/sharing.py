"""Measurements of a user's own in the form that the project takes them: facts alone, and where from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from ....hardware_db.errors import InputError
from ....hardware_db.measurements.contributed import MEASUREMENT_FIELDS, problems
from ...core.calibrations import BoardCalibration
from ...core.files import save_whole

HEAD = """\
# Measurements for hardware_db/measurements/contributed/: fill in what is empty, name the file after the
# board, open a pull request; its tests check the file. No model leaves your machine: a network is known by
# the shapes of its layers.
"""


def write_shared(found: Sequence[BoardCalibration], file: Path) -> str:
    """A new YAML file of the measurements.

    Raises:
        UsageError: the file exists, or its folder does not.
        InputError: what would be written breaks the schema.
    """
    document = {"measurements": [entry for each in found for entry in _entries(each)]}
    wrong = problems(document)
    if wrong:
        raise InputError(f"What would be shared is not as the project takes it: {wrong[0]}.")
    save_whole(HEAD + yaml.safe_dump(document, sort_keys=False, allow_unicode=True), file)
    return str(file)


def _entries(kept: BoardCalibration) -> Iterator[dict[str, Any]]:
    for each in kept.measurements:
        figures = {
            "target": kept.target,
            "runtime": each.runtime,
            "release": each.release,
            "network": each.model if ":" in each.model else "",
            "signature": each.signature,
            "model_sha256": each.model_sha256,
            "processor": each.processor,
            "dtype": each.dtype,
            "batch": each.batch,
            "threads": each.threads,
            "clock_mhz": each.clock_mhz,
            "latency_ms": each.latency_ms,
            "method": "",
            "runs": None,
            "date": kept.date.isoformat(),
            "source": "",
        }
        yield {name: figures[name] for name in MEASUREMENT_FIELDS}
