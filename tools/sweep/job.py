"""A sweep as one value that any process can take up, and what a process keeps of it."""

from __future__ import annotations

import atexit
import functools
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ... import __version__
from ...hardware_db.errors import EdgewrightError
from ...hardware_db.user_files import user_files
from ..core.deployment import Deployment
from ..core.deployment_table import DeploymentTable
from ..core.files import file_named
from ..core.plan_files import PlanError
from ..core.records import dataclass
from ..core.settings import Settings
from ..graph import ModelGraph
from ..model_formats.source import parse_model
from ..model_zoo.named import build_architecture, names_dtype
from .budgets import limits_of, thresholds_of
from .expansion import UNIT_ROWS, Filter, Places, places_of, variants_of
from .plan import SweepPlan
from .variants import Transformed, Variant, check_transform


@dataclass(frozen=True)
class Job:
    plan: SweepPlan
    files: Mapping[str, bytes]
    """Models that the plan names by file, by that name."""
    hardware: Mapping[str, bytes]
    """The user's hardware files, by their path in the directory."""
    deployments_sha256: str
    version: str = __version__

    @functools.cached_property
    def sha256(self) -> str:
        return _sha256(json.dumps(self.identity, sort_keys=True))

    @property
    def identity(self) -> dict[str, object]:
        """What results follow from, as a journal keeps it."""
        return {
            "plan": self.plan.model_dump(mode="json"),
            "model files": {name: _sha256(data) for name, data in self.files.items()},
            "hardware": self.deployments_sha256,
            "edgewright": self.version,
        }


@dataclass(frozen=True)
class Unit:
    """A variant on some deployments: what is evaluated and kept at once."""

    number: int
    variant: Variant
    start: int
    rows: tuple[int, ...]
    """Of the deployments from `start`, counted from there."""


def job_of(plan: SweepPlan, folder: Path, settings: Settings | None = None) -> tuple[Job, Workplace]:
    """The job of a plan whose model files lie relative to `folder`, with everything in it checked.

    Raises:
        EdgewrightError: a model, target, runtime, transform, limit or filter that cannot be used, or a plan
            that leaves nothing to evaluate.
    """
    settings = Settings.from_environment() if settings is None else settings
    thresholds_of(plan), limits_of(plan)
    files = {name: path.read_bytes() for name in plan.models if (path := _file(name, folder))}
    places = places_of(plan, settings)
    if not len(places):
        found = "; ".join(places.left_out) or "none of the runtimes runs on any of the targets"
        raise PlanError(f"The plan leaves no deployment: {found}.", hint="Widen targets, runtimes or clocks.")
    job = Job(plan, files, _hardware_files(settings.hardware_directories), _deployments_sha256(places))
    work = Workplace(job, places)
    for name in dict.fromkeys(plan.models):
        work.graph(name, places.table[0])
    for variant in work.variants:
        check_transform(variant.transform, places.table[0])
    if not work.units:
        raise PlanError("The filters leave nothing to evaluate.", hint="Widen `only`, or drop a `skip`.")
    return job, work


def taken_up(job: Job) -> Workplace:
    """The job in another process, perhaps on another machine.

    Raises:
        EdgewrightError: another version of edgewright or of the hardware database.
    """
    if job.version != __version__:
        raise EdgewrightError(
            f"A worker runs edgewright {__version__}, the sweep edgewright {job.version}.",
            hint="Install the same version everywhere.",
        )
    settings = Settings.from_environment()
    if job.hardware:
        settings = settings.model_copy(update={"hardware_directories": (_unpacked(job.hardware),)})
    places = places_of(job.plan, settings)
    if _deployments_sha256(places) != job.deployments_sha256:
        raise EdgewrightError(
            "A worker's hardware files differ from those of the sweep.",
            hint="Install the same version everywhere.",
        )
    return Workplace(job, places)


class Workplace:
    """What evaluating needs, made once in each process."""

    def __init__(self, job: Job, places: Places) -> None:
        self.job, self.places = job, places
        self.limits, self.thresholds = limits_of(job.plan), thresholds_of(job.plan)
        self.variants = variants_of(job.plan)
        self._graphs: dict[tuple[str, str], ModelGraph] = {}
        self._transformed: tuple[Variant | None, Transformed] = (None, Transformed(()))
        self._tables: dict[tuple[int, tuple[int, ...]], DeploymentTable] = {}

    @functools.cached_property
    def units(self) -> tuple[Unit, ...]:
        kept = Filter(self.job.plan, self.places)
        units: list[Unit] = []
        for variant in self.variants:
            keep = kept.keep(variant)
            for start in range(0, len(keep), UNIT_ROWS):
                rows = tuple(keep[start : start + UNIT_ROWS].nonzero()[0].tolist())
                if rows:
                    units.append(Unit(len(units), variant, start, rows))
        return tuple(units)

    @property
    def evaluations(self) -> int:
        return sum(len(unit.rows) for unit in self.units)

    def graph(self, name: str, place: Deployment) -> ModelGraph:
        """A model; of an architecture without a type, in the usual precision of the runtime."""
        data = self.job.files.get(name)
        usual = "" if data is not None or names_dtype(name) else place.runtime.usual_dtype.value
        key = name, usual
        if key not in self._graphs:
            made = parse_model(data) if data is not None else build_architecture(name, dtype=usual or None)
            self._graphs[key] = made
        return self._graphs[key]

    def transformed(self, variant: Variant) -> Transformed:
        """Of the latest variant: units come one variant after the other."""
        if self._transformed[0] != variant:
            self._transformed = variant, Transformed(variant.steps)
        return self._transformed[1]

    def table(self, start: int, rows: tuple[int, ...]) -> DeploymentTable:
        """Kept, for what follows from deployments alone serves every model."""
        if (start, rows) not in self._tables:
            chosen = (self.places.table[start + row] for row in rows)
            self._tables[start, rows] = DeploymentTable(chosen)
        return self._tables[start, rows]


def _file(name: str, folder: Path) -> Path | None:
    path = file_named(name, folder)
    if path is None and name.endswith((".tflite", ".onnx")):
        parse_model(folder / os.path.expanduser(name))
    return path


def _hardware_files(own: tuple[Path, ...]) -> dict[str, bytes]:
    places = (("", "target"), ("runtimes/", "runtime"))
    return {
        f"{folder}{path.name}": path.read_bytes()
        for folder, kind in places
        for path in user_files(kind, own).values()
    }


def _unpacked(files: Mapping[str, bytes]) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="edgewright-hardware-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
    return folder


def _deployments_sha256(places: Places) -> str:
    parts = {id(part): part for place in places.table for part in (place.target, place.runtime)}
    known = hashlib.sha256()
    for text in sorted(part.model_dump_json() for part in parts.values()):
        known.update(text.encode())
    for place in places.table:
        known.update(f"{place.target.id} {place.ref.runtime} {place.clock_mhz!r} {place.batch}\n".encode())
    return known.hexdigest()


def _sha256(data: str | bytes) -> str:
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()
