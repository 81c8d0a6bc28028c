"""True answers: what the planner's templates say to a set of questions, with their references, and the records."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from unittest.mock import patch

from edgewright.agent.planner import Planner, planner
from edgewright.agent.references import RenderedAnswer, render_template, results_of
from edgewright.agent.references.literals import Given
from edgewright.agent.references.review import review_against
from edgewright.agent.workspace import Workspace
from edgewright.hardware_db.errors import EdgewrightError

from .cases import Case
from .workplace import prepare

Records = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Answered:
    question: str
    written: str
    """With its references."""
    rendered: RenderedAnswer
    records: Records
    given: Given
    """What its numbers may stand on; answers to one question share it."""

    def marked(self, text: str) -> Counter[str]:
        """What is marked of another answer to the question."""
        return Counter(review_against(self.given, text, self.records).marked)

    @cached_property
    def marked_as_written(self) -> Counter[str]:
        return self.marked(self.written)

    @cached_property
    def marked_as_rendered(self) -> Counter[str]:
        return self.marked(self.rendered.text)


def answered(cases: Sequence[Case], models: Path | None = None) -> Iterator[Answered]:
    """The last answer of each conversation that the planner can hold and that has figures."""
    with tempfile.TemporaryDirectory(prefix="edgewright-answers-") as folder:
        for case in cases:
            found = _last(case, Path(folder), models)
            if found is not None and found.rendered.numbers:
                yield found


def _last(case: Case, folder: Path, models: Path | None) -> Answered | None:
    kept: list[Answered] = []
    questions = [turn.question for turn in case.turns]

    def keep(text: str, records: Records) -> RenderedAnswer:
        rendered = render_template(text, records)
        question = "\n".join(questions)
        given = Given(results_of(records), question)
        kept.append(Answered(question, text, rendered, list(records), given))
        return rendered

    try:
        prepare(case, folder, models)
        context = case.context
        workspace = Workspace(folder, model=context.model, target=context.target, runtime=context.runtime)
        talk = Planner(workspace)
        with patch.object(planner, "render_template", keep):
            for question in questions:
                talk.ask(question)
    except EdgewrightError:
        return None
    return kept[-1] if kept else None
