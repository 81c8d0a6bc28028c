"""Starts a worker script under a limit of memory. Run as a script itself, in a process of its own."""

from __future__ import annotations

import contextlib
import runpy
import sys


def limit(memory_bytes: int) -> None:
    """Where the system has such limits; what takes too long the parent ends."""
    try:
        import resource
    except ImportError:
        return
    for which, most in ((resource.RLIMIT_CORE, 0), (resource.RLIMIT_AS, memory_bytes)):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(which, (most, most))


if __name__ == "__main__":
    limit(int(sys.argv[2]))
    runpy.run_path(sys.argv[1], run_name="__main__")
