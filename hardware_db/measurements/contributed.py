"""Measurements that users have given: YAML files in `contributed/`, one list `measurements` each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..yaml_reader import read_yaml

MEASUREMENT_FIELDS = (
    "target", "runtime", "release", "network", "signature", "model_sha256", "processor", "dtype", "batch",
    "threads", "clock_mhz", "latency_ms", "method", "runs", "date", "source",
)  # fmt: skip
NEEDED = ("target", "runtime", "signature", "model_sha256", "processor", "dtype", "latency_ms", "date")
FOLDER = Path(__file__).with_name("contributed")
_SIGNATURE = re.compile("[0-9a-f]{16}")
_SHA256 = re.compile("[0-9a-f]{64}")


def contributed_files() -> tuple[Path, ...]:
    return tuple(sorted(FOLDER.glob("*.yaml")))


def contributed_rows() -> Iterator[dict[str, Any]]:
    """Every measurement of every file, with its place in `id`."""
    for file in contributed_files():
        entries = read_yaml(file).data["measurements"]
        yield from ({**entry, "id": f"{file.stem}-{n:04}"} for n, entry in enumerate(entries))


def problems(document: Any) -> list[str]:
    """What is wrong with a file; nothing where it can be read as measurements."""
    entries = document.get("measurements") if isinstance(document, Mapping) else None
    if not isinstance(entries, list) or not entries:
        return ["it has no list `measurements`"]
    return [f"measurement {n}: {why}" for n, entry in enumerate(entries, start=1) for why in _wrong(entry)]


def _wrong(entry: Any) -> Iterator[str]:
    if not isinstance(entry, Mapping):
        yield "no mapping"
        return
    yield from (f"unknown field {name!r}" for name in entry if name not in MEASUREMENT_FIELDS)
    yield from (f"no {name}" for name in NEEDED if not entry.get(name))
    if not _SIGNATURE.fullmatch(str(entry.get("signature", ""))):
        yield "signature is no 16 hexadecimal digits"
    if not _SHA256.fullmatch(str(entry.get("model_sha256", ""))):
        yield "model_sha256 is no SHA-256"
    for name in ("batch", "threads", "clock_mhz", "latency_ms", "runs"):
        value = entry.get(name)
        if value is not None and (
            isinstance(value, bool) or not isinstance(value, int | float) or value <= 0
        ):
            yield f"{name} is no figure above zero"
