"""How the process that a shell started ends: at once, and with nothing lost."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

HEAD = "import atexit, sys; sys.argv[1:] = {words!r}; from edgewright.cli import console\n"


def ended(*words: str, before: str = "") -> subprocess.CompletedProcess[str]:
    code = HEAD.format(words=list(words)) + f"{before}\nconsole()"
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False
    )


def test_what_was_printed_arrives_and_the_exit_code_is_the_verdict() -> None:
    done = ended("check", "kws", "-t", "stm32h743zi", "--max-latency", "1us")
    assert done.returncode == 10
    assert "FAIL" in done.stdout


def test_what_was_registered_for_the_end_is_run() -> None:
    done = ended("--version", before="atexit.register(print, 'taken down')")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "taken down"


def test_a_thread_that_has_work_left_may_finish_it() -> None:
    work = "import threading, time; threading.Thread(target=lambda: (time.sleep(1), print('done'))).start()"
    assert "done" in ended("--version", before=work).stdout


@pytest.mark.skipif(sys.platform == "win32", reason="closes streams as a POSIX shell does")
@pytest.mark.parametrize("closed", ["2>&-", ">&-", ">&- 2>&-"])
@pytest.mark.parametrize(
    "words", ["check kws -t stm32h743zi", "ask --llm offline 'Does kws fit the stm32h743zi?'"]
)
def test_a_stream_that_is_closed_takes_nothing_and_breaks_nothing(words: str, closed: str) -> None:
    shell = f"{shlex.quote(sys.executable)} -m edgewright.cli {words} {closed}"
    done = subprocess.run(["/bin/sh", "-c", shell], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0
    assert bool(done.stdout) is (closed == "2>&-")
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="a directory in use is not deleted there")
def test_a_working_directory_that_is_gone_is_told_in_one_line(tmp_path: Path) -> None:
    folder, python = shlex.quote(str(tmp_path)), shlex.quote(sys.executable)
    shell = f"cd {folder} && rmdir {folder} && {python} -m edgewright.cli check kws -t stm32h743zi"
    done = subprocess.run(["/bin/sh", "-c", shell], capture_output=True, text=True, timeout=120, check=False)
    assert done.stderr == "edgewright: The working directory is gone. Change to another directory.\n"
    assert done.returncode == 2


def test_a_terminal_of_few_characters_gets_what_it_can_show() -> None:
    command = [
        sys.executable,
        "-m",
        "edgewright.cli",
        "check",
        "kws",
        "-t",
        "stm32h743zi",
        "--max-latency",
        "1us",
    ]
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, capture_output=True, timeout=120, check=False, env=environment)
    assert done.returncode == 10
    assert b"FAIL" in done.stdout
