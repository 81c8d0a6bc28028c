"""A written model on disk: whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from ...hardware_db.errors import EdgewrightError, UsageError
from ..graph import ModelGraph


def save_tflite(
    graph: ModelGraph, path: str | os.PathLike[str], *, seed: int = 0, force: bool = False
) -> int:
    """Write `graph` with random weights to `path`, and return the number of bytes.

    The file appears under its name only when it is complete.

    Raises:
        UsageError: the file exists and `force` is not set, its folder does not, or what cannot be written.
        EdgewrightError: the disk is full, or the folder may not be written to.
    """
    from .tflite import write_tflite

    target = Path(path)
    if target.is_dir():
        raise UsageError(f"{str(target)!r} is a folder.", hint="Give the name of a file in it.")
    if target.exists() and not force:
        raise UsageError(f"{str(target)!r} exists already.", hint="Overwrite it with --force (force=True).")
    if not target.parent.is_dir():
        raise UsageError(f"There is no folder {str(target.parent)!r}.", hint="Make it first.")
    model = write_tflite(graph, seed=seed)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        part.write_bytes(model)
        part.replace(target)
    except OSError as error:
        raise EdgewrightError(
            f"{str(target)!r} could not be written ({len(model):,} bytes): {error.strerror}.",
            hint="Nothing was left behind. Free some space or choose another folder.",
        ) from error
    finally:
        part.unlink(missing_ok=True)
    return len(model)
