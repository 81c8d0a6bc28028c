import json
import subprocess
import sys
from pathlib import Path

from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.model_zoo.named import build_architecture


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "edgewright.cli", "memory", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_the_best_order_is_printed_with_what_it_saves() -> None:
    found = run("vww", "-t", "stm32h743zi", "--runtime", "tflm-reference", "--best-order")
    assert found.returncode == 0, found.stderr
    assert "would save 18 KiB" in found.stdout
    assert all(line.startswith("packing: ") for line in found.stderr.splitlines())  # how far, where slow


def test_the_best_order_as_json_is_one_document() -> None:
    found = run("kws", "-t", "stm32h743zi", "--best-order", "--time-limit", "2", "--json")
    document = json.loads(found.stdout)
    assert document["tool"] == "best_memory_order"
    assert document["inputs"]["time_limit_s"] == 2
    assert document["result"]["order_is_proven"] is True


def test_a_time_limit_below_zero_is_a_usage_error() -> None:
    found = run("kws", "-t", "stm32h743zi", "--best-order", "--time-limit", "-1")
    assert found.returncode == 2
    assert "leaves no time" in found.stderr


def test_the_file_is_written_in_the_order_and_packing_found_and_takes_less(tmp_path: Path) -> None:
    model, better = tmp_path / "vww.tflite", tmp_path / "better.tflite"
    model.write_bytes(write_tflite(build_architecture("vww", dtype="int8")))
    found = run(str(model), "-t", "stm32h743zi", "--runtime", "tflm-reference", "-o", str(better))
    assert found.returncode == 0, found.stderr
    assert "better.tflite" in found.stderr
    planned = json.loads(
        run(str(better), "-t", "stm32h743zi", "--runtime", "tflm-reference", "--json").stdout
    )
    assert planned["result"]["arena_nonpersistent_bytes"] == 55296
    again = run(str(model), "-t", "stm32h743zi", "--runtime", "tflm-reference", "-o", str(better))
    assert again.returncode == 2
    assert "exists already" in again.stderr


def test_an_architecture_has_no_file_to_write_in_another_order(tmp_path: Path) -> None:
    found = run("kws", "-t", "stm32h743zi", "-o", str(tmp_path / "kws.tflite"))
    assert found.returncode == 2
    assert "is no .tflite file" in found.stderr
