"""Somebody who follows the how-to pages, all of them in one copy of the repository, gets what they show."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from .blocks import Step, blocks
from .edits import write
from .pages import HOW_TO, ROOT, differences, renew
from .reader import SETTINGS

COPIED = ("agent", "commands", "hardware_db", "prompts", "tools", "tests/docs", "tests/snapshots/runner.py")


def test_who_follows_the_how_to_pages_gets_what_they_show(tmp_path: Path, update_snapshots: bool) -> None:
    copy = _copy(tmp_path / "edgewright")
    for page in HOW_TO:
        for block in blocks(page):
            if block.title:
                write(block, copy)
    found = _followed(copy)
    wrong = {page: [(Step(**step), out) for step, out in steps] for page, steps in found.items()}
    if update_snapshots:
        for page, steps in wrong.items():
            renew(Path(page), steps)
        return
    assert not any(wrong.values()), "\n".join(differences(Path(page), steps) for page, steps in wrong.items())


def _copy(to: Path) -> Path:
    for name in (*COPIED, *(file.name for file in ROOT.glob("*.py"))):
        source, target = ROOT / name, to / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    return to


def _followed(copy: Path) -> dict[str, list[tuple[dict[str, str], list[str]]]]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("EDGEWRIGHT_")}
    environment |= SETTINGS | {"PYTHONPATH": str(copy.parent), "HOME": str(copy.parent)}
    run = subprocess.run(
        [sys.executable, "-m", "edgewright.tests.docs.newcomer", *map(str, HOW_TO)],
        cwd=copy, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    found: dict[str, list[tuple[dict[str, str], list[str]]]] = json.loads(run.stdout)
    return found
