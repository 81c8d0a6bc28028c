"""An answer as it is being written: nothing that is not bound yet is ever shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ...hardware_db.user_files import Directories
from ..lengths import LONGEST_ANSWER
from ..number_words import NUMBER_WORDS
from .evaluation import Results
from .filling import fill
from .literals import Given, Literals

_END = re.compile(r"(?<=[.!?])\s|\n")
_NUMBER = re.compile(rf"\d|(?i:{NUMBER_WORDS})")
_OPENED = re.compile(r"\{\{?[^{}\n]*\}?\Z")
_LONGEST = 4_000
"""Characters that are held back at most; a sentence that is longer is checked in pieces."""
_LONGEST_HOLE = 400
_CONTEXT = 300
"""Characters before a number that may tell what it is."""


class Filler:
    """Takes the text in pieces and gives what may be shown.

    Words are shown at once, a reference when it closes, a number of the writer's own when its sentence ends
    and it stands on something; from the first one that does not, nothing more.
    """

    def __init__(
        self,
        records: Iterable[Mapping[str, Any]] = (),
        user_text: str = "",
        own: Directories | None = None,
    ) -> None:
        results: Results = {str(record["id"]): record.get("result") for record in records}
        self._given = Given(results, user_text, own)
        self._sentence = ""
        """What is shown of the sentence that is being written."""
        self._held = ""
        self._looked = 0
        """How much of it holds no end of a sentence."""
        self._waits = False
        """Whether the sentence holds a number of its own."""
        self._filled_any = False
        self._taken = 0
        """Characters that came."""
        self.stopped = False

    def feed(self, piece: str) -> str:
        """What can be shown now."""
        self._taken += len(piece)
        self.stopped = self.stopped or self._taken > LONGEST_ANSWER
        if self.stopped:
            return ""
        self._held += piece
        shown: list[str] = []
        while not self.stopped and (end := self._end_of_sentence()):
            shown.append(self._take(end, whole=True))
            self._sentence, self._waits = "", False
        if not self.stopped and not self._waits and (ready := self._ready()):
            shown.append(self._take(ready, whole=False))
        return "".join(shown)

    def _end_of_sentence(self) -> int:
        opened = self._open()
        found = _END.search(self._held, max(0, self._looked - 2), opened)
        if found is None:
            self._looked = opened
            return self._cut() if len(self._held) > _LONGEST else 0
        return found.end()

    def _open(self) -> int:
        """Where a reference begins that is not closed yet; else the end."""
        found = _OPENED.search(self._held, max(0, len(self._held) - _LONGEST_HOLE))
        return found.start() if found else len(self._held)

    def _cut(self) -> int:
        """The last word of what is held back for too long."""
        return self._held.rfind(" ", _LONGEST // 2, self._open()) + 1 or _LONGEST // 2

    def _ready(self) -> int:
        """Up to the last word that is whole; what follows a figure may still belong to it."""
        ready = max(self._held.rfind(" ", 0, self._open()), 0)
        return ready if ready and self._held[:ready].strip() else 0

    def _take(self, end: int, *, whole: bool) -> str:
        text, rest = self._held[:end], self._held[end:]
        filled = fill(text, self._given.results)
        if filled.errors:
            self.stopped = True
            return ""
        bare = _without(filled.text, [(hole.start, hole.end) for hole in filled.holes])
        if _NUMBER.search(bare) and not self._stands(filled.text, filled.holes, whole=whole):
            return ""
        self._filled_any = self._filled_any or bool(filled.holes)
        self._held, self._looked = rest, 0
        self._sentence = (self._sentence + filled.text)[-_CONTEXT:]
        return filled.text

    def _stands(self, text: str, holes: Iterable[Any], *, whole: bool) -> bool:
        """Whether the numbers of a whole sentence stand on something; of a part that is not known yet."""
        if not whole:
            self._waits = True
            return False
        before = len(self._sentence)
        spans = [(before + hole.start, before + hole.end) for hole in holes]
        if self._filled_any and not spans:
            spans = [(0, 0)]
        _, unbound = Literals(self._sentence + text, self._given, tuple(spans)).checked()
        self.stopped = any(each.end > before for each in unbound)
        return not self.stopped


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    parts, at = [], 0
    for start, end in spans:
        parts.append(text[at:start])
        at = end
    return " ".join([*parts, text[at:]])
