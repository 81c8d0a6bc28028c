"""What a question says of a run of fine-tuning: the method, examples, their tokens and epochs."""

from __future__ import annotations

from typing import Any

from ..quantities import Figure, find_figures
from .words import patterns, spoken

_SAYS = patterns("of_training")
_NEAR = 24


def run_in(question: str) -> dict[str, Any]:
    """Arguments of `estimate_finetuning`, as far as they are said."""
    found: dict[str, Any] = {"method": next(iter(spoken("trained_how", question)), None)}
    for name, figure in figures_in(question).items():
        found[name] = float(figure.value) if name == "epochs" else int(figure.value)
    return found


def figures_in(question: str) -> dict[str, Figure]:
    """Each argument that a figure is said of."""
    found: dict[str, Figure] = {}
    for figure in find_figures(question):
        after = question[figure.end : figure.end + _NEAR]
        for name, says in _SAYS.items():
            if says.match(after) or (figure.noun and says.match(f" {figure.noun}")):
                found.setdefault(name, figure)
    return found
