"""Ctrl-C while a solver, a compiler, a quantiser or a converter is at work: it ends with all that it started."""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from edgewright.tools import (
    apply_optimization,
    convert_model,
    deployment,
    estimate_performance,
    parse_model,
)
from edgewright.tools.conversion.converters import converter_named
from edgewright.tools.core import isolated
from edgewright.tools.ethos_u.process import vela_version
from edgewright.tools.memory_planner.order.packing_solver import solve_packing, solver_name
from edgewright.tools.model_formats.writer.tflite import write_tflite
from stubs import pytorch_files

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")
Pressed = Callable[[Callable[[], object]], list[int]]
PYTORCH = converter_named("pytorch")
HANGS = "import time\nfrom pathlib import Path\nPath('half').write_text('')\ntime.sleep(600)\n"


def alive(group: int) -> bool:
    """Whether a process of the group is there that has not ended."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, leads = stat.read_text().rpartition(")")[2].split()[:3]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(leads) == group and state != "Z":
            return True
    return False


@pytest.fixture
def pressed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pressed]:
    """Calls something and presses Ctrl-C while its worker is at work; the workers that it had."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    started: list[int] = []
    real = isolated.subprocess.Popen

    def popen(*given: object, **more: object) -> object:
        process = real(*given, **more)  # type: ignore[call-overload]
        started.append(process.pid)
        threading.Thread(target=press, daemon=True).start()
        return process

    def press() -> None:
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    def call(do: Callable[[], object]) -> list[int]:
        with pytest.raises(KeyboardInterrupt):
            do()
        return started

    monkeypatch.setattr(isolated.subprocess, "Popen", popen)
    yield call
    assert started
    for group in started:
        for _ in range(500):
            if not alive(group):
                break
            time.sleep(0.01)
        assert not alive(group)
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(solver_name() is None, reason="needs HiGHS")
def test_an_interrupt_ends_the_solver_in_the_middle_of_a_packing(pressed: Pressed) -> None:
    draw, count = random.Random(1), 70
    lives = [sorted((draw.randrange(100), draw.randrange(100))) for _ in range(count)]
    sizes = [draw.randrange(1, 4_000) for _ in range(count)]
    together = [
        [
            at
            for at, other in enumerate(lives)
            if other is not life and life[0] <= other[1] and other[0] <= life[1]
        ]
        for life in lives
    ]
    floor = max(
        sum(size for size, (first, last) in zip(sizes, lives, strict=True) if first <= moment <= last)
        for moment in range(100)
    )
    assert len(pressed(lambda: solve_packing(sizes, together, 2 * floor, floor, 600))) == 1


@pytest.mark.skipif(vela_version() is None, reason="needs Vela")
def test_an_interrupt_ends_vela_in_the_middle_of_a_compilation(pressed: Pressed, tmp_path: Path) -> None:
    model = tmp_path / "net.tflite"
    model.write_bytes(write_tflite(parse_model("mobilenet_v2:1.0:224:int8")))
    assert len(pressed(lambda: estimate_performance(model, deployment("ethos-u55-128")))) == 1


@pytest.mark.skipif(find_spec("ai_edge_quantizer") is None, reason="needs the quantiser")
def test_an_interrupt_ends_the_quantiser_and_leaves_no_file(pressed: Pressed, tmp_path: Path) -> None:
    model, out = tmp_path / "kws.tflite", tmp_path / "out.tflite"
    model.write_bytes(write_tflite(parse_model("kws:float32")))
    pressed(lambda: apply_optimization(model, "int8", out))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kws.tflite", "temporary"]


def test_an_interrupt_ends_a_converter_with_what_it_started_and_leaves_no_file(
    pressed: Pressed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDGEWRIGHT_CONFIG_DIR", str(tmp_path / "home"))
    folder = tmp_path / "home" / "converters" / PYTORCH.id
    (folder / "bin").mkdir(parents=True)
    (folder / "edgewright.json").write_text(json.dumps(list(PYTORCH.packages)))
    (folder / "hangs.py").write_text(HANGS)
    python = folder / "bin" / "python"
    python.write_text(f'#!/bin/sh\n"{sys.executable}" "{folder / "hangs.py"}"\ntrue\n')
    python.chmod(0o755)
    (tmp_path / "net.pt2").write_bytes(pytorch_files.pt2())
    assert len(pressed(lambda: convert_model(tmp_path / "net.pt2", tmp_path / "out.tflite"))) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "net.pt2", "temporary"]
