"""How often the check of references marks or labels true answers that others wrote, and shows two exchanged ones.

`python -m tests.evaluation.marks [FILE…]` replays the answers in `answers` with the calls that were made for them.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import yaml

from edgewright.agent.assistant import Assistant
from edgewright.agent.chat_models import chat_model
from edgewright.agent.references import render_template, results_of
from edgewright.agent.references.literals import Given
from edgewright.agent.references.review import review_against
from edgewright.agent.workspace import Workspace
from edgewright.tools import parse_model
from edgewright.tools.model_formats.writer.save import save_tflite

from .answered import Answered
from .mutated import Seen, seen_of, swapped

sys.path.insert(0, str(Path(__file__).parents[1]))
from stubs.model_by_hand import Answered as Replies
from stubs.openai_server import OpenAIServer

FOLDER = Path(__file__).with_name("answers")
MODELS = ("kws", "vww", "ic", "ad")


@dataclass
class Marks:
    """Counts of one file."""

    references: int = 0
    marked: int = 0
    """References of true answers with a mark."""
    labelled: int = 0
    """Those with their subject behind them."""
    own_numbers: int = 0
    """Numbers beside them with a mark."""
    answers: int = 0
    asked_back: int = 0
    swaps: int = 0
    """Exchanges of figures of two subjects."""
    missed: int = 0
    """Of these, without a mark and with neither of the two named."""
    half: int = 0
    """With one of the two neither marked nor named."""
    fields: int = 0
    """Exchanges of figures of one subject."""
    found: int = 0
    """Of these, with a mark."""

    def __add__(self, other: Marks) -> Marks:
        return Marks(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(self)))

    def __str__(self) -> str:
        return (
            f"{self.references} references, marked {self.marked / self.references:.1%}, labelled "
            f"{self.labelled / self.references:.1%}, own numbers marked {self.own_numbers}; {self.answers} answers, "
            f"asked back {self.asked_back / self.answers:.0%}; exchanged subjects missed "
            f"{self.missed / max(1, self.swaps):.1%} of {self.swaps} (one of the two bare "
            f"{self.half / max(1, self.swaps):.1%}), exchanged fields found {self.found / max(1, self.fields):.0%} "
            f"of {self.fields}"
        )


def marks(answers: Iterable[Answered]) -> Marks:
    counted, chance = Marks(), random.Random(1)
    for answer in answers:
        seen = review_against(answer.given, answer.written, answer.records)
        references = {hole.start for hole in seen.filled.holes}
        failed = {error.start for error in seen.filled.errors}
        wrong = [problem for problem in seen.problems if problem.start not in failed]
        counted.answers += 1
        counted.asked_back += bool(wrong)
        counted.references += len(references)
        counted.labelled += len(seen.named)
        counted.marked += sum(problem.start in references for problem in wrong)
        counted.own_numbers += sum(problem.start not in references for problem in wrong)
        for swap in swapped(answer, chance):
            _count(counted, seen_of(answer, swap))
    return counted


def _count(counted: Marks, seen: Seen) -> None:
    if seen.of_two_subjects:
        counted.swaps += 1
        counted.missed += not seen.is_visible
        counted.half += seen.bare > 0
    else:
        counted.fields += 1
        counted.found += seen.marked


def answered_in(file: Path) -> list[Answered]:
    """The answers of a file that are written, with what was calculated for them."""
    rows = [row for row in yaml.safe_load(file.read_text(encoding="utf-8")) if row.get("answer")]
    with tempfile.TemporaryDirectory(prefix="edgewright-marks-") as folder:
        os.environ["XDG_CONFIG_HOME"] = folder  # what an answer calibrates stays here
        for name in MODELS:
            save_tflite(parse_model(f"{name}:int8"), Path(folder) / f"{name}.tflite")
        return [_answered(row, Path(folder)) for row in rows]


def _answered(row: dict[str, Any], folder: Path) -> Answered:
    replies = Replies(row.get("kind", ""), row["question"], row.get("calls", []), row["answer"])
    with OpenAIServer(replies.replies) as server:
        model, name = chat_model("by-hand", server.base_url, max_retries=0)
        answer = Assistant(model, Workspace(folder), llm_name=name).ask(replies.question)
    records = list(answer.tool_calls)
    given = Given(results_of(records), replies.question)
    return Answered(
        replies.question, replies.answer, render_template(replies.answer, records), records, given
    )


def main(arguments: list[str]) -> None:
    files = [Path(name) for name in arguments] or sorted(FOLDER.glob("*.yaml"))
    counted = {file.stem: marks(answered_in(file)) for file in files}
    for name, each in counted.items():
        print(f"{name}: {each}")
    print(f"all: {sum(counted.values(), Marks())}")


if __name__ == "__main__":
    main(sys.argv[1:])
