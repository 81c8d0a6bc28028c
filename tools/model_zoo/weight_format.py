"""How language models are stored: the bits of a weight, and of a value in a KV cache, by format."""

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from ...hardware_db.cited import Closed, Source
from ...hardware_db.errors import UnknownNameError, nearest
from ...hardware_db.kept import yaml_in
from ...hardware_db.names import folded

FILE = Path(__file__).with_name("weight_formats.yaml")


class Named(Closed):
    """An entry that goes by an id and by other spellings of it."""

    id: str
    aliases: tuple[str, ...] = ()
    source: str
    """Keys of the file's sources, with the place in each."""


class Format(Named):
    """How weights, or the values of a KV cache, are stored."""

    bits: float
    """Of one weight of a layer or one value, its share of the scales included."""
    head_bits: float | None = None
    """Of a weight of the head, where it differs."""
    embedding_bits: float | None = None
    """Of a weight of an embedding that is not the head too, where it differs."""
    dense_bits: float | None = None
    """Of a weight of a layer outside its experts, where there are experts and it differs."""
    block: int = 1
    """Weights that share scales: of a model whose width is no multiple, all take the bits of `odd_bits`."""
    odd_bits: tuple[float, float] | None = None
    """Of layers and of head and embedding, where the width is no multiple of the block."""
    engines: tuple[str, ...] = ("llama.cpp",)
    """Runtimes that read it."""
    usual: bool = False
    """Whether it is taken unasked, the widest that fits first; others only by name."""
    locator: str = ""


class Formats(Closed):
    sources: dict[str, Source]
    weights: tuple[Format, ...]
    kv: tuple[Format, ...]


@functools.cache
def weight_format(name: str, engine: str | None = None) -> Format:
    """As `Q4_K_M`, `int8` or `W4A16`; what several runtimes call by one name is that of `engine`.

    Raises:
        UnknownNameError: no such format, with the nearest.
    """
    known = load_formats().weights
    own = [entry for entry in known if engine in entry.engines]
    if engine is not None and any(_goes_by(entry, name) for entry in own):
        known = tuple(own)
    return named(name, known, "weight format")


def kv_format(name: str) -> Format:
    """As `f16` or `q8_0`. Raises UnknownNameError."""
    return named(name, load_formats().kv, "KV cache format")


def usual_formats(engine: str) -> tuple[Format, ...]:
    """Those that an engine's users take, the widest first."""
    found = [entry for entry in load_formats().weights if entry.usual and engine in entry.engines]
    return tuple(sorted(found, key=lambda entry: -entry.bits))


@functools.cache
def load_formats() -> Formats:
    """The shipped formats, each figure with its source."""
    return Formats.model_validate(yaml_in(FILE))


Entry = TypeVar("Entry", bound=Named)


def named(name: str, known: Sequence[Entry], kind: str) -> Entry:
    """The entry of that id, or of that spelling where letters and digits alone count.

    Raises:
        UnknownNameError: none, with the nearest.
    """
    by_id = {entry.id: entry for entry in known}
    if name in by_id:
        return by_id[name]
    spelt = {folded(text): entry for entry in reversed(known) for text in (entry.id, *entry.aliases)}
    if folded(name) in spelt:
        return spelt[folded(name)]
    close = nearest(name, [*by_id, *(alias for entry in known for alias in entry.aliases)])
    raise UnknownNameError(kind, name, close, hint=f"There are {len(by_id)}, such as {_some(by_id)}.")


def _some(names: dict[str, Entry], count: int = 8) -> str:
    step = max(1, len(names) // count)
    return ", ".join(list(names)[::step][:count])


def _goes_by(entry: Format, name: str) -> bool:
    return folded(name) in map(folded, (entry.id, *entry.aliases))
