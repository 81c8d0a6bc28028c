"""The log of a session as a test looks at it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from edgewright.agent.sessions.database import read_log


def events_in(file: Path) -> list[dict[str, Any]]:
    """Every event, oldest first, with its kind and time."""
    return [{**json.loads(e.data), "kind": e.kind, "time": e.time} for e in read_log(file).entries]
