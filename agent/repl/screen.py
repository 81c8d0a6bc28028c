"""Where a conversation appears: what every screen can do, and the two that need no cursor."""

from __future__ import annotations

import shutil
import textwrap
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, Self, TextIO

from typing_extensions import override

from ..plain_text import printable

if TYPE_CHECKING:
    from ...tools.core.document import Document

Shown = str | tuple["Document", ...]
"""Words, or the documents of results."""

UNCHECKED = "(said before the tools ran, and not checked)"
WITHDRAWN = "(the text above is withdrawn; instead:)"


def wrapped(text: str) -> str:
    """In the columns of the terminal; JSON, code and what is indented like it stay, as they may be copied."""
    width = shutil.get_terminal_size().columns
    if text.startswith("{"):
        return text
    return "\n".join(
        line if line.startswith("    ") else textwrap.fill(line, width, break_long_words=False)
        for line in text.split("\n")
    )


def in_words(documents: tuple[Document, ...]) -> str:
    from ...tools.core.render.markdown import plain

    return "\n\n".join(plain(document).rstrip("\n") for document in documents)


class TurnView(Protocol):
    """An answer as it comes; a context manager, so that an interruption leaves the screen in order."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def add(self, text: str) -> None: ...
    def replace(self, text: str) -> None:
        """All text so far is withdrawn; `text` stands in its place (empty: nothing does yet)."""

    def tool_started(self, call_id: str, line: str) -> None: ...
    def tool_finished(self, call_id: str, line: str) -> None: ...
    def finish(self, answer: str) -> None:
        """`answer` is the whole of what was added."""


class Screen(Protocol):
    def show(self, shown: Shown) -> None:
        """What the user asked for."""

    def note(self, text: str) -> None:
        """Something about the conversation."""

    def problem(self, text: str) -> None: ...
    def turn(self, *, trace: bool) -> TurnView: ...


class PlainScreen:
    """A terminal that can only append."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def show(self, shown: Shown) -> None:
        if isinstance(shown, str):
            print(wrapped(printable(shown)), file=self._out, flush=True)
            return
        from ..terminal import print_document

        width = shutil.get_terminal_size().columns
        for at, document in enumerate(shown):
            if at:
                print(file=self._out)
            print_document(document, self._out, width)

    def note(self, text: str) -> None:
        print(printable(text), file=self._out, flush=True)

    def problem(self, text: str) -> None:
        self.note(text)

    def turn(self, *, trace: bool) -> TurnView:
        return PlainTurn(self._out, trace=trace)


class PlainTurn(TurnView):
    def __init__(self, out: TextIO, *, trace: bool) -> None:
        self._out = out
        self._trace = trace
        self._column = 0
        self._shown = self._withdrawn = False

    @override
    def __enter__(self) -> Self:
        return self

    @override
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end_line()

    @override
    def add(self, text: str) -> None:
        if self._withdrawn:
            self._line(WITHDRAWN)
            self._withdrawn = False
        self._write(text)
        self._shown = True

    @override
    def replace(self, text: str) -> None:
        self._withdrawn = self._withdrawn or self._shown
        self._shown = False
        if text:
            self.add(text)

    @override
    def tool_started(self, call_id: str, line: str) -> None:
        if self._withdrawn:
            self._line(UNCHECKED)
            self._withdrawn = False

    @override
    def tool_finished(self, call_id: str, line: str) -> None:
        if self._trace:
            self._line(f"  {line}")

    @override
    def finish(self, answer: str) -> None:
        self._end_line()

    def _line(self, text: str) -> None:
        self._end_line()
        self._write(f"{text}\n")

    def _end_line(self) -> None:
        if self._column:
            self._write("\n")

    def _write(self, text: str) -> None:
        shown = printable(text)
        self._out.write(shown)
        self._out.flush()
        self._column = 0 if shown.endswith("\n") else self._column + len(shown)


class PipedScreen:
    """Answers go to one stream, whole; everything else goes to the other."""

    def __init__(self, out: TextIO, err: TextIO) -> None:
        self._out = out
        self._err = err
        self._first = True

    def show(self, shown: Shown) -> None:
        """A blank line stands between one answer and the next."""
        shown = shown if isinstance(shown, str) else in_words(shown)
        print("" if self._first else "\n", printable(shown), sep="", file=self._out, flush=True)
        self._first = False

    def note(self, text: str) -> None:
        print(printable(text), file=self._err, flush=True)

    problem = note

    def turn(self, *, trace: bool) -> TurnView:
        return _PipedTurn(self, self._err, trace=trace)


class _PipedTurn(PlainTurn):
    """Shows no draft: what stands in a file cannot be corrected."""

    def __init__(self, screen: PipedScreen, err: TextIO, *, trace: bool) -> None:
        super().__init__(err, trace=trace)
        self._screen = screen

    @override
    def add(self, text: str) -> None: ...
    @override
    def replace(self, text: str) -> None: ...

    @override
    def finish(self, answer: str) -> None:
        self._screen.show(answer)
