from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.model_zoo import build_architecture

HEAVY = ("langchain", "langchain_core", "langchain_openai", "langgraph", "openai")

OF_OTHERS = (
    "tomllib",
    "edgewright.tools.core.document",
    "edgewright.tools.energy.lifetime",
    "edgewright.tools.energy.pack",
    "edgewright.tools.generation.engine",
    "edgewright.tools.generation.published",
    "edgewright.tools.model_zoo.builders",
    "edgewright.tools.calibration.validation.samples",
    "edgewright.agent.planner.answers.decoding",
    "edgewright.agent.planner.answers.own_data",
)
"""What answers to other questions are computed and told by."""


@pytest.mark.parametrize(
    "statement",
    [
        "import edgewright.agent",
        "from edgewright.agent import check_grounding, ask, open_assistant",
        "from edgewright.agent import TOOLS, Workspace, Transcript",
    ],
)
def test_the_agents_light_parts_import_no_heavy_library(statement: str) -> None:
    code = f"import sys; {statement}; print([m for m in {HEAVY!r} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_a_question_offline_loads_nothing_that_its_answer_needs_not(tmp_path: Path) -> None:
    (tmp_path / "kws.tflite").write_bytes(write_tflite(build_architecture("kws")))
    words = ["edgewright", "ask", "--no-save", "--llm", "offline", "Does kws.tflite fit the STM32H743?"]
    unneeded = (*HEAVY, "yaml", "rich", "prompt_toolkit", "sqlite3", "onnx", *OF_OTHERS)
    code = (
        f"import sys; sys.argv = {words!r}\nfrom edgewright.cli import main\ntry: main()\nexcept SystemExit: "
        f"print([m for m in {unneeded!r} if m in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "Yes" in run.stdout
    assert run.stdout.splitlines()[-1] == "[]"
