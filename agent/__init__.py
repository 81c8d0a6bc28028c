"""The conversation: everything that knows about a language model. Heavy libraries load on first use."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .answer import Answer
    from .assistant import Assistant, RunLimits
    from .planner import Planner
    from .references import GroundingReport, RenderedAnswer, check_grounding, render_answer
    from .registry import TOOLS
    from .sessions.session import OpenSession
    from .sessions.transcript import Transcript
    from .views import VIEWS
    from .workspace import Workspace

__all__ = [
    "TOOLS",
    "VIEWS",
    "Answer",
    "Assistant",
    "GroundingReport",
    "RenderedAnswer",
    "RunLimits",
    "Transcript",
    "Workspace",
    "ask",
    "check_grounding",
    "open_assistant",
    "render_answer",
]

_HOMES = {
    "TOOLS": ".registry",
    "VIEWS": ".views",
    "Answer": ".answer",
    "Assistant": ".assistant",
    "GroundingReport": ".references",
    "RenderedAnswer": ".references",
    "RunLimits": ".assistant",
    "Transcript": ".sessions.transcript",
    "Workspace": ".workspace",
    "check_grounding": ".references",
    "render_answer": ".references",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name], __name__), name)


def open_assistant(
    *,
    model: str | None = None,
    target: str | None = None,
    runtime: str | None = None,
    directory: Path | None = None,
    llm: str | None = None,
    base_url: str | None = None,
    api_key: str | None = None,
    transcript: Transcript | None = None,
    session: OpenSession | None = None,
    limits: RunLimits | None = None,
) -> Assistant | Planner:
    """An assistant over the chat model that `llm` and the environment choose; offline, the planner.

    Args:
        model: path of a model file or name of an architecture, taken where a question names none.
        target: chip or board, likewise.
        runtime: kernel library, likewise.
        directory: the working directory, inside which model files may be read; None is the current one.
        llm: `offline`, or a model of the endpoint; None takes what the environment configures, else offline.
        transcript: where the conversation is written as it happens; None writes nothing.
        session: a saved conversation to go on with, which is saved further; instead of `transcript`.
        limits: what one question may take; None is the usual.

    Raises:
        UsageError: an endpoint that is half configured.
    """
    from .llm.endpoint_settings import endpoint_settings
    from .sessions.session import OpenSession
    from .workspace import Workspace

    workspace = Workspace(directory or Path.cwd(), model=model, target=target, runtime=runtime)
    session = session or OpenSession(transcript)
    session.pin(workspace)
    if endpoint_settings(llm, base_url, api_key).offline:
        from .planner import Planner

        return Planner(workspace, session=session)
    from .assistant import Assistant, RunLimits
    from .chat_models import chat_model

    chosen, name = chat_model(llm, base_url, api_key)
    return Assistant(
        chosen,
        workspace,
        llm_name=name,
        limits=limits or RunLimits(),
        session=session,
    )


def ask(question: str, **choices: Any) -> Answer:
    """The answer to one question; `choices` as for `open_assistant`."""
    return open_assistant(**choices).ask(question)
