import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.model_zoo.named import build_architecture


@pytest.fixture(scope="module")
def kws(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("models") / "kws.tflite"
    file.write_bytes(write_tflite(build_architecture("kws", dtype="int8")))
    return file


def edgewright(*words: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "edgewright.cli", *map(str, words)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=False, env=os.environ | environment
    )


def result(*words: str | Path) -> dict[str, Any]:
    run = edgewright(*words, "--json")
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)["result"]
    return found


def test_a_timeline_has_every_operator_with_its_bytes_and_its_time(kws: Path) -> None:
    found = result("timeline", kws, "-t", "stm32h743zi", "--no-levers")
    assert [op["index"] for op in found["ops"]] == list(range(13))
    assert {"index", "op", "live_bytes", "buffers", "latency_ms", "begins_ms"} <= set(found["ops"][0])
    assert found["peak"]["live_bytes"] == max(op["live_bytes"] for op in found["ops"])
    assert found["savings"] == []


def test_a_timeline_in_a_pipe_is_plain_and_draws_a_page_beside(kws: Path, tmp_path: Path) -> None:
    page = tmp_path / "timeline.html"
    run = edgewright("timeline", kws, "-t", "stm32h743zi", "-o", page, PYTHONIOENCODING="utf-8")
    assert run.returncode == 0, run.stderr
    assert "| peak |" in run.stdout
    assert "What would lower it" in run.stdout
    assert not set(run.stdout) & set("█▌◀\x1b")
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_drawing_of_another_kind_is_refused_before_anything_is_computed(tmp_path: Path) -> None:
    run = edgewright("timeline", "missing.tflite", "-t", "stm32h743zi", "-o", tmp_path / "timeline.pdf")
    assert run.returncode == 2
    assert run.stderr.splitlines() == [
        "edgewright: Timelines are not drawn as '.pdf'. Name the file .svg or .html; .json is a trace for Perfetto, .csv and .pb its units'."
    ]


def test_the_reserve_is_an_option_of_memory_and_check(kws: Path) -> None:
    found = result("memory", kws, "-t", "stm32h743zi", "--reserve", "64KiB")
    assert found["reserve_bytes"] == 65_536
    assert "reserve" in [part for region in found["regions"] for part in region["holds"]]
    run = edgewright("check", kws, "-t", "stm32h743zi", "--max-ram", "80KiB", "--reserve", "64KiB")
    assert run.returncode == 10
    assert "the limit less 64 KiB reserved is 16 KiB" in run.stdout


def test_memory_names_the_linkers_words_and_other_places_with_their_time(kws: Path) -> None:
    found = result("memory", kws, "-t", "esp32-s3-r8")
    assert [hint["part"] for hint in found["linker"]] == ["arena", "weights"]
    places = {(*p["arena"], *p["weights"]): p["added_ms"]["value"] for p in found["placements"]}
    assert places["sram1", "flash"] == 0.0
    assert places["psram", "flash"] > 0.0
