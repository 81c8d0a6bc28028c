"""What a language model is for, and which later one of its family stands in its place."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..model_zoo.language_model import LanguageModel

_SIZE = re.compile(r"-\d+x?\d*(?:\.\d+)?[bm](?=-|$)")
_VERSION = re.compile(r"-?(\d+(?:\.\d+)?)(?=-|$)")
_CODES = re.compile(r"cod(?:er?|es)|devstral")
_ALIKE = 1.2
"""Times as many parameters up to which one stands in another's place."""


def coding_name(model: LanguageModel) -> str:
    """The name under which a model of this shape was trained for code; empty where none was."""
    return next((name for name in (model.id, *model.aliases) if _CODES.search(name)), "")


def use_of(model: LanguageModel) -> str:
    """completion where it was not trained for instructions, code where for those alone, else chat."""
    if model.completes:
        return "completion"
    return "code" if coding_name(model) == model.id else "chat"


def later_than(model: LanguageModel, others: Iterable[LanguageModel]) -> str | None:
    """The latest of the same family, use and size: qwen3-14b for qwen2.5-14b."""
    family, version = _family(model.id)
    later = [
        (_family(other.id)[1], other.id)
        for other in others
        if _family(other.id)[0] == family
        and _family(other.id)[1] > version
        and use_of(other) == use_of(model)
        and max(other.parameters, model.parameters) <= _ALIKE * min(other.parameters, model.parameters)
        and max(other.active_parameters, model.active_parameters)
        <= _ALIKE * min(other.active_parameters, model.active_parameters)
    ]
    return max(later)[1] if later else None


def _family(name: str) -> tuple[str, tuple[float, ...]]:
    """What stays of a name without its size and version, and the version."""
    rest = _SIZE.sub("", name)
    return _VERSION.sub("", rest), tuple(map(float, _VERSION.findall(rest)))


_OF_TALK, _OF_SOURCES = 8192, 32768
"""Tokens that a chat keeps, and an assistant that reads source files."""


def suits(model: LanguageModel, use: str) -> bool:
    """Whether it was trained for a use, and for a context of use."""
    if use == "code":
        return bool(coding_name(model)) and not model.completes and model.context >= _OF_SOURCES
    return use_of(model) == use and model.context >= _OF_TALK
