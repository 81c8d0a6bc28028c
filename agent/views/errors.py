"""What the model reads where a call failed: why, which names it may have meant, what next."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Any

from pydantic import ValidationError

from ...hardware_db.errors import EdgewrightError, UnknownNameError, nearest
from ..workspace import cleaned_name
from .given import Demands

_OPTION = re.compile(r"--([a-z][a-z-]*)")
_FIELDS = {"sleep_ua": "sleep_current", "battery_mah": "battery", "battery_v": "battery"}
_FIELD = re.compile(rf"\b({'|'.join(_FIELDS)})\b")
"""Argument of a function → of a view."""
_COMMANDS = {
    "edgewright models list": "look_up with kind models",
    "edgewright targets list": "look_up with kind targets",
    "edgewright runtimes list": "look_up with kind runtimes",
    "edgewright inspect": "inspect_model",
    "edgewright optimize": "improve",
}
"""Command → view that does the same."""
_COMMAND = re.compile(r"`(edgewright [^`]*)`")
_SENTENCE = re.compile(r"(?<=[.;])\s+")
_NAMES = {
    "max-latency": "limits.latency", "min-rate": "limits.rate", "max-ram": "limits.ram",
    "max-flash": "limits.flash", "max-energy": "limits.energy", "max-power": "limits.power",
    "max-price": "limits.price", "sleep-ua": "sleep_current", "technique": "change", "rate": "every",
}  # fmt: skip
"""Option of the command line → argument of a view, where it is not the same word."""


def error_text(tool: str, error: Exception, known: Collection[str] = ()) -> str:
    """The failure as JSON. `known`: names of the arguments of the view that failed."""
    said: dict[str, Any] = {"type": type(error).__name__, "message": str(error)}
    match error:
        case ValidationError():
            said = {"type": "ArgumentsError", "message": what_is_wrong(error, known)}
        case UnknownNameError():
            said |= {"message": error.message, "hint": _in_arguments(error.hint)}
            said |= {"candidates": list(error.candidates[:12])}
        case EdgewrightError():
            said |= {"message": _in_arguments(error.message), "hint": _in_arguments(error.hint)}
    return json.dumps({"tool": tool, "error": said}, ensure_ascii=False)


def what_is_wrong(error: ValidationError, known: Collection[str] = ()) -> str:
    """Each wrong argument with the reason; a name that the model made up is cleaned, a value not repeated."""
    return "; ".join(_wrong(dict(item), known) for item in error.errors(include_url=False))


def _wrong(item: dict[str, Any], known: Collection[str]) -> str:
    where = cleaned_name(".".join(map(str, item["loc"])))
    if item["type"] != "extra_forbidden":
        return f"{where}: {item['msg']}"
    inside = len(item["loc"]) > 1
    there = _limits() if inside else known
    close = nearest(where.rpartition(".")[2], there)
    meant = f"; perhaps {close[0]}" if close else ""
    return f"there is no argument {where}{meant}; there are: {', '.join(there)}" if there else f"no {where}"


def _limits() -> Collection[str]:
    return tuple(Demands.model_fields)


def _in_arguments(hint: str) -> str:
    """A hint of the command line in words of the view; a sentence on what only a command has is left out."""
    kept = []
    for sentence in _SENTENCE.split(hint):
        options = _OPTION.findall(sentence)
        unknown = [words for words in _COMMAND.findall(sentence) if words not in _COMMANDS]
        if unknown or {"force", "resume", "budget", "search", "changes", "workers", "output"} & set(options):
            continue
        spoken = _COMMAND.sub(lambda found: _COMMANDS[found[1]], sentence)
        spoken = _FIELD.sub(lambda found: _FIELDS[found[1]], spoken)
        kept.append(_OPTION.sub(lambda found: _NAMES.get(found[1], found[1].replace("-", "_")), spoken))
    return " ".join(kept)
