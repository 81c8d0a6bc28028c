"""What a user gets who installs the wheel alone: every command answers, or names what to install."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = (
    "ai_edge_litert", "ai_edge_quantizer", "dask", "distributed", "ethosu", "highspy", "mcp", "onnx",
    "onnxruntime", "pandas", "pyarrow", "scipy", "tflite_micro",
)  # fmt: skip
"""Packages of the extras and of developers: absent where the wheel stands alone."""
ANSWERS = {0, 10, 11}
ABSENT = f"""
import importlib.metadata
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {EXTRAS!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
there = importlib.metadata.Distribution.from_name
def from_name(name):
    if name.replace("-", "_") in {(*EXTRAS, "ethos_u_vela")!r}:
        raise importlib.metadata.PackageNotFoundError(name)
    return there(name)
importlib.metadata.Distribution.from_name = from_name
"""
"""In `sitecustomize`, so that processes which a command starts lack them too."""
DRIVER = """
import json, io, sys, contextlib
import edgewright.cli
found = []
for words in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    sys.argv = ["edgewright", *words]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            edgewright.cli.main()
            code = 0
        except SystemExit as end:
            code = end.code or 0
    found.append([code, out.getvalue(), err.getvalue()])
json.dump([edgewright.cli.__file__, found], sys.stdout)
"""
ON = ("kws.tflite", "-t", "stm32h743zi")
COMMANDS = (
    ("models", "write", "kws", "-o", "kws.tflite"),
    ("inspect", "kws.tflite"), ("analyze", *ON), ("roofline", *ON), ("estimate", *ON), ("memory", *ON),
    ("check", *ON, "--max-latency", "1ms"), ("compat", *ON), ("optimize", *ON), ("timeline", *ON),
    ("limit", *ON, "--variable", "rate"), ("recommend", "kws", "--max-latency", "50ms", "--top", "2"),
    ("compare", "kws", "-t", "rp2040", "-t", "nrf52840"), ("energy", *ON, "--rate", "1/min"),
    ("frequency", *ON), ("code", *ON), ("report", *ON, "-o", "report.html"), ("evidence", *ON),
    ("validate", "--class", "mcu"), ("doctor",), ("targets", "list"), ("targets", "show", "rp2040"),
    ("targets", "diff", "rp2040", "nrf52840"), ("targets", "lint"), ("runtimes",), ("models",),
    ("recommend-model", "--task", "keyword-spotting", "-t", "stm32h743zi"),
    ("generation", "llama-3-8b", "-t", "jetson-orin-nano-8gb"), ("generation", "-t", "raspberry-pi-5"),
    ("sessions", "list"), ("sweep", "plan.yaml", "-o", "swept"),
    ("ask", "--llm", "offline", "--no-save", "Will kws.tflite fit on an STM32H743?"),
    ("ask", "--llm", "offline", "--no-save", "What is the error of your estimates on NPUs?"),
)  # fmt: skip
NAMING_AN_EXTRA = (
    (("profile", "kws.tflite"), "profile"),
    (("inspect", "model.onnx"), "onnx"),
    (("optimize", *ON, "--apply", "int8", "-o", "smaller.tflite"), "apply"),
    (("mcp",), "mcp"),
)


def built(folder: Path) -> Path:
    """The wheel that is made from the source distribution of what git tracks."""
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split("\0")
    if len(tracked) < 2:
        pytest.skip("this is no clone: what belongs to the source is not known")
    for name in filter(None, tracked):
        if name.startswith("tests/") or not (ROOT / name).is_file():
            continue
        (folder / "source" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, folder / "source" / name)
    sdist = made("build_sdist", folder / "source", folder)
    with tarfile.open(sdist) as archive:
        is_filtered = hasattr(tarfile, "data_filter")  # Python 3.11.4 on
        archive.extractall(folder / "unpacked", **({"filter": "data"} if is_filtered else {}))
    (source,) = (folder / "unpacked").iterdir()
    return made("build_wheel", source, folder)


def made(step: str, source: Path, folder: Path) -> Path:
    code = f"from setuptools import build_meta; print(build_meta.{step}({str(folder)!r}))"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=source, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr[-2000:]
    return folder / run.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(built(folder)) as wheel:
        wheel.extractall(folder / "site")
    (folder / "site" / "sitecustomize.py").write_text(ABSENT)
    return folder / "site"


def run(installed: Path, folder: Path, commands: list[tuple[str, ...]]) -> list[tuple[int, str, str]]:
    environment = os.environ | {
        "PYTHONPATH": str(installed),
        "EDGEWRIGHT_STATE_DIR": str(folder / "state"),
        "XDG_CONFIG_HOME": str(folder),
    }
    ended = subprocess.run(
        [sys.executable, "-c", DRIVER], input=json.dumps(commands), env=environment, cwd=folder,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr[-2000:]
    where, found = json.loads(ended.stdout)
    assert Path(where).is_relative_to(installed)
    return [tuple(each) for each in found]


def test_every_command_of_the_wheel_answers_without_any_extra(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "plan.yaml").write_text(
        "models: [kws]\ntargets: [rp2040]\nruntimes: usual\ntransforms: [none]\n"
    )
    answers = run(installed, tmp_path, list(COMMANDS))
    silent = {
        " ".join(words): (code, err[-300:])
        for words, (code, out, err) in zip(COMMANDS, answers, strict=True)
        if code not in ANSWERS or not (out or err)
    }
    assert not silent


def test_what_needs_an_extra_says_in_one_line_how_to_install_it(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"\x08\x07\x12\x00")
    commands = [
        ("models", "write", "kws:float32", "-o", "kws.tflite"),
        *(words for words, _ in NAMING_AN_EXTRA),
    ]
    answers = run(installed, tmp_path, commands)[1:]
    for (words, extra), (code, _, err) in zip(NAMING_AN_EXTRA, answers, strict=True):
        assert code in (2, 3), words
        assert f"[{extra}]" in err.strip().splitlines()[-1], (words, err)


def test_what_only_developers_need_is_not_in_the_wheel(installed: Path) -> None:
    package = installed / "edgewright"
    assert not (package / "tools" / "calibration" / "fit").exists()
    assert not list(package.rglob("labelled*"))
    assert not (package / "hardware_db" / "measurements" / "collected").exists()
    assert not (package / "tests").exists()


def test_the_wheel_holds_the_pages_that_answers_are_found_in(installed: Path) -> None:
    there = {
        file.relative_to(ROOT / "docs") for file in (ROOT / "docs").rglob("*.md") if file.parent.name != "adr"
    }
    shipped = {file.relative_to(installed / "edgewright" / "docs") for file in (installed / "edgewright" / "docs").rglob("*")
               if file.is_file() and file.parent.name != "__pycache__"}  # fmt: skip
    assert shipped == there - {Path(f"{page}.md") for page in ("hardware", "source-documents", "validation")}
