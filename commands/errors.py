"""How a command ends that could not do what it was asked."""

from __future__ import annotations

import io
import sys
from typing import Any

from ..hardware_db.errors import EdgewrightError
from ..tools.core.sanitize import harmless, json_text

EXIT_INTERNAL, EXIT_INTERRUPTED = 1, 130


def end_of(error: Exception, *, as_json: bool) -> int:
    """The exit code of a command that ended so.

    Raises:
        Exception: the error itself, where it is nobody's but ours.
    """
    match error:
        case EdgewrightError():
            code, message, hint = error.exit_code, error.message, error.hint
            print(harmless(f"edgewright: {error}"), file=sys.stderr)
        case _ if hasattr(error, "format_message"):
            code, message, hint = _of_usage(error)
        case _:
            if as_json:
                say(EXIT_INTERNAL, f"{type(error).__name__}: {error}", "This is a bug, please report it.")
            raise error
    if as_json:
        say(code, message, hint)
    return code


def say(code: int, message: str, hint: str = "") -> None:
    """The document of an error; `code` is the exit code."""
    document = {"error": {"code": code, "message": message, "hint": hint}}
    print(json_text(document))


def _of_usage(error: Any) -> tuple[int, str, str]:
    """What Typer's parser found; it quotes words as they were given."""
    shown = io.StringIO()
    error.show(file=shown)
    print(harmless(shown.getvalue()), end="", file=sys.stderr)
    context = getattr(error, "ctx", None)
    hint = f"{context.command_path} --help lists the options." if context else ""
    return error.exit_code, error.format_message(), hint
