"""What was typed, for the arrow keys, in a file that only its owner can read."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from prompt_toolkit.history import FileHistory, History, InMemoryHistory

from ..sessions.transcript import STATE_VARIABLE, state_directory

FILE_NAME = "chat_history"


class OpenedHistory(NamedTuple):
    history: History
    warning: str
    """Empty, or why nothing is kept after this chat."""


class PrivateHistory(FileHistory):
    """Keeps on in memory where its file fails later."""

    def load_history_strings(self) -> Iterable[str]:
        try:
            return list(super().load_history_strings())
        except OSError:
            return []

    def store_string(self, string: str) -> None:
        try:
            super().store_string(string)
        except OSError:
            return


def open_history(path: Path | None = None) -> OpenedHistory:
    """The history in the state directory, or one in memory where that cannot be written."""
    try:
        place = path or state_directory() / FILE_NAME
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(place, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            os.fchmod(descriptor, 0o600)
        finally:
            os.close(descriptor)
    except (OSError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        warning = f"What is typed is not kept: {reason}. Set {STATE_VARIABLE} to a writable directory."
        return OpenedHistory(InMemoryHistory(), warning)
    return OpenedHistory(PrivateHistory(place), "")
