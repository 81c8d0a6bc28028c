"""One way to put a sentence: figures are references, and a part in brackets goes where one is not known."""

from __future__ import annotations

import re

from ...patterns import compiled
from ..bench import Record

_TOKENS = compiled(r"(\{\{[^{}]*\}\}|[^{}\[\]]+)|\{([^{}]*)\}|([\[\]])")
_PATH = compiled(r"(?<![\w.#])[a-z_]\w*(?:\[[^\[\]]*\])?(?:\.[A-Za-z_]\w*(?:\[[^\[\]]*\])?)*(?![\w(])")

INTERVAL = compiled(r"\b(?:intervals?|pauses?|gaps?|apart|every how|period|time between)\b", re.I)
_A_DAY = r"\b(?:per|an?|each) day\b"
_RARELY = 0.05
"""Times in a second, minute, … below which a rate is counted in a longer time than the question does."""


def put(template: str, record: Record, **named: str | Record) -> str:
    """The template with what its braces stand for; empty where something outside of brackets is not known.

    `{latency_ms|ms~}` is a field of the record, or a calculation with its fields, shown in that unit;
    `{name}` a word of `named`, where an empty one is not known, and `{name.field}` a field of a record of it.
    `[, {share|%} of it]` is left out where something in it is not known.
    """
    parts: list[list[str | None]] = [[]]
    for words, field, bracket in _TOKENS.findall(template):
        if bracket == "[":
            parts.append([])
        elif bracket:
            inner = parts.pop()
            parts[-1].append("" if None in inner else "".join(filter(None, inner)))
        else:
            parts[-1].append(words or _shown(field, record, named))
    return "" if None in parts[0] else "".join(filter(None, parts[0]))


_SECONDS = {"second": ("/s", 1.0), "minute": ("/min", 60.0), "hour": ("/h", 3600.0)}


def how_often(question: str, hertz: float, expression: str) -> str:
    """A template of a rate as the question counts it; else by the least time in which it happens once."""
    if INTERVAL.search(question):
        return f"One every {{1/({expression})|s~}}"
    asked = [unit for unit in _SECONDS if re.search(rf"\b(?:per|an?|each) {unit}\b", question, re.I)]
    for unit in (*asked, *_SECONDS):
        shown, seconds = _SECONDS[unit]
        if hertz * seconds >= (_RARELY if unit in asked else 1.0) and not re.search(_A_DAY, question, re.I):
            return f"{{{expression}|{shown}~}}"
    return f"{{24h*{expression}|count~}} a day"


def _shown(field: str, record: Record, named: dict[str, str | Record]) -> str | None:
    expression, bar, unit = field.partition("|")
    word = named.get(expression)
    if isinstance(word, str):
        return word or None
    known = True

    def reference(match: re.Match[str]) -> str:
        nonlocal known
        first, _, rest = match[0].partition(".")
        of = named.get(first)
        one, path = (of, rest) if isinstance(of, Record) else (record, match[0])
        known = known and one.knows(path)
        return f"{one.id}.{path}"

    shown = _PATH.sub(reference, expression)
    return f"{{{{{shown}{bar}{unit}}}}}" if known else None
