"""Who goes by which name, without reading every file: `index.json`, generated and checked for freshness."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from .derived import flash_bytes, ram_bytes
from .loader import load_runtime, load_target, runtime_ids, target_ids
from .names import folded
from .schema import Runtime, Target, TargetClass

INDEX_FILE = Path(__file__).parent / "index.json"


class _Closed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Names(_Closed):
    """Folded names of one kind of thing."""

    exact: dict[str, str]
    """Ids, names and aliases to the id."""
    parts: dict[str, str] = {}
    """Beginnings of order codes to the id."""
    families: dict[str, tuple[str, ...]]
    """Wider names to the ids of their members."""


class TargetSummary(_Closed):
    """What a list of targets shows."""

    id: str
    name: str
    vendor: str
    target_class: TargetClass
    isas: tuple[str, ...]
    clock_max_mhz: float
    ram_bytes: int
    flash_bytes: int | None
    accelerators: tuple[str, ...]
    runtimes: tuple[str, ...]


class RuntimeSummary(_Closed):
    """What a list of runtimes shows."""

    id: str
    name: str
    vendor: str
    usual_dtype: str
    runs_on: tuple[str, ...]


class Index(_Closed):
    targets: tuple[TargetSummary, ...]
    target_names: Names
    runtimes: tuple[RuntimeSummary, ...]
    runtime_names: Names


@functools.cache
def read_index() -> Index:
    """The generated index, or a fresh one where files were added or removed since."""
    try:
        index = Index.model_validate_json(INDEX_FILE.read_bytes())
    except (OSError, ValueError):
        return build_index()
    targets = tuple(summary.id for summary in index.targets)
    runtimes = tuple(summary.id for summary in index.runtimes)
    return index if (targets, runtimes) == (target_ids(), runtime_ids()) else build_index()


def build_index() -> Index:
    targets = [load_target(identifier) for identifier in target_ids()]
    runtimes = [load_runtime(identifier) for identifier in runtime_ids()]
    return Index(
        targets=tuple(_target_summary(target) for target in targets),
        target_names=Names(
            exact=_exact(targets),
            parts={folded(part): target.id for target in targets for part in target.part_numbers},
            families=_families(targets),
        ),
        runtimes=tuple(_runtime_summary(runtime) for runtime in runtimes),
        runtime_names=Names(exact=_exact(runtimes), families=_families(runtimes)),
    )


def index_text() -> str:
    """The index as it is stored."""
    data: Any = build_index().model_dump(mode="json")
    return json.dumps(data, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def spellings_of(entry: Target | Runtime) -> tuple[str, ...]:
    """Folded names that mean this entry and no other."""
    return tuple(dict.fromkeys(folded(name) for name in (entry.id, entry.name, *entry.aliases)))


def _exact(entries: Iterable[Target | Runtime]) -> dict[str, str]:
    return {spelling: entry.id for entry in entries for spelling in spellings_of(entry)}


def _families(entries: Iterable[Target | Runtime]) -> dict[str, tuple[str, ...]]:
    """Families as the files name them, and targets by the kind of core that runs their kernels."""
    members: dict[str, list[str]] = {}
    for entry in entries:
        kinds = [entry.cores[0].isa.value] if isinstance(entry, Target) and entry.cores else []
        for family in (*entry.families, *kinds):
            members.setdefault(folded(family), []).append(entry.id)
    return {family: tuple(ids) for family, ids in members.items()}


def _target_summary(target: Target) -> TargetSummary:
    return TargetSummary(
        id=target.id,
        name=target.name,
        vendor=target.vendor,
        target_class=target.target_class,
        isas=tuple(dict.fromkeys(core.isa.value for core in target.cores)),
        clock_max_mhz=max(core.clock_max_mhz.value for core in target.cores),
        ram_bytes=ram_bytes(target),
        flash_bytes=flash_bytes(target),
        accelerators=tuple(accelerator.name for accelerator in target.accelerators),
        runtimes=target.runtimes,
    )


def _runtime_summary(runtime: Runtime) -> RuntimeSummary:
    return RuntimeSummary(
        id=runtime.id,
        name=runtime.name,
        vendor=runtime.vendor,
        usual_dtype=runtime.usual_dtype.value,
        runs_on=runtime.runs_on_isas + runtime.runs_on_accelerators,
    )
