"""Published activation RAM beside the planned arena."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping

from ....hardware_db import resolve_target
from ....hardware_db.errors import EdgewrightError
from ....hardware_db.measurements import networks
from ...core.deployment import deployment
from ...core.quantity import Quantity
from ...core.releases import measured_releases
from ...graph import ModelGraph
from ...graph.serialize import graph_from_json
from ...memory_planner.reporting import plan as memory_plan
from ..arenas import ArenaKey, stored_arena
from .samples import Collected, Sample, class_of_row
from .validation_report import Measured, Scheme

KIB = 1024.0
_ANY_TARGET = {"x-cube-ai": "stm32h747xi"}
"""Runtime whose activations are the same on every target → one for rows that name none."""


def activation_samples(measured: Iterable[Mapping[str, str]], into: Collected) -> None:
    """Adds a sample per row with activation RAM, a target, a runtime and a network file."""
    for row in measured:
        case = _case_of(row)
        if case is None:
            continue
        arena = stored_arena(case, planned_arena)
        if isinstance(arena, str):
            into.leave_out(row["id"], arena)
            continue
        into.samples.append(activation_sample(row, arena, Scheme.MODEL_OUT))


def activation_cases(measured: Iterable[Mapping[str, str]]) -> set[ArenaKey]:
    """What has to be planned for the rows with activation RAM."""
    return {case for row in measured if (case := _case_of(row)) is not None}


def _case_of(row: Mapping[str, str]) -> ArenaKey | None:
    if not row["ram_activation_kib"] or row["network"] not in networks():
        return None
    target = row["target"] or _ANY_TARGET.get(row["runtime"], "")
    return (row["network"], target, _compiler(row, target)) if target else None


def activation_sample(row: Mapping[str, str], arena: Quantity, scheme: Scheme) -> Sample:
    """Of an arena that is known."""
    assert arena.value is not None
    assert arena.low is not None
    assert arena.high is not None
    return Sample(
        id=row["id"],
        device_class=class_of_row(row["kind"], row["processor"] or _any_core(row["runtime"])),
        runtime=row["runtime"],
        quantity=Measured.ACTIVATIONS,
        scheme=scheme,
        network=row["network"],
        dtype=row["dtype"],
        board=row["target"] or row["device"],
        measured=float(row["ram_activation_kib"]),
        predicted=arena.value / KIB,
        low=arena.low / KIB,
        high=arena.high / KIB,
    )


def _any_core(runtime: str) -> str:
    target = _ANY_TARGET.get(runtime)
    return resolve_target(target).cores[0].isa.value if target else ""


def _compiler(row: Mapping[str, str], target: str) -> str:
    """The runtime that planned a row: a unit's own compiler, where the row names the tool around it.

    With its release, where that is one of those that can be named."""
    own, runtime = row["processor"], row["runtime"]
    if row["kind"] == "unit" and own in resolve_target(target).runtimes:
        return own
    return f"{runtime}@{row['release']}" if row["release"] in measured_releases(runtime) else runtime


@functools.cache
def planned_arena(network: str, target: str, runtime: str) -> Quantity | str:
    """The planned arena, or why it is not known."""
    try:
        plan = memory_plan(_graph(network), deployment(target, runtime))
    except EdgewrightError as error:
        return error.message
    return plan.arena if plan.arena.value else "activation RAM: the runtime's planner is not modelled"


@functools.lru_cache(maxsize=64)
def _graph(network: str) -> ModelGraph:
    return graph_from_json(networks()[network])
