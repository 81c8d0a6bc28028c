from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from edgewright.agent.offline.calls import Call
from edgewright.agent.offline.followups import understood
from edgewright.agent.offline.plan import plan_for
from edgewright.agent.offline.turns import Turn

CASES: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("offline_questions.yaml").read_text())
CONVERSATIONS = [case.get("turns", [case]) for case in CASES]


def is_value(given: Any, wanted: Any) -> bool:
    if isinstance(wanted, int | float) and isinstance(given, int | float):
        return given == pytest.approx(wanted)
    return bool(given == wanted)


def asks_for(calls: Sequence[Call], tool: str, wanted: Mapping[str, Any]) -> bool:
    made = [call.arguments for call in calls if call.tool == tool]
    every = [
        (key, value) for key, told in wanted.items() for value in (told if isinstance(told, list) else [told])
    ]
    return bool(made) and all(any(is_value(args.get(key), value) for args in made) for key, value in every)


@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=lambda turns: turns[0]["q"][:60])
def test_question_leads_to_the_calls_that_answer_it(conversation: list[dict[str, Any]]) -> None:
    turns: list[Turn] = []
    for asked in conversation:
        pinned = {key: asked.get(key) for key in ("model", "target", "runtime")}
        turns.append(Turn(asked["q"], pinned))
        plan = plan_for(understood(turns))
        turns[-1].arguments = [call.arguments for call in plan.calls]
        if "says" in asked:
            wanted = asked["says"] if isinstance(asked["says"], list) else [asked["says"]]
            assert plan.calls == ()
            assert any(words in plan.reply for words in wanted), plan.reply
        for tool, arguments in asked.get("calls", {}).items():
            assert asks_for(plan.calls, tool, arguments), (asked["q"], plan)


def test_more_than_sixty_questions_are_asked() -> None:
    assert sum(len(turns) for turns in CONVERSATIONS) > 300
