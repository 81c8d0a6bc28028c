import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from edgewright.cli import whole_app
from edgewright.hardware_db.errors import InputError, UsageError
from edgewright.tools import MeasuredEnergy, Runs
from edgewright.tools.host_runs import host
from stubs.traces import TOTAL_MS, events

BOARD = ("-m", "kws:int8", "-t", "stm32l4r5zi", "-r", "tflm-cmsis-nn")


@pytest.fixture
def trace(tmp_path: Path) -> str:
    file = tmp_path / "kws_l4r5.csv"
    file.write_text(events())
    return str(file)


def run(*words: str) -> Result:
    return CliRunner().invoke(whole_app(), list(words))


def document(*words: str) -> dict[str, Any]:
    found = json.loads(run(*words, "--json").stdout)
    assert list(found) == ["schema_version", "tool", "inputs", "result", "assumptions", "warnings"]
    return dict(found)


def test_import_marks_the_layer_that_stands_out(trace: str) -> None:
    found = run("import", trace, *BOARD, "--clock", "120MHz")
    assert found.exit_code == 0
    marked = [line for line in found.stdout.splitlines() if "<<<" in line]
    assert len(marked) == 1
    assert "|     6 | CONV_2D" in marked[0]
    assert "could be:" in found.stdout


def test_import_prints_what_the_function_returns(trace: str) -> None:
    found = document("import", trace, *BOARD, "--clock", "120MHz")
    assert found["tool"] == "import_profile"
    assert found["inputs"]["clock_mhz"] == 120
    assert found["result"]["residuals"][0]["index"] == 6
    assert found["result"]["latency_ms"]["basis"] == "measured"


def test_import_takes_what_the_trace_counts_in(trace: str) -> None:
    slow = document("import", trace, *BOARD, "--unit", "us")["result"]["latency_ms"]["value"]
    assert slow == pytest.approx(120 * TOTAL_MS)


def test_import_of_another_models_trace_is_bad_input(trace: str) -> None:
    found = run("import", trace, "-m", "ad:int8", "-t", "stm32l4r5zi")
    assert isinstance(found.exception, InputError)
    assert found.exception.exit_code == 3
    assert found.stdout == ""


def test_import_with_a_unit_that_there_is_not_is_a_usage_error(trace: str) -> None:
    found = run("import", trace, *BOARD, "--unit", "parsec")
    assert isinstance(found.exception, UsageError)
    assert "'parsec' is nothing that a trace counts in" in str(found.exception)


def test_profile_prints_the_host_as_its_target(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "_version", lambda _library: "1.0")
    ran = (Runs([1.0, 2.0, 9.0], 3.0, 5), MeasuredEnergy(why_not="nothing ran"))
    monkeypatch.setattr(host, "run_here", lambda *_, **__: ran)
    result = document("profile", "ad:int8", "--repeat", "3")["result"]
    assert result["deployment"]["target"] == "host-x86-64"
    assert result["latency_ms"]["value"] == 2.0
    assert result["runs"] == 3
    assert result["run_times"]["first_ms"] == 3.0


TIMELINE = "DI0,0,40,x,DMA_IN\nS0,20,100,x,conv2d\nDO1,100,120,x,DMA_OUT\n"


def test_a_trace_without_a_model_is_explained_by_itself(tmp_path: Path) -> None:
    (tmp_path / "trace.csv").write_text(TIMELINE)
    found = document("import", str(tmp_path / "trace.csv"))
    assert found["tool"] == "explain_trace"
    assert found["result"]["operators"][0]["name_untrusted"] == "conv2d"


def test_a_trace_needs_both_model_and_target_or_neither(trace: str) -> None:
    found = run("import", trace, "-m", "kws:int8")
    assert isinstance(found.exception, UsageError)
    assert "go together" in str(found.exception)


def test_two_measured_runs_are_compared_alone(tmp_path: Path) -> None:
    for name, times in (("before.csv", (8, 2)), ("after.csv", (4, 2))):
        rows = "".join(f"{op},{ms}\n" for op, ms in zip(("CONV_2D", "SOFTMAX"), times, strict=True))
        (tmp_path / name).write_text("op,time_ms\n" + rows)
    files = (str(tmp_path / "after.csv"), "--against", str(tmp_path / "before.csv"))
    found = document("import", *files)
    assert found["tool"] == "compare_runs"
    assert found["result"]["figures"][0]["change"] == -4
    refused = run("import", *files, *BOARD)
    assert isinstance(refused.exception, UsageError)
    assert "two measured runs" in str(refused.exception)


def test_a_linkers_map_is_recognised_and_set_against_the_plan(tmp_path: Path) -> None:
    file = tmp_path / "firmware.map"
    file.write_text(
        "Linker script and memory map\n\n.bss 0x0000000020000000 0x8000\n"
        " .bss.tensor_arena 0x0000000020000000 0x7000 main.o\n"
    )
    alone = document("import", str(file))
    assert alone["tool"] == "explain_firmware"
    assert alone["result"]["against"] == []
    planned = document("import", str(file), "-m", "kws:int8", "-t", "stm32l4r5zi")["result"]
    assert {row["part"]: row["linked_bytes"] for row in planned["against"]}["arena"] == 0x7000
