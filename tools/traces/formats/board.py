"""Lines that firmware of `code --instrument` exchanges over a serial line, as docs/board.md describes them.

A line is `@ew1 KIND NAME=VALUE … *CRC`, wherever in a log it begins; all else is somebody's print.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from ....hardware_db.errors import InputError
from ...core.records import dataclass
from ...core.sanitize import clean_text
from ..counters.names import known
from ..recording import Counted, Recording
from ..trace import Event, Trace, Unit
from ..trace_file import MOST_EVENTS

VERSION = 1
_LINE = re.compile(r"@ew(\d{1,3}) ([a-z_]{1,20})((?: [a-z0-9_]{1,24}=[!-~]*)*)\*([0-9A-F]{4})\s*$")
_BEGIN = re.compile(r"@ew\d{1,3} [a-z_]")
_DIGITS = re.compile(r"\d{1,18}")
_OF_CYCLES = ("dwt", "cycles")
"""Counters that count cycles of the core; another has a rate of its own."""
_OWN = frozenset(("run", "warm", "ticks", "operators", "lost", "i", "tag"))
"""Fields of runs and operators that are no counter."""


@dataclass(frozen=True)
class Message:
    kind: str
    fields: Mapping[str, str]

    def number(self, name: str) -> int:
        """Zero or more; -1 where it is missing or no number."""
        text = self.fields.get(name, "")
        return int(text) if _DIGITS.fullmatch(text) else -1


def line_of(kind: str, **fields: int) -> str:
    """A command as it is sent, its end of line included."""
    text = " ".join((f"@ew{VERSION}", kind, *(f"{name}={value}" for name, value in fields.items())))
    return f"{text}*{_crc(text)}\n"


def _crc(text: str) -> str:
    return f"{binascii.crc_hqx(text.encode('ascii', 'replace'), 0xFFFF):04X}"


@dataclass
class BoardRun:
    """One inference, as far as its lines came through."""

    number: int
    warm: bool
    ticks: int
    operators: int
    """That it was to name."""
    lost: int
    """Operators beyond those that the firmware has room for."""
    taken: dict[int, tuple[str, int, Mapping[str, int]]] = field(default_factory=dict)
    """By the place in the run: tag, ticks and events."""

    @property
    def is_whole(self) -> bool:
        return 0 < self.operators == len(self.taken)


@dataclass
class BoardLog:
    """What a board said so far."""

    hello: Mapping[str, str] = field(default_factory=dict)
    build: Mapping[str, str] = field(default_factory=dict)
    runs: dict[int, BoardRun] = field(default_factory=dict)
    vectors: list[Message] = field(default_factory=list)
    damaged: int = 0
    """Lines of the protocol that did not come through whole."""
    other: int = 0
    """Lines of somebody else."""
    intact: int = 0

    def add(self, line: str) -> Message | None:
        """What the line says; None for what is no line of the protocol, or a damaged one.

        Raises:
            InputError: the firmware speaks another version.
        """
        message = self._read(line)
        match message.kind if message is not None else "":
            case "":
                return None
            case "hello":
                self.hello = message.fields if message else {}
            case "build":
                self.build = message.fields if message else {}
            case "vector" if message is not None:
                self.vectors.append(message)
            case "run" if message is not None and message.number("run") >= 0:
                self.runs[message.number("run")] = BoardRun(
                    message.number("run"), message.number("warm") == 1, max(0, message.number("ticks")),
                    max(0, message.number("operators")), max(0, message.number("lost")),
                )  # fmt: skip
            case "op" if message is not None:
                self._operator(message)
        return message

    def _read(self, line: str) -> Message | None:
        begins = [found.start() for found in _BEGIN.finditer(line)]
        if not begins:
            self.other += bool(line.strip())
            return None
        text = line[begins[-1] :]  # what was being printed before was cut short by this line
        found = _LINE.fullmatch(text)
        if found is None or _crc(text[: found.start(4) - 1]) != found[4]:
            self.damaged += 1
            return None
        if int(found[1]) != VERSION:
            raise InputError(
                f"The firmware speaks version {found[1]} of the protocol, this is version {VERSION}.",
                hint="Write its code anew with `edgewright code --instrument`, and flash it.",
            )
        self.intact += 1
        pairs = (pair.split("=", 1) for pair in found[3].split())
        return Message(found[2], {name: clean_text(value, 60) for name, value in pairs})

    def _operator(self, message: Message) -> None:
        run = self.runs.get(message.number("run"))
        ticks = message.number("ticks")
        if run is None or ticks < 0 or not 0 <= message.number("i") < run.operators:
            return
        events = {
            name: message.number(name) for name in message.fields.keys() - _OWN if message.number(name) >= 0
        }
        run.taken[message.number("i")] = (message.fields.get("tag", ""), ticks, events)

    @property
    def said(self) -> Message:
        """Both lines by which a board identifies itself, as one."""
        return Message("hello", {**self.hello, **self.build})

    @property
    def counts_cycles(self) -> bool:
        return self.hello.get("counter") in _OF_CYCLES

    @property
    def ms_per_tick(self) -> float:
        """
        Raises:
            InputError: the board did not say at which rate its counter runs.
        """
        rate = self.said.number("rate_hz")
        if rate <= 0:
            raise InputError(
                "The board does not say at which rate its counter runs.",
                hint="Log from its start, so that its `@ew1 hello` line is there.",
            )
        return 1e3 / rate

    def measured(self) -> list[BoardRun]:
        """Runs that count, in their order."""
        return [run for _, run in sorted(self.runs.items()) if not run.warm]

    def trace(self) -> Trace:
        """Operators of the runs whose lines all came through."""
        cycles = self.counts_cycles
        unit = 1.0 if cycles else self.ms_per_tick * 1e6
        whole = [run for run in self.measured() if run.is_whole and not run.lost]
        return Trace(
            "a board over a serial line",
            Unit.CYCLES if cycles else Unit.NANOSECONDS,
            tuple(
                tuple(Event(tag, ticks * unit) for _, (tag, ticks, _events) in sorted(run.taken.items()))
                for run in whole
            ),
            totals=tuple(run.ticks * unit for run in whole),
            written_by="tflm",
            clock_mhz=self.said.number("clock_hz") / 1e6 if cycles else None,
        )

    def counted(self) -> tuple[Counted, ...]:
        """A row a run; with its events where the board counts some."""
        ms = self.ms_per_tick

        def cycles(run: BoardRun) -> dict[str, float]:
            return {"cycles": float(run.ticks)} if self.counts_cycles else {}

        return tuple(
            Counted("", {"time_ms": run.ticks * ms, **cycles(run), **_events(run.taken.values())})
            for run in self.measured()
        )


def _events(taken: Iterable[tuple[str, int, Mapping[str, int]]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for _, _, events in taken:
        for title, count in events.items():
            if (name := known(title)) not in ("", "cycles"):
                found[name] = found.get(name, 0.0) + count
    return found


def read(lines: Sequence[str]) -> Recording | None:
    """A log of such lines, of a terminal program for one."""
    log = BoardLog()
    if not any("@ew" in line for line in lines):
        return None
    for line in lines:
        log.add(line)
        if len(log.runs) > MOST_EVENTS:
            break
    if not log.measured():
        return None
    trace = log.trace()
    said = log.said
    warm = sum(run.warm for run in log.runs.values())
    facts = {"board": said.fields.get("target", ""), "framework": said.fields.get("runtime", "")}
    facts |= {"warm-up": str(warm), "flags": "-O0" if said.number("optimized") == 0 else ""}
    facts["compiler"] = " ".join(filter(None, map(said.fields.get, ("compiler", "version"))))
    return Recording(
        trace.format, trace.unit, trace=trace if trace.segments else None, counters=log.counted(),
        written_by=trace.written_by, clock_mhz=trace.clock_mhz, lines=log.intact,
        facts={name: fact for name, fact in facts.items() if fact},
        warnings=tuple(_lost(log)),
    )  # fmt: skip


def _lost(log: BoardLog) -> Iterable[str]:
    if log.damaged:
        yield f"{log.damaged} lines of the board came damaged and were left out"
    wrong = sum(message.number("different") for message in log.vectors)
    if wrong > 0:
        total = sum(message.number("elements") for message in log.vectors)
        yield f"the board's outputs differ from those expected in {wrong} of {total} elements"
