"""Which version runs on which Python, and which libraries are there for what."""

from __future__ import annotations

import importlib.metadata
import platform
import sys
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement

from ... import __version__
from ...hardware_db.errors import install_line
from .findings import Finding, Grade

NAME = "edgewright"
ADDS = {
    "onnx": "reading .onnx files beside .tflite",
    "mcp": "edgewright mcp: the tools for other assistants",
    "solver": "memory packing proven optimal where the built-in heuristic leaves a gap",
    "ethos-u": "Vela, which decides for Ethos-U; without it its published limits answer",
    "apply": "optimize --apply: quantise a file and run it here beside the original",
    "profile": "profile: run a model on this machine and time it",
    "gpu": "profile: the energy of NVIDIA's GPUs by their own meters",
    "page": "charts on the page of report, pictures of analyze -o and of sweeps",
    "scale": "sweeps on a Dask cluster, results as Parquet",
}
"""Extra → what it brings."""


def installed() -> Iterator[Finding]:
    place = Path(__file__).resolve().parents[2]
    yield Finding(area="installation", about=NAME, grade=Grade.OK, found=f"{__version__} in {place}")
    text = f"{platform.python_version()} ({platform.python_implementation()}) on {platform.platform()}"
    yield Finding(area="installation", about="python", grade=Grade.OK, found=f"{text}, {sys.executable}")
    requirements = _requirements()
    if requirements is None:
        yield Finding(
            area="installation", about="libraries", grade=Grade.NOTE,
            found="not installed as a package, so what it needs is not known here",
            next_step="pip install . in its checkout",
        )  # fmt: skip
        return
    yield _needed([each for each in requirements if each.marker is None])
    for extra, adds in ADDS.items():
        wanted = [each for each in requirements if each.marker and each.marker.evaluate({"extra": extra})]
        yield _extra(extra, adds, [each for each in wanted if not _without_extra(each)])


def _requirements() -> list[Requirement] | None:
    try:
        return [Requirement(line) for line in importlib.metadata.requires(NAME) or ()]
    except (importlib.metadata.PackageNotFoundError, InvalidRequirement):
        return None


def _without_extra(requirement: Requirement) -> bool:
    return requirement.marker is None or requirement.marker.evaluate({"extra": ""})


def _needed(requirements: list[Requirement]) -> Finding:
    wrong = [known for each in requirements if (known := _missing(each) or _outside(each))]
    return Finding(
        area="installation", about="libraries", grade=Grade.PROBLEM if wrong else Grade.OK,
        found="; ".join(wrong) or f"all {len(requirements)} that it needs are there",
        next_step="pip install --upgrade . in its checkout" if wrong else "",
    )  # fmt: skip


def _extra(extra: str, adds: str, requirements: list[Requirement]) -> Finding:
    """Missing is no problem: an extra is asked for. A library of a version that it cannot use is one."""
    line = install_line(extra)
    missing = [known for each in requirements if (known := _missing(each))]
    outside = [known for each in requirements if (known := _outside(each))]
    there = ", ".join(f"{each.name} {found}" for each in requirements if (found := version_of(each.name)))
    if outside:
        return Finding(
            area="extras", about=extra, grade=Grade.PROBLEM, found="; ".join(outside),
            next_step=f"{line}: {adds}",
        )  # fmt: skip
    if missing or not requirements:
        found = (
            f"not installed ({'; '.join(missing)})"
            if missing
            else "the version installed here does not know it"
        )
        return Finding(area="extras", about=extra, grade=Grade.NOTE, found=found, next_step=f"{line}: {adds}")
    return Finding(area="extras", about=extra, grade=Grade.OK, found=f"{there}: {adds}")


def _missing(requirement: Requirement) -> str:
    return "" if version_of(requirement.name) else f"{requirement.name} is missing"


def _outside(requirement: Requirement) -> str:
    found = version_of(requirement.name)
    if found is None or requirement.specifier.contains(found, prereleases=True):
        return ""
    return f"{requirement.name} is {found}, {requirement.specifier} is needed"


def version_of(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
