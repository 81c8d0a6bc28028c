"""A question as the planner understands it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from .batteries import battery_named
from .clauses import clauses_of
from .intent import Intent
from .intent_features import Names, features_of
from .intent_model import intent_model
from .intents import intents_in
from .limits import Demands, demands_of
from .models import ModelMention, task_of
from .named import Earlier, names_in
from .scope import refusals_in
from .settings import Settings, goal_of, settings_of, technique_of

_UNLIKELY, _LIKELY, _MOST_LIKELY = 0.12, 0.25, 3
_INTENTS = frozenset(Intent)
_LIKELY_PART = 0.5
_IN_A_CLAUSE = frozenset(
    (
        Intent.FIT, Intent.LATENCY, Intent.ENERGY, Intent.MEMORY, Intent.BOTTLENECK, Intent.COMPATIBILITY,
        Intent.OPTIMISE, Intent.MODEL, Intent.RECOMMEND,
    )
)  # fmt: skip
_FILE_ENDINGS = (".tflite", ".lite", ".onnx", ".pt", ".pt2", ".pth", ".keras", ".h5", ".pb")


@dataclass(frozen=True)
class Reading:
    """What a question says itself, and after `complete` also what it leaves to the turns before it."""

    question: str
    scores: Mapping[Intent, float]
    """What it likely wants, the likeliest first, with the chance of each."""
    demands: Demands
    settings: Settings
    chances: Mapping[str, float] = field(default_factory=dict)
    """Of every label of the intent model."""
    by_rule: frozenset[Intent] = frozenset()
    """Intents that single words speak for."""
    models: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    runtimes: tuple[str, ...] = ()
    technique: str = ""
    goal: str = "latency"
    notes: tuple[str, ...] = ()
    """What was taken for what; how figures were read."""
    refusals: tuple[str, ...] = ()
    battery: str = ""
    """By the name that tools take."""
    spoken_of: tuple[str, ...] = ()
    """Targets of the turns before, the latest last."""
    hardware_question: str = ""
    """What has to be asked back about the target."""
    intents: tuple[Intent, ...] = ()
    names_model: bool = False
    names_target: bool = False
    in_conversation: bool = False
    pinned: Mapping[str, Any] = field(default_factory=dict)


def read(
    question: str,
    pinned: Mapping[str, Any],
    earlier: Earlier | None = None,
    *,
    company: Sequence[str] = (),
) -> Reading:
    """Read a question on its own.

    `pinned` is the model, target and runtime that flags or commands fixed; `company` are the targets that the
    conversation speaks of, where the question goes on about them.
    """
    said = names_in(question, pinned, earlier, company=company)
    question, hardware = said.question, said.hardware
    chances = intent_model().chances(features_of(question, said.names))
    by_rule = frozenset(intents_in(question))
    scores = likeliest(chances, by_rule) | _of_clauses(question, said.names)
    likeliest_one = next(iter(scores), None)
    demands = demands_of(
        question,
        duty_cycle=Intent.BATTERY in scores,
        wishes=likeliest_one in (Intent.RECOMMEND, Intent.INVERSE, Intent.LIST_TARGETS),
        facts=likeliest_one is Intent.HARDWARE,
        names=[*said.names.targets, *said.names.models],
    )
    at_hand = [str(pinned.get("model") or ""), *(earlier.models if earlier else ())]
    models, model_notes = _models(said.models, at_hand)
    battery, battery_notes = battery_named(question, "battery_mah" in demands.limits)
    notes = (
        said.read_as,
        model_notes,
        hardware.notes,
        said.runtime_notes,
        battery_notes,
        demands.conventions,
    )
    return Reading(
        question=question,
        scores=scores,
        by_rule=by_rule,
        chances=chances,
        demands=demands,
        settings=settings_of(question),
        models=models,
        targets=hardware.targets,
        runtimes=said.runtimes,
        technique=technique_of(question, demands.percents),
        goal=goal_of(question),
        notes=tuple(itertools.chain.from_iterable(notes)),
        battery=battery,
        refusals=refusals_in(question),
        hardware_question=hardware.question,
        names_model=bool(models),
        names_target=bool(hardware.texts),
        in_conversation=earlier is not None,
        pinned=pinned,
    )


def likeliest(chances: Mapping[str, float], by_rule: Iterable[Intent]) -> dict[Intent, float]:
    """The few intents that are likely; where none is, those that rules over words name, or the likeliest."""
    known = {Intent(name): chance for name, chance in chances.items() if name in _INTENTS}
    likely = [intent for intent, chance in known.items() if chance > _LIKELY][:_MOST_LIKELY]
    if not likely and max(known.values()) < _UNLIKELY:
        likely = sorted(by_rule, key=lambda intent: -known[intent])
    return {intent: known[intent] for intent in (likely or list(known)[:1])}


def _of_clauses(question: str, names: Names) -> dict[Intent, float]:
    """What single parts of the question surely want, where it asks for several things."""
    found: dict[Intent, float] = {}
    for clause in clauses_of(question):
        label, chance = next(iter(intent_model().chances(features_of(clause, names)).items()))
        by_rule = [intent for intent in intents_in(clause) if intent in _IN_A_CLAUSE]
        if chance > _LIKELY_PART and label in _IN_A_CLAUSE:
            found[Intent(label)] = chance
        elif len(by_rule) == 1:
            found[by_rule[0]] = _LIKELY_PART
    return found if len(found) > 1 else {}


def is_file(model: str) -> bool:
    return model.casefold().endswith(_FILE_ENDINGS)


def _models(
    mentions: Sequence[ModelMention], at_hand: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    files = [name for name in at_hand if is_file(name)]
    chosen: list[str] = []
    notes: list[str] = []
    for mention in mentions:
        model, note = _model(mention, files)
        if model not in chosen:
            chosen.append(model)
            notes += [note] if note else []
    return tuple(chosen), tuple(notes)


def _model(mention: ModelMention, files: Sequence[str]) -> tuple[str, str]:
    """A file of that name or for that task, where one is at hand; else the named architecture."""
    if is_file(mention.argument):
        told = f"I took {mention.text!r} to be {mention.argument}." if mention.corrected else ""
        return next((f for f in files if _same_file(f, mention.argument)), mention.argument), told
    if mention.task:
        for file in files:
            if task_of(file) in (mention.task, ""):
                told = "" if task_of(file) else f"I took {mention.text!r} to mean {PurePath(file).name}."
                return file, told
    if mention.corrected:
        return mention.argument, f"I took {mention.text!r} to be {mention.argument}."
    return mention.argument, ""


def _same_file(one: str, other: str) -> bool:
    return PurePath(one).name.casefold() == PurePath(other).name.casefold()
