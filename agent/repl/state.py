"""What a chat knows while it runs."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

from .trace import ToolTrace

if TYPE_CHECKING:
    from ..answer import Answer, Usage
    from ..events import Event
    from ..sessions.session import OpenSession
    from ..workspace import Workspace


class Conversation(Protocol):
    """An assistant that remembers, whichever chat model stands behind it."""

    @property
    def llm(self) -> str:
        """What answers, as far as it is known yet."""

    def stream(self, question: str) -> Generator[Event]:
        """As `Assistant.stream`; closing it early leaves the conversation ready for the next question."""

    def tool_results(self) -> Sequence[Mapping[str, Any]]: ...
    def switch(self, llm: str) -> str:
        """Have another chat model answer from here on; returns its name."""

    def restart(self) -> None:
        """Forget what was said."""

    def resume(self, session: OpenSession) -> None:
        """Go on with what was said in another session, and let go of this one."""


@dataclass(frozen=True)
class Said:
    """A question and what became of it; `answer` is None where the turn was stopped or failed."""

    question: str
    answer: Answer | None
    calls: tuple[ToolTrace, ...]
    seconds: float

    @property
    def usage(self) -> Usage | None:
        return self.answer.usage if self.answer else None


@dataclass(frozen=True)
class Analysis:
    """What a command computed: the line that was typed, the text, and after how many questions."""

    line: str
    text: str
    after: int


@dataclass
class ChatState:
    workspace: Workspace
    conversation: Conversation
    session: OpenSession
    trace: bool = True
    said: list[Said] = field(default_factory=list)
    analyses: list[Analysis] = field(default_factory=list)
    closed: bool = False

    def remember(self, said: Said) -> None:
        """Of earlier answers keep the words only, so that a long chat does not fill the memory."""
        for index in range(len(self.said) - 1, -1, -1):
            earlier = self.said[index]
            if earlier.answer is not None and said.answer is not None:
                light = earlier.answer.model_copy(update={"tool_calls": (), "verdicts": ()})
                self.said[index] = replace(earlier, answer=light)
                break
        self.said.append(said)

    @property
    def last_answer(self) -> Answer | None:
        return next((said.answer for said in reversed(self.said) if said.answer), None)

    @property
    def user_text(self) -> str:
        return "\n".join(said.question for said in self.said)
