"""Published speeds of language models: one line a figure, with where it was read."""

from __future__ import annotations

import csv
import functools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

FILE = Path(__file__).with_name("decode.csv")
ENCODE_FILE = Path(__file__).with_name("encode.csv")
_COUNTS = ("batch", "prompt_tokens", "generated_tokens", "prefill_prompt_tokens")


class DecodeRow(NamedTuple):
    """One speed that somebody published."""

    id: str
    repository: str
    path: str
    commit: str
    """Or the day of a comment, where the path is an issue, or that of reading where it shows none."""
    line: str
    author: str
    """Who measured, where it is not the repository's owner."""
    device: str
    target: str
    """Empty where the database has no such target."""
    host: str
    """What launches the work of a card, where it is not a usual desktop or server; else empty."""
    kind: str
    """gpu, cpu or npu."""
    runtime: str
    backend: str
    model: str
    weights: str
    weights_source: str
    """Where the format was read, if not with the speed."""
    kv: str
    batch: int
    """Sessions at once; the speed is that of all of them."""
    prompt_tokens: int
    """0 where the source names none: short."""
    generated_tokens: int
    """0 where the source names none: short."""
    prefill_prompt_tokens: int
    """What the prefill was measured with; 0 where it was not, or no length is named."""
    decode_tokens_per_s: float | None
    """With several sessions, output over whole requests, their prompts included. None: only the prefill."""
    prefill_tokens_per_s: float | None
    bandwidth_gb_per_s: float | None
    """None: the target's."""
    float32_tops: float | None
    """Of the shaders, in 10^12 operations a second, where the bandwidth was read. None: the target's."""
    bandwidth_source: str
    note: str

    @property
    def source(self) -> str:
        """Who measured: rows of one person or company are left out together, wherever they stand."""
        return self.author or self.repository.partition("/")[0]


class EncodeRow(NamedTuple):
    """What the encoder of 30 seconds of sound took somebody, once."""

    id: str
    repository: str
    path: str
    commit: str
    """Or the day of a comment."""
    line: str
    author: str
    device: str
    target: str
    kind: str
    runtime: str
    backend: str
    model: str
    encode_ms: float
    note: str


@functools.cache
def encode_rows() -> tuple[EncodeRow, ...]:
    """All rows, in the file's order."""
    with ENCODE_FILE.open(encoding="utf-8", newline="") as file:
        return tuple(
            EncodeRow(**{**line, "encode_ms": float(line["encode_ms"])})  # type: ignore[arg-type]
            for line in csv.DictReader(file)
        )


@functools.cache
def decode_rows() -> tuple[DecodeRow, ...]:
    """All rows, in the file's order."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return tuple(_row(line) for line in csv.DictReader(file))


def rows_on(target: str) -> Sequence[DecodeRow]:
    """Those of a target alone, without what another board drove, in the file's order."""
    return _by_target().get(target, ())


@functools.cache
def _by_target() -> Mapping[str, Sequence[DecodeRow]]:
    found = defaultdict[str, list[DecodeRow]](list)
    for row in decode_rows():
        if not row.host:
            found[row.target].append(row)
    return found


def _row(line: dict[str, str]) -> DecodeRow:
    numbers: dict[str, float | int | None] = {name: int(line[name]) for name in _COUNTS}
    for name in ("decode_tokens_per_s", "prefill_tokens_per_s", "bandwidth_gb_per_s", "float32_tops"):
        numbers[name] = float(line[name]) if line[name] else None
    return DecodeRow(**{**line, **numbers})  # type: ignore[arg-type]
