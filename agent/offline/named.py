"""What a question names, before it is known what it wants."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...hardware_db import find_runtime_names
from .hardware import HardwareNamed, targets_named
from .intent_features import Names
from .languages import NOTE, in_english
from .models import ModelMention, model_mentions
from .runtimes import runtimes_named
from .turns import LONGEST_QUESTION
from .typos import mended

_CUT = "The question is long: I read only its beginning."
_LETTER_O = re.compile(r"(?<=\d)[oO]+(?=\d|\b)")


@dataclass(frozen=True)
class Earlier:
    """What the turns before spoke of."""

    models: Sequence[str] = ()
    targets: Sequence[str] = ()


@dataclass(frozen=True)
class Said:
    question: str
    """In English."""
    models: Sequence[ModelMention]
    hardware: HardwareNamed
    runtimes: tuple[str, ...]
    names: Names
    read_as: tuple[str, ...]
    """How the question itself was read."""
    runtime_notes: tuple[str, ...]


def names_in(
    question: str, pinned: Mapping[str, Any], earlier: Earlier | None = None, *, company: Sequence[str] = ()
) -> Said:
    """`company`: the targets of the conversation, where the question goes on about them."""
    read_as = [_CUT] if len(question) >= LONGEST_QUESTION else []
    question, foreign = in_english(question)
    read_as += [NOTE] if foreign else []
    question, zeros = _with_zeros(question)
    question = mended(question)
    models = model_mentions(question)
    texts = [mention.text for mention in models]
    libraries = [mention.text for mention in find_runtime_names(question)]
    hardware = targets_named(question, pinned.get("target"), ignored=[*texts, *libraries], company=company)
    target = hardware.targets[0] if hardware.targets else pinned.get("target")
    runtimes, runtime_notes = runtimes_named(question, target, hardware.texts)
    spoken_of = earlier or Earlier()
    names = Names(
        models=texts,
        targets=hardware.texts,
        runtimes=[text for text in libraries if text not in hardware.texts],
        pinned_model=bool(pinned.get("model") or spoken_of.models),
        pinned_target=bool(pinned.get("target") or spoken_of.targets),
        in_conversation=earlier is not None,
    )
    return Said(question, models, hardware, runtimes, names, (*read_as, *zeros), runtime_notes)


def _with_zeros(question: str) -> tuple[str, tuple[str, ...]]:
    """A1OO is A100."""
    fixed = _LETTER_O.sub(lambda match: "0" * len(match[0]), question)
    names = [word for word in question.split() if _LETTER_O.search(word)]
    return fixed, tuple(f"I read the letter O in {name.strip('?.,!')} as a zero." for name in names)
