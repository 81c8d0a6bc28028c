"""How often the check of references marks true answers that others wrote, and finds two exchanged ones.

`python -m tests.evaluation.marks [FILE…]` replays the answers in `answers` with the calls that were made for them.
"""

from __future__ import annotations

import os
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
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
from .mutated import swapped

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
    own_numbers: int = 0
    """Numbers beside them with a mark."""
    answers: int = 0
    asked_back: int = 0
    swaps: int = 0
    found: int = 0

    def __str__(self) -> str:
        return (
            f"{self.references} references, marked {self.marked / self.references:.1%}, own numbers marked "
            f"{self.own_numbers}; {self.answers} answers, asked back {self.asked_back / self.answers:.0%}; "
            f"exchanged references found {self.found / max(1, self.swaps):.0%} of {self.swaps}"
        )


def marks(rows: list[dict[str, Any]], folder: Path) -> Marks:
    counted, chance = Marks(), random.Random(1)
    for answer in _answered(rows, folder):
        seen = review_against(answer.given, answer.written, answer.records)
        references = {hole.start for hole in seen.filled.holes}
        failed = {error.start for error in seen.filled.errors}
        wrong = [problem for problem in seen.problems if problem.start not in failed]
        counted.answers += 1
        counted.asked_back += bool(wrong)
        counted.references += len(references)
        counted.marked += sum(problem.start in references for problem in wrong)
        counted.own_numbers += sum(problem.start not in references for problem in wrong)
        before = Counter(seen.marked)
        for text in swapped(answer, chance):
            counted.swaps += 1
            counted.found += bool(answer.marked(text) - before)
    return counted


def _answered(rows: list[dict[str, Any]], folder: Path) -> Iterator[Answered]:
    for row in rows:
        replies = Replies(row.get("kind", ""), row["question"], row.get("calls", []), row["answer"])
        with OpenAIServer(replies.replies) as server:
            model, name = chat_model("by-hand", server.base_url, max_retries=0)
            answer = Assistant(model, Workspace(folder), llm_name=name).ask(replies.question)
        records = list(answer.tool_calls)
        given = Given(results_of(records), replies.question)
        yield Answered(
            replies.question, replies.answer, render_template(replies.answer, records), records, given
        )


def main(arguments: list[str]) -> None:
    with tempfile.TemporaryDirectory(prefix="edgewright-marks-") as folder:
        os.environ["XDG_CONFIG_HOME"] = folder  # what an answer calibrates stays here
        for name in MODELS:
            save_tflite(parse_model(f"{name}:int8"), Path(folder) / f"{name}.tflite")
        for file in [Path(name) for name in arguments] or sorted(FOLDER.glob("*.yaml")):
            print(f"{file.stem}: {marks(yaml.safe_load(file.read_text(encoding='utf-8')), Path(folder))}")


if __name__ == "__main__":
    main(sys.argv[1:])
