"""Which form a trace has, and what it says."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from ....hardware_db.errors import InputError
from ...core.sanitize import clean_text
from ..trace import Trace
from ..trace_file import MOST_EVENTS, read_lines
from . import benchmark_model, c_nodes, chrome, table, tflm, vela

READERS: tuple[Callable[[Sequence[str]], Trace | None], ...] = (
    chrome.read, benchmark_model.read, vela.read, tflm.read, c_nodes.read, table.read,
)  # fmt: skip
"""Each gives None for what has another form; the plainest comes last."""
KNOWN = (
    "the log of TFLM's MicroProfiler, op profiling of benchmark_model, onnxruntime's profile, Vela's CSV by "
    "layer, the c-node report of X-CUBE-AI, or a CSV with an operator and a time such as time_ms to a row"
)


def read_trace(path: str | os.PathLike[str]) -> Trace:
    """
    Raises:
        InputError: a file that cannot be read, holds no trace, or has times that cannot be.
    """
    lines = read_lines(path)
    trace = next((found for read in READERS if (found := read(lines)) is not None), None)
    if trace is None or not any(trace.segments):
        raise InputError(
            f"{clean_text(Path(path).name)} holds no times of operators that I can read.",
            hint=f"I read {KNOWN}.",
        )
    count = sum(map(len, trace.segments))
    if count > MOST_EVENTS:
        raise InputError(
            f"The trace has {count:,} events, more than {MOST_EVENTS:,}.", hint="Cut it to some runs."
        )
    return trace
