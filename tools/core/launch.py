"""Starts a worker script under a limit of memory. Run as a script itself, in a process of its own."""

from __future__ import annotations

import contextlib
import runpy
import sys

if __name__ == "__main__":
    with contextlib.suppress(ImportError, ValueError, OSError):  # some systems have no such limits
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]),) * 2)
    runpy.run_path(sys.argv[1], run_name="__main__")
