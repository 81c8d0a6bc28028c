"""An answer on a terminal with styles: Markdown that is laid out as it comes. Imported on first use."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text
from typing_extensions import override

from ..markdown import laid_out, split_blocks
from ..plain_text import printable
from .screen import UNCHECKED, WITHDRAWN, TurnView

if TYPE_CHECKING:
    from rich.console import ConsoleOptions, RenderResult

REWRITTEN = "(rewritten)"
WORKING = "… Ctrl-C stops"
_SECONDS_A_FRAME = 0.05
_SPARE_LINES = 4
_SHORTEST_CALL = 12


def turn_on(out: TextIO, *, trace: bool) -> TurnView:
    console = Console(file=out, highlight=False, markup=False, emoji=False)
    return RichTurn(console, trace=trace)


class RichTurn(TurnView):
    """Whole blocks are printed for good; the last one and the tools at work stand below and may change."""

    def __init__(self, console: Console, *, trace: bool) -> None:
        self._console = console
        self._trace = trace
        self._running: dict[str, str] = {}
        self._tail = self._settled = ""
        self._printed = self._withdrawn = self._rewritten = False
        self._live: Live | None = None
        self._drawn_at = 0.0

    @override
    def __enter__(self) -> Self:
        self._live = Live(
            self, console=self._console, auto_refresh=False, transient=True,
            redirect_stdout=False, redirect_stderr=False,
        )  # fmt: skip
        self._live.start(refresh=True)
        return self

    @override
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._running.clear()
        self._settle()
        if self._live:
            self._live.stop()

    @override
    def add(self, text: str) -> None:
        if self._withdrawn or self._rewritten:
            self._print_note(WITHDRAWN if self._withdrawn else REWRITTEN)
            self._withdrawn = self._rewritten = self._printed = False
        *settled, self._tail = split_blocks(self._tail + printable(text))
        for block in settled:
            self._settled += block
            self._print(block)
        self._draw(now=bool(settled))

    @override
    def replace(self, text: str) -> None:
        """Where what is printed for good stays as it is, only what stands below changes."""
        if self._settled and not self._withdrawn and printable(text).startswith(self._settled):
            self._tail = ""
            self.add(printable(text)[len(self._settled) :])
            return
        self._settled = ""
        self._withdrawn = self._withdrawn or self._printed
        self._rewritten = self._rewritten or bool(self._tail)
        self._tail = ""
        self._draw()
        if text:
            self.add(text)

    @override
    def tool_started(self, call_id: str, line: str) -> None:
        if self._withdrawn:
            self._print_note(UNCHECKED)
        self._withdrawn = self._rewritten = self._printed = False
        self._settled = ""
        if self._trace:
            self._running[call_id] = printable(line)
            self._draw(now=True)

    @override
    def tool_finished(self, call_id: str, line: str) -> None:
        self._running.pop(call_id, None)
        if self._trace:
            self._console.print(_trace_line(printable(line), self._console.width))

    @override
    def finish(self, answer: str) -> None:
        self._settle()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        running = [_trace_line(f"{line} …", options.max_width) for line in self._running.values()]
        yield from running
        if self._tail.strip():
            if self._printed:
                yield Text()
            room = max(1, console.height - _SPARE_LINES - len(running))
            yield from laid_out(self._tail, console, options)[-room:]
        elif not running and not self._printed:
            yield Text(WORKING, style="dim")

    def _settle(self) -> None:
        block, self._tail = self._tail, ""
        self._print(block)

    def _print(self, block: str) -> None:
        lines = laid_out(block, self._console, self._console.options)
        if lines and self._printed:
            self._console.print()
        for line in lines:
            self._printed = True
            self._console.print(line)

    def _print_note(self, text: str) -> None:
        self._console.print(printable(text), style="dim", soft_wrap=True)

    def _draw(self, *, now: bool = False) -> None:
        at = time.monotonic()
        if self._live and (now or not self._tail or at - self._drawn_at >= _SECONDS_A_FRAME):
            self._drawn_at = at
            self._live.refresh()


def _trace_line(line: str, width: int) -> Text:
    """One row; where it is too long, the arguments are cut before the time and the outcome."""
    call, dot, rest = line.partition(" · ")
    room = width - len(rest) - 6
    if dot and len(call) > room >= _SHORTEST_CALL:
        line = f"{call[:room]}…{dot}{rest}"
    text = Text(f"  {line}", style="dim")
    text.truncate(width, overflow="ellipsis")
    return text
