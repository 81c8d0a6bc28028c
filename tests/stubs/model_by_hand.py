"""A chat model whose replies stand in a file: whoever can write sentences can be it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from .openai_server import Reply, text, tool_call

FILE = Path(__file__).parents[1] / "agent" / "by_hand.yaml"


@dataclass(frozen=True)
class Answered:
    """A question, the rounds of calls that were made for it, and what was written."""

    kind: str
    question: str
    calls: list[list[dict[str, dict[str, Any]]]]
    answer: str
    again: str = ""

    @property
    def replies(self) -> list[Reply]:
        """As a server sends them; the last once more, for where the first cannot stand."""
        rounds = [_round(calls, f"c{number}") for number, calls in enumerate(self.calls)]
        return [*rounds, text(self.answer), text(self.again or self.answer)]


@cache
def answered() -> list[Answered]:
    return [Answered(**row) for row in yaml.safe_load(FILE.read_text(encoding="utf-8"))]


def _round(calls: list[dict[str, dict[str, Any]]], name: str) -> Reply:
    deltas: list[dict[str, Any]] = []
    for index, call in enumerate(calls):
        ((view, arguments),) = call.items()
        for delta in tool_call(view, arguments, f"{name}_{index}").deltas:
            deltas.append({"tool_calls": [{**part, "index": index} for part in delta["tool_calls"]]})
    return Reply(deltas, finish="tool_calls")
