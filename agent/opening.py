"""An assistant as the environment has it, and a single question to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from .llm.endpoint_settings import endpoint_settings
from .planner.planner import Planner
from .sessions.session import OpenSession
from .workspace import Workspace

if TYPE_CHECKING:
    from ..tools.core.settings import Settings
    from .answer import Answer
    from .assistant import Assistant, RunLimits
    from .sessions.transcript import Transcript

__all__ = ["ask", "open_assistant"]


def open_assistant(  # noqa: PLR0913 - each is an option of its own on the command line
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
    settings: Settings | None = None,
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
        settings: what of the user's environment tools count; None has them read it.

    Raises:
        UsageError: an endpoint that is half configured.
    """
    workspace = Workspace(
        directory or Path.cwd(), model=model, target=target, runtime=runtime, settings=settings
    )
    session = session or OpenSession(transcript)
    session.pin(workspace)
    if endpoint_settings(llm, base_url, api_key).offline:
        return Planner(workspace, session=session)
    from .assistant import over_endpoint

    return over_endpoint(workspace, session, limits, llm=llm, base_url=base_url, api_key=api_key)


def ask(question: str, **choices: Any) -> Answer:
    """The answer to one question; `choices` as for `open_assistant`."""
    return open_assistant(**choices).ask(question)
