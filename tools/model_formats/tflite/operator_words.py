"""Names of operators as people write them: `Conv2D`, `depthwise conv`, `avg pool`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping

from .schema import enumeration

OperatorPattern = tuple[re.Pattern[str], str]
"""What a name is written like, and the name."""
_SEPARATOR = r"[\s_-]?"
_NOT_ASKED = ("PLACEHOLDER", "STABLEHLO", "CONCAT_EMBEDDINGS", "LSTM", "RNN")


def named_operators(text: str, patterns: Iterable[OperatorPattern]) -> tuple[str, ...]:
    """Those that the text names, in its order."""
    found = list[tuple[int, str]]()
    for pattern, name in patterns:
        for match in pattern.finditer(text):
            found.append((match.start(), name))
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    return tuple(dict.fromkeys(name for _, name in sorted(found)))


def operator_patterns(also: Mapping[str, str], english: Collection[str]) -> tuple[OperatorPattern, ...]:
    """Of all built-in operators, the longest names first.

    Args:
        also: what people call one, and its name.
        english: names that are words too, which are operators in capitals alone.
    """
    builtin = (name for name in enumeration("BuiltinOperator").values() if not name.startswith(_NOT_ASKED))
    names = {**{name: name for name in builtin}, **also}
    names |= {"lstm": "UNIDIRECTIONAL_SEQUENCE_LSTM", "rnn": "UNIDIRECTIONAL_SEQUENCE_RNN"}
    return tuple((_pattern(name, english), names[name]) for name in sorted(names, key=len, reverse=True))


def _pattern(name: str, english: Collection[str]) -> re.Pattern[str]:
    if name in english:
        return re.compile(rf"(?<![\w+]){name}(?!\w)")
    words = re.split(r"[_ ]", name.casefold())
    words = words[:-1] if words[-1] == "2d" and len(words) > 1 else words
    body = _SEPARATOR.join("av(?:era)?ge?" if word == "average" else re.escape(word) for word in words)
    ends = rf"(?:{_SEPARATOR}2d)?(?:s|ing|olutions?|ali[sz]ation)?(?!\w)"
    return re.compile(rf"(?<![\w+])(?:add{_SEPARATOR})?{body}{ends}", re.IGNORECASE)
