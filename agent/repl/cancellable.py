"""An assistant whose chat model can be stopped in the middle of its reply."""

from __future__ import annotations

from langchain_core.language_models import BaseChatModel

from ..assistant import Assistant
from ..sessions.session import OpenSession
from ..workspace import Workspace
from .cancel import CancelAtNextToken


def cancellable(
    model: BaseChatModel, name: str, workspace: Workspace, session: OpenSession
) -> tuple[Assistant, CancelAtNextToken]:
    cancel = CancelAtNextToken()
    model = model.model_copy(update={"callbacks": [cancel]})
    return Assistant(model, workspace, llm_name=name, session=session), cancel
