"""Starts a worker, a script or a module, with limited memory. A script of its own, run in a new process."""

from __future__ import annotations

import contextlib
import runpy
import sys

if __name__ == "__main__":
    with contextlib.suppress(ImportError, ValueError, OSError):  # some systems have no such limits
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]),) * 2)
    run = runpy.run_path if sys.argv[1].endswith(".py") else runpy.run_module
    run(sys.argv[1], run_name="__main__")
