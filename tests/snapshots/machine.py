"""A machine that is made up: what it is called, what is installed on it, how fast it is, how full its disk is."""

import json
import platform
import re
import shutil
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from packaging.requirements import Requirement

from edgewright import __version__
from edgewright.agent.doctor import data, installation
from edgewright.tools.host_runs import host

from .runner import REPOSITORY

GIB = 1 << 30
LATENCIES_MS = [1.25, 1.5, 1.375, 1.3125]
_MASKED = (
    (rf"(edgewright +){re.escape(__version__)}\b", r"\1<VERSION>"),
    (r"\b\d{8}-\d{6}-[0-9a-f]{6}\b", "<SESSION------------->"),
    (r"\b\d{4}-\d\d-\d\d \d\d:\d\d\b", "<TIME---------->"),
    (r"\b[\d,]+(?= (?:targets|runtimes|published measurements)\b)", "<N>"),
    (r"\b[\d.]+ [KMG]iB(?= free)", "<SPACE>"),
    (r"\b\d\d KiB(?= \|)", "<SIZE>"),
)


class _Usage(NamedTuple):
    total: int
    used: int
    free: int


def make_up(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """All extras are installed, each library in the oldest version that will do."""
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needs = [Requirement(line) for line in project["dependencies"]]
    for extra, lines in project["optional-dependencies"].items():
        needs += [Requirement(f"{line.partition(';')[0]}; extra == '{extra}'") for line in lines]
    oldest = {each.name: _oldest(each) for each in needs}
    for name, answer in {
        "python_version": "3.12.0", "python_implementation": "CPython", "platform": "Linux-6.1-x86_64",
        "processor": "Made Up 9000", "machine": "x86_64", "system": "Linux",
    }.items():  # fmt: skip
        patch.setattr(platform, name, lambda answer=answer: answer)
    patch.setattr(sys, "executable", "/usr/bin/python3")
    patch.setattr(shutil, "disk_usage", lambda _: _Usage(8 * GIB, 4 * GIB, 4 * GIB))
    patch.setattr(installation, "_requirements", lambda: needs)
    patch.setattr(installation, "version_of", lambda package: oldest.get(package, "1.0"))
    patch.setattr(data, "vela_version", lambda: oldest["ethos-u-vela"])
    patch.setattr(host, "_version", lambda _: "2.0.0")
    patch.setattr(host, "run_isolated", _timed)
    patch.setattr(host, "_governor", lambda _: "performance")
    patch.setattr(host, "machine_name", lambda: "Made Up 9000, 4 processors, Linux")
    for variable, part in (("STATE", "state"), ("CONFIG", "config")):
        patch.setenv(f"EDGEWRIGHT_{variable}_DIR", str(folder / part))
    patch.setattr(tempfile, "gettempdir", lambda: str(folder))


def masked(text: str, folder: Path) -> str:
    for pattern, stands in _MASKED:
        text = re.sub(pattern, stands, text)
    return text.replace(str(folder), "<HOME>")


def _oldest(requirement: Requirement) -> str:
    return next(
        (part.version for part in requirement.specifier if part.operator in (">=", "==", "~=")), "1.0"
    )


def _timed(_worker: Path, folder: Path, **_: Any) -> None:
    answer = {
        "latency_ms": LATENCIES_MS, "load_ms": 20.5, "first_ms": 4.5, "warm_up_runs": 5,
        "peak_memory_bytes": 64 << 20, "processors": [0, 1],
        "energy": {"why_not": "there is no RAPL meter here"},
        "thermal": {"sensor": "x86_pkg_temp", "start_c": 48.0, "end_c": 52.0, "most_c": 52.5, "throttled": False,
                    "least_clock_mhz": 3000.0, "most_clock_mhz": 3000.0},
    }  # fmt: skip
    (folder / "answer.json").write_text(json.dumps(answer), encoding="utf-8")
