"""Estimates as data of the nodes of Google's Model Explorer, which draws the model and colours it by them.

The format is that of its `node_data_builder.py` (github.com/google-ai-edge/model-explorer, read at 0.1.34):
one figure of every node to a file, by the id of the node, which for a .tflite is the operator's index.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ...hardware_db.errors import UsageError
from ..api.compatibility import score_compatibility
from ..api.profiles import import_profile
from ..api.roofline import analyze_roofline, estimate_performance
from ..core.deployment import Deployment, DeploymentRef
from ..core.files import save_all
from ..core.quantity import Result
from ..core.sanitize import json_text
from ..graph import ModelGraph
from ..placement.model_source import ModelSource, as_graph
from ..placement.op_placement import OpPlacement, Runs
from ..traces.measured_profile import MeasuredProfile
from ..verdicts.verdict import Verdict
from .charts.spec import LIGHT

_NUMBERED = ("tflite", "architecture")
"""Formats whose operators have the numbers that Model Explorer gives them."""
_OF_RUNS = {
    Runs.ACCELERATED: Verdict.PASS, Runs.CPU: Verdict.PASS, Runs.FALLBACK: Verdict.MARGINAL,
    Runs.UNTOLD: Verdict.PASS, Runs.UNKNOWN: Verdict.UNKNOWN, Runs.NOT: Verdict.FAIL,
}  # fmt: skip
_RISING = ({"stop": 0, "bgColor": "#ffffff"}, {"stop": 1, "bgColor": "#d55e00"})
_NOT_OF_A_NAME = re.compile(r"[^\w.-]+")

Values = Mapping[int, float | str]
"""By the index of the operator; what is not known is not there."""


class WrittenNodeData(Result):
    """Files for Model Explorer."""

    schema_version: str = "1.0"
    deployment: DeploymentRef
    """The first one."""
    output: str
    """The folder."""
    files: tuple[str, ...]
    """Names of the files in it, each a figure of every operator."""
    command: str
    """Opens the model with them."""
    warnings: tuple[str, ...] = ()

    def headline(self) -> str:
        return f"{self.output}: {', '.join(self.files)}"


def write_node_data(
    model: ModelSource,
    deployment: Deployment | str | Sequence[Deployment | str],
    folder: str | os.PathLike[str],
    *,
    trace: str | os.PathLike[str] | None = None,
    force: bool = False,
) -> WrittenNodeData:
    """Write time, energy, bound and verdict of each operator for Google's Model Explorer.

    Args:
        model: a .tflite file, or the name of an architecture (`models write` makes the file of one).
        deployment: a deployment, or a target's name for its usual runtime; or several.
        folder: is made if it is not there; all files are written or none.
        trace: of a profiler on the first deployment, as `import_profile` reads it; what was measured then is
            a file of its own.
        force: overwrite files.

    Raises:
        InputError: a model, target or trace that cannot be used.
        UsageError: a model whose operators Model Explorer knows by other names, a file that exists, or a
            folder that cannot be made.

    Example:
        >>> written = write_node_data("kws.tflite", "stm32h743zi", "nodes")
        >>> written.files
        ('latency_ms.json', 'energy_uj.json', 'bound.json', 'verdict.json')
        >>> written.command.partition(" --")[0]
        'model-explorer kws.tflite'
    """
    several = [deployment] if isinstance(deployment, Deployment | str) else list(deployment)
    if not several:
        raise UsageError("Node data needs a deployment.", hint="Name a target.")
    files: dict[str, bytes | str] = {}
    warnings: list[str] = []
    pairs = [as_graph(model, each) for each in several]
    prefixes = _prefixes([place for _, place in pairs])
    for at, ((graph, place), prefix) in enumerate(zip(pairs, prefixes, strict=True)):
        _check_numbers(graph)
        measured = import_profile(trace, graph, place) if trace is not None and at == 0 else None
        for name, title, values in _figures(graph, place, measured):
            data = _node_data(f"{title}, {place.target.id}", values)
            files[f"{prefix}{name}.json"] = json_text(data)
            if not values:
                warnings.append(f"{prefix}{name}.json is empty: no operator's {name} is known")
    save_all(files, folder, force=force)
    is_file = isinstance(model, str | os.PathLike) and pairs[0][0].format == "tflite"
    if not is_file:
        warnings.append("`edgewright models write NAME -o model.tflite` makes the file of an architecture")
    paths = ",".join(str(Path(folder) / name) for name in files)
    words = ["model-explorer", str(model) if is_file else "model.tflite", f"--node_data_paths={paths}"]
    return WrittenNodeData(
        deployment=pairs[0][1].ref, output=str(folder), files=tuple(files),
        command=shlex.join(words), warnings=tuple(warnings),
    )  # fmt: skip


def _check_numbers(graph: ModelGraph) -> None:
    if graph.format not in _NUMBERED:
        raise UsageError(
            f"Model Explorer has other names for the operators of {graph.format} files.",
            hint="Node data is written for .tflite.",
        )


def _prefixes(places: Sequence[Deployment]) -> list[str]:
    """What tells the files of each deployment from the others'; nothing for one."""
    if len(places) == 1:
        return [""]
    refs = [place.ref for place in places]
    names = [ref.target for ref in refs]
    if len(set(names)) < len(names):
        names = [f"{ref.target}.{ref.runtime}.{ref.clock_mhz:g}MHz.batch{ref.batch}" for ref in refs]
    return [f"{_NOT_OF_A_NAME.sub('-', name)}." for name in names]


def _figures(
    graph: ModelGraph, place: Deployment, measured: MeasuredProfile | None
) -> Iterator[tuple[str, str, Values]]:
    """Name of the file, title, and what stands at each operator."""
    layers = estimate_performance(graph, place).layers
    yield "latency_ms", "Estimated ms", _known((each.index, each.latency_ms) for each in layers)
    yield "energy_uj", "Estimated µJ", _known((each.index, each.energy_uj) for each in layers)
    roofs = analyze_roofline(graph, place).layers
    yield "bound", "Bound", {each.index: each.bound.value for each in roofs}
    placed = score_compatibility(graph, place).ops
    yield "verdict", "Verdict", {each.index: _verdict(each) for each in placed}
    if measured is not None:
        found = measured.layers
        yield "measured_ms", "Measured ms", _known((each.index, each.measured_ms) for each in found)
        yield "measured_ratio", "Measured over estimated", _known((each.index, each.ratio) for each in found)


def _known(pairs: Iterator[tuple[int, float | None]]) -> Values:
    return {index: value for index, value in pairs if value is not None}


def _verdict(placed: OpPlacement) -> str:
    verdict = _OF_RUNS[placed.runs].value
    return f"{verdict}: {placed.processor}" if placed.processor else verdict


def _node_data(name: str, values: Values) -> dict[str, Any]:
    """Figures are coloured by a gradient, words each by its own colour."""
    results = {str(index): _result(value) for index, value in values.items()}
    rising = any(isinstance(value, float) for value in values.values())
    words = {"hideInAggregatedStatsTable": True, "showExpandedSummaryOnGroupNode": True}
    return {"name": name, "results": results} | ({"gradient": list(_RISING)} if rising else words)


def _result(value: float | str) -> dict[str, Any]:
    if isinstance(value, float):
        return {"value": float(f"{value:.5g}")}
    colour = LIGHT.get(f"var(--{value.partition(':')[0].lower()})")
    return {"value": value, "bgColor": colour} if colour else {"value": value}
