"""One question from the command line: the answer on stdout, everything else on stderr."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from ..hardware_db.errors import UsageError
from ..tools.core.envelope import envelope
from ..tools.core.records import dataclass
from ..tools.core.render.table import pipe_table
from ..tools.core.sanitize import harmless, json_text
from .events import Event, Finished, ToolFinished
from .opening import open_assistant
from .question_text import MOST_BYTES, checked_question
from .references import audit_rows
from .repl.background import Background
from .repl.interrupts import Interrupts

if TYPE_CHECKING:
    from ..tools.core.settings import Settings
    from .answer import Answer
    from .assistant import Assistant
    from .planner import Planner
    from .sessions.session import OpenSession

EXIT_OK, EXIT_LIMIT, EXIT_UNGROUNDED, EXIT_INTERRUPTED = 0, 5, 6, 130
_PATIENCE_S = 0.2
"""How long a stopped turn may take to end by itself."""
OFFLINE_NOTE = (
    "edgewright: no LLM configured (OPENAI_API_KEY, OPENAI_BASE_URL, --llm, --base-url, config.toml): "
    "the offline planner answers"
)


@dataclass(frozen=True)
class AskOptions:
    """What was set for one question. `model`, `target`, `runtime`: what it is about where it does not say."""

    model: str | None = None
    target: str | None = None
    runtime: str | None = None
    llm: str | None = None
    base_url: str | None = None
    json: bool = False
    strict: bool = False
    audit: bool = False
    settings: Settings | None = None
    """What of the user's environment tools count; None has them read it."""


def ask_once(words: Sequence[str], options: AskOptions, session: OpenSession | None = None) -> int:
    """Answer the question and return the exit code; what is said is saved in `session`.

    Ctrl-C ends the process at once, whatever is waited for.

    Raises:
        UsageError: no question, or an endpoint that is half configured.
        EndpointError: the endpoint refused, failed or could not be reached.
    """
    question = read_question(words, sys.stdin)
    subject = {"model": options.model, "target": options.target, "runtime": options.runtime}
    assistant = _opened(options, session)
    for note in session.opening_notes if session else ():
        print(harmless(f"edgewright: {note}"), file=sys.stderr)
    if assistant.llm_name == "offline" and options.llm is None:
        print(OFFLINE_NOTE, file=sys.stderr)
    answer = _run(assistant.stream(question), show=not options.json and sys.stderr.isatty())
    if options.json:
        inputs = {"question": question, **subject, "llm": options.llm}
        print(json_text(_document(answer, inputs)))
    elif sys.stdout.isatty():
        from .markdown import print_markdown

        print_markdown(answer.answer, sys.stdout)
    else:
        print(harmless(answer.answer))
    for warning in answer.warnings:
        print(harmless(f"edgewright: {warning}"), file=sys.stderr)
    if options.audit and not options.json:
        print(harmless(audit_table(answer)), file=sys.stderr)
    if options.strict and not answer.grounded:
        print(harmless(f"edgewright: not from a tool: {', '.join(answer.marked)}"), file=sys.stderr)
        return EXIT_UNGROUNDED
    return EXIT_OK if answer.complete else EXIT_LIMIT


def _opened(options: AskOptions, session: OpenSession | None) -> Assistant | Planner:
    return open_assistant(
        model=options.model,
        target=options.target,
        runtime=options.runtime,
        llm=options.llm,
        base_url=options.base_url,
        session=session,
        settings=options.settings,
    )


def read_question(words: Sequence[str], stdin: TextIO | None) -> str:
    """The words; without any, or for `-` alone, what is piped in. `stdin` None is a closed one.

    Raises:
        UsageError: nothing to answer, no text, or more than a question can be.
    """
    given = " ".join(words).strip()
    unread = stdin is None or stdin.isatty() or (given and given != "-")
    piped = "" if unread or stdin is None else stdin.buffer.read(MOST_BYTES + 1)
    text = piped.decode("utf-8", "replace") if isinstance(piped, bytes) else piped
    question = "\n".join(part for part in ("" if given == "-" else given, text.strip()) if part)
    if not question:
        raise UsageError("There is no question.", hint='Try: edgewright ask "Will kws fit on an STM32H743?"')
    return checked_question(question)


def audit_table(answer: Answer) -> str:
    """Every number of the answer with the field of the tool result that it is."""
    return pipe_table(("Number", "From"), audit_rows(answer.numbers, answer.marked))


def _run(events: Iterator[Event], *, show: bool) -> Answer:
    answer: Answer | None = None
    interrupts = Interrupts()
    with interrupts.deferred():
        turn = Background(events, interrupts)
        try:
            for event in turn:
                match event:
                    case ToolFinished(name=name, seconds=seconds, error=error) if show:
                        outcome = "failed" if error else "done"
                        print(f"  {name}: {outcome} in {seconds * 1e3:.0f} ms", file=sys.stderr)
                    case Finished(answer=found):
                        answer = found
        except KeyboardInterrupt:
            if not turn.leave(_PATIENCE_S):
                _leave_now()
            raise
    assert answer is not None
    return answer


def _leave_now() -> NoReturn:
    """Without waiting for the threads that a silent endpoint holds up."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(EXIT_INTERRUPTED)


def _document(answer: Answer, inputs: dict[str, Any]) -> dict[str, Any]:
    return envelope("ask", inputs, answer)
