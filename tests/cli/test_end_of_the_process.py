"""How the process that a shell started ends: at once, and with nothing lost."""

import subprocess
import sys

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
