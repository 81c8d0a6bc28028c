"""Where the command `edgewright` starts: an interrupt while it loads ends it, and shows no traceback.

One command makes little garbage and ends soon: collecting it would cost a tenth of the run; what libraries
load for readers of their documents and for plugins, a twentieth.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
from types import FrameType

INTERRUPTED = 130
_heeded = signal.getsignal(signal.SIGINT) is signal.default_int_handler
"""Not where a shell started it in the background."""


def _leave(_signal: int, _frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


if _heeded:
    signal.signal(signal.SIGINT, _leave)
gc.disable()
atexit.register(gc.freeze)

from .hardware_db import written_code  # noqa: E402
from .hardware_db.later import postpone  # noqa: E402

written_code.for_libraries()
postpone("importlib.metadata", "entry_points")  # where pydantic looks for plugins
for _documents in ("_add_newdocs", "_add_newdocs_scalars"):  # of numpy, what `help` shows
    postpone(f"numpy._core.{_documents}")

from .cli import console  # noqa: E402

if _heeded:
    signal.signal(signal.SIGINT, signal.default_int_handler)

__all__ = ["console"]
