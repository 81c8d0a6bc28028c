"""What TensorFlow Lite Micro itself says of its arena, to hold plans against."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from corpora.tflm_oracle import Outcome, outcomes

Allocate = Callable[[Sequence[Path]], Mapping[Path, Outcome]]


@pytest.fixture(scope="session")
def tflm_allocations() -> Allocate:
    """Head and tail of the arena of each model that the interpreter accepts."""
    pytest.importorskip("tflite_micro")
    return lambda paths: {path: told for path, told in outcomes(paths).items() if told.accepted}


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
