from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

import pytest
import yaml
from evaluation import HARD, HELD_OUT, QUESTIONS, evaluate, load_cases
from evaluation.cases import Turn
from evaluation.report import evaluation_text
from evaluation.scoring import Aspect, score

from edgewright.agent.answer import Answer, StopReason
from edgewright.agent.views import VIEWS
from edgewright.hardware_db.errors import InputError

EVERY = 4
"""One of so many conversations, so that the suite stays fast; `make eval` asks all."""
SHARED = Path(__file__).resolve().parents[3] / "shared" / "data" / "questions.yaml"


def answered(text: str, *calls: dict[str, Any], ungrounded: tuple[str, ...] = ()) -> Answer:
    made = [{"id": f"t{i}", "error": None, "arguments": {}, "result": {}, **c} for i, c in enumerate(calls)]
    return Answer.model_validate(
        {
            "answer": text, "verdicts": (), "tool_calls": made, "grounded": not ungrounded,
            "ungrounded": ungrounded, "llm": "test", "complete": True,
            "stop_reason": StopReason.ANSWERED, "usage": None,
        }
    )  # fmt: skip


def wrong(turn: dict[str, Any], answer: Answer) -> set[Aspect]:
    return {check.aspect for check in score(Turn.model_validate(turn), answer) if not check.passed}


def test_hundreds_of_questions_come_with_the_product_some_of_them_held_out() -> None:
    tuned, held_out = (*load_cases(QUESTIONS), *load_cases(HARD)), load_cases(HELD_OUT)
    assert len(tuned) >= 500
    assert len(held_out) >= 40
    ids = [case.id for case in (*tuned, *held_out)]
    assert len(set(ids)) == len(ids)
    known = {tool.name for tool in VIEWS}
    for case in (*tuned, *held_out):
        for turn in case.turns:
            assert {*(turn.expected.tools or ()), *turn.expected.accept} <= known


def test_nineteen_of_twenty_questions_are_answered_right_offline() -> None:
    report = evaluate([QUESTIONS], every=EVERY)
    scored = report.sets[0]
    assert scored.conversations.right >= 0.95 * scored.conversations.graded, evaluation_text(report)
    faithful = next(aspect for aspect in scored.aspects if aspect.name == Aspect.FAITHFULNESS)
    assert faithful.right == faithful.graded


@pytest.mark.parametrize(("path", "every", "share"), [(HARD, 12, 0.85), (HELD_OUT, 2, 0.75)])
def test_hard_and_unseen_questions_are_scored_apart(path: Path, every: int, share: float) -> None:
    report = evaluate([path], every=every)
    right = report.sets[0].conversations
    assert right.right >= share * right.graded, evaluation_text(report)
    assert evaluation_text(report).startswith(f"{path.stem}, answered by offline")


@pytest.mark.skipif(not SHARED.is_file(), reason=f"no example questions at {SHARED}")
def test_questions_of_others_can_be_read() -> None:
    cases = load_cases(SHARED)
    assert len(cases) >= 40
    report = evaluate([SHARED], only=["q003", "q031", "q035"])
    assert report.sets[0].conversations.right == 3


class TestScoring:
    turn: ClassVar = {
        "question": "?",
        "target": "a",
        "expected": {"tools": ["check"], "args": {"latency_ms": 50}},
    }

    def test_the_right_call_is_right(self) -> None:
        call = {"name": "check", "arguments": {"target": "a", "latency_ms": 50.0}}
        assert wrong(self.turn, answered("fine", call)) == set()

    def test_a_rate_is_its_deadline(self) -> None:
        call = {"name": "check", "arguments": {"target": "a", "rate_hz": 20}}
        assert wrong(self.turn, answered("fine", call)) == set()

    @pytest.mark.parametrize(
        ("call", "aspects"),
        [
            ({"name": "other", "arguments": {"target": "a", "latency_ms": 50}}, {Aspect.TOOLS}),
            ({"name": "check", "arguments": {"target": "a", "latency_ms": 5}}, {Aspect.ARGUMENTS}),
            ({"name": "check", "arguments": {"target": "b", "latency_ms": 50}}, {Aspect.TARGET}),
            (
                {"name": "check", "error": "no", "arguments": {"target": "a", "latency_ms": 50}},
                {Aspect.TOOLS},
            ),
        ],
    )
    def test_each_aspect_is_told_apart(self, call: dict[str, Any], aspects: set[Aspect]) -> None:
        assert wrong(self.turn, answered("fine", call)) == aspects

    def test_a_number_from_no_tool_is_not_faithful(self) -> None:
        call = {"name": "check", "arguments": {"target": "a", "latency_ms": 50}}
        assert wrong(self.turn, answered("7 ms", call, ungrounded=("7 ms",))) == {Aspect.FAITHFULNESS}

    def test_a_verdict_has_to_be_computed_and_told(self) -> None:
        turn = {"question": "?", "verdict": "FAIL"}
        assert wrong(turn, answered("FAIL")) == {Aspect.VERDICT}

    def test_a_call_where_none_was_right_is_no_refusal(self) -> None:
        turn = {"question": "?", "expected": {"tools": []}, "must": ["decline"]}
        assert wrong(turn, answered("I can't.")) == set()
        assert wrong(turn, answered("I can't.", {"name": "check"})) == {Aspect.REFUSAL}
        assert wrong(turn, answered("Sure!")) == {Aspect.REFUSAL}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("id: x", "no list"),
        ("- {id: x, kind: y}", "question"),
        ("- {id: x, kind: y, question: z, context: {files: {../../x: secret}}}", "without a folder"),
        ("- &a [*a]", "anchor"),
        ("- [", "YAML"),
    ],
)
def test_a_file_of_questions_that_is_none_is_refused_in_words(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "questions.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=told):
        load_cases(path)


def test_a_model_that_nobody_has_is_named(tmp_path: Path) -> None:
    case = {"id": "x", "kind": "fit", "question": "?", "context": {"model": "secret.tflite"}}
    path = tmp_path / "questions.yaml"
    path.write_text(yaml.safe_dump([case]))
    with pytest.raises(InputError, match=r"secret\.tflite"):
        evaluate([path])
