"""No home, a home that takes no files, a disk that is full: every command says so in a line, and leaves no piece."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from edgewright.hardware_db import user_files
from edgewright.tools import parse_model
from edgewright.tools.model_formats.writer.tflite import write_tflite
from tests.snapshots.runner import as_it_is

T = ("-t", "stm32h743zi")
READING = (
    ["check", "kws.tflite", *T, "--max-latency", "50ms"],
    ["ask", "--llm", "offline", "Does", "kws", "fit", "on", "the", "stm32h743zi?"],
    ["report", "kws.tflite", *T, "-o", "out.html"],
    ["sweep", "plan.yaml", "-o", "swept"],
    ["targets", "add", "mine", "--like", "nrf52840", "-o", "boards", "--source", "manual"],
)
"""These need no home."""
KEEPING = (
    ["calibrate", "mine.csv"],
    ["sessions", "list"],
    ["convert", "--setup", "pytorch"],
    ["doctor", "--repair"],
)
"""These say what they lack."""
WRITING = (
    ["report", "kws.tflite", *T, "-o", "out.html"],
    ["report", "kws.tflite", *T, "-o", "out.zip"],
    ["code", "kws.tflite", *T, "-o", "out"],
    ["analyze", "kws.tflite", *T, "--csv", "out"],
    ["validate", "--against", "mine.csv", "-o", "out.csv"],
    ["sweep", "plan.yaml", "-o", "out"],
    ["targets", "add", "out", "--like", "nrf52840", "-o", ".", "--source", "manual"],
    ["models", "write", "kws", "-o", "out.tflite"],
    ["skill", "-o", "."],
    ["calibrate", "mine.csv"],
)
FULL = """
import json, resource, sys
from pathlib import Path
sys.path[:0] = sys.argv[2:4]
from tests.snapshots.runner import as_it_is
as_it_is(["check", "kws.tflite", "-t", "stm32h743zi"], Path.cwd())
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
done = as_it_is(json.loads(sys.argv[1]), Path.cwd())
print(json.dumps([done.code, done.stderr]))
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    for name in [*os.environ]:
        if name.startswith(("EDGEWRIGHT_", "XDG_")):
            monkeypatch.delenv(name)
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "kws.tflite").write_bytes(write_tflite(parse_model("kws:int8")))
    (folder / "plan.yaml").write_text("models: [kws]\ntargets: [nrf52840]\nruntimes: [usual]\n")
    (folder / "mine.csv").write_text("model,target,latency_ms\nkws.tflite,stm32h743zi,19.2\n")
    user_files._configured.cache_clear()
    yield folder
    user_files._configured.cache_clear()


@pytest.fixture(params=["none", "takes no files"])
def home(request: pytest.FixtureRequest, place: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "none":

        def nowhere(*_: object) -> Path:
            raise RuntimeError("Could not determine home directory.")

        monkeypatch.delenv("HOME", raising=False)
        monkeypatch.setattr(Path, "home", nowhere)
    else:
        monkeypatch.setenv("HOME", "/proc/nowhere")
    return str(request.param)


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that takes no files")
@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_what_needs_no_home_works_without_one(words: list[str], home: str, place: Path) -> None:
    done = as_it_is(words, place)
    assert done.code == 0, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a folder that takes no files")
@pytest.mark.parametrize("words", KEEPING, ids=" ".join)
def test_what_needs_a_home_says_so_in_a_line(words: list[str], home: str, place: Path) -> None:
    done = as_it_is(words, place)
    assert done.code in (0, 2, 3), done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 2
    assert done.stdout or done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files")
@pytest.mark.parametrize("words", WRITING, ids=" ".join)
def test_on_a_full_disk_one_line_says_so_and_no_piece_is_left(words: list[str], place: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    own = {"EDGEWRIGHT_CONFIG_DIR": str(place / "config"), "EDGEWRIGHT_STATE_DIR": str(place / "state")}
    before = {path.name for path in place.iterdir()}
    done = subprocess.run(
        [sys.executable, "-c", FULL, json.dumps(words), str(root), str(root / "tests")],
        cwd=place, env=os.environ | own, capture_output=True, text=True, check=False,
    )  # fmt: skip
    code, said = json.loads(done.stdout.splitlines()[-1])
    assert code == 1, (said, done.stderr)
    assert "File too large" in said
    assert "Traceback" not in said + done.stderr
    left = {path.name for path in place.rglob("*") if path.is_file()}
    assert left - before <= {"lock"}, "an empty file that keeps a second sweep out"
