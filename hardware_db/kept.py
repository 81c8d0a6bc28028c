"""What costs much to make of files, kept beside them as Python keeps its bytecode."""

from __future__ import annotations

import hashlib
import marshal
import os
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from .later import Later
from .yaml_reader import read_yaml

if TYPE_CHECKING:
    import tomllib
else:
    tomllib = Later("tomllib")

Made = TypeVar("Made")


def kept(file: Path, key: str, make: Callable[[], Made]) -> Made:
    """What `make` returns, of plain values alone; read from `file` where it was kept there for this key.

    Written by another Python, for another key, or damaged: then it is made, and kept anew. It is as trusted
    as the bytecode beside it, which is written in the same format.
    """
    if found := kept_in(file, key):
        return cast("Made", found[0])
    made = make()
    if not sys.dont_write_bytecode:
        keep(file, key, made)
    return made


def kept_in(file: Path, key: str) -> list[Any]:
    """What is kept there for this key, alone; else nothing."""
    with suppress(OSError, ValueError, EOFError, TypeError):
        signed, _, content = file.read_bytes().partition(b"\n")
        if signed == _signed(key, content):
            return [marshal.loads(content)]  # noqa: S302 - as the bytecode in this folder
    return []


def keep(file: Path, key: str, made: Any) -> None:
    """Nothing where the folder cannot be written, or where those are no plain values."""
    with suppress(OSError, ValueError):
        content = marshal.dumps(made)
        write_whole(file, _signed(key, content) + b"\n" + content)


def stamp(files: Iterable[Path]) -> str:
    """A key of files as they are, by their names, sizes and times: what is read for it is no content."""
    stats = [(file.name, os.stat(file)) for file in files]
    return repr([(name, stat.st_size, stat.st_mtime_ns) for name, stat in stats])


def toml_in(file: Path) -> dict[str, Any]:
    """What a shipped TOML file says."""
    return _parsed(file, lambda: tomllib.loads(file.read_text(encoding="utf-8")))


def yaml_in(file: Path) -> dict[str, Any]:
    """What a shipped YAML file says."""
    return _parsed(file, lambda: read_yaml(file).data)


def _parsed(file: Path, parse: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    return kept(file.parent / "__pycache__" / f"{file.name}.kept", _digest(file.read_bytes()), parse)


def _signed(key: str, content: bytes) -> bytes:
    """For what and by which Python it was kept, and that nothing of it is damaged."""
    return f"{_digest(f'{sys.version} {key}'.encode())} {zlib.crc32(content):08x}".encode()


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def write_whole(file: Path, content: bytes) -> None:
    """All of it or nothing: another process may read meanwhile."""
    file.parent.mkdir(exist_ok=True)
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f"{file.stem}.", suffix=".new")
    try:
        with os.fdopen(handle, "wb") as whole:
            whole.write(content)
        Path(name).chmod(0o644)
        Path(name).replace(file)
    finally:
        Path(name).unlink(missing_ok=True)
