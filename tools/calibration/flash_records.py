"""Published code sizes, each with what its program had to link in."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from ...hardware_db import load_runtime, load_target, runtime_ids
from ...hardware_db.errors import EdgewrightError
from ...hardware_db.measurements import networks, rows
from ..graph import ModelGraph
from ..graph.serialize import graph_from_json
from ..memory_planner.flash.code_family import Build, Family, code_family
from ..memory_planner.flash.code_size import Need, code_needs, kinds_of
from ..model_zoo.named import build_architecture
from .work import graph_of_type

KIB = 1024.0
DOUBTFUL = ("dead_channels",)
"""Flags of programs that do not hold the network's parameters as they are."""
_VARIANT = re.compile(r"(?:__.*|_(?:tfs|tl|fft|int8|quant)(?:[_.].*)?|\.[a-z]+)?$")
_RESOLUTION = re.compile(r"(?:_\d{2,3}|:\d{2,3})$")
"""Parts of a network's name that tell one training, type or input of it from another."""
SAME_WEIGHTS = 0.02
"""A network that is only named stands for a row whose published weights differ by no more than this share."""


@dataclass(frozen=True)
class FlashRecord:
    id: str
    row: Mapping[str, str]
    build: Build
    network: str
    """The same for every type, training and input size of one structure."""
    kinds: tuple[str, ...]
    needs: tuple[Need, ...]
    code_kib: float
    model_kib: float
    """What we take for the model."""
    total_kib: float


def read_flash_records(measured: Iterable[Mapping[str, str]] | None = None) -> list[FlashRecord]:
    """Programs whose size and network are known."""
    found = (flash_record_of(row) for row in (rows() if measured is None else measured))
    return [record for record in found if isinstance(record, FlashRecord)]


def flash_record_of(row: Mapping[str, str]) -> FlashRecord | str:
    """The record of a row with a size of code or of a whole program, or why it has none."""
    if not row["flash_total_kib"] and not row["flash_code_kib"]:
        return "no code size"
    graph = network_of(row["network"], row["dtype"])
    if graph is None:
        return "flash: its network is not known"
    if row["runtime"] not in runtime_ids():
        return f"flash: {row['runtime']} is no runtime of the database"
    if any(flag in row["flag"] for flag in DOUBTFUL):
        return f"flash: {row['flag']}"
    family = _family(row)
    if family is None:
        return f"flash: how {row['runtime']} keeps a model is not known"
    build = Build(row["runtime"], family, row["processor"], row["target"] or row["device"])
    if graph.file_bytes is None and not _weighs(graph, row):
        return "flash: its network's own weights are not stated"
    code, model = _sizes(row, graph, family)
    if code <= 0:
        return "flash: the program is smaller than its model"
    return FlashRecord(
        id=row["id"],
        row=row,
        build=build,
        network=structure_name(row["network"]),
        kinds=tuple(kinds_of(graph)),
        needs=code_needs(graph, build),
        code_kib=code,
        model_kib=model,
        total_kib=float(row["flash_total_kib"]) if row["flash_total_kib"] else code + model,
    )


Key = Callable[[FlashRecord], str]


def by_network(record: FlashRecord) -> str:
    return record.network


def by_target(record: FlashRecord) -> str:
    return record.build.target


def by_place(record: FlashRecord) -> str:
    return f"{record.build.runtime} on {record.build.places[2]}"


def by_runtime(record: FlashRecord) -> str:
    return record.build.runtime


@functools.lru_cache(maxsize=256)
def network_of(name: str, dtype: str) -> ModelGraph | None:
    """The network of a row; None where only its likeness is known."""
    text = networks().get(name)
    if text is not None:
        return graph_from_json(text)
    if not name or "*" in name:
        return None
    try:
        return graph_of_type(build_architecture(name), dtype)
    except EdgewrightError:
        return None


def structure_name(network: str) -> str:
    return _RESOLUTION.sub("", _VARIANT.sub("", network.rpartition("/")[2], count=1))


def _weighs(graph: ModelGraph, row: Mapping[str, str]) -> bool:
    stated = float(row["flash_weights_kib"] or 0) * KIB
    return bool(row["flash_code_kib"]) and abs(graph.parameter_bytes - stated) <= SAME_WEIGHTS * stated


def _family(row: Mapping[str, str]) -> Family | None:
    try:
        target = load_target(row["target"]) if row["target"] else None
        return code_family(load_runtime(row["runtime"]), target.target_class if target else None)
    except EdgewrightError:
        return None


def _sizes(row: Mapping[str, str], graph: ModelGraph, family: Family) -> tuple[float, float]:
    """KiB of code, and of the model as we reckon it: code as stated, else the program less the model."""
    kept = (graph.file_bytes or 0) if family is Family.INTERPRETER else graph.parameter_bytes
    weights = float(row["flash_weights_kib"] or 0) or kept / KIB
    code = float(row["flash_code_kib"]) if row["flash_code_kib"] else float(row["flash_total_kib"]) - weights
    return code, kept / KIB
