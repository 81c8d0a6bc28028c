"""Stops a chat model in the middle of its reply."""

from __future__ import annotations

import threading
from typing import Any

from langchain_core.callbacks import BaseCallbackHandler
from typing_extensions import override


class TurnStoppedError(BaseException):
    """The user stopped the turn. No Exception, so that nothing retries it or logs it on its way out."""


class CancelAtNextToken(BaseCallbackHandler):
    """Raises in the model's thread with the next token or call, so that the connection is closed then."""

    raise_error = True
    run_inline = True

    def __init__(self) -> None:
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        self._cancelled.set()

    @override
    def on_llm_new_token(self, *_: Any, **__: Any) -> None:
        self._check()

    @override
    def on_chat_model_start(self, *_: Any, **__: Any) -> None:
        self._check()

    def _check(self) -> None:
        if self._cancelled.is_set():
            raise TurnStoppedError("stopped by the user")
