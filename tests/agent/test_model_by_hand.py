"""Eighty questions with the replies of a capable model, over real HTTP: what it is sent, and what comes out."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from edgewright.agent.answer import Answer
from edgewright.agent.assistant import Assistant
from edgewright.agent.chat_models import chat_model
from edgewright.agent.tokens import estimated_tokens
from edgewright.agent.workspace import Workspace
from stubs.model_by_hand import Answered, answered
from stubs.openai_server import OpenAIServer
from stubs.traces import events

MOST_MARKED = 2
"""True answers that the check of subjects marks: to become fewer, never more."""
NOT_KNOWN = ("STM32H999", "mobilenet_v9")


@dataclass(frozen=True)
class Replayed:
    case: Answered
    answer: Answer
    requests: list[dict[str, Any]]

    @property
    def results(self) -> list[str]:
        return [m["content"] for m in self.requests[-1]["messages"] if m["role"] == "tool"]


@pytest.fixture(scope="module")
def replayed(tmp_path_factory: pytest.TempPathFactory) -> list[Replayed]:
    folder = tmp_path_factory.mktemp("by_hand")
    (folder / "kws.csv").write_text(events())
    return list(_replayed(folder))


def _replayed(folder: Path) -> Iterator[Replayed]:
    for case in answered():
        with OpenAIServer(case.replies) as server:
            model, name = chat_model("by-hand", server.base_url, max_retries=0)
            answer = Assistant(model, Workspace(folder), llm_name=name).ask(case.question)
            yield Replayed(case, answer, server.bodies)


def test_there_are_eighty_questions_of_eight_kinds() -> None:
    cases = answered()
    assert len(cases) >= 80
    assert len({case.kind for case in cases}) == 8


def test_every_call_gives_a_result_but_those_of_what_nobody_knows(replayed: list[Replayed]) -> None:
    for one in replayed:
        known = not any(name in one.case.question for name in NOT_KNOWN)
        failed = [call["error"] for call in one.answer.tool_calls if call["result"] is None]
        assert not failed or not known, (one.case.question, failed)


def test_every_reference_of_the_answers_leads_to_a_figure(replayed: list[Replayed]) -> None:
    for one in replayed:
        assert "[?]" not in one.answer.answer, one.case.question
        assert "{{" not in one.answer.answer, one.case.question


def test_true_answers_are_marked_ever_less_often(replayed: list[Replayed]) -> None:
    marked = [one.case.question for one in replayed if one.answer.marked]
    assert len(marked) <= MOST_MARKED, marked


def test_answers_are_short(replayed: list[Replayed]) -> None:
    words = [len(one.answer.answer.split()) for one in replayed if "code" not in one.case.question]
    assert statistics.median(words) <= 80
    assert max(words) <= 120


def test_what_a_question_costs_fits_a_small_context(replayed: list[Replayed]) -> None:
    results = [estimated_tokens(text) for one in replayed for text in one.results]
    assert statistics.median(results) <= 700
    assert max(results) <= 4_000
    whole = [estimated_tokens(json.dumps(one.requests[-1], ensure_ascii=False)) for one in replayed]
    assert max(whole) <= 16_000
