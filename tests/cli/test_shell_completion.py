"""Behind Tab the shell is offered the names that an argument can have."""

import os
import subprocess
import sys
from pathlib import Path

import pytest


def offered(line: str, cwd: Path) -> list[str]:
    """What bash is told for the last word of a line."""
    environment = os.environ | {
        "_EDGEWRIGHT_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(line.split(" ")) - 1),
    }
    code = "import sys; sys.argv[0] = 'edgewright'; from edgewright.cli import main; main()"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, cwd=cwd, check=False
    )
    return run.stdout.split()


@pytest.mark.parametrize(
    ("line", "expected", "other"),
    [
        ("edgewright roof", "roofline", "check"),
        ("edgewright roofline --run", "--runtime", "--batch"),
        ("edgewright roofline mobilenet_v", "mobilenet_v2", "resnet50"),
        ("edgewright roofline kws -t stm32h74", "stm32h743zi", "nrf52840"),
        ("edgewright roofline kws -t stm32h743zi -r tflm", "tflm-cmsis-nn", "tflm-esp-nn"),
        ("edgewright optimize kws -t stm32h743zi --technique pru", "prune-", "int8"),
        ("edgewright optimize kws -t stm32h743zi --apply int8", "int8-float-io", "prune-"),
        ("edgewright targets show nrf528", "nrf52840", "stm32h743zi"),
        ("edgewright ask --runtime tflm-c", "tflm-cmsis-nn", "tflm-esp-nn"),
    ],
)
def test_names_that_go_on_with_what_was_typed_are_offered(
    line: str, expected: str, other: str, tmp_path: Path
) -> None:
    found = offered(line, tmp_path)
    assert expected in found
    assert other not in found


def test_a_model_is_a_file_or_an_architecture(tmp_path: Path) -> None:
    (tmp_path / "mine.tflite").touch()
    (tmp_path / "mine.txt").touch()
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "deep.onnx").touch()
    assert "mine.tflite" in offered("edgewright inspect m", tmp_path)
    assert "mine.txt" not in offered("edgewright inspect m", tmp_path)
    assert offered("edgewright inspect models/", tmp_path) == ["models/deep.onnx"]
