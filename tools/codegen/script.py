"""A Python script that loops over models, targets and settings, and writes a row of figures for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_SHOWN = {
    "check_constraints": {"verdict": "verdict.value"},
    "plan_memory": {"arena_bytes": "arena_bytes", "fits": "fits"},
    "estimate_performance": {
        "latency_ms": "latency_ms.value", "low": "latency_ms.low", "high": "latency_ms.high",
        "energy_uj": "energy_uj.value",
    },
}  # fmt: skip
"""Columns of the rows and the fields that they show."""


def python_script(
    function: str,
    models: Sequence[str] | None,
    targets: Sequence[str],
    settings: Mapping[str, Sequence[float]],
    *,
    runtime: str = "",
    limits: Mapping[str, str] | None = None,
) -> str:
    """
    Args:
        function: one of `check_constraints`, `plan_memory` and `estimate_performance`.
        models: files and names; None takes every .tflite of the folder that it runs in.
        targets: their ids.
        settings: arguments of `deployment`, each with the values to loop over.
        runtime: the kernel library; the usual one without it.
        limits: what `check_constraints` judges.

    Example:
        >>> "plan_memory" in python_script("plan_memory", ["kws"], ["nrf52840"], {})
        True
    """
    listed = 'sorted(Path().glob("*.tflite"))' if models is None else repr(list(models))
    names, given = ["model", "target", *settings], [f"{name}={name}" for name in settings]
    given += [f"runtime={runtime!r}"] if runtime else []
    values = [listed, repr(list(targets)), *(repr(list(row)) for row in settings.values())]
    fields = [*names, *(f"found.{field}" for field in _SHOWN[function].values())]
    text = [
        "import csv", "import sys", "from itertools import product",
        *(["from pathlib import Path"] if models is None else []), "",
        f"from edgewright.tools import {', '.join(sorted(('deployment', function)))}", "",
        "rows = csv.writer(sys.stdout)", f"rows.writerow({[*names, *_SHOWN[function]]!r})",
        f"for {', '.join(names)} in product({', '.join(values)}):",
        f"    board = deployment({', '.join(['target', *given])})",
        f"    found = {function}(model, board{f', {dict(limits)!r}' if limits else ''})",
        f"    rows.writerow([{', '.join(fields)}])",
    ]  # fmt: skip
    return "\n".join(text).replace("'", '"')
