"""A board on a pseudo-terminal: a thread that answers as firmware of `code --instrument` does, or worse."""

from __future__ import annotations

import os
import re
import threading
import time
import tty
from collections.abc import Callable, Iterator, Sequence

from edgewright.tools.graph import ModelGraph
from edgewright.tools.traces.formats.board import line_of

Fault = Callable[[str], Sequence[str]]
"""What is sent in place of a line; as many lines as it likes."""


def framed(kind: str, **fields: object) -> str:
    return line_of(kind, **fields)  # type: ignore[arg-type]


class SimulatedBoard:
    """At 100 MHz, every operator takes its cycles; the run `run` is `slow_s` long by the clock on the wall."""

    def __init__(self, graph: ModelGraph, cycles: Sequence[int], **said: object) -> None:
        self.said: dict[str, object] = {
            "model": graph.sha256[:16], "target": "stm32h743zi", "runtime": "tflm-cmsis-nn", "ready": 1,
            "counting": 1, "counter": "dwt", "rate_hz": 100_000_000, "clock_hz": 100_000_000,
        } | said  # fmt: skip
        self.built: dict[str, object] = {
            "bytes": 0,
            "crc32": 0,
            "arena": 21_000,
            "set_up": 50_000,
            "runs": 0,
            "vectors": 2,
            "optimized": 1,
        }
        self.tags = [op.kind for op in graph.ops]
        self.cycles = list(cycles)
        self.different = 0
        self.fault: Fault = lambda line: [line]
        self.run_s = 0.0
        self.events: dict[str, int] = {}
        self._master, slave = os.openpty()
        tty.setraw(slave)
        self.port = os.ttyname(slave)
        self._slave = slave
        self._over = False
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def __enter__(self) -> SimulatedBoard:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over = True
        os.write(self._slave, b"\n")  # wakes the thread
        self._thread.join(5)
        os.close(self._slave)
        os.close(self._master)

    def _serve(self) -> None:
        rest = b""
        while not self._over:
            rest += os.read(self._master, 4096)
            *lines, rest = rest.split(b"\n")
            for line in lines:
                for answer in self._answers(line.decode()):
                    for sent in self.fault(answer):
                        os.write(self._master, sent.encode())

    def _answers(self, command: str) -> Iterator[str]:
        match re.findall(r"@ew1 (\w+)", command):
            case ["identify"]:
                yield framed("hello", **self.said)
                yield framed("build", **self.built)
            case ["run"]:
                numbers = dict(re.findall(r"(\w+)=(\d+)", command))
                yield from self._runs(int(numbers["warm"]), int(numbers["runs"]), int(numbers["detail"]))
            case ["check"]:
                for vector in range(2):
                    yield framed(
                        "vector", vector=vector, output=0, elements=12, different=self.different,
                        most=3 * self.different, real=0,
                    )  # fmt: skip
                yield framed("done", of="check", vectors=2)

    def _runs(self, warm: int, runs: int, detail: int) -> Iterator[str]:
        for number in range(warm + runs):
            yield framed("start", run=number)
            time.sleep(self.run_s)
            printed = len(self.tags) if warm <= number < warm + detail else 0
            total = sum(self.cycles) * (3 if number == 0 else 1)
            yield framed(
                "run", run=number, warm=int(number < warm), ticks=total, operators=printed, lost=0
            )  # fmt: skip
            for at in range(printed):
                yield framed("op", run=number, i=at, tag=self.tags[at], ticks=self.cycles[at], **self.events)
        yield framed("done", of="run", runs=warm + runs)
