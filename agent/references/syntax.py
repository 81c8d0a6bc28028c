"""What may stand between the braces of a reference: paths, numbers, + - * /, brackets, sum, min, max, count.

r1.checks[ram].demand                  a path: the id of a call, and what to take of its result
r2.latency_ms/r1.latency_ms            relations; 1h/r1.latency_ms with a unit on the number
sum(r2.layers[0,2,4].latency_ms)       several rows, [*] all of them
"""

from __future__ import annotations

import functools
import re
from typing import TypeAlias

from ...hardware_db.errors import InputError
from ...tools.core.records import dataclass
from ..patterns import compiled

LONGEST = 300
"""Characters of an expression."""
_DEEPEST = 12
"""Brackets in brackets, and signs in a row."""
FUNCTIONS = frozenset({"sum", "min", "max", "count", "ceil", "floor"})


class ReferenceSyntaxError(InputError):
    """An expression that cannot be read."""


@dataclass(frozen=True)
class Number:
    value: float
    unit: str


@dataclass(frozen=True)
class Path:
    record: str
    """Id of the call."""
    path: str


@dataclass(frozen=True)
class Operation:
    sign: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Function:
    name: str
    arguments: tuple[Node, ...]


Node: TypeAlias = Number | Path | Operation | Function

_TOKEN = compiled(
    r"\s*(?:(?P<path>r[0-9]{1,9}(?:\.[A-Za-z_]\w*|\[[^\[\]]*\])+)"
    r"|(?P<number>[0-9]+(?:\.[0-9]+)?(?:[eE][0-9]{1,2})?)[ ]?(?P<unit>[A-Za-zµ]+(?:/s)?(?![\w(.\[]))?"
    r"|(?P<function>[a-z]+)(?=\s*\()|(?P<sign>[-+*/(),])|(?P<wrong>\S))",
    re.ASCII,
)
_MATHS = str.maketrans({"×": "*", "·": "*", "÷": "/", "−": "-", "–": "-"})


@functools.lru_cache(maxsize=4096)
def parsed(expression: str) -> Node:
    """The expression as a tree.

    Raises:
        ReferenceSyntaxError: not one, too long or too deep.
    """
    if len(expression) > LONGEST:
        raise ReferenceSyntaxError(f"A reference is at most {LONGEST} characters long.")
    reader = _Reader(expression)
    node = reader.sum()
    if reader.at < len(reader.tokens):
        raise reader.error()
    return node


class _Reader:
    def __init__(self, expression: str) -> None:
        self.expression = expression
        self.tokens = [m for m in _TOKEN.finditer(_plain(expression)) if m[0].strip()]
        self.at = 0
        self._depth = 0

    def sum(self) -> Node:
        node = self._product()
        while (sign := self._sign()) in ("+", "-"):
            self.at += 1
            node = Operation(sign, node, self._product())
        return node

    def error(self) -> ReferenceSyntaxError:
        there = self.tokens[self.at][0].strip() if self.at < len(self.tokens) else "its end"
        return ReferenceSyntaxError(
            f"{self.expression!r} cannot be read at {there!r}.",
            hint="Write paths such as r1.checks[ram].demand, and + - * / between them.",
        )

    def _product(self) -> Node:
        node = self._atom()
        while (sign := self._sign()) in ("*", "/"):
            self.at += 1
            node = Operation(sign, node, self._atom())
        return node

    def _atom(self) -> Node:
        if self.at >= len(self.tokens) or self._depth > _DEEPEST:
            raise self.error()
        token = self.tokens[self.at]
        self.at += 1
        if token["path"]:
            return _path(token["path"])
        if token["number"]:
            return Number(float(token["number"]), token["unit"] or "")
        self._depth += 1
        try:
            if token["function"] in FUNCTIONS:
                self._take("(")
                return Function(token["function"], self._arguments())
            if token["sign"] == "-":
                return Operation("-", Number(0.0, ""), self._atom())
            if token["sign"] == "(":
                node = self.sum()
                self._take(")")
                return node
        finally:
            self._depth -= 1
        self.at -= 1
        raise self.error()

    def _arguments(self) -> tuple[Node, ...]:
        found = [self.sum()]
        while self._sign() == ",":
            self.at += 1
            found.append(self.sum())
        self._take(")")
        return tuple(found)

    def _take(self, sign: str) -> None:
        if self._sign() != sign:
            raise self.error()
        self.at += 1

    def _sign(self) -> str:
        return (self.tokens[self.at]["sign"] or "") if self.at < len(self.tokens) else ""


def _plain(expression: str) -> str:
    """With the signs of mathematics as ASCII has them, but for what stands in square brackets."""
    parts = re.split(r"(\[[^\[\]]*\])", expression)
    return "".join(part if part.startswith("[") else part.translate(_MATHS) for part in parts)


def _path(text: str) -> Path:
    record = re.match(r"r[0-9]+", text)
    assert record is not None
    return Path(record[0], text[record.end() :].removeprefix("."))
