import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from edgewright.cli import whole_app

RUN = CliRunner()
ASKED = ["code", "kws", "-t", "stm32h743zi", "-r", "tflm-cmsis-nn"]


def test_the_code_is_printed() -> None:
    done = RUN.invoke(whole_app(), ASKED)
    assert done.exit_code == 0
    assert "MicroMutableOpResolver<6>" in done.stdout
    assert "constexpr size_t kTensorArenaSize" in done.stdout


def test_files_are_written_and_not_overwritten(tmp_path: Path) -> None:
    folder = str(tmp_path / "out")
    assert RUN.invoke(whole_app(), [*ASKED, "-o", folder]).exit_code == 0
    assert (tmp_path / "out" / "model_runner.cc").is_file()
    again = RUN.invoke(whole_app(), [*ASKED, "-o", folder])
    assert again.exception is not None
    assert "--force" in str(again.exception)
    assert RUN.invoke(whole_app(), [*ASKED, "-o", folder, "--force"]).exit_code == 0


def test_json_holds_files_and_operators(tmp_path: Path) -> None:
    done = RUN.invoke(whole_app(), [*ASKED, "--one-type", "--json"])
    document = json.loads(done.stdout)
    assert document["tool"] == "firmware_code"
    assert document["inputs"]["one_type"] is True
    assert set(document["result"]["files"]) == {"model_runner.h", "model_runner.cc"}
    assert "AddConv2D" in document["result"]["operators"]


@pytest.mark.parametrize(("target", "runtime", "words"), [
    ("stm32h743zi", "x-cube-ai", "stedgeai generate"), ("raspberry-pi-4b", "litert-xnnpack", "num_threads=1"),
    ("max78000", "ai8x", "No source"),
    ("sl2610", "torq", "--torq-enable-profiling --torq-dump-profiling=./trace.csv"),
    ("sl2610", "torq", "iree-run-module --device=torq"),
])  # fmt: skip
def test_other_runtimes_say_what_they_have(target: str, runtime: str, words: str) -> None:
    done = RUN.invoke(whole_app(), ["code", "kws", "-t", target, "-r", runtime])
    assert done.exit_code == 0
    assert words in done.stdout
