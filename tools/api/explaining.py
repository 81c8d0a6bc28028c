"""Measurements that are explained by themselves, without a model or a board to compare with."""

from __future__ import annotations

import os

from ..traces.explained.explaining import explained
from ..traces.explained.trace_report import TraceReport


def explain_trace(
    path: str | os.PathLike[str], *beside: str | os.PathLike[str], clock_mhz: float | None = None
) -> TraceReport:
    """Read what a profiler, a compiler or a counter wrote, and tell what takes the time and why.

    Args:
        path: a trace, recognised by what it holds: Torq's timeline and runtime profile, Perfetto and Chrome
            traces, and every log of operators that `import_profile` reads.
        beside: further files of the same measurement: the compiler's timeline beside the runtime's profile,
            the source as MLIR.
        clock_mhz: of the unit that cycles are counted in; without it cycles stay cycles.

    Raises:
        InputError: a file in no form that is known, one that is cut off, or one whose time goes back: with
            its line, and nothing of it is used.
        UsageError: too many files.

    Example:
        >>> rows = ["DI0,0,40,x,DMA_IN", "S0,20,100,x,conv2d", "DO1,100,120,x,DMA_OUT"]
        >>> _ = Path("trace.csv").write_text("\\n".join(rows))
        >>> found = explain_trace("trace.csv")
        >>> found.operators[0].name_untrusted, round(found.occupancy.overlap_share, 2)
        ('conv2d', 0.17)
    """
    return explained((path, *beside), clock_mhz)
