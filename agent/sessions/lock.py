"""One process at a time on one session; the system lets go of the lock however the process ends."""

from __future__ import annotations

import os
from pathlib import Path

from ...hardware_db.errors import UsageError
from ...tools.core.platform import lock_exclusively


class SessionInUseError(UsageError):
    """Another process holds the session."""

    def __init__(self, session: str) -> None:
        super().__init__(
            f"Session {session} is open in another process.",
            hint=f"Leave it there, or go on in a copy: edgewright sessions copy {session}",
        )


class SessionLock:
    """Held from construction until `release`.

    Raises:
        SessionInUseError: another holds it.
        OSError: the file cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            lock_exclusively(self._descriptor)
        except BlockingIOError:
            self.release()
            raise SessionInUseError(path.stem) from None
        except OSError:
            # A file system without locks: the session is used without one.
            return

    def release(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
