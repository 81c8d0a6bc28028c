"""Compiles generated code against stand-ins for TFLite Micro's headers, and runs it."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

STUBS = Path(__file__).parents[2] / "stubs" / "tflm"
MAIN = """
#include "model_runner.h"
#include <cstdio>
alignas(16) const unsigned char model_data[] = {0};
%s
int main() {
  if (!SetUpModel()) return 1;
  if (!RunModel()) return 2;
  std::printf("used %%zu\\n", ArenaUsedBytes());
  return 0;
}
"""


@dataclass(frozen=True)
class Ran:
    added: list[str]
    """Operators in the order of registration, and the kernel where one was named."""
    operators: int
    capacity: int
    arena_bytes: int
    aligned: bool
    output: str


Build = Callable[..., Ran]


@pytest.fixture(scope="session")
def compiler() -> str:
    found = shutil.which("g++") or shutil.which("clang++")
    if found is None:
        pytest.skip("no C++ compiler on this machine")
    return found


@pytest.fixture
def compile_and_run(compiler: str, tmp_path: Path) -> Build:
    """Runs what was generated; `extra` is what the application has to define."""

    def build(files: Mapping[str, str], *defines: str, extra: str = "") -> Ran:
        for name, text in files.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        (tmp_path / "main.cc").write_text(MAIN % extra, encoding="utf-8")
        program = tmp_path / "program"
        done = subprocess.run(
            [compiler, "-std=c++17", "-Wall", "-Wextra", "-Werror", *(f"-D{d}" for d in defines), f"-I{STUBS}",
             f"-I{tmp_path}", str(tmp_path / "model_runner.cc"), str(tmp_path / "main.cc"), "-o", str(program)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        ran = subprocess.run([str(program)], capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout
        operators, capacity = map(int, re.findall(r"operators (\d+) of (\d+)", ran.stdout)[0])
        arena, aligned = re.findall(r"arena (\d+) aligned (\d)", ran.stdout)[0]
        added = [
            line.removeprefix("add ").strip() for line in ran.stdout.splitlines() if line.startswith("add ")
        ]
        return Ran(added, operators, capacity, int(arena), aligned == "1", ran.stdout)

    return build
