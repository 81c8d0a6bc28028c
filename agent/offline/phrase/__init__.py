"""From tool results to words. Nothing is calculated: every figure is a field of a result, in another unit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module

from pydantic import ValidationError

from .. import replies
from ..intents import Intent
from ..reading import Reading
from ..turns import Outcome
from .premise import corrections

Phrase = Callable[[Outcome, Reading], list[str]]

_PHRASES: dict[str, tuple[str, str]] = {
    "check_constraints": ("check", "phrase"),
    "estimate_performance": ("performance", "phrase"),
    "estimate_energy_budget": ("energy", "phrase_budget"),
    "sweep_frequency": ("energy", "phrase_sweep"),
    "plan_memory": ("memory", "phrase"),
    "analyze_roofline": ("roofline", "phrase"),
    "score_compatibility": ("compatibility", "phrase"),
    "simulate_optimizations": ("optimizations", "phrase"),
    "recommend_hardware": ("selection", "phrase_ranking"),
    "compare_deployments": ("selection", "phrase_comparison"),
    "find_limit": ("limit", "phrase"),
    "trace_timeline": ("timeline", "phrase_timeline"),
    "best_memory_order": ("timeline", "phrase_order"),
    "firmware_code": ("code", "phrase"),
    "diff_models": ("versions", "phrase"),
    "import_profile": ("measured", "phrase"),
    "evidence": ("grounds", "phrase_evidence"),
    "validate": ("grounds", "phrase_validation"),
    "parse_model": ("model", "phrase"),
    "get_target": ("target", "phrase"),
    "get_runtime": ("lists", "phrase_runtime"),
    "diff_targets": ("lists", "phrase_difference"),
    "list_targets": ("lists", "phrase_targets"),
    "list_runtimes": ("lists", "phrase_runtimes"),
}
"""Tool → module and function that phrase its result; loaded when there is one."""
_MOST_ASSUMPTIONS = 5


def answer(asked: Reading, outcomes: Sequence[Outcome]) -> str:
    """The verdict first, then the figures that carry it, why, what would help, and what was assumed."""
    done = [outcome for outcome in outcomes if outcome.result is not None]
    try:
        told = [*asked.refusals, *_premises(asked, done), *_sections(asked, done)]
    except ValidationError:  # a session of another version
        return "A tool's result has a form that this version does not know. Ask again for a fresh one."
    told += [*_errors(outcomes), *_beside(asked, done), *_taken(asked, done)]
    return "\n\n".join(part for part in told if part)


def _sections(asked: Reading, outcomes: Sequence[Outcome]) -> Iterable[str]:
    estimates = [o for o in outcomes if o.tool == "estimate_performance"]
    for outcome in outcomes:
        if len(estimates) < 2 or outcome.tool != "estimate_performance":
            yield from _section(outcome, asked)
        elif outcome is estimates[0]:
            from .several import phrase_estimates

            yield from phrase_estimates(estimates, asked)


def _section(outcome: Outcome, asked: Reading) -> list[str]:
    if outcome.tool not in _PHRASES:
        return []
    module, name = _PHRASES[outcome.tool]
    phrase: Phrase = getattr(import_module(f".{module}", __name__), name)
    return phrase(outcome, asked)


def _premises(asked: Reading, outcomes: Sequence[Outcome]) -> list[str]:
    return corrections(asked.demands.claims, outcomes, [asked.settings.dtype] if asked.settings.dtype else [])


def _errors(outcomes: Sequence[Outcome]) -> list[str]:
    return list(dict.fromkeys(outcome.error for outcome in outcomes if outcome.error))


def _beside(asked: Reading, outcomes: Sequence[Outcome]) -> list[str]:
    """What was asked too and no tool answers."""
    told = [replies.no_accuracy()] if Intent.ACCURACY in asked.intents else []
    if replies.lacks_limit(asked) and any(o.tool == "check_constraints" for o in outcomes):
        told.append(replies.ask_limit())
    return told


def _taken(asked: Reading, outcomes: Sequence[Outcome]) -> list[str]:
    """How the question was read, what the tools assumed, and what they warn of."""
    assumed = list(dict.fromkeys(a for o in outcomes for a in o.assumptions if "CUSTOM:" not in a))
    warned = list(dict.fromkeys(w for o in outcomes for w in o.warnings if "CUSTOM:" not in w))
    parts = [" ".join(asked.notes)]
    if assumed:
        parts.append(f"Assumed: {'; '.join(assumed[:_MOST_ASSUMPTIONS])}.")
    if warned:
        parts.append(f"Mind: {'; '.join(warned[:_MOST_ASSUMPTIONS])}.")
    return parts
