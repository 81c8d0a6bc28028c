"""The charting library as text that a page carries: Vega-Lite (BSD-3-Clause) out of `vl-convert-python`.

It is put together once for each release of that package, which takes seconds, and kept in the user's cache.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from ....hardware_db.errors import EdgewrightError
from ...core.files import whole_file
from ...core.mending import Damage, left_over

vl_convert: Any
"""None where it is not installed. Any, as its stub asks for arguments that it does not need."""
try:
    vl_convert = importlib.import_module("vl_convert")
except ImportError:
    vl_convert = None

EXTRA = "page"
_LEAST_BYTES = 100_000
"""What is shorter is no library."""


@functools.cache
def library() -> str | None:
    """JavaScript that defines `vegaEmbed`; None where the package is not installed."""
    if vl_convert is None:
        return None
    folder = cache_folder()
    kept = None if folder is None else folder / f"vega-{vl_convert.__version__}.js"
    if kept is not None and (held := _held(kept)):
        return held
    text: str = vl_convert.javascript_bundle().replace("</script", "<\\/script")
    if kept is None:
        return text
    with contextlib.suppress(OSError, EdgewrightError):  # a cache that cannot be written is none
        kept.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(kept) as file:
            file.write(text.encode("utf-8"))
    return text


def cache_folder() -> Path | None:
    """Where it is kept; None where there is no home directory."""
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "edgewright"
    except RuntimeError:
        return None


def damaged_cache() -> Iterator[Damage]:
    """Files that hold no library: it is put together again when a page needs it."""
    folder = cache_folder()
    if folder is None or not folder.is_dir():
        return
    for file in sorted(folder.glob("vega-*.js")):
        if not _held(file):
            yield Damage(file, "no charting library", partial(_removed, file))
    yield from left_over(folder, ".vega-*.part")


def _removed(file: Path) -> str:
    file.unlink(missing_ok=True)
    return "removed; it is made again when a page needs it"


def _held(kept: Path) -> str:
    """The library in a file; empty where there is none."""
    with contextlib.suppress(OSError, UnicodeDecodeError):
        held = kept.read_text(encoding="utf-8")
        return held if len(held) >= _LEAST_BYTES else ""
    return ""
