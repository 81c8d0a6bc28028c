"""Ctrl-C ends what runs, at any moment, and nothing partial is left."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from pathlib import Path

import pytest

from edgewright.tools.core.files import save_all, whole_file
from edgewright.tools.core.isolated import LateError, run_isolated, worker_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
WHILE_LOADING = """
import os, signal, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
signal.signal(signal.SIGINT, signal.default_int_handler)
from edgewright.start import console
sys.argv[1:] = ["check", "kws", "-t", "stm32h743zi"]
console()
"""
STARTS_ANOTHER = """
import os, subprocess, sys, time
from pathlib import Path
other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
Path("part").write_text(f"{os.getpid()} {other.pid}")
os.rename("part", "pids")
time.sleep(600)
"""


@pytest.mark.parametrize("module", ["typer", "edgewright.agent.registry", "edgewright.commands.sweeping"])
def test_an_interrupt_while_the_command_loads_shows_no_traceback(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WHILE_LOADING, module], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def gone(pid: int) -> bool:
    """The system takes a moment to end what was killed."""
    for _ in range(500):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.01)
    return False


def worker(folder: Path) -> Path:
    file = folder / "worker.py"
    file.write_text(textwrap.dedent(STARTS_ANOTHER))
    return file


def started(folder: Path) -> list[int]:
    pids = (folder / "pids").read_text().split()
    return [int(pid) for pid in pids]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")
def test_an_interrupt_ends_a_worker_with_all_that_it_started(tmp_path: Path) -> None:
    def press() -> None:
        while not (tmp_path / "pids").exists():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        run_isolated(worker(tmp_path), tmp_path, seconds=60, memory_bytes=1 << 30)
    assert all(map(gone, started(tmp_path)))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")
def test_a_worker_that_is_late_ends_with_all_that_it_started(tmp_path: Path) -> None:
    for patience in (1.5, 6.0, 24.0):  # a busy machine takes long to start two processes
        with pytest.raises(LateError, match=re.escape(f"not finished within {patience:g} s")):
            run_isolated(worker(tmp_path), tmp_path, seconds=patience, memory_bytes=1 << 30)
        if (tmp_path / "pids").exists():
            break
    assert all(map(gone, started(tmp_path)))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks into /proc")
def test_of_a_process_that_is_killed_no_worker_and_no_folder_is_left(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from edgewright.tools.core.isolated import run_isolated\n"
        "run_isolated(Path(sys.argv[1]), Path(sys.argv[2]), seconds=600, memory_bytes=1 << 30)"
    )
    folder = tmp_path / "edgewright-work"
    folder.mkdir()
    with subprocess.Popen([sys.executable, "-c", code, str(worker(tmp_path)), str(folder)]) as process:
        while not (folder / "pids").exists():
            time.sleep(0.01)
        pids = started(folder)
        process.kill()
    assert all(map(gone, pids))
    assert not folder.exists()


@pytest.mark.skipif(os.name != "posix", reason="processes are asked after by signal 0")
def test_what_a_killed_process_left_goes_with_the_next_worker_and_what_lives_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    left = [f"edgewright-apply-{ended.pid}-x", f"edgewright-vela-{os.getpid()}-y", "edgewright-mine", "other"]
    for name in left:
        (tmp_path / name).mkdir()
    with worker_folder("vela") as made:
        assert {path.name for path in tmp_path.iterdir()} == {*left[1:], Path(made).name}
    assert {path.name for path in tmp_path.iterdir()} == {*left[1:]}


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="the system has no files without names")
@pytest.mark.parametrize("many", [False, True])
def test_of_a_write_that_is_killed_nothing_is_left(tmp_path: Path, many: bool) -> None:
    (tmp_path / "out").mkdir()
    child = os.fork()
    if child == 0:
        files: dict[str, bytes | str] = {"a": b"1" * 100_000, "b": "2" * 100_000}
        if many:
            files["c"] = Killing()
            save_all(files, tmp_path / "out")
        with whole_file(tmp_path / "out" / "a") as file:
            file.write(b"1" * 100_000)
            os.kill(os.getpid(), signal.SIGKILL)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    assert list((tmp_path / "out").iterdir()) == []


class Killing(str):
    def encode(self, *_: str) -> bytes:
        os.kill(os.getpid(), signal.SIGKILL)
        return b""
