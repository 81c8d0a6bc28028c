"""A terminal with styles. Rich, which takes long to load, waits for the first answer."""

from __future__ import annotations

import os

from typing_extensions import override

from ..plain_text import printable
from .screen import PlainScreen, TurnView, wrapped

_BOLD, _DIM, _RED = "1", "2", "31"


class RichScreen(PlainScreen):
    """A terminal with bold, dim and a cursor that moves."""

    @override
    def note(self, text: str) -> None:
        self._styled(_DIM, text)

    @override
    def problem(self, text: str) -> None:
        self._styled(_BOLD if os.environ.get("NO_COLOR") else _RED, text)

    @override
    def turn(self, *, trace: bool) -> TurnView:
        from .rich_turn import turn_on

        return turn_on(self._out, trace=trace)

    def _styled(self, style: str, text: str) -> None:
        print(f"\x1b[{style}m{wrapped(printable(text))}\x1b[0m", file=self._out, flush=True)
