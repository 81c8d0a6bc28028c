"""What an installation consists of: exact versions by hash, licences that may be passed on, nothing that runs data."""

from __future__ import annotations

import re
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.lock"))
FREE = re.compile(
    r"MIT|BSD|Apache|PSF|ISC|MPL|Mozilla Public|Zlib|CC0|CNRI|Python Software Foundation|Unlicense"
)
UNSTATED = {
    "tflite-micro": "Apache-2.0 by tensorflow/tflite-micro's LICENSE; its wheel has no metadata of it"
}
EXCEPTIONS = {
    "agent/mcp_server.py": ["S105"],
    "agent/web/app.py": ["S105"],
    "hardware_db/kept.py": ["S302"],
    "hardware_db/written_code.py": ["S102", "S307"],
    "tools/api/kept_figures.py": ["S301"],
    "tools/api/kept_figures_worker.py": ["S301"],
    "tools/conversion/environment.py": ["S603"],
    "tools/core/isolated.py": ["S603"],
    "tools/core/records.py": ["S102"],
    "tools/generation/own_gpu.py": ["S603"],
    "tools/traces/formats/spreadsheet.py": ["S314"],
}
"""Where a rule of ruff's security set is waived: names of variables, SQL whose tables are constants, messages between
a process and the one it started, an interpreter started with fixed arguments, also for pip and the converters' pins, the system's tool that names its GPU, a constructor made from the names of
fields, plain values and compiled code kept beside the bytecode in its format, what the standard library itself writes and evaluates, and XML of bounded size without entities."""


def locked(lock: Path) -> dict[str, str]:
    """Package → its line, with the hashes."""
    blocks = re.split(r"\n(?=[a-z0-9])", lock.read_text())
    return {block.partition("==")[0].strip(): block for block in blocks if "==" in block}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_every_package_is_of_one_version_and_of_known_hashes(lock: Path) -> None:
    packages = locked(lock)
    assert packages
    assert not [name for name, block in packages.items() if "--hash=sha256:" not in block]
    assert "://" not in lock.read_text()


def licence(name: str) -> str | None:
    try:
        found = metadata.metadata(name)
    except metadata.PackageNotFoundError:
        return None
    stated = [found.get("License-Expression") or "", (found.get("License") or "").partition("\n")[0]]
    return " ".join([*stated, *(c for c in found.get_all("Classifier", []) if c.startswith("License"))])


def test_what_is_installed_may_be_passed_on() -> None:
    names = {name for lock in LOCKS for name in locked(lock)}
    known = {name: licence(name) for name in sorted(names)}
    installed = {name: text for name, text in known.items() if text is not None}
    assert len(installed) > 40
    refused = {name: text[:80] for name, text in installed.items() if not FREE.search(text)}
    assert not {name: text for name, text in refused.items() if name not in UNSTATED}
    assert not [
        name
        for name, text in installed.items()
        if re.search(r"(?<![AL])GPL|Affero|SSPL|Commons Clause", text)
    ]


def test_nothing_unpickles_evaluates_or_runs_a_shell_but_where_it_is_named_here() -> None:
    rules = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["ruff"]["lint"]
    assert "S" in rules["select"]
    assert [rule for rule in rules["ignore"] if rule.startswith("S")] == ["S101"]
    files = subprocess.run(
        ["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    if not files:
        pytest.skip("not a checkout")
    waived = {
        name: found
        for name in files
        if not name.startswith(("tests/", "docs/"))
        and (found := re.findall(r"# noqa: (S\d+)", (ROOT / name).read_text(encoding="utf-8")))
    }
    assert waived == EXCEPTIONS
