"""GPUs that reach a rate of images in batches."""

from __future__ import annotations

from ..bench import Answering, Record, call_of
from ..query import Query, Role
from .phrases import lines, model_shown, said, table

_SERVED, _SHOWN = 32, 3
"""Images of a batch, and how many GPUs are told."""


def in_batches(query: Query) -> Answering:
    """The GPUs that reach a rate of images in batches, the one with the least power first."""
    rate, reaching = query.number(Role.RATE_HZ) or 0.0, list[Record]()
    gpus = [
        summary for summary in query.targets.values() if summary.target_class == "gpu" and summary.power_mw
    ]
    for summary in sorted(gpus, key=lambda s: s.power_mw or 0.0):
        record = yield call_of("estimate_performance", query, target=summary.id, batch=_SERVED, runtime=None)
        if (record.number("inferences_per_second") or 0.0) >= rate:
            reaching.append(record)
        if len(reaching) == _SHOWN:
            break
    words = said(query, Role.RATE_HZ)
    if not reaching:
        return f"No single GPU that I know reaches {words} with {model_shown(query)}, in batches or alone."
    best = reaching[0]
    cells = [
        (
            r.ref("deployment.target"),
            r.ref("inferences_per_second", "images/s"),
            r.ref("latency_ms", "~"),
            r.ref("power_mw"),
        )
        for r in reaching
    ]
    return lines(
        f"{best.ref('deployment.target')}: {best.ref('inferences_per_second', 'images/s')} with "
        f"{model_shown(query)} in "
        f"batches of {best.ref('deployment.batch')}, the one with the least power that reaches {words}.",
        table(("GPU", "throughput", "a batch", "power"), cells),
    )
