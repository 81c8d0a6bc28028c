"""Who goes by which name, without reading every file: `index.json`, generated and checked for freshness."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, TypeVar

from .derived import active_mw, flash_bytes, ram_bytes
from .errors import HardwareFileError
from .kept import kept, stamp
from .loader import (
    RUNTIMES_DIR,
    TARGETS_DIR,
    read_runtime,
    read_target,
    runtime_in,
    shipped_ids,
    target_in,
)
from .names import folded, folded_each
from .runtime_schema import Availability
from .schema import Runtime, Target, TargetClass
from .user_files import Directories, directories, listed, user_files

INDEX_FILE = Path(__file__).parent / "index.json"


class Names(NamedTuple):
    """Folded names of one kind of thing."""

    exact: dict[str, str]
    """Ids, names and aliases to the id."""
    families: dict[str, tuple[str, ...]]
    """Wider names to the ids of their members."""
    parts: Mapping[str, str] = MappingProxyType({})
    """Beginnings of order codes to the id."""
    written: Mapping[str, str] = MappingProxyType({})
    """Ids, names and aliases as they are written, to the id."""


class TargetSummary(NamedTuple):
    """What a list of targets shows."""

    id: str
    name: str
    vendor: str
    target_class: TargetClass
    isas: tuple[str, ...]
    cores: tuple[str, ...]
    """Count and instruction set of each kind of core."""
    clock_max_mhz: float | None
    ram_bytes: int | None
    """All that tensors can live in; None where no source tells, as the board decides or a host has it."""
    flash_bytes: int | None
    power_mw: float | None
    """Active, of the first power mode; None where no source tells."""
    price_usd: float | None
    accelerators: tuple[str, ...]
    runtimes: tuple[str, ...]
    interfaces: tuple[str, ...] = ()
    """Radios, networks and buses; empty where no source tells."""
    rent_usd_per_hour: float | None = None
    """Of one, on demand, by the provider that most rent from; None where no source tells."""


class RuntimeSummary(NamedTuple):
    """What a list of runtimes shows."""

    id: str
    name: str
    vendor: str
    planner: str
    availability: str
    """How one gets it; empty where it is not known."""
    usual_dtype: str
    operators: int
    runs_on: tuple[str, ...]


Summary = TypeVar("Summary", TargetSummary, RuntimeSummary)
Fields: TypeAlias = tuple[Any, ...]


class Index(NamedTuple):
    targets: tuple[TargetSummary, ...]
    target_names: Names
    runtimes: tuple[RuntimeSummary, ...]
    runtime_names: Names


def read_index(where: Directories | None = None) -> Index:
    """The generated index, or a fresh one where files were added or removed since; with the user's files.

    Args:
        where: directories of the user's own files; None takes those in use.
    """
    return _index(directories() if where is None else where)


def targets_by_id(where: Directories | None = None) -> Mapping[str, TargetSummary]:
    """Every target of the index."""
    return _targets_by_id(directories() if where is None else where)


def obtainable(runtimes: Iterable[str], where: Directories | None = None) -> tuple[str, ...]:
    """Of these runtimes, those that somebody outside their maker's house can get."""
    withheld = {r.id for r in read_index(where).runtimes if r.availability == Availability.SUBMISSION}
    return tuple(name for name in runtimes if name not in withheld)


def user_problems(where: Directories | None = None) -> tuple[HardwareFileError, ...]:
    """What is wrong with user files; those files are left out of every list."""
    return _user_entries(directories() if where is None else where)[2]


def read_user_files_again() -> None:
    """Forget what was read of the user's files, one of which was written since."""
    for found in (listed, target_in, runtime_in, _user_entries, _index, _targets_by_id):
        found.cache_clear()


@functools.cache
def _index(where: tuple[Path, ...]) -> Index:
    index = _shipped_index()
    targets, runtimes, _ = _user_entries(where)
    return _with(index, _index_of(targets, runtimes)) if targets or runtimes else index


@functools.cache
def _targets_by_id(where: tuple[Path, ...]) -> Mapping[str, TargetSummary]:
    return {summary.id: summary for summary in _index(where).targets}


@functools.cache
def _shipped_index() -> Index:
    try:
        file = INDEX_FILE.parent / "__pycache__" / f"{INDEX_FILE.name}.kept"
        index = _index_of_fields(*kept(file, stamp((INDEX_FILE, Path(__file__))), _fields))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return build_index()
    targets = tuple(summary.id for summary in index.targets)
    runtimes = tuple(summary.id for summary in index.runtimes)
    fresh = (targets, runtimes) == (shipped_ids("target"), shipped_ids("runtime"))
    return index if fresh else build_index()


def _fields() -> tuple[list[Fields], Fields, list[Fields], Fields]:
    """Those of each record, out of JSON; damage raises ValueError, TypeError, KeyError or AttributeError."""
    data = json.loads(INDEX_FILE.read_bytes())
    made = [TargetSummary(**_with_tuples(target)) for target in data["targets"]]
    at = TargetSummary._fields.index("target_class")
    targets = [(*one[:at], one.target_class, one[at + 1 :]) for one in made]
    runtimes = [tuple(RuntimeSummary(**_with_tuples(runtime))) for runtime in data["runtimes"]]
    return targets, tuple(_names_in(data["target_names"])), runtimes, tuple(_names_in(data["runtime_names"]))


def _index_of_fields(
    targets: Iterable[Fields], target_names: Fields, runtimes: Iterable[Fields], runtime_names: Fields
) -> Index:
    return Index(
        targets=tuple(
            TargetSummary._make((*known, TargetClass(of_class), *more)) for *known, of_class, more in targets
        ),
        target_names=Names(*target_names),
        runtimes=tuple(RuntimeSummary(*fields) for fields in runtimes),
        runtime_names=Names(*runtime_names),
    )


def _names_in(data: Any) -> Names:
    written = data["written"]
    exact = dict(zip(folded_each(written), written.values(), strict=True))
    return Names(exact, _with_tuples(data["families"]), data["parts"], written)


def _with_tuples(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in data.items()}


@functools.cache
def _user_entries(
    where: tuple[Path, ...],
) -> tuple[list[Target], list[Runtime], tuple[HardwareFileError, ...]]:
    targets: list[Target] = []
    runtimes: list[Runtime] = []
    problems: list[HardwareFileError] = []
    for kind, path in ((k, p) for k in ("runtime", "target") for p in user_files(k, where).values()):
        try:
            if kind == "target":
                targets.append(read_target(path, where))
            else:
                runtimes.append(read_runtime(path, where))
        except HardwareFileError as error:
            problems.append(error)
    return targets, runtimes, tuple(problems)


def _with(shipped: Index, own: Index) -> Index:
    """Both; where they name the same, the user's own goes first."""
    return Index(
        targets=_joined(shipped.targets, own.targets),
        target_names=_joined_names(shipped.target_names, own.target_names),
        runtimes=_joined(shipped.runtimes, own.runtimes),
        runtime_names=_joined_names(shipped.runtime_names, own.runtime_names),
    )


def _joined(shipped: tuple[Summary, ...], own: tuple[Summary, ...]) -> tuple[Summary, ...]:
    by_id: dict[str, Summary] = {}
    for entries in (shipped, own):
        for entry in entries:
            by_id[entry.id] = entry
    return tuple(by_id[name] for name in sorted(by_id))


def _joined_names(shipped: Names, own: Names) -> Names:
    families = {
        name: tuple(dict.fromkeys((*shipped.families.get(name, ()), *own.families.get(name, ()))))
        for name in (*shipped.families, *own.families)
    }
    parts = {**shipped.parts, **own.parts}
    written = {**shipped.written, **own.written}
    return Names(exact=shipped.exact | own.exact, parts=parts, families=families, written=written)


def build_index() -> Index:
    """The index of what is shipped, read from every file."""
    targets = [read_target(TARGETS_DIR / f"{name}.yaml") for name in shipped_ids("target")]
    runtimes = [read_runtime(RUNTIMES_DIR / f"{name}.yaml") for name in shipped_ids("runtime")]
    return _index_of(targets, runtimes)


def _index_of(targets: Sequence[Target], runtimes: Sequence[Runtime]) -> Index:
    return Index(
        targets=tuple(target_summary(target) for target in targets),
        target_names=Names(
            exact=_exact(targets),
            parts={folded(part): target.id for target in targets for part in target.part_numbers},
            families=_families(targets),
            written=_written(targets),
        ),
        runtimes=tuple(_runtime_summary(runtime) for runtime in runtimes),
        runtime_names=Names(_exact(runtimes), _families(runtimes), written=_written(runtimes)),
    )


def index_text() -> str:
    """The index as it is stored."""
    index = build_index()
    data = {
        "targets": [target._asdict() for target in index.targets],
        "target_names": _stored(index.target_names),
        "runtimes": [runtime._asdict() for runtime in index.runtimes],
        "runtime_names": _stored(index.runtime_names),
    }
    return json.dumps(data, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def _stored(names: Names) -> dict[str, Any]:
    """What cannot be derived from the rest."""
    stored = names._asdict() | {"parts": dict(names.parts), "written": dict(names.written)}
    del stored["exact"]
    return stored


def spellings_of(entry: Target | Runtime) -> tuple[str, ...]:
    """Folded names that mean this entry and no other."""
    return tuple(dict.fromkeys(folded(name) for name in (entry.id, entry.name, *entry.aliases)))


def _exact(entries: Iterable[Target | Runtime]) -> dict[str, str]:
    return {spelling: entry.id for entry in entries for spelling in spellings_of(entry)}


def _written(entries: Iterable[Target | Runtime]) -> dict[str, str]:
    return {name: entry.id for entry in entries for name in (entry.id, entry.name, *entry.aliases)}


def _families(entries: Iterable[Target | Runtime]) -> dict[str, tuple[str, ...]]:
    """Families as the files name them, and targets by the kind of core that runs their kernels."""
    members: dict[str, list[str]] = {}
    for entry in entries:
        kinds = [entry.cores[0].isa.value] if isinstance(entry, Target) and entry.cores else []
        for family in (*entry.families, *kinds):
            members.setdefault(folded(family), []).append(entry.id)
    return {family: tuple(ids) for family, ids in members.items()}


def target_summary(target: Target) -> TargetSummary:
    """The line of a target in lists."""
    return TargetSummary(
        id=target.id,
        name=target.name,
        vendor=target.vendor,
        target_class=target.target_class,
        isas=tuple(dict.fromkeys(core.isa.value for core in target.cores)),
        cores=tuple(f"{core.count.value} x {core.isa.value}" for core in target.cores),
        clock_max_mhz=max((core.clock_max_mhz.value for core in target.cores), default=None),
        ram_bytes=ram_bytes(target),
        flash_bytes=flash_bytes(target),
        power_mw=active_mw(target),
        price_usd=target.price_usd.value if target.price_usd else None,
        accelerators=tuple(accelerator.name for accelerator in target.accelerators),
        runtimes=target.runtimes,
        interfaces=tuple(map(str, target.interfaces.value)) if target.interfaces else (),
        rent_usd_per_hour=target.rent_usd_per_hour.value if target.rent_usd_per_hour else None,
    )


def _runtime_summary(runtime: Runtime) -> RuntimeSummary:
    return RuntimeSummary(
        id=runtime.id,
        name=runtime.name,
        vendor=runtime.vendor,
        planner=runtime.planner.value,
        availability=runtime.availability.value.value if runtime.availability else "",
        usual_dtype=runtime.usual_dtype.value,
        operators=len(runtime.operators),
        runs_on=runtime.runs_on_isas + runtime.runs_on_accelerators,
    )
