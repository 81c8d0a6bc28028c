"""The conversation: everything that knows about a language model. Heavy libraries load on first use."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .answer import Answer
    from .assistant import Assistant, RunLimits
    from .opening import ask, open_assistant
    from .references import RenderedAnswer
    from .references.grounding import GroundingReport, check_grounding, render_answer
    from .registry import TOOLS
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
    "GroundingReport": ".references.grounding",
    "RenderedAnswer": ".references",
    "RunLimits": ".assistant",
    "Transcript": ".sessions.transcript",
    "Workspace": ".workspace",
    "ask": ".opening",
    "check_grounding": ".references.grounding",
    "open_assistant": ".opening",
    "render_answer": ".references.grounding",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name], __name__), name)
