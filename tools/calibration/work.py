"""The work of every network that was measured, in the types it ran in: stored, as building all takes long.

`hardware_db/coefficients/work.npz` is written by `make calibrate` and holds for the networks and the columns
of work that it names; where either is another, the graphs are built.
"""

from __future__ import annotations

import functools
import io
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ...hardware_db import coefficients
from ...hardware_db.errors import EdgewrightError
from ...hardware_db.measurements import networks, networks_digest
from ..cost_model.features import COLUMN, FEATURES, work_features
from ..graph import DType, ModelGraph
from ..graph.requantize import to_float16, to_int8
from ..graph.serialize import graph_from_json
from ..model_zoo.named import build_architecture

Floats = npt.NDArray[np.float64]
WorkKey = tuple[str, str]
"""A network, as rows name it, and the type that it ran in."""
FILE = "work.npz"


def work_of(network: str, dtype: str) -> Floats | None:
    """Columns of the whole network; None where it cannot be built, or its work not be counted in full."""
    stored = _stored()
    case = network, dtype
    return stored[case] if case in stored else built_work(network, dtype)


@functools.cache
def built_work(network: str, dtype: str) -> Floats | None:
    """The same by its graph: `name*macs` is the architecture scaled to a count of multiply-accumulates."""
    text = networks().get(network)
    spec, scaled_to, macs = (network, "", "") if text is not None else network.partition("*")
    try:
        graph = graph_from_json(text) if text is not None else build_architecture(spec)
    except EdgewrightError:
        return None
    columns = columns_of(graph_of_type(graph, dtype))
    if columns is None or not scaled_to:
        return columns
    factor = float(macs) / work_features(graph).table.total_macs
    factors = np.full(len(columns), factor)
    factors[[COLUMN["op"], COLUMN["call"], COLUMN["fill"]]] = 1.0, 1.0, factor**0.5
    found: Floats = columns * factors
    return found


def columns_of(graph: ModelGraph | None) -> Floats | None:
    if graph is None:
        return None
    work = work_features(graph)
    return work.columns.sum(axis=0) if work.complete else None


def graph_of_type(graph: ModelGraph, dtype: str) -> ModelGraph:
    """The graph in the type that was run, where it can be had."""
    if graph.dtype is not DType.FLOAT32 or dtype not in ("int8", "uint8", "float16"):
        return graph
    try:
        return to_float16(graph) if dtype == "float16" else to_int8(graph)
    except EdgewrightError:
        return graph


def write_work(folder: Path, measured: Iterable[Mapping[str, str]]) -> None:
    """Build the networks of all rows and store their work."""
    cases = sorted({(row["network"], row["dtype"]) for row in measured if row["network"] and row["dtype"]})
    unknown = np.full(len(FEATURES), np.nan)
    found = [built_work(*case) for case in cases]
    whole = io.BytesIO()
    np.savez_compressed(
        whole,
        networks=np.array(networks_digest()),
        features=np.array(FEATURES),
        cases=np.array(["\t".join(case) for case in cases]),
        work=np.array([unknown if columns is None else columns for columns in found]),
    )
    (folder / FILE).write_bytes(whole.getvalue())
    _stored.cache_clear()


@functools.cache
def _stored() -> dict[WorkKey, Floats | None]:
    """Empty where what is stored holds for other networks or columns than there are."""
    try:
        with np.load(Path(coefficients.__file__).with_name(FILE), allow_pickle=False) as file:
            if str(file["networks"]) != networks_digest() or tuple(file["features"].tolist()) != FEATURES:
                return {}
            cases, work = file["cases"].tolist(), file["work"]
    except (OSError, ValueError, KeyError):
        return {}
    work.flags.writeable = False
    rows = (None if np.isnan(columns).all() else columns for columns in work)
    return {tuple(case.split("\t")): columns for case, columns in zip(cases, rows, strict=True)}
