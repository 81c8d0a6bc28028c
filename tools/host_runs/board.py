"""A board with firmware of `code --instrument`, on a serial line."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator, Mapping
from statistics import fmean

from ...hardware_db.errors import InputError
from ..core.deployment import Deployment
from ..graph import ModelGraph
from ..traces.formats.board import BoardLog, BoardRun, Message, line_of
from ..traces.measured_profile import BoardFacts, MeasuredEnergy
from ..traces.trace import Trace
from .backend import Backend, Runs
from .serial_port import SerialPort

DETAILED = 20
"""Runs whose operators are printed: a serial line is slow."""
WAIT_S = 30.0
_ASKED_S, _FOUND_S = 1.0, 10.0
"""How often a board is asked who it is, and for how long."""
_LONG_ENOUGH_S, _CLOCK_OFF = 0.1, 0.05
"""Runs beside which a line's own delays are small, and how far the clock may be off."""
_DAMAGED = 0.1
_WHY = {
    "set_up": "the model was not set up: the arena is too small, or an operator is not registered",
    "invoke": "an operator failed",
    "inputs": "an input has another size or type",
    "outputs": "an output has another size or type",
    "checksum": "commands come damaged",
    "unknown": "its firmware knows no such command",
}
_FLASH = "Write its code with `edgewright code MODEL -t TARGET --instrument -o FOLDER`, build and flash it."
_CABLE = "Lower the rate, shorten the cable, or keep interrupts off the UART."


class BoardBackend(Backend):
    """The model is in the firmware: nothing is loaded, only asked for."""

    def __init__(
        self, port: SerialPort, graph: ModelGraph, content: bytes | None, *, wait_s: float = WAIT_S
    ) -> None:
        """
        Args:
            content: of the model's file, where it is known.
            wait_s: longest time without a line: of one run, and of printing it.
        """
        self._port, self._graph, self._content, self._wait_s = port, graph, content, wait_s
        self._log = BoardLog()
        self._started: dict[int, float] = {}
        self._took: dict[int, float] = {}
        self.source = f"a board on {port.path}"

    def set_up(self) -> None:
        """
        Raises:
            InputError: nobody answers, another version, another model, or one that was not set up.
        """
        until = time.monotonic() + min(_FOUND_S, self._wait_s)
        while not (self._log.hello and self._log.build):
            if time.monotonic() >= until:
                raise InputError(self._silence(), hint=_FLASH)
            self._port.send(line_of("identify"))
            self._listen_for("build", min(until, time.monotonic() + _ASKED_S))
        said = self._log.said
        self.source = f"{said.fields.get('target', 'a board')} on {self._port.path}"
        self._check_model(said)
        if said.number("counting") == 0:
            raise InputError(
                "The board's core has no cycle counter.",
                hint="Give one of your own: -DBOARD_OWN_COUNTER, as board_port.h says.",
            )
        if said.number("ready") == 0:
            raise InputError(f"The board does not run: {_WHY['set_up']}.", hint="Its log says which.")

    def _listen_for(self, kind: str, until: float) -> None:
        while (line := self._port.line(until)) is not None:
            message = self._log.add(line)
            if message is not None and message.kind == kind:
                return

    def _silence(self) -> str:
        log = self._log
        start = f"Nothing on {self._port.path} answers as firmware of Edgewright does"
        if log.intact:
            return f"The board on {self._port.path} is busy with what it was asked before."
        if log.damaged:
            return f"{start}: {log.damaged} of its lines came damaged."
        if log.other:
            return f"{start}: {log.other} lines of something else came."
        return f"{start}: it is silent."

    def _check_model(self, said: Message) -> None:
        own = self._graph.sha256[:16]
        if said.fields.get("model") != own:
            held = said.fields.get("model", "an unnamed one")
            raise InputError(
                f"The board holds another model ({held}) than {self._graph.name} ({own}).",
                hint="Name the model that was flashed, or flash this one.",
            )
        if self._content is None or said.number("bytes") <= 0:
            return
        if (said.number("bytes"), said.number("crc32")) != (len(self._content), zlib.crc32(self._content)):
            raise InputError(
                f"The array in the firmware is not {self._graph.name}, though its code was written for it.",
                hint="Build with the model_data.cc that `edgewright code --instrument` wrote.",
            )

    def clock_mhz(self) -> float:
        """Of the core, as the firmware states it; 0 where it does not."""
        return max(0, self._log.said.number("clock_hz")) / 1e6

    def run(self, warm_up: int, repeat: int) -> Runs:
        """
        Raises:
            InputError: it stops, restarts or fails amid the runs, or too much comes damaged.
        """
        cold = self._log.said.number("runs") == 0
        self._log.runs.clear()
        self._ask("run", warm=warm_up, runs=repeat, detail=min(repeat, DETAILED))
        ms = self._log.ms_per_tick
        measured = self._log.measured()
        if len(measured) < (1 - _DAMAGED) * repeat:
            raise InputError(
                f"{repeat - len(measured)} of {repeat} runs came damaged over {self._port.path}.", hint=_CABLE
            )
        self._check()
        times = [run.ticks * ms for run in measured]
        first = self._log.runs.get(0)
        load = self._log.said.number("set_up")
        return Runs(
            times_ms=times,
            first_ms=(times[0] if first is None else first.ticks * ms),
            warm_up_runs=warm_up,
            load_ms=load * ms if load > 0 and cold else None,
        )

    def _check(self) -> None:
        if self._log.said.number("vectors") > 0:
            self._log.vectors.clear()
            self._ask("check")

    def _ask(self, kind: str, **fields: int) -> None:
        """Send a command, and read until it is done."""
        self._port.send(line_of(kind, **fields))
        for message in self._messages(fields.get("warm", 0) + fields.get("runs", 0) - 1):
            match message.kind:
                case "start":
                    self._started[message.number("run")] = time.monotonic()
                case "run" if message.number("run") in self._started:
                    number = message.number("run")
                    self._took[number] = time.monotonic() - self._started[number]
                case "hello" if self._started:  # before, it is the answer to a question that was put twice
                    raise InputError(self._restart(kind), hint="Look for a fault, a watchdog or its supply.")
                case "fail":
                    why = _WHY.get(message.fields.get("why", ""), "it does not say why")
                    raise InputError(f"The board does not run: {why}.", hint=_FLASH)
                case "done" if message.fields.get("of") == kind:
                    return

    def _restart(self, kind: str) -> str:
        if kind != "run":
            return "The board restarted while it compared its outputs."
        return f"The board restarted amid its runs, after {len(self._log.runs)} of them."

    def _messages(self, last: int) -> Iterator[Message]:
        """Until the board is silent after the run `last`, as its `done` may be what came damaged.

        Raises:
            InputError: nothing comes any more.
        """
        while True:
            line = self._port.line(time.monotonic() + self._wait_s)
            if line is None:
                runs = len(self._log.runs)
                if last in self._log.runs:
                    return
                raise InputError(
                    f"The board on {self._port.path} fell silent for {self._wait_s:g} s after {runs} runs.",
                    hint="Give a run more time with --wait, or look whether the board hangs.",
                )
            message = self._log.add(line)
            if message is not None:
                yield message

    def operators(self) -> Trace | None:
        found = self._log.trace()
        return found if found.segments else None

    def counters(self) -> Mapping[str, float]:
        """Means over the runs whose operators were printed."""
        whole = {run.number for run in self._whole()}
        runs = zip(self._log.measured(), self._log.counted(), strict=True)
        rows = [row.counts for run, row in runs if run.number in whole]
        names = {name for row in rows for name in row} - {"time_ms"}
        if names <= {"cycles"}:
            return {}
        return {name: fmean(row.get(name, 0.0) for row in rows) for name in sorted(names)}

    def _whole(self) -> list[BoardRun]:
        return [run for run in self._log.measured() if run.is_whole]

    def energy(self) -> MeasuredEnergy:
        return MeasuredEnergy(why_not="a serial line carries no power")

    def facts(self) -> BoardFacts:
        said = self._log.said
        vectors = self._log.vectors
        different = sum(max(0, each.number("different")) for each in vectors)
        arena, optimized = said.number("arena"), said.number("optimized")
        compiler = " ".join(filter(None, (said.fields.get("compiler"), said.fields.get("version"))))
        return BoardFacts(
            port=self._port.path,
            counter=said.fields.get("counter", ""),
            clock_mhz=self.clock_mhz(),
            observed_mhz=self._observed_mhz(),
            arena_used_bytes=arena if arena > 0 else None,
            build=", ".join(filter(None, (compiler, "not optimised" if optimized == 0 else ""))),
            outputs_match=different == 0 if vectors else None,
            elements=sum(max(0, each.number("elements")) for each in vectors),
            different_elements=different,
            largest_difference=max((each.number("most") for each in vectors), default=0),
            detailed_runs=len(self._whole()),
            damaged_lines=self._log.damaged,
        )

    def _observed_mhz(self) -> float | None:
        """Cycles over the time between the lines before and after each run."""
        if not self._log.counts_cycles:
            return None
        runs = [run for run in self._log.measured() if run.number in self._took]
        pairs = [(run.ticks, self._took[run.number]) for run in runs]
        ticks, seconds = sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)
        if not pairs or min(pair[1] for pair in pairs) < _LONG_ENOUGH_S:
            return None
        return ticks / seconds / 1e6

    def notes(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return tuple(self._assumed()), tuple(self._doubted())

    def _assumed(self) -> Iterator[str]:
        facts = self.facts()
        yield f"time as the board counts it ({facts.counter or 'a counter that is not named'})"
        if self._log.said.number("runs") > 0:
            yield "the board had run the model before: its first run here was not a cold one"
        if self._log.said.number("bytes") == 0:
            yield "the model was compiled after its code was written: only its name was compared"

    def _doubted(self) -> Iterator[str]:
        facts, vectors = self.facts(), self._log.vectors
        if facts.outputs_match is False:
            unit = "millionths of the largest value" if vectors[0].number("real") == 1 else "steps"
            yield (
                f"outputs differ from those computed beforehand in {facts.different_elements} of "
                f"{facts.elements} elements, by up to {facts.largest_difference} {unit}: one step is another "
                "library's rounding, more is a wrong kernel, model or build"
            )
        if facts.outputs_match is None:
            yield "the firmware has no golden vectors: nothing says that it computes what it should"
        seen = facts.observed_mhz
        if seen is not None and facts.clock_mhz and abs(seen / facts.clock_mhz - 1) > _CLOCK_OFF:
            yield (
                f"the firmware states a clock of {facts.clock_mhz:g} MHz, by this machine's time it runs at "
                f"{seen:.3g} MHz: define BOARD_CLOCK_HZ"
            )
        if "not optimised" in facts.build:
            yield "debug build: the firmware was compiled without optimisation"
        if facts.damaged_lines:
            yield f"{facts.damaged_lines} lines came damaged and were left out"
        lost = max((run.lost for run in self._log.measured()), default=0)
        if lost:
            yield f"{lost} operators of a run are beyond those that the firmware has room for"


def at_board_clock(place: Deployment, clock_mhz: float) -> Deployment:
    """The deployment at the clock that the board states, where the user named none."""
    unnamed = [line for line in place.assumptions if line.startswith("no clock named")]
    if not unnamed or clock_mhz <= 0:
        return place
    said = f"{clock_mhz:g} MHz, as the board states it"
    kept = tuple(line for line in place.assumptions if line not in unnamed)
    return place.at(clock_mhz=clock_mhz).model_copy(update={"assumptions": (*kept, said)})
