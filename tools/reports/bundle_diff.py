"""Two archives of reports compared: figures of the deployments that both hold, and what they stand on."""

from __future__ import annotations

import json
import os
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from pydantic import ValidationError

from ...hardware_db.errors import InputError
from ..core.deployment import DeploymentRef
from ..core.files import regular_file
from ..core.quantity import Quantity, Result
from ..core.sanitize import clean_text
from .bundle import MANIFEST, RESULTS

LARGEST_BYTES = 256 << 20
_DAMAGED = (OSError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError)
"""What opening and unpacking raise; the last for what is encrypted."""
_KEPT = ("edgewright", "figures", "python", "packages", "model", "model_sha256", "limits")


class ChangedFigure(Result):
    """One figure of one deployment in both archives."""

    deployment: str
    """The deployment, in words."""
    figure: str
    """Name of the figure."""
    before: Quantity
    """The figure in the first archive."""
    after: Quantity
    """The figure in the second."""
    gain: float | None
    """Relative change, after / before - 1; null where one is unknown."""
    beyond_interval: bool
    """Whether the new value lies outside the interval of the old one."""


class BundleDiff(Result):
    """What changed from one report to another."""

    main_rows: ClassVar[str] = "changed"

    schema_version: str = "1.0"
    before: str
    """The first archive."""
    after: str
    """The second."""
    compared: int
    """Deployments that both hold."""
    changed: tuple[ChangedFigure, ...]
    """Figures that are not equal."""
    verdicts: tuple[str, ...]
    """Deployments whose verdict turned, in words."""
    only_before: tuple[str, ...]
    """Deployments of the first alone."""
    only_after: tuple[str, ...]
    """Deployments of the second alone."""
    stands_on: tuple[str, ...]
    """Versions, figures, model and limits that differ, in words."""

    def headline(self) -> str:
        return f"{len(self.changed)} figures of {self.compared} deployments changed"


def compare_bundles(before: str | os.PathLike[str], after: str | os.PathLike[str]) -> BundleDiff:
    """Compare two archives that `write_report` made.

    Args:
        before: the first .zip.
        after: the second.

    Raises:
        InputError: a file that is no such archive.

    Example:
        >>> board = deployment("stm32l4r5zi")
        >>> _ = write_report("kws", board, Path("before.zip"), charts=False)
        >>> _ = write_report("kws", board.at(clock_mhz=60), Path("after.zip"), charts=False)
        >>> compare_bundles("before.zip", "after.zip").only_after
        ('stm32l4r5zi/tflm-cmsis-nn at 60 MHz',)
    """
    one, other = _Archive(before), _Archive(after)
    both = [name for name in one.views if name in other.views]
    return BundleDiff(
        before=str(before),
        after=str(after),
        compared=len(both),
        changed=tuple(row for name in both for row in _changed(name, one.views[name], other.views[name])),
        verdicts=tuple(line for name in both for line in _turned(name, one.views[name], other.views[name])),
        only_before=tuple(name for name in one.views if name not in other.views),
        only_after=tuple(name for name in other.views if name not in one.views),
        stands_on=tuple(_differing(one.manifest, other.manifest)),
    )


class _Archive:
    def __init__(self, file: str | os.PathLike[str]) -> None:
        path = regular_file(file)
        try:
            with zipfile.ZipFile(path) as archive:
                manifest, results = (_json(archive, name) for name in (MANIFEST, RESULTS))
            self.manifest: Mapping[str, Any] = dict(manifest)
            self.views = {_name(view): view for view in results}
        except (*_DAMAGED, KeyError, TypeError, ValueError, ValidationError) as error:
            raise InputError(
                f"{str(Path(path))!r} is no archive of a report: {clean_text(str(error))}.",
                hint="Make one: edgewright report MODEL -t TARGET --bundle out.zip",
            ) from None


def _json(archive: zipfile.ZipFile, name: str) -> Any:
    if archive.getinfo(name).file_size > LARGEST_BYTES:
        raise ValueError(f"{name} is larger than {LARGEST_BYTES >> 20} MiB")
    return json.loads(archive.read(name))


def _name(view: Mapping[str, Any]) -> str:
    place = DeploymentRef.model_validate(view["deployment"]).headline()
    return f"{place}, {view['transform']}" if view["transform"] else place


_FIGURES = (
    ("latency", "performance", "latency_ms"), ("energy", "performance", "energy_uj"),
    ("power", "performance", "power_mw"), ("RAM (arena)", "memory", "arena"), ("flash", "memory", "flash"),
)  # fmt: skip


def _changed(name: str, one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[ChangedFigure]:
    for figure, part, field in _FIGURES:
        before, after = (Quantity.model_validate(view[part][field]) for view in (one, other))
        if before != after:
            yield _figure(name, figure, before, after)


def _figure(name: str, figure: str, before: Quantity, after: Quantity) -> ChangedFigure:
    old, new = before.value, after.value
    return ChangedFigure(
        deployment=name,
        figure=figure,
        before=before,
        after=after,
        gain=None if new is None or not old else new / old - 1,
        beyond_interval=old is not None and new is not None and new not in before,
    )


def _turned(name: str, one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[str]:
    before, after = one["checks"]["verdict"], other["checks"]["verdict"]
    if before != after:
        yield f"{name}: {before} before, {after} now"


def _differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[str]:
    for name in _KEPT:
        before, after = one.get(name), other.get(name)
        if before != after:
            yield clean_text(f"{name}: {before} before, {after} now", 300)
