"""True answers: what the planner's templates say to a set of questions, with their references, and the records."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from edgewright.agent.planner import Planner, planner
from edgewright.agent.references import RenderedAnswer, render_template
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
        kept.append(Answered("\n".join(questions), text, rendered, list(records)))
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
