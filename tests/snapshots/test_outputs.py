"""Whole outputs of the command line, as they were when last agreed upon.

Refresh them, after a look at the difference: `pytest tests/snapshots --update-snapshots`.
"""

import json
import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgewright.tools.verdicts.verdict import Verdict

from .cases import CASES, FILES, MODELS, Case
from .machine import make_up, masked
from .runner import Run, fields, json_difference, normalised, run, text_difference, without_rows

OUTPUTS = Path(__file__).parent / "outputs"
CONTRACT = Path(__file__).parent / "contract.json"
SETTINGS = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "TZ": "UTC"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A working directory with the models and files of all cases, and nobody's own hardware or settings."""
    made, home = tmp_path_factory.mktemp("snapshots"), tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith(("EDGEWRIGHT_", "XDG_"))]:
            patch.delenv(name)
        for name, value in (SETTINGS | {"HOME": str(home)}).items():
            patch.setenv(name, value)
        for model in MODELS:
            assert run(["models", "write", model, "-o", f"{model}.tflite"], made).code == 0
        for name, text in FILES.items():
            (made / name).write_text(text)
        yield made


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_command_line_prints_what_it_printed_before(
    case: Case, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, update_snapshots: bool
) -> None:
    if case.machine:
        make_up(monkeypatch, tmp_path)
    if case.first:
        assert run(shlex.split(case.first), folder).code == 0
    ran = run(case.words, folder)
    assert ran.code == case.code, ran.stderr
    if case.is_json and ran.stdout:
        document = json.loads(ran.stdout)
        kept = fields(document) if case.varies else document
        _same_document(case, kept, update_snapshots)
        return
    text = _text(case, ran, folder)
    _same_text(case, masked(text, tmp_path) if case.machine else text, update_snapshots)


def _text(case: Case, ran: Run, folder: Path) -> str:
    parts = [f"$ edgewright {case.line}", *([ran.stdout] if ran.stdout else [])]
    if ran.stderr:
        parts += ["--- stderr", ran.stderr]
    if case.written:
        text = normalised((folder / case.written).read_text(), folder)
        parts += [
            f"--- {case.written}",
            _marked_up(text) if case.written.endswith("html") else text,
        ]
    parts.append(f"--- exit code {ran.code}")
    whole = "\n".join(part.rstrip("\n") for part in parts)
    return "\n".join(line.rstrip() for line in whole.split("\n")) + "\n"


def _marked_up(page: str) -> str:
    """A tag a line; scripts and the style sheet have tests of their own."""
    for part in ("script", "style"):
        page = re.sub(rf"<{part}>.*?</{part}>", f"<{part}>…</{part}>", page, flags=re.DOTALL)
    return re.sub(r"sha256-[\w+/=]+", "sha256-…", page).replace("><", ">\n<")


def _same_document(case: Case, document: object, update: bool) -> None:
    file = OUTPUTS / f"{case.name}.json"
    if update:
        was = json.loads(file.read_text()) if file.exists() else None
        if was is None or json_difference(was, document):
            file.write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")
        return
    difference = json_difference(json.loads(file.read_text()), document)
    if difference:
        pytest.fail(f"edgewright {case.line}\n{difference}", pytrace=False)


def _same_text(case: Case, text: str, update: bool) -> None:
    file = OUTPUTS / f"{case.name}.txt"
    if update:
        file.write_text(text)
        return
    difference = text_difference(file.read_text(), text, file.name)
    if difference:
        pytest.fail(difference, pytrace=False)


def test_every_stored_output_belongs_to_a_case() -> None:
    assert {file.stem for file in OUTPUTS.iterdir()} == {case.name for case in CASES}


@pytest.mark.parametrize("name", json.loads(CONTRACT.read_text()))
def test_a_script_finds_every_field_that_release_0_1_0_wrote(name: str) -> None:
    """`contract.json` was written by that release; it only grows. Its values of `tool` and `inputs` hold too."""
    known = json.loads(CONTRACT.read_text())[name]
    now = json.loads((OUTPUTS / f"{name}.json").read_text())
    there = now if isinstance(now, list) else fields(now)
    none = tuple(without_rows(now))
    lost = [field for field in known["fields"] if field not in there]
    counts = [
        field for field in lost if field.rpartition(".")[2] in list(Verdict)
    ]  # a verdict that nothing has
    assert [field for field in lost if not field.startswith(none) and field not in counts] == []
    if isinstance(now, dict):
        assert now["tool"] == known["tool"]
        assert {name: now["inputs"].get(name) for name in known["inputs"]} == known["inputs"]
    assert next(case for case in CASES if case.name == name).code == known["code"]
