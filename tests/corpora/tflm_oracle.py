"""What TensorFlow Lite Micro itself (package `tflite-micro`, x86-64) makes of models."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ARENA_BYTES = 256 * 1024 * 1024
_CHILD = """
import json, os, sys, tempfile
import numpy as np
from tflite_micro.python.tflite_micro import runtime

def run(path, invoke):
    interpreter = runtime.Interpreter.from_file(path, arena_size=int(sys.argv[1]))
    interpreter.print_allocations()
    if not invoke:
        return
    os.write(2, b"@allocated")
    position = 0
    while True:
        try:
            details = interpreter.get_input_details(position)
        except (IndexError, RuntimeError, ValueError, SystemError):
            break
        interpreter.set_input(np.ones(details["shape"], details["dtype"]), position)
        position += 1
    interpreter.invoke()
    os.write(2, b"@invoked")

for line in sys.stdin:
    path, invoke = json.loads(line)
    with tempfile.TemporaryFile() as said:
        child = os.fork()
        if child == 0:
            os.dup2(said.fileno(), 1), os.dup2(said.fileno(), 2)
            try:
                run(path, invoke)
            except BaseException as error:
                os.write(2, repr(error).encode())
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        said.seek(0)
        print(json.dumps([path, status, said.read().decode(errors="replace")]), flush=True)
"""


@dataclass(frozen=True)
class Outcome:
    head: int | None
    """Bytes of the arena's two ends; None where the interpreter refuses the model."""
    tail: int | None
    invoked: bool
    """Whether one inference ran."""
    crashed: bool
    said: str

    @property
    def accepted(self) -> bool:
        return self.head is not None


def outcomes(paths: Sequence[Path], *, invoke: bool = False) -> Mapping[Path, Outcome]:
    """Each model in a process of its own: some kernels take the process down."""
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, str(ARENA_BYTES)],
        input="".join(json.dumps([str(path), invoke]) + "\n" for path in paths),
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[Path, Outcome] = {}
    for line in done.stdout.splitlines():
        path, status, said = json.loads(line)
        sizes = {
            end: int(size) for end, size in re.findall(r"Arena allocation (head|tail) (\d+) bytes", said)
        }
        found[Path(path)] = Outcome(
            sizes.get("head"), sizes.get("tail"), "@invoked" in said, status != 0, said[-2000:]
        )
    return found
