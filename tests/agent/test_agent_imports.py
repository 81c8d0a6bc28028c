from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("langchain", "langchain_core", "langchain_openai", "langgraph", "openai")


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


def test_a_question_offline_loads_no_library_that_its_answer_needs_not() -> None:
    words = ["edgewright", "ask", "--no-save", "--llm", "offline", "Does kws fit the STM32H743?"]
    unneeded = (*HEAVY, "yaml", "rich", "prompt_toolkit", "sqlite3", "onnx")
    code = (
        f"import sys; sys.argv = {words!r}\nfrom edgewright.cli import main\ntry: main()\nexcept SystemExit: "
        f"print([m for m in {unneeded!r} if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "Yes" in run.stdout
    assert run.stdout.splitlines()[-1] == "[]"
