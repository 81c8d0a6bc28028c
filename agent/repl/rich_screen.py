"""A screen with styles: Markdown that is laid out as it comes, dim notes. Rich loads on first use."""

from __future__ import annotations

import functools
import os
import shutil
import textwrap
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

from typing_extensions import override

from .markdown import laid_out, split_blocks
from .screen import UNCHECKED, WITHDRAWN, TurnView, for_terminal
from .terminal import printable

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.live import Live
    from rich.text import Text

REWRITTEN = "(rewritten)"
WORKING = "… Ctrl-C stops"
_BOLD, _DIM, _RED = "1", "2", "31"
_SECONDS_A_FRAME = 0.05
_SPARE_LINES = 4
_SHORTEST_CALL = 12


class RichScreen:
    def __init__(self, out: TextIO) -> None:
        self._out = out

    @functools.cached_property
    def _console(self) -> Console:
        from rich.console import Console

        return Console(file=self._out, highlight=False, markup=False, emoji=False)

    def show(self, text: str) -> None:
        print(for_terminal(text), file=self._out, flush=True)

    def note(self, text: str) -> None:
        self._styled(_DIM, text)

    def problem(self, text: str) -> None:
        self._styled(_BOLD if os.environ.get("NO_COLOR") else _RED, text)

    def turn(self, *, trace: bool) -> TurnView:
        return RichTurn(self._console, trace=trace)

    def _styled(self, style: str, text: str) -> None:
        width = shutil.get_terminal_size().columns
        wrapped = (textwrap.fill(line, width, break_long_words=False) for line in printable(text).split("\n"))
        lines = "\n".join(wrapped)
        print(f"\x1b[{style}m{lines}\x1b[0m", file=self._out, flush=True)


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
        from rich.live import Live

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
        from rich.text import Text

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
    from rich.text import Text

    call, dot, told = line.partition(" · ")
    room = width - len(told) - 6
    if dot and len(call) > room >= _SHORTEST_CALL:
        line = f"{call[:room]}…{dot}{told}"
    text = Text(f"  {line}", style="dim")
    text.truncate(width, overflow="ellipsis")
    return text
