"""Answers that need no tool: what is missing, what cannot be answered, what this is."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...tools.model_zoo.named import architecture_names
from .reading import Reading
from .scope import CAN


def decline(reading: Reading) -> str:
    """For what lies outside."""
    return " ".join((*reading.refusals, "That is outside what I can answer.", CAN))


_ENOUGH = re.compile(
    r"\b(?:fast|quick|slow|frugal|efficient|snappy|good) enough\b|\btoo slow\b|"
    r"\b(?:deadline|budget|limit|requirement)s?\b",
    re.IGNORECASE,
)
_NAMED = 6
"""How many architectures an answer names."""


def asked(reading: Reading, missing: Sequence[str]) -> str:
    """What is missing, and how what is there was understood."""
    return " ".join((*reading.refusals, *_understood(reading), *missing))


def _understood(reading: Reading) -> list[str]:
    known = [*reading.targets, *reading.models]
    told = [note for note in reading.notes if note not in reading.demands.conventions]
    return [*told, *([f"I have {' and '.join(known)}."] if known else [])]


def ask_model() -> str:
    return (
        "Which model? Give a file with `--model FILE` or by its name in the question, or name one of these "
        f"architectures: {_some_architectures()}."
    )


def _some_architectures() -> str:
    return f"{', '.join(architecture_names()[:_NAMED])} and others, which `edgewright models` lists"


def ask_trace() -> str:
    return (
        "Which file has the trace? Name it in the question, such as `run.csv`: a log of TFLM's profiler, "
        "benchmark_model, onnxruntime or X-CUBE-AI, or a CSV with a time for each layer."
    )


def ask_target() -> str:
    return (
        'Which target? Say it in the question, as in "on stm32h743zi", or give `--target`. '
        "`edgewright targets list` shows those that I know."
    )


def lacks_limit(reading: Reading) -> bool:
    """Fast enough, within the budget: for what?"""
    return not reading.demands.limits and _ENOUGH.search(reading.question) is not None


def ask_limit() -> str:
    return (
        "What is the limit? Name it with its unit, as a time, a rate, a size or an energy, "
        "and I check against it."
    )


def help_text() -> str:
    return (
        f'{CAN} Ask, for example, "Does kws fit on an STM32H743?", "What holds resnet50 back on an A100?" or '
        '"How fast is model.tflite on stm32l4r5zi?". '
        f"Without a file I know {_some_architectures()}."
    )


def no_accuracy() -> str:
    return (
        "The accuracy is unknown to me: it depends on your data, and no tool here runs the model on any. "
        "Measure it on your own test set before and after a change."
    )
