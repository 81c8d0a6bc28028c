"""Views as tools of LangChain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..answer import ToolCallRecord
from ..concise import shown
from ..workspace import Workspace
from .errors import error_text
from .view import View

if TYPE_CHECKING:
    from langchain_core.tools import StructuredTool


def as_langchain_tools(views: Sequence[View], workspace: Workspace) -> list[StructuredTool]:
    """Tools whose content is short text for the model and whose artifact is the list of records."""
    return [_as_langchain_tool(view, workspace) for view in views]


def _as_langchain_tool(view: View, workspace: Workspace) -> StructuredTool:
    from langchain_core.tools import StructuredTool

    def run(**arguments: Any) -> tuple[str, list[ToolCallRecord]]:
        records = view.call(arguments, workspace)
        return shown(records, full=arguments.get("detail") == "full"), records

    return StructuredTool(
        name=view.name,
        description=view.description,
        # A dictionary: of a class, LangGraph would take the field `runtime` for its own and overwrite it.
        args_schema=view.schema,
        func=run,
        response_format="content_and_artifact",
        handle_validation_error=lambda error: error_text(
            view.name, error, tuple(view.arguments.model_fields)
        ),
    )
