"""A tool is three files and two lines, and everything that offers tools has it."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
FUNCTION = '''
from __future__ import annotations

from ..core.deployment import Deployment
from ..core.quantity import Result
from ..placement.model_source import ModelSource, as_graph


class OperatorTally(Result):
    """How many operators a model has."""

    schema_version: str = "1.0"
    target: str
    op_count: int


def tally_operators(model: ModelSource, deployment: Deployment | str) -> OperatorTally:
    """The operators of a model, wherever it runs."""
    graph, place = as_graph(model, deployment)
    return OperatorTally(target=place.target.id, op_count=len(graph.ops))
'''
DESCRIBE = """
from ..core.document import Document, described, text
from .count import OperatorTally


@described.register
def tally(result: OperatorTally) -> Document:
    return Document(result, "Tally", (), summary=(text("{op_count} operators on {target}"),))
"""
TEXT = "Counts the operators of a model. Use it for how many operators there are.\n"
FILES = {"tools/tally/count.py": FUNCTION, "tools/tally/describe.py": DESCRIBE}
LINES = {
    "agent/registry.py": (
        "TOOLS: tuple[Tool, ...] = (\n",
        '    Tool("tally_operators", "OnDeployment", "tally", "Count the operators."),\n',
    ),
    "tools/__init__.py": (
        "_NAMES_BY_MODULE = {\n",
        '    ".tally.count": "OperatorTally tally_operators",\n',
    ),
}
USES = """
import asyncio, contextlib, io, json, sys
from edgewright import cli
from edgewright.agent.mcp_server import _list_tools
from edgewright.agent.registry import tool_named
from edgewright.agent.repl.table import COMMANDS
from edgewright.agent.views import VIEWS, as_langchain_tools
from edgewright.agent.workspace import Workspace

def run(*words):
    sys.argv, out = ["edgewright", *words], io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        cli.main()
    return out.getvalue()

view = next(view for view in VIEWS if view.name == "tally_operators")
(tool,) = as_langchain_tools([view], Workspace(model="kws", target="stm32h743zi"))
listed = asyncio.run(_list_tools(None, None)).tools
print(json.dumps({
    "help": run("--help"),
    "text": run("tally", "kws", "-t", "stm32h743zi"),
    "json": json.loads(run("tally", "kws", "-t", "stm32h743zi", "--json")),
    "schema": view.schema, "description": view.description,
    "langchain": tool.invoke({"name": tool.name, "args": {}, "id": "1", "type": "tool_call"}).content,
    "mcp": [tool.name for tool in listed],
    "slash": [command.name for command in COMMANDS],
    "result": tool_named("tally_operators").result.__name__,
}))
"""


def beside(source: Path, copy: Path, changed: set[Path]) -> None:
    """`copy` is `source` by links; what is `changed`, and the folders above it, are its own."""
    copy.mkdir()
    for entry in source.iterdir():
        if entry.name.startswith("."):
            continue
        inner = {path for path in changed if path == entry or entry in path.parents}
        if entry.is_dir() and inner:
            beside(entry, copy / entry.name, inner)
        elif inner:
            (copy / entry.name).write_bytes(entry.read_bytes())
        else:
            (copy / entry.name).symlink_to(entry)


@pytest.fixture(scope="module")
def offered(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a package offers that has one tool more than ours."""
    site = tmp_path_factory.mktemp("site")
    package = site / "edgewright"
    beside(ROOT, package, {ROOT / name for name in (*LINES, "prompts/tools/evaluate.md")})
    (package / "tools" / "tally").mkdir()
    (package / "tools" / "tally" / "__init__.py").touch()
    for name, text in {**FILES, "prompts/tools/tally_operators.md": TEXT}.items():
        (package / name).write_text(text)
    for name, (after, line) in LINES.items():
        before = (package / name).read_text()
        assert before.count(after) == 1
        (package / name).write_text(before.replace(after, after + line))
    code = f"import sys; sys.path.insert(0, {str(site)!r})\n{USES}"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=site)
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def test_the_command_line_has_it_with_the_options_of_its_arguments(offered: dict[str, Any]) -> None:
    assert re.search(r"^  tally +Count the operators\.", offered["help"], flags=re.MULTILINE)
    assert "13 operators on stm32h743zi" in offered["text"]
    assert offered["json"]["tool"] == "tally_operators"
    assert offered["json"]["result"]["op_count"] == 13
    assert offered["json"]["inputs"]["target"] == "stm32h743zi"


def test_a_chat_model_reads_its_text_and_its_schema_and_can_call_it(offered: dict[str, Any]) -> None:
    assert offered["description"] == TEXT.strip()
    assert {"model", "target", "runtime", "clock_mhz"} <= set(offered["schema"]["properties"])
    assert offered["langchain"].splitlines() == [
        "r1 tally_operators kws",
        "target: stm32h743zi",
        "op_count: 13",
    ]


def test_clients_over_mcp_and_the_chat_have_it(offered: dict[str, Any]) -> None:
    assert "tally_operators" in offered["mcp"]
    assert "/tally" in offered["slash"]


def test_its_record_knows_what_it_returns(offered: dict[str, Any]) -> None:
    assert offered["result"] == "OperatorTally"
