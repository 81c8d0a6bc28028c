"""Commands that look back: /audit, /json, /trace, /usage, /save."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from ...hardware_db.errors import UsageError
from ...tools.core.envelope import envelope
from ...tools.core.sanitize import json_text
from ..new_file import write_new
from ..sessions.export import exported
from ..sessions.reading import read_session
from .llm import OFFLINE
from .state import ChatState, Said
from .trace import ToolTrace

if TYPE_CHECKING:
    from ...tools.core.document import Document
    from ..answer import Answer


def audit(state: ChatState, _argument: str) -> str | tuple[Document, ...]:
    """Every number of the last answer with the field that it is."""
    from ..references.audit import audited

    answer = _last_answer(state)
    found = audited(answer.numbers, answer.marked)
    return "The last answer holds no number." if found is None else (found,)


def as_json(state: ChatState, _argument: str) -> str:
    answer = _last_answer(state)
    question = next(said.question for said in reversed(state.said) if said.answer is answer)
    document = envelope("ask", {"question": question, **state.workspace.context}, answer)
    return json_text(document)


def trace(state: ChatState, argument: str) -> str:
    """`on` and `off` switch the lines under a question; without either, the last calls in full."""
    match argument.casefold():
        case "on" | "off":
            state.trace = argument.casefold() == "on"
            return f"Tool calls are {'shown' if state.trace else 'hidden'}."
        case "":
            calls = state.said[-1].calls if state.said else ()
            return "\n".join(map(_in_full, calls)) or "The last question called no tool."
        case _:
            raise UsageError(f"/trace knows no {argument!r}.", hint="/trace on, /trace off, or /trace alone.")


def usage(state: ChatState, _argument: str) -> str:
    """Tokens as far as the endpoint counted them; what it did not tell is unknown."""
    answered = [said for said in state.said if said.answer]
    counted = [said.usage for said in answered if said.usage]
    lines = [
        f"Questions: {len(state.said)}, answered: {len(answered)}",
        f"Tool calls: {sum(len(said.calls) for said in state.said)}",
        f"Time: {sum(said.seconds for said in state.said):.1f} s",
    ]
    if counted:
        read = sum(use["input_tokens"] for use in counted)
        written = sum(use["output_tokens"] for use in counted)
        lines.append(f"Tokens: {read:,} read, {written:,} written")
    silent = [said for said in answered if said.answer and said.answer.llm != OFFLINE and not said.usage]
    if silent:
        lines.append(f"Answers whose tokens the endpoint did not count: {len(silent)}")
    return "\n".join(lines)


def save(state: ChatState, argument: str) -> str:
    """Write the conversation as Markdown, or whole as a bundle; never over a file that is there."""
    if not state.said:
        raise UsageError("There is nothing to save yet.", hint="Ask something first.")
    bundled = Path(argument).suffix.casefold() in (".json", ".html")
    text = _as_bundle(state, argument) if bundled else "\n\n".join(map(_as_markdown, state.said)) + "\n"
    path = write_new(argument, text)
    return f"Saved {len(state.said)} questions to {path}."


def _last_answer(state: ChatState) -> Answer:
    if state.last_answer is None:
        raise UsageError("There is no answer yet.", hint="Ask something first.")
    return state.last_answer


def _in_full(call: ToolTrace) -> str:
    arguments = json.dumps(dict(call.arguments), ensure_ascii=False, default=str)
    return f"[{call.id}] {call.line}\n    {arguments}"


def _as_bundle(state: ChatState, argument: str) -> str:
    path = state.session.file
    if path is None or state.session.warning:
        raise UsageError("This conversation is not saved as it happens.", hint="Save it as .md instead.")
    return exported(read_session(path), Path(argument).suffix)


def _as_markdown(said: Said) -> str:
    question = "\n".join(f"> {line}" for line in said.question.splitlines())
    calls = "\n".join(f"- {call.line}" for call in said.calls)
    answer = said.answer.answer if said.answer else "*No answer: stopped or failed.*"
    return "\n\n".join(part for part in (question, calls, answer) if part)
