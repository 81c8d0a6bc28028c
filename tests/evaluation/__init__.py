"""How well questions are answered: cases with what a right answer has to do, asked and scored."""

from __future__ import annotations

from .cases import HARD, HELD_OUT, QUESTIONS, Case, load_cases
from .evaluation_report import EvaluationReport
from .run import evaluate

__all__ = ["HARD", "HELD_OUT", "QUESTIONS", "Case", "EvaluationReport", "evaluate", "load_cases"]
