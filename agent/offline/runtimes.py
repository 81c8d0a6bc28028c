"""Which runtimes a question speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ...hardware_db import Mention, find_runtime_names, resolve_target
from ...hardware_db.errors import EdgewrightError

_NETWORK_WORD = re.compile(r"\s*(?:model|net|network|file|checkpoint|graph|export)s?\b", re.IGNORECASE)
_REFERENCE = re.compile(r"\breference\b", re.IGNORECASE)


def runtimes_named(
    text: str, target: str | None = None, hardware: Iterable[str] = ()
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Runtimes of a sentence, and the sentences that say what a misspelt one was taken for.

    A family such as TFLM counts as the usual one of its members on the target. `hardware` are the words that
    name targets: no runtime stands in them.
    """
    hardware = tuple(hardware)
    mentions = [
        mention
        for mention in find_runtime_names(text)
        if not any(mention.text in name or name in mention.text for name in hardware)
        and not _names_a_model(text, mention, target)
    ]
    chosen = [m.meaning for m in mentions if m.exact and isinstance(m.meaning, str)]
    notes: list[str] = []
    for mention in mentions:
        if isinstance(mention.meaning, str) or any(name in mention.meaning for name in chosen):
            continue
        taken = _member(mention, text, target)
        if taken and not mention.exact:
            notes.append(f"I took {mention.text} to be {taken}.")
        chosen += [taken] if taken else []
    return tuple(dict.fromkeys(chosen)), tuple(notes)


def _names_a_model(text: str, mention: Mention, target: str | None) -> bool:
    """A PyTorch model is no runtime."""
    end = text.find(mention.text) + len(mention.text)
    return _NETWORK_WORD.match(text, end) is not None and mention.meaning not in _runtimes_of(target)


def _member(mention: Mention, text: str, target: str | None) -> str:
    """The member or nearest name that the target has; the first where no target is known."""
    candidates: Sequence[str] = mention.meaning
    if mention.exact and _REFERENCE.search(text):
        return next((name for name in candidates if "reference" in name), "")
    fallback = candidates[0] if mention.exact or target is None else ""
    return next((name for name in _runtimes_of(target) if name in candidates), fallback)


def _runtimes_of(target: str | None) -> tuple[str, ...]:
    if target is None:
        return ()
    try:
        return resolve_target(target).runtimes
    except EdgewrightError:
        return ()
