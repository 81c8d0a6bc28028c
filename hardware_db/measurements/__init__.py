"""Published measurements, with where each was read, and the networks that they were taken on."""

from __future__ import annotations

import csv
import functools
import hashlib
import io
import lzma
from importlib import resources


@functools.cache
def rows() -> tuple[dict[str, str], ...]:
    """One published figure each; empty text is unknown."""
    text = _read("rows.csv").decode("utf-8")
    return tuple(csv.DictReader(io.StringIO(text)))


@functools.cache
def networks() -> dict[str, str]:
    """Key → graph as JSON, without weights and without the names that its author gave."""
    lines = lzma.decompress(_read("networks.tsv.xz")).decode("utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines)


def digest() -> str:
    """SHA-256 of everything that a fit reads."""
    return hashlib.sha256(_read("rows.csv") + _read("networks.tsv.xz")).hexdigest()


def _read(name: str) -> bytes:
    return resources.files(__name__).joinpath(name).read_bytes()
