"""A question as the planner understands it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from .batteries import battery_named
from .hardware import targets_named
from .intents import Intent, intents_in
from .languages import NOTE, in_english
from .limits import Demands, demands_of
from .models import ModelMention, model_mentions, task_of
from .runtimes import runtimes_named
from .scope import refusals_in
from .settings import Settings, goal_of, settings_of, technique_of
from .turns import LONGEST_QUESTION

_CUT = "The question is long: I read only its beginning."
_LETTER_O = re.compile(r"(?<=\d)[oO]+(?=\d|\b)")
_FILE_ENDINGS = (".tflite", ".lite", ".onnx", ".pt", ".pt2", ".pth", ".keras", ".h5", ".pb")


@dataclass(frozen=True)
class Reading:
    """What a question says itself, and after `complete` also what it leaves to the turns before it."""

    question: str
    scores: Mapping[Intent, int]
    demands: Demands
    settings: Settings
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
    earlier_models: Sequence[str] = (),
    *,
    company: Sequence[str] = (),
) -> Reading:
    """Read a question on its own.

    `pinned` is the model, target and runtime that flags or commands fixed; `company` are the targets that the
    conversation speaks of, where the question goes on about them.
    """
    cut = len(question) >= LONGEST_QUESTION
    question, foreign = in_english(question)
    question, zeros = _with_zeros(question)
    scores = intents_in(question)
    demands = demands_of(question, duty_cycle=Intent.BATTERY in scores)
    mentions = model_mentions(question)
    models, model_notes = _models(mentions, [str(pinned.get("model") or ""), *earlier_models])
    names = [mention.text for mention in mentions]
    hardware = targets_named(question, pinned.get("target"), ignored=names, company=company)
    target = hardware.targets[0] if hardware.targets else pinned.get("target")
    runtimes, runtime_notes = runtimes_named(question, target, hardware.texts)
    battery, battery_notes = battery_named(question, "battery_mah" in demands.limits)
    return Reading(
        question=question,
        scores=scores,
        demands=demands,
        settings=settings_of(question),
        models=models,
        targets=hardware.targets,
        runtimes=runtimes,
        technique=technique_of(question, demands.percents),
        goal=goal_of(question),
        notes=(
            *([_CUT] if cut else ()),
            *([NOTE] if foreign else ()),
            *zeros,
            *model_notes,
            *hardware.notes,
            *runtime_notes,
            *battery_notes,
            *demands.conventions,
        ),
        battery=battery,
        refusals=refusals_in(question),
        hardware_question=hardware.question,
        names_model=bool(models),
        names_target=bool(hardware.texts),
        pinned=pinned,
    )


def _with_zeros(question: str) -> tuple[str, tuple[str, ...]]:
    """A1OO is A100."""
    fixed = _LETTER_O.sub(lambda match: "0" * len(match[0]), question)
    names = [word for word in question.split() if _LETTER_O.search(word)]
    return fixed, tuple(f"I read the letter O in {name.strip('?.,!')} as a zero." for name in names)


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
