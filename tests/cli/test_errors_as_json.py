"""Under --json an error is a document on stdout, a line on stderr and the exit code that it has without."""

import json
from pathlib import Path

import pytest

from ..snapshots.runner import Run, run


def edgewright(*words: str, cwd: Path) -> Run:
    return run([*words], cwd)


@pytest.mark.parametrize(
    ("words", "code", "message", "hint"),
    [
        ("roofline kws -t stm32h473", 3, "stm32h743zi", "targets list"),
        ("roofline kws -t stm32h743zi --clock 900MHz", 2, "900 MHz", "480 MHz"),
        ("roofline kws", 2, "--target", "roofline --help"),
        ("roofline kws -t stm32h743zi --batch many", 2, "--batch", "roofline --help"),
        ("rooflin kws", 2, "rooflin", "--help"),
        ("check kws -t stm32h743zi --max-ram 100ms", 2, "wrong unit", "256KiB"),
        ("targets show stm32h473", 3, "stm32h743zi", "targets list"),
        ("ask --llm offline --no-save -", 2, "no question", "edgewright ask"),
        ("inspect nowhere.tflite", 3, "nowhere.tflite", ""),
    ],
)
def test_an_error_is_a_document_with_its_exit_code(
    words: str, code: int, message: str, hint: str, tmp_path: Path
) -> None:
    plain, asked = (edgewright(*words.split(), *more, cwd=tmp_path) for more in ((), ("--json",)))
    assert (plain.code, asked.code) == (code, code)
    assert plain.stdout == ""
    error = json.loads(asked.stdout)
    assert list(error) == ["error"]
    assert list(error["error"]) == ["code", "message", "hint"]
    assert error["error"]["code"] == code
    assert message in error["error"]["message"]
    assert hint in error["error"]["hint"]
    assert asked.stderr == plain.stderr


def test_a_file_that_cannot_be_written_leaves_one_document_and_no_result(tmp_path: Path) -> None:
    words = ("timeline", "kws", "-t", "stm32h743zi", "--no-levers", "-o", "nowhere/drawing.svg", "--json")
    ran = edgewright(*words, cwd=tmp_path)
    assert ran.code != 0
    assert list(json.loads(ran.stdout)) == ["error"]


def test_a_check_that_fails_is_a_result_and_no_error(tmp_path: Path) -> None:
    ran = edgewright("check", "kws", "-t", "nrf52840", "--max-latency", "1us", "--json", cwd=tmp_path)
    assert ran.code == 10
    assert json.loads(ran.stdout)["result"]["verdict"] == "FAIL"
