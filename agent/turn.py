"""One question on its way through the loop: the graph's stream becomes events, and in the end an answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from ..hardware_db.user_files import Directories
from .answer import Answer, StopReason, ToolCallRecord, Usage, verdicts_in
from .events import Event, TextDelta, TextReplaced, ToolFinished, ToolStarted
from .history import records_of, without_thoughts
from .llm.reply_text import CALL_MARKS
from .plain_text import printable
from .references import Number
from .references.streaming import Filler

_THOUGHT, _THOUGHT_ENDS = "<think>", "</think>"
_FINISH = {reason.value: reason for reason in (StopReason.LENGTH, StopReason.CONTENT_FILTER, StopReason.CUT)}
_LIMITS = {
    "ModelCallLimitMiddleware": StopReason.MODEL_CALL_LIMIT,
    "ToolCallLimitMiddleware": StopReason.TOOL_CALL_LIMIT,
}
_STOPPED = {
    StopReason.MODEL_CALL_LIMIT: "Stopped before an answer was written: the model was called too often.",
    StopReason.TOOL_CALL_LIMIT: "Stopped before an answer was written: too many tools were called.",
    StopReason.TIME_LIMIT: "Stopped before an answer was written: it took too long.",
}


class Turn:
    """Takes what the graph streams; knows what is on the screen and what the answer stands on."""

    def __init__(
        self,
        earlier: Sequence[ToolCallRecord] = (),
        user_text: str = "",
        own: Directories | None = None,
    ) -> None:
        """What the graph streams of a question.

        Args:
            earlier: the functions that ran before this question.
            user_text: all that the user said.
            own: directories of the user's own hardware; None reads the environment.
        """
        self._own = own
        self._earlier = tuple(earlier)
        self._user_text = user_text
        self._pieces: list[str] = []
        self.stopped: StopReason | None = None
        self._thoughts = Thoughts()
        self._filler = Filler()
        self._message_id: str | None = None
        self._final: AIMessage | None = None
        self._calls: dict[str, dict[str, Any]] = {}
        self._records: dict[str, list[ToolCallRecord]] = {}
        self._usage: Usage | None = None

    @property
    def answered(self) -> bool:
        return self._final is not None

    def take(self, mode: str, data: Any) -> Iterator[Event]:
        """Events for one item of the graph's stream, in the modes `messages` and `updates`."""
        if mode == "messages":
            message, metadata = data
            if metadata.get("langgraph_node") == "model" and isinstance(message, AIMessage):
                yield from self._text(message)
            return
        for node, update in data.items():
            for message in _messages_of(update):
                yield from self._update(node, message)

    @property
    def records(self) -> list[ToolCallRecord]:
        """The functions that ran, in the order in which the model called them."""
        return [record for call_id in self._calls for record in self._records.get(call_id, ())]

    def finish(self, llm: str, warnings: Sequence[str]) -> tuple[Answer, list[Event]]:
        """The answer, and what the screen lacks of it."""
        final = self._final
        reason = self.stopped or self._reason(final)
        if final is None or self.stopped:
            text, details = self._without_answer(reason), {}
        else:
            text, details = without_thoughts(printable(final.text)), final.additional_kwargs
        marked = tuple(details.get("marked", ()))
        answer = Answer(
            answer=text,
            verdicts=verdicts_in(self.records),
            tool_calls=tuple(self.records),
            numbers=tuple(map(Number.model_validate, details.get("numbers", ()))),
            marked=marked,
            grounded=not marked,
            ungrounded=marked,
            written=details.get("written", ""),
            llm=llm,
            complete=reason is StopReason.ANSWERED,
            stop_reason=reason,
            usage=self._usage,
            warnings=tuple(warnings),
        )
        return answer, list(self._show(text))

    def _text(self, message: AIMessage) -> Iterator[Event]:
        if message.id != self._message_id:
            yield from self._show("")
            self._message_id, self._thoughts = message.id, Thoughts()
            self._filler = Filler([*self._earlier, *self.records], self._user_text, self._own)
        if more := self._filler.feed(self._thoughts.without(printable(message.text))):
            self._pieces.append(more)
            yield TextDelta(more)

    def _show(self, text: str) -> Iterator[Event]:
        before, self._pieces = "".join(self._pieces), [text]
        if text == before:
            return
        if text.startswith(before) and text:
            yield TextDelta(text[len(before) :])
        else:
            yield TextReplaced(text)

    def _update(self, node: str, message: AnyMessage) -> Iterator[Event]:
        name = node.partition(".")[0]
        if isinstance(message, ToolMessage):
            yield self._finished(message)
        elif isinstance(message, HumanMessage):
            yield from self._show("")
        elif isinstance(message, AIMessage):
            if name in _LIMITS:
                self.stopped = _LIMITS[name]
                return
            if node == "model":
                self._count(message)
            yield from self._reply(message)

    def _reply(self, message: AIMessage) -> Iterator[Event]:
        """An answer counts once its references are filled in."""
        if not message.tool_calls:
            if "marked" in message.additional_kwargs:
                self._final = message
            return
        yield from self._show("")
        for call in message.tool_calls:
            call_id = call["id"] or ""
            self._calls[call_id] = call["args"]
            yield ToolStarted(call_id, call["name"], call["args"])

    def _finished(self, message: ToolMessage) -> ToolFinished:
        call_id = message.tool_call_id
        records = records_of(message, self._calls.get(call_id, {}))
        self._records[call_id] = records
        first = next((record for record in records if record["result"] is not None), records[0])
        failed = first["result"] is None
        return ToolFinished(
            call_id,
            message.name or "",
            float(message.additional_kwargs.get("seconds", 0.0)),
            first["result"],
            first["error"],
            inputs=first["arguments"],
            failure=message.text if failed else "",
            records=() if failed else tuple(records),
        )

    def _count(self, message: AIMessage) -> None:
        counted = message.usage_metadata
        if counted is None:
            return
        before = self._usage or Usage(input_tokens=0, output_tokens=0)
        self._usage = Usage(
            input_tokens=before["input_tokens"] + counted["input_tokens"],
            output_tokens=before["output_tokens"] + counted["output_tokens"],
        )

    def _reason(self, final: AIMessage | None) -> StopReason:
        if final is None:
            return StopReason.CUT
        return _FINISH.get(str(final.response_metadata.get("finish_reason")), StopReason.ANSWERED)

    def _without_answer(self, reason: StopReason) -> str:
        """What is known all the same: the verdicts that tools have already given."""
        said = _STOPPED.get(reason, "The model gave no answer.")
        found = [f"- {v['statement']}" for v in verdicts_in(self.records) if v["statement"]]
        return "\n".join([said, "What the tools said so far:", *found]) if found else said


class Thoughts:
    """Takes a text in pieces and leaves out a leading thought or tool call, and what may become one."""

    def __init__(self) -> None:
        self._held = ""
        self._thinks = self._over = False

    def without(self, piece: str) -> str:
        if self._over:
            return piece
        self._held += piece
        start = self._held.lstrip()
        self._thinks = self._thinks or start.startswith(_THOUGHT)
        if not self._thinks and start.startswith(CALL_MARKS):
            return ""
        if self._thinks:
            _, ended, rest = self._held.partition(_THOUGHT_ENDS)
            self._held = rest if ended else self._held[-len(_THOUGHT_ENDS) :]
            self._over = bool(ended)
            return rest.lstrip()
        self._over = not any(mark.startswith(start) for mark in (_THOUGHT, *CALL_MARKS))
        return self._held if self._over else ""


def _messages_of(update: Any) -> Sequence[AnyMessage]:
    messages = update.get("messages", ()) if isinstance(update, Mapping) else ()
    return messages if isinstance(messages, Sequence) else (messages,)
