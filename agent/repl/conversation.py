"""The real conversation: loads in the background, survives a stopped turn and a change of the model."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from .. import planner
from ..llm.endpoint_settings import OFFLINE, endpoint_settings
from ..sessions.session import OpenSession
from .background import Background
from .interrupts import Interrupts

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from ..answer import ToolCallRecord
    from ..assistant import Assistant
    from ..events import Event
    from ..planner import Planner
    from ..workspace import Workspace
    from .cancel import CancelAtNextToken

ChooseModel = Callable[[str | None], "tuple[BaseChatModel | None, str]"]
_PATIENCE_S = 0.5
"""How long a stopped turn may take to end before it is left behind."""
_USED_LATER = (
    "..references.grounding",
    "...tools.api.roofline",
    "...tools.core.render.markdown",
    ".rich_turn",
)


class _Chosen(NamedTuple):
    model: BaseChatModel | None
    """None: the offline planner answers."""
    name: str


@dataclass
class _Seat:
    """An assistant on one thread of the conversation, and what stops its model."""

    assistant: Assistant | Planner
    cancel: CancelAtNextToken | None


class LiveConversation:
    """Begins to load when `start` is called, at the latest with the first question."""

    def __init__(
        self,
        workspace: Workspace,
        session: OpenSession,
        llm: str | None,
        *,
        interrupts: Interrupts | None = None,
        choose: ChooseModel | None = None,
        base_url: str | None = None,
    ) -> None:
        self._workspace = workspace
        self._session = session
        self._asked_for = llm
        self._interrupts = interrupts or Interrupts()
        self._choose = choose or functools.partial(_chat_model, base_url=base_url)
        self._lock = threading.Lock()
        self._loading: Future[_Chosen] | None = None
        self._seat: _Seat | None = None
        self._left: list[Background[Event]] = []

    @property
    def llm(self) -> str:
        if self._loading is None or not self._loading.done():
            return "loading"
        return "not available" if self._loading.exception() else self._loading.result().name

    @property
    def left_behind(self) -> bool:
        """Whether a stopped turn still waits for its endpoint."""
        self._left = [turn for turn in self._left if turn.running]
        return bool(self._left)

    def start(self, when_loaded: Callable[[], None] = lambda: None) -> None:
        if self._loading is not None:
            return
        loading: Future[_Chosen] = Future()
        self._loading = loading

        def load() -> None:
            try:
                loading.set_result(_Chosen(*self._choose(self._asked_for)))
            except BaseException as error:
                loading.set_exception(error)
            when_loaded()
            for module in _USED_LATER:
                import_module(module, __package__)

        threading.Thread(target=load, name="load", daemon=True).start()

    def stream(self, question: str) -> Generator[Event]:
        stopped = threading.Event()
        seats: list[_Seat] = []

        def events() -> Iterator[Event]:
            seats.append(self._taken())
            if not stopped.is_set():
                yield from seats[0].assistant.stream(question)

        turn = Background(events(), self._interrupts)
        try:
            yield from turn
        except (KeyboardInterrupt, GeneratorExit):
            stopped.set()
            self._abandon(turn, seats, question)
            raise

    def tool_results(self) -> Sequence[ToolCallRecord]:
        return self._taken().assistant.tool_results()

    def switch(self, llm: str) -> str:
        def chosen() -> Iterator[_Chosen]:
            yield _Chosen(*self._choose(llm))

        choice = next(iter(Background(chosen(), self._interrupts)))
        self._loading = Future()
        self._loading.set_result(choice)
        self._seat = None
        return choice.name

    def restart(self) -> None:
        self._session.write("cleared")

    def resume(self, session: OpenSession) -> None:
        self._session.close()
        self._session = session
        self._seat = None

    def _taken(self) -> _Seat:
        self.start()
        assert self._loading is not None
        chosen = self._loading.result()
        with self._lock:
            if self._seat is None:
                self._seat = self._new_seat(chosen)
            return self._seat

    def _new_seat(self, chosen: _Chosen) -> _Seat:
        if chosen.model is None:
            return _Seat(planner.Planner(self._workspace, session=self._session), None)
        from .cancellable import cancellable

        return _Seat(*cancellable(chosen.model, chosen.name, self._workspace, self._session))

    def _abandon(self, turn: Background[Event], seats: Sequence[_Seat], question: str) -> None:
        """End the turn; where its endpoint is silent, go on beside it: what it still says is not heard."""
        if not seats:
            self._session.write("question", text=question, context=self._workspace.context)
            self._session.write("interrupted", error="stopped by the user while loading")
            return
        seat = seats[0]
        if seat.cancel is not None:
            seat.cancel.cancel()
        self._seat = None
        ended = False
        with contextlib.suppress(KeyboardInterrupt):
            ended = turn.leave(_PATIENCE_S)
        if not ended:
            seat.assistant.session = OpenSession()
            self._session.write("interrupted", error="stopped by the user")
            self._left.append(turn)


def _chat_model(llm: str | None, base_url: str | None = None) -> tuple[BaseChatModel | None, str]:
    if endpoint_settings(llm, base_url).offline:
        return None, OFFLINE
    from ..chat_models import chat_model

    return chat_model(llm, base_url)
