"""The GPU of the machine at hand, by what its driver says."""

from __future__ import annotations

import platform
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..core.sanitize import clean_text

_DRIVER = Path("/proc/driver/nvidia/gpus")
_SECONDS = 10
_SMI = ("nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader,nounits")
_LONGEST = 80


class OwnGpu(NamedTuple):
    """The first that there is."""

    name: str
    """As its maker calls it: NVIDIA GeForce RTX 4090, Apple M2 Pro."""
    memory_bytes: int | None
    """Of its own, or of the whole system where they share it; None where nothing tells."""


def own_gpu() -> OwnGpu | None:
    """None where there is none, or none whose driver tells its name: NVIDIA's and Apple's do."""
    if platform.system() == "Darwin":
        return _apple()
    return _by_nvidia_smi() or _by_driver()


def _apple() -> OwnGpu | None:
    lines = _said(("sysctl", "-n", "machdep.cpu.brand_string", "hw.memsize"))
    if len(lines) < 2 or not lines[0].startswith("Apple"):
        return None
    return OwnGpu(clean_text(lines[0], _LONGEST), int(lines[1]) if lines[1].isdecimal() else None)


def _by_nvidia_smi() -> OwnGpu | None:
    name, _, mebibytes = next(iter(_said(_SMI)), "").rpartition(",")
    size = mebibytes.strip()
    if not name.strip():
        return None
    return OwnGpu(clean_text(name.strip(), _LONGEST), int(size) << 20 if size.isdecimal() else None)


def _by_driver() -> OwnGpu | None:
    try:
        for file in sorted(_DRIVER.glob("*/information")):
            for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
                label, _, name = line.partition(":")
                if label.strip() == "Model" and name.strip():
                    return OwnGpu(clean_text(name.strip(), _LONGEST), None)
    except OSError:
        return None
    return None


def _said(command: Sequence[str]) -> list[str]:
    """Lines that a program of the system prints; none where it is not there or fails."""
    program = shutil.which(command[0])
    if program is None:
        return []
    try:
        done = subprocess.run(  # noqa: S603
            [program, *command[1:]], capture_output=True, text=True, timeout=_SECONDS, check=True
        )
    except (OSError, subprocess.SubprocessError, ValueError):
        return []
    return [line for line in done.stdout.splitlines() if line.strip()]
