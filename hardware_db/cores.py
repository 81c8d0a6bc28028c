"""How wide cores multiply, by the name of the core: `cores.csv`, every line with the source that was read.

For measurements on chips that are no target, and so that one core is as wide on every chip. What a source
gives is the ceiling of a core's vector instructions; a core that no source was read for is not in the table.
"""

from __future__ import annotations

import csv
import functools
import io
from importlib import resources

FILE = "cores.csv"


@functools.cache
def float32_macs_per_cycle() -> dict[str, float]:
    """Instruction set or core → multiply-adds of float32 that it starts in a cycle."""
    text = resources.files(__package__).joinpath(FILE).read_text(encoding="utf-8")
    return {row["core"]: float(row["float32_macs_per_cycle"]) for row in csv.DictReader(io.StringIO(text))}
