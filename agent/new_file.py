"""Writing what the user asks to have written, and nothing over what is there."""

from __future__ import annotations

from pathlib import Path

from ..hardware_db.errors import UsageError
from .llm.keys import without_keys


def write_new(name: str, text: str) -> Path:
    """Write a file that is not there yet, without any secret of the environment.

    Raises:
        UsageError: it exists or cannot be written.
    """
    try:
        path = Path(name).expanduser()
        with path.open("x", encoding="utf-8", errors="replace") as file:
            file.write(without_keys(text))
    except FileExistsError:
        raise UsageError(f"{name} exists.", hint="Choose another name; nothing is overwritten.") from None
    except (OSError, ValueError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError(f"{name} cannot be written: {reason}.", hint="Choose another place.") from None
    return path
