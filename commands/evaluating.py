"""How well questions are answered."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .options import Json
from .printing import print_result

app = typer.Typer()


@app.command("eval")
def evaluate(
    llm: Annotated[str, typer.Option("--llm", help="A model's name, or offline.")] = "offline",
    questions: Annotated[
        list[Path] | None, typer.Option("--questions", help="A YAML file of questions; may be repeated.")
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--only", help="Only this id or kind of question; may be repeated.")
    ] = None,
    models: Annotated[
        Path | None, typer.Option("--models", help="Folder with the model files; else they are written.")
    ] = None,
    every: Annotated[int, typer.Option("--every", min=1, help="Ask one of so many conversations.")] = 1,
    at_least: Annotated[
        float | None, typer.Option("--at-least", min=0, max=100, help="Percent, else exit code 10.")
    ] = None,
    json: Json = False,
) -> None:
    """Ask questions whose right answers are known, and score what is answered."""
    from ..agent.evaluation import HARD, HELD_OUT, QUESTIONS
    from ..agent.evaluation import evaluate as evaluated
    from ..agent.evaluation.report import EvaluationReport, evaluation_text

    def text(report: EvaluationReport) -> str:
        return evaluation_text(report)

    files = questions or [QUESTIONS, HARD, HELD_OUT]
    report = evaluated(files, llm=llm, only=only or (), models=models, every=every)
    inputs = {"llm": llm, "questions": [str(path) for path in files], "only": only, "every": every}
    print_result("eval", report, inputs, json, text)
    if at_least is not None and 100 * report.worst_share < at_least:
        raise typer.Exit(10)
