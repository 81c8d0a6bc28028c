"""Ask every question and score the answers."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from edgewright.agent.answer import Answer
from edgewright.agent.workspace import Workspace

from .cases import HARD, HELD_OUT, QUESTIONS, Case, Turn, load_cases
from .evaluation_report import EvaluationReport, Failure, Score, SetScore
from .scoring import Aspect, Check, score
from .workplace import prepare


class Talk(Protocol):
    def ask(self, question: str) -> Answer: ...


OpenTalk = Callable[[Workspace], Talk]


@dataclass(frozen=True)
class Asked:
    case: Case
    turn: Turn
    position: int
    """From 1."""
    answer: Answer
    checks: tuple[Check, ...]

    @property
    def right(self) -> bool:
        return all(check.passed for check in self.checks)


def evaluate(
    files: Sequence[Path] = (QUESTIONS, HARD, HELD_OUT),
    *,
    llm: str | None = "offline",
    only: Sequence[str] = (),
    models: Path | None = None,
    every: int = 1,
) -> EvaluationReport:
    """Score an LLM, or the offline planner, on files of questions.

    Args:
        files: each is scored apart.
        llm: `offline` or a model of the endpoint; None takes what the environment configures.
        only: ids or kinds of questions; empty asks all.
        models: folder with the real model files; without, those that are known are written.
        every: ask only one of so many conversations.

    Raises:
        InputError: a file of questions, or a model, that cannot be used.
        UsageError: an endpoint that is half configured.
        EndpointError: the endpoint failed.
    """
    name, opened = _talks(llm)
    with tempfile.TemporaryDirectory(prefix="edgewright-eval-") as folder:
        sets = [_set(path, load_cases(path, only)[::every], opened, Path(folder), models) for path in files]
    return EvaluationReport(llm=name, sets=tuple(sets))


def _talks(llm: str | None) -> tuple[str, OpenTalk]:
    if llm == "offline":
        from edgewright.agent.planner import Planner

        return "offline", Planner
    from edgewright.agent.assistant import Assistant
    from edgewright.agent.chat_models import chat_model

    chosen, name = chat_model(llm)
    return name, lambda workspace: Assistant(chosen, workspace, llm_name=name)


def _set(path: Path, cases: Sequence[Case], opened: OpenTalk, folder: Path, models: Path | None) -> SetScore:
    started = time.perf_counter()
    asked = [turn for case in cases for turn in _conversation(case, opened, folder, models)]
    return _summed(path.stem, asked, time.perf_counter() - started)


def _conversation(case: Case, opened: OpenTalk, folder: Path, models: Path | None) -> Iterable[Asked]:
    prepare(case, folder, models)
    context = case.context
    talk = opened(Workspace(folder, model=context.model, target=context.target, runtime=context.runtime))
    for position, turn in enumerate(case.turns, 1):
        answer = talk.ask(turn.question)
        yield Asked(case, turn, position, answer, tuple(score(turn, answer)))


def _summed(name: str, asked: Sequence[Asked], seconds: float) -> SetScore:
    right: dict[str, bool] = {}
    kinds: dict[str, str] = {}
    for one in asked:
        right[one.case.id] = right.get(one.case.id, True) and one.right
        kinds[one.case.id] = one.case.kind
    by_kind = {
        kind: [right[id_] for id_ in right if kinds[id_] == kind] for kind in dict.fromkeys(kinds.values())
    }
    checks = [check for one in asked for check in one.checks]
    by_aspect = {aspect: [c.passed for c in checks if c.aspect is aspect] for aspect in Aspect}
    return SetScore(
        name=name,
        conversations=_score("conversations", right.values()),
        turns=_score("turns", [one.right for one in asked]),
        follow_ups=_score("follow-ups", [one.right for one in asked if one.position > 1]),
        aspects=tuple(_score(aspect, passed) for aspect, passed in by_aspect.items() if passed),
        kinds=tuple(_score(kind, passed) for kind, passed in by_kind.items()),
        failures=tuple(_failure(one) for one in asked if not one.right),
        seconds=seconds,
    )


def _score(name: str, passed: Iterable[bool]) -> Score:
    told = list(passed)
    return Score(name=name, right=sum(told), graded=len(told))


def _failure(one: Asked) -> Failure:
    return Failure(
        id=one.case.id,
        turn=one.position,
        kind=one.case.kind,
        question=one.turn.question,
        reasons=tuple(f"{check.aspect}: {check.detail}" for check in one.checks if not check.passed),
        answer=one.answer.answer,
    )
