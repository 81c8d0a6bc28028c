"""Starts a worker, a script or a module, with limited memory. A script of its own, run in a new process.

It ends with the process that wants its answer: where that one is killed, so are the worker and all that it
started, and its folder goes.
"""

from __future__ import annotations

import contextlib
import os
import runpy
import shutil
import signal
import sys
import threading
import time

_LOOKS_S = 0.25
OWN = "edgewright-"
"""What names of folders begin with that are made for a worker."""


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOKS_S)
    folder = os.getcwd()
    if os.path.basename(folder).startswith(OWN):
        shutil.rmtree(folder, ignore_errors=True)
    os.killpg(0, signal.SIGKILL)


if __name__ == "__main__":
    if hasattr(os, "killpg") and os.getpgrp() == os.getpid():
        threading.Thread(target=_end_with, args=(int(sys.argv[3]),), daemon=True).start()
    with contextlib.suppress(ImportError, ValueError, OSError):  # some systems have no such limits
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[2]),) * 2)
    run = runpy.run_path if sys.argv[1].endswith(".py") else runpy.run_module
    run(sys.argv[1], run_name="__main__")
