"""Asks questions whose right answers are known, and scores what is answered: `make eval`."""

import argparse
import sys
from pathlib import Path

from . import HARD, HELD_OUT, QUESTIONS, evaluate
from .answered import answered
from .cases import load_cases
from .evaluation_report import evaluation_text
from .mutated import tally, tally_text


def main() -> int:
    parser = argparse.ArgumentParser(prog="make eval", description=__doc__)
    parser.add_argument("--llm", default="offline", help="a model's name, or offline")
    parser.add_argument("--questions", type=Path, action="append", help="a YAML file of questions")
    parser.add_argument("--only", action="append", default=[], help="this id or kind of question")
    parser.add_argument("--models", type=Path, help="folder with the model files; else they are written")
    parser.add_argument("--every", type=int, default=1, help="ask one of so many conversations")
    parser.add_argument("--at-least", type=float, default=0.0, help="per cent, else exit code 10")
    asked = parser.parse_args()
    report = evaluate(
        asked.questions or [QUESTIONS, HARD, HELD_OUT],
        llm=asked.llm, only=asked.only, models=asked.models, every=asked.every,
    )  # fmt: skip
    print(evaluation_text(report))
    if asked.llm == "offline" and not asked.only:
        cases = load_cases(HELD_OUT)[:: asked.every]
        print("\nChecks of answers, on true ones and with one figure changed:\n")
        print(tally_text(tally(answered(cases, asked.models))))
    return 10 if 100 * report.worst_share < asked.at_least else 0


if __name__ == "__main__":
    sys.exit(main())
