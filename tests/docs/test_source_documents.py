"""Every row of the source documents has its command, which says what the row asks for, or a reason."""

from __future__ import annotations

import importlib.util
import shlex
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from ..snapshots.runner import run

DOCS = Path(__file__).resolve().parents[2] / "docs"


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("source_documents", DOCS / "source_documents.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATOR = _generator()
ROWS = GENERATOR.rows()
COMMANDS = list(dict.fromkeys(row.command for row in ROWS if row.command))
ALL = [
    *(f"S0-{n:03}" for n in range(1, 54)), *(f"S1-{n:03}" for n in range(1, 43)),
    *(f"S2-{n:03}" for n in range(1, 87)), *(f"S3-{n:03}" for n in range(1, 17)),
    *(f"S4-{n:03}" for n in range(1, 16)),
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("rows")
    (made / "plan.yaml").write_text(GENERATOR.PLAN)
    for sample in GENERATOR.SAMPLES.iterdir():
        (made / sample.name).write_bytes(sample.read_bytes())
    (made / "measured.yaml").write_text(GENERATOR.MEASURED)
    noise = np.random.default_rng(0)
    samples = noise.normal(size=(24, 49, 10, 1)).astype(np.float32)
    np.savez(made / "labelled.npz", input=samples, labels=noise.integers(0, 12, 24))
    for name, file in (("kws", "kws.tflite"), ("kws:float32", "kws-float.tflite")):
        assert run(["models", "write", name, "-o", file], made).code == 0
    return made


def test_the_page_is_what_its_generator_writes() -> None:
    assert GENERATOR.PAGE.read_text(encoding="utf-8") == GENERATOR.page()


def test_every_row_is_there_once() -> None:
    assert [row.row for row in ROWS] == ALL


def test_what_is_not_shown_in_full_says_why() -> None:
    assert all(row.note for row in ROWS if row.state != "shown")
    assert all(row.command for row in ROWS if row.state != "out")


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_says_what_its_rows_ask_for(command: str, folder: Path) -> None:
    program, *words = shlex.split(command)
    assert program == "edgewright"
    if "--data" in words:
        pytest.importorskip("ai_edge_litert.interpreter")
    ran = run([*words, "--force"] if words[-1] in ("files", "page.html") else words, folder)
    assert ran.code in (0, 10, 11), ran.stderr
    written = [file for file in folder.rglob("*") if file.suffix in (".csv", ".html") and file.is_file()]
    said = ran.stdout + "\n".join([file.name for file in written] + [file.read_text() for file in written])
    missing = [
        f"{row.row}: {word}"
        for row in ROWS
        if row.command == command
        for word in filter(None, row.says.split(";"))
        if word not in said
    ]
    assert not missing
