import json
import subprocess
import sys


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "edgewright.cli", "memory", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_the_best_order_is_printed_with_what_it_saves() -> None:
    found = run("vww", "-t", "stm32h743zi", "--runtime", "tflm-reference", "--best-order")
    assert found.returncode == 0, found.stderr
    assert "would save 18 KiB" in found.stdout
    assert found.stderr == ""


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
