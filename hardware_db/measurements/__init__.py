"""Published measurements, with where each was read, and the networks that they were taken on."""

from __future__ import annotations

import csv
import functools
import hashlib
import io
import lzma
from importlib import resources

FILES = ("rows.csv", "collected.csv", "networks.tsv.xz", "units.csv")
"""What a fit reads."""


@functools.cache
def rows() -> tuple[dict[str, str], ...]:
    """One published figure each; empty text is unknown."""
    return shared_rows() + collected_rows()


@functools.cache
def shared_rows() -> tuple[dict[str, str], ...]:
    """Of sources whose other rows are kept back to judge us."""
    return _table("rows.csv")


@functools.cache
def collected_rows() -> tuple[dict[str, str], ...]:
    """Of other public tables, and of our own runs."""
    return _table("collected.csv")


@functools.cache
def networks() -> dict[str, str]:
    """Key → graph as JSON, without weights and without the names that its author gave."""
    lines = lzma.decompress(_read("networks.tsv.xz")).decode("utf-8").splitlines()
    return dict(line.split("\t", 1) for line in lines)


def networks_digest() -> str:
    """SHA-256 of the networks."""
    return hashlib.sha256(_read("networks.tsv.xz")).hexdigest()


def digest() -> str:
    """SHA-256 of everything that a fit reads."""
    return hashlib.sha256(b"".join(map(_read, FILES))).hexdigest()


def _table(name: str) -> tuple[dict[str, str], ...]:
    return tuple(csv.DictReader(io.StringIO(_read(name).decode("utf-8"))))


def _read(name: str) -> bytes:
    return resources.files(__name__).joinpath(name).read_bytes()
