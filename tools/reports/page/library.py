"""The charting library as text that a page carries: Vega-Lite (BSD-3-Clause) out of `vl-convert-python`.

It is put together once for each release of that package, which takes seconds, and kept in the user's cache.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
from pathlib import Path
from typing import Any

from ....hardware_db.errors import EdgewrightError
from ...core.files import whole_file

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
    kept = _cache() / f"vega-{vl_convert.__version__}.js"
    with contextlib.suppress(OSError, UnicodeDecodeError):
        held = kept.read_text(encoding="utf-8")
        if len(held) >= _LEAST_BYTES:
            return held
    text: str = vl_convert.javascript_bundle().replace("</script", "<\\/script")
    with contextlib.suppress(OSError, EdgewrightError):  # a cache that cannot be written is none
        kept.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(kept) as file:
            file.write(text.encode("utf-8"))
    return text


def _cache() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "edgewright"
