"""A question asked of the planner in an empty folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace

Ask: TypeAlias = Callable[[str], str]


@pytest.fixture
def ask(tmp_path: Path) -> Ask:
    return lambda question: Planner(Workspace(tmp_path)).ask(question).answer
