"""Scores of an evaluation."""

from __future__ import annotations

from edgewright.tools.core.quantity import Result
from edgewright.tools.core.render.table import pipe_table


class Score(Result):
    """How many of those graded are right."""

    name: str
    right: int
    graded: int

    @property
    def share(self) -> str:
        return f"{100 * self.right / self.graded:.1f} %" if self.graded else "-"


class Failure(Result):
    """A turn that is not right, and why."""

    id: str
    turn: int
    kind: str
    question: str
    reasons: tuple[str, ...]
    answer: str


class SetScore(Result):
    """One file of questions. A conversation is right where each of its turns is."""

    name: str
    conversations: Score
    turns: Score
    follow_ups: Score
    """The turns that rely on those before."""
    aspects: tuple[Score, ...]
    kinds: tuple[Score, ...]
    """Conversations of each kind."""
    failures: tuple[Failure, ...]
    seconds: float


class EvaluationReport(Result):
    schema_version: str = "1.0"
    llm: str
    sets: tuple[SetScore, ...]

    @property
    def worst_share(self) -> float:
        """Of the sets, the lowest share of conversations that are right."""
        return min(part.conversations.right / part.conversations.graded for part in self.sets)


_LONGEST = 110


def evaluation_text(report: EvaluationReport) -> str:
    return "\n\n".join(part for scored in report.sets for part in _set_text(scored, report.llm))


def _set_text(scored: SetScore, llm: str) -> list[str]:
    whole = scored.conversations
    head = (
        f"{scored.name}, answered by {llm}: {whole.right} of {whole.graded} conversations right "
        f"({whole.share}), in {scored.seconds:.1f} s"
    )
    rows = [(s.name, str(s.right), str(s.graded), s.share) for s in (scored.turns, scored.follow_ups)]
    rows += [(s.name, str(s.right), str(s.graded), s.share) for s in scored.aspects]
    kinds = [(s.name, str(s.right), str(s.graded), s.share) for s in scored.kinds]
    columns = ("Right", "Of", "Share")
    told = [head, pipe_table(("Scored for", *columns), rows), pipe_table(("Kind", *columns), kinds)]
    return [*told, _failures(scored.failures)] if scored.failures else told


def _failures(failures: tuple[Failure, ...]) -> str:
    lines = ["Not right:"]
    for failure in failures:
        turn = f" turn {failure.turn}" if failure.turn > 1 else ""
        question = " ".join(failure.question.split())
        lines.append(f"- {failure.id}{turn} ({failure.kind}): {question[:_LONGEST]}")
        lines += [f"    {reason}" for reason in failure.reasons]
    return "\n".join(lines)
