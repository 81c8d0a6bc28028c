"""What TensorFlow Lite Micro itself says of its arena, to hold plans against."""

import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

ARENA_BYTES = 256 * 1024 * 1024
_CHILD = """
import os, sys
from tflite_micro.python.tflite_micro import runtime
for number, path in enumerate(sys.stdin.read().splitlines()):
    os.write(2, f"@@{number}\\n".encode())
    try:
        runtime.Interpreter.from_file(path, arena_size=int(sys.argv[1])).print_allocations()
    except (RuntimeError, ValueError):
        pass
"""


@dataclass(frozen=True)
class Allocations:
    head: int
    tail: int


Allocate = Callable[[Sequence[Path]], Mapping[Path, Allocations]]


@pytest.fixture(scope="session")
def tflm_allocations() -> Allocate:
    """Head and tail of the arena of each model that the interpreter accepts; it prints them from C."""
    pytest.importorskip("tflite_micro")

    def allocate(paths: Sequence[Path]) -> Mapping[Path, Allocations]:
        listed = "\n".join(map(str, paths))
        done = subprocess.run(
            [sys.executable, "-c", _CHILD, str(ARENA_BYTES)],
            input=listed,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        _, *told = re.split(r"^@@(\d+)$", done.stderr, flags=re.MULTILINE)
        found = {paths[int(n)]: _parsed(text) for n, text in zip(told[::2], told[1::2], strict=True)}
        return {path: figures for path, figures in found.items() if figures is not None}

    return allocate


@pytest.fixture(scope="session")
def tflm_accepts() -> Callable[[Path, int], bool]:
    """Whether the interpreter starts in an arena of so many bytes."""
    runtime = pytest.importorskip("tflite_micro.python.tflite_micro.runtime")

    def accepts(path: Path, arena_bytes: int) -> bool:
        try:
            runtime.Interpreter.from_file(str(path), arena_size=arena_bytes)
        except RuntimeError:
            return False
        return True

    return accepts


def _parsed(text: str) -> Allocations | None:
    sizes = dict(re.findall(r"Arena allocation (head|tail) (\d+) bytes", text))
    return Allocations(int(sizes["head"]), int(sizes["tail"])) if sizes else None
