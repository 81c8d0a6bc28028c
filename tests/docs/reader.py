"""A reader who does what a page says, in a folder of their own."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
import sys
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

import yaml

from edgewright import cli

from .blocks import Block, Step, python_steps, shell_steps
from .edits import write

SETTINGS = {"COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb", "TZ": "UTC"}
_DATA = {"yaml": yaml.safe_load, "toml": tomllib.loads, "json": json.loads}


@dataclass
class Reader:
    """Follows the blocks of one page in their order; what one of them made, the next ones have."""

    folder: Path
    code: int = 0
    """Exit code of the last command."""
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})

    def follow(self, block: Block) -> list[tuple[Step, list[str]]]:
        """What each step of the block printed; a block with a title is written to the file of that name.

        Raises:
            ValueError: a block of a language that nobody runs.
            AssertionError: a command failed, and the page does not show its exit code.
        """
        if block.title:
            write(block, self.folder)
            return []
        match block.language:
            case "console":
                return list(self._commands(block))
            case "python" | "pycon":
                mode = "single" if ">>>" in block.text else "exec"
                return [(step, self.statement(step.source, mode)) for step in python_steps(block)]
            case language if language in _DATA:
                _DATA[language](block.text)
            case "text":
                pass
            case language:
                raise ValueError(f"{block}: nothing runs {language!r}; say why: <!-- not run: reason -->")
        return []

    def _commands(self, block: Block) -> Iterator[tuple[Step, list[str]]]:
        steps = shell_steps(block)
        for step, behind in zip_longest(steps, steps[1:]):
            printed = self.command(step.source)
            if self.code and not (behind and behind.source == "echo $?"):
                raise AssertionError("\n".join((f"{block}: exit code {self.code}: {step.source}", *printed)))
            yield step, printed

    def command(self, line: str) -> list[str]:
        """What a terminal shows of `edgewright …`, `echo $?` or `cat FILE`, each in this process."""
        match shlex.split(line, comments=True):
            case ["echo", "$?"]:
                printed, self.code = str(self.code), 0
            case ["cat", name]:
                printed = (self.folder / name).read_text(encoding="utf-8")
            case ["edgewright", *words]:
                printed, self.code = self._edgewright(words)
            case words:
                raise ValueError(f"nothing runs {words[0]!r}; say why: <!-- not run: reason -->")
        return _lines(printed)

    def statement(self, source: str, mode: str) -> list[str]:
        """What Python shows of a statement: what it prints and, in mode `single`, its value."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.chdir(self.folder):
            exec(compile(source, "<page>", mode), self.names)
        return _lines(out.getvalue())

    def _edgewright(self, words: Sequence[str]) -> tuple[str, int]:
        terminal = _Terminal(io.BytesIO(), encoding="utf-8", write_through=True)
        messages = io.TextIOWrapper(terminal.buffer, encoding="utf-8", write_through=True)
        before = sys.argv, sys.stdin
        sys.argv, sys.stdin = ["edgewright", *words], io.StringIO()
        try:
            with (
                contextlib.redirect_stdout(terminal),
                contextlib.redirect_stderr(messages),
                contextlib.chdir(self.folder),
            ):
                code = _exit_code()
        finally:
            sys.argv, sys.stdin = before
        return terminal.buffer.getvalue().decode(), code  # type: ignore[attr-defined]


class _Terminal(io.TextIOWrapper):
    """Where people read; messages beside it go to something that is none, so no bar moves."""

    def isatty(self) -> bool:
        return True


def _exit_code() -> int:
    try:
        cli.main()
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    return 0


def _lines(text: str) -> list[str]:
    lines = [line.rstrip() for line in text.splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    return lines


@contextlib.contextmanager
def settings(home: Path) -> Iterator[None]:
    """Nobody's own hardware, keys or settings; a terminal of so many columns."""
    before = dict(os.environ)
    for name in [name for name in os.environ if name.startswith(("EDGEWRIGHT_", "XDG_", "OPENAI_"))]:
        del os.environ[name]
    os.environ |= SETTINGS | {"HOME": str(home)}
    try:
        yield
    finally:
        os.environ.clear()
        os.environ |= before
