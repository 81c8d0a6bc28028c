"""Writing what the user asks to have written, and nothing over what is there."""

from __future__ import annotations

import os
from pathlib import Path

from ..hardware_db.errors import UsageError
from ..tools.core.files import save_whole
from .llm.keys import without_keys


def write_new(name: str, text: str) -> Path:
    """Write a file that is not there yet, without any secret of the environment.

    Raises:
        UsageError: it exists or cannot be written.
    """
    try:
        path = Path(name).expanduser()
        if os.path.lexists(path):
            raise UsageError(f"{name} exists.", hint="Choose another name; nothing is overwritten.")
        save_whole(without_keys(text).encode(errors="replace"), path)
    except (OSError, ValueError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError(f"{name} cannot be written: {reason}.", hint="Choose another place.") from None
    return path
