import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from . import import_graph

ROOT = Path(__file__).resolve().parents[2]
ORDER = {"cli": 4, "commands": 3, "agent": 2, "tools": 1, "hardware_db": 0}
MOST_LINES = 400
DEVELOPERS_ONLY = {"edgewright.tools.calibration.fit"}
"""Used from a checkout, by those who fit the coefficients."""
HEAVY = ("langchain", "langchain_core", "langgraph", "openai", "rich", "matplotlib")


def sources(folder: str) -> list[Path]:
    return [ROOT / "cli.py", ROOT / "start.py"] if folder == "cli" else sorted((ROOT / folder).rglob("*.py"))


def imported_layers(file: Path) -> set[str]:
    """Layers that a file's relative imports reach, wherever in the file they stand."""
    parts = file.relative_to(ROOT).with_suffix("").parts
    found = set()
    for node in import_graph.source(file).imports:
        if not isinstance(node, ast.ImportFrom) or node.level == 0:
            continue
        base = parts[: len(parts) - node.level]
        for target in [node.module or ""] if node.module else [alias.name for alias in node.names]:
            found.add((*base, *target.split("."))[0])
    return found & set(ORDER)


@pytest.mark.parametrize("layer", ORDER)
def test_imports_point_one_way(layer: str) -> None:
    against = {
        f"{file.relative_to(ROOT)} imports {reached}"
        for file in sources(layer)
        for reached in imported_layers(file)
        if ORDER[reached] > ORDER[layer]
    }
    assert not against


@pytest.mark.parametrize("layer", ORDER)
def test_the_package_never_imports_itself_by_its_installed_name(layer: str) -> None:
    absolute = [
        str(file.relative_to(ROOT))
        for file in sources(layer)
        for node in import_graph.source(file).imports
        if (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "edgewright")
        or (isinstance(node, ast.Import) and any(a.name.split(".")[0] == "edgewright" for a in node.names))
    ]
    assert not absolute


@pytest.mark.parametrize(
    "statement",
    [
        "import edgewright.cli",
        "import edgewright.tools, edgewright.hardware_db",
        "from edgewright.tools import *",
    ],
)
def test_tools_hardware_and_command_line_load_nothing_heavy(statement: str) -> None:
    code = f"{statement}\nimport sys\nprint(*sorted(set({HEAVY!r}) & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""


def test_the_command_line_starts_without_what_only_an_analysis_needs() -> None:
    code = "import edgewright.cli, sys\nprint(*sorted({'numpy', 'pydantic', 'yaml'} & sys.modules.keys()))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == ""


def test_every_folder_of_the_package_is_installed() -> None:
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    folders = {
        ".".join(("edgewright", *init.parent.relative_to(ROOT).parts))
        for layer in ("agent", "commands", "prompts", "tools", "hardware_db")
        for init in (ROOT / layer).rglob("__init__.py")
    }
    assert listed == (folders | {"edgewright"}) - DEVELOPERS_ONLY


def test_the_lock_files_pin_hashes_and_name_no_index() -> None:
    for lock in (ROOT / "requirements").glob("*.lock"):
        text = lock.read_text()
        assert "://" not in text
        requirements = [line for line in text.splitlines() if line and not line.startswith((" ", "#"))]
        assert requirements
        assert all("==" in line and line.endswith("\\") for line in requirements)


def is_data(tree: ast.Module) -> bool:
    """Whether a module holds data alone: it defines no function and no class."""
    code = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
    return not any(isinstance(node, code) for node in ast.walk(tree))


def test_no_module_of_code_outgrows_its_name() -> None:
    long = {
        str(file.relative_to(ROOT)): lines
        for layer in ORDER
        for file in sources(layer)
        if (lines := len((text := file.read_text()).splitlines())) > MOST_LINES
        and not is_data(ast.parse(text))
    }
    assert not long


def test_no_module_is_named_only_report_or_case() -> None:
    """It bears the name of the class that it defines, so that a search for one finds the other."""
    plain = {"report.py", "case.py"}
    found = [file for layer in ORDER for file in sources(layer) if file.name in plain]
    assert not found
