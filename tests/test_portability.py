"""Nothing that only POSIX systems have is needed to import the package or to analyse a model."""

import subprocess
import sys
from pathlib import Path

import pytest

_WITHOUT_POSIX = """
import os, runpy, signal, sys

for name in ("fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "readline", "syslog"):
    sys.modules[name] = None
for module, names in (
    (os, ("fork", "forkpty", "killpg", "getuid", "geteuid", "getpgid", "setsid",
          "sched_getaffinity", "mkfifo", "O_NOFOLLOW", "O_DIRECTORY", "O_NONBLOCK")),
    (signal, ("SIGALRM", "SIGHUP", "SIGKILL", "SIGTSTP", "SIGWINCH", "SIGPIPE", "setitimer", "alarm")),
):
    for name in names:
        delattr(module, name)
"""
_IMPORT_ALL = """
import importlib, pkgutil, traceback
import edgewright

for part in ("hardware_db", "tools", "agent", "commands"):
    package = importlib.import_module(f"edgewright.{part}")
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        try:
            importlib.import_module(module.name)
        except ModuleNotFoundError as missing:  # of an extra; not of what this package imports itself
            by = traceback.extract_tb(missing.__traceback__)[-1].filename
            if missing.name in sys.stdlib_module_names and by.startswith(package.__path__[0]):
                raise
            if missing.name.startswith("edgewright"):
                raise
"""
_COMMAND = """
from edgewright import cli
cli.main()
"""


def without_posix(code: str, *words: str, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", _WITHOUT_POSIX + code, *words],
        capture_output=True, text=True, check=False, cwd=home,
        env={"HOME": str(home), "PATH": "", "COLUMNS": "100"},
    )  # fmt: skip


def test_every_module_imports_without_what_only_posix_has(tmp_path: Path) -> None:
    done = without_posix(_IMPORT_ALL, home=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("roofline", "kws", "-t", "stm32h743zi"), 0, "compute"),
        (("check", "kws", "-t", "nrf52840", "--max-latency", "20ms"), 10, "too much"),
        (("ask", "--llm", "offline", "Does kws fit on an STM32H743?"), 0, "Yes"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else None,
)
def test_analyses_and_questions_answer_without_what_only_posix_has(
    tmp_path: Path, words: tuple[str, ...], code: int, says: str
) -> None:
    done = without_posix(_COMMAND, *words, home=tmp_path)
    assert done.returncode == code, done.stderr
    assert says in done.stdout


def test_a_worker_runs_where_no_limit_of_memory_can_be_set(tmp_path: Path) -> None:
    (tmp_path / "worker.py").write_text("import sys; print(sys.stdin.read(), file=open('answer', 'w'))")
    run = """
from pathlib import Path
from edgewright.tools.core.isolated import run_isolated
run_isolated(Path("worker.py").absolute(), Path.cwd(), seconds=20, memory_bytes=1 << 33, request=b"asked")
"""
    done = without_posix(run, home=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "answer").read_text().strip() == "asked"
