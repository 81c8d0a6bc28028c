"""Speed of sweeps in one process, for `make bench`: a hundred thousand evaluations in a minute, and linear."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from edgewright.tools.sweep.plan import plan_from
from edgewright.tools.sweep.run import run_sweep

PER_EVALUATION_S = 60 / 100_000
MODELS = ("kws:float32", "vww:float32", "ic:float32", "mobilenet_v2:0.35:96:float32")
Row = tuple[str, tuple[float, float, float]]


def rows() -> Iterator[Row]:
    """All deployments at two clocks, with two transforms; results written."""
    _swept(1)
    (few, few_s), (many, many_s) = _swept(1), _swept(4)
    allowed = many * PER_EVALUATION_S
    yield f"a sweep of {many:,} evaluations / 0.6 ms each", (many_s, allowed, many_s / allowed)
    each = few_s / few
    yield (
        "an evaluation among four times as many / 1.3 × one",
        (
            many_s / many,
            1.3 * each,
            many_s / many / (1.3 * each),
        ),
    )


def _swept(models: int) -> tuple[int, float]:
    """Evaluations, and CPU seconds that they took."""
    plan = plan_from(
        {"models": MODELS[:models], "transforms": ["none", "int8"], "clocks": ["max", "50%"],
         "limits": {"latency": "100ms"}}
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        report = run_sweep(plan, Path(folder) / "out")
        return report.evaluations, time.process_time() - start
