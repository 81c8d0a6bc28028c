"""Which of the likely intents a question means, given what it names: the rules between them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from .intent import Intent
from .intent_model import ELSEWHERE, SAME
from .inverse import variable_of
from .needs import NEEDS_NO_MODEL, NEEDS_NO_TARGET
from .reading import Reading, is_file
from .scope import is_elsewhere, is_ours
from .traces import traces_named

_METRICS = (Intent.FIT, Intent.LATENCY, Intent.ENERGY, Intent.MEMORY, Intent.BOTTLENECK, Intent.COMPATIBILITY)
_BESIDE_WHATIF = (Intent.FIT, Intent.BOTTLENECK, Intent.LATENCY, Intent.ENERGY)
_FIGURES = {Intent.FIT, Intent.LATENCY, Intent.ENERGY}
_PART_OF = {
    Intent.IMPORT: set(Intent),
    Intent.DIFF: set(Intent),
    Intent.VALIDATE: set(Intent),
    Intent.LIST_TARGETS: {Intent.RECOMMEND, Intent.HARDWARE, Intent.RUNTIME},
    Intent.LIST_RUNTIMES: {Intent.RUNTIME},
    Intent.CLOCK: {*_FIGURES, Intent.INVERSE, Intent.WHATIF},
    Intent.INVERSE: {*_FIGURES, Intent.CLOCK, Intent.MEMORY, Intent.WHATIF, Intent.BATTERY},
    Intent.BATTERY: {*_FIGURES, Intent.WHATIF},
    Intent.RECOMMEND: {Intent.COMPARE, Intent.LIST_TARGETS, Intent.INVERSE, Intent.LATENCY, Intent.ENERGY},
    Intent.HARDWARE: {Intent.MEMORY, Intent.RUNTIME, Intent.LIST_TARGETS, Intent.MODEL, Intent.EVIDENCE},
    Intent.RUNTIME: {Intent.COMPATIBILITY},
    Intent.TIMELINE: {Intent.MEMORY, Intent.OPTIMISE, Intent.WHATIF, Intent.BOTTLENECK},
    Intent.ORDER: {Intent.MEMORY, Intent.OPTIMISE, Intent.WHATIF, Intent.COMPATIBILITY, Intent.COMPARE},
    Intent.CODE: {Intent.MEMORY, Intent.COMPATIBILITY, Intent.RUNTIME, Intent.MODEL},
    Intent.EVIDENCE: {Intent.ACCURACY, Intent.VALIDATE},
}
"""What is likeliest, and what of the less likely it answers too."""
_COMPARED = {
    Intent.COMPARE, Intent.LATENCY, Intent.ENERGY, Intent.FIT, Intent.MODEL, Intent.OPTIMISE,
    Intent.RECOMMEND,
}  # fmt: skip
"""What setting deployments side by side answers too."""
_MOST_PLACES = 12
_OF_THE_HARDWARE = {"ram_bytes", "flash_bytes", "power_mw", "price"}
_DOUBTFUL, _SURE, _LIKELY, _CERTAIN = 0.15, 0.3, 0.5, 0.8
"""Chances below which nothing is likely, and above which something may be, is, and surely is."""
_A_RECORD = re.compile(r"\b(?:micro)?profiler?\b|\btraces?\b|\blog(?:s|ged)?\b|\bmeasured\b", re.IGNORECASE)
_PARTS = re.compile(r"\b(?:arena|activations|tensors?|layers?|ops|operators)\b", re.IGNORECASE)
_A_MODEL = re.compile(
    r"\b(?:model|net|nets|network|file|it|this|that|inference\w*|tflite|onnx)\b", re.IGNORECASE
)
_CAN_RUN = re.compile(
    r"\b(?:can|could|does|do|will|would)\b.{2,60}\b(?:runs?|execute|handle|work)\b", re.IGNORECASE
)
_ON_SOMETHING = re.compile(r"\bon (?:an?|my|our|the|this|some)\b", re.IGNORECASE)


def settle(reading: Reading, earlier: Sequence[Intent] = ()) -> Reading:
    """The reading with its intents; none where the question is not for us."""
    return replace(reading, intents=tuple(_intents(reading, earlier)))


def several(reading: Reading) -> bool:
    """Whether something is named twice, so that it can be set side by side."""
    return max(len(reading.targets), len(reading.runtimes), len(reading.models)) > 1


def goes_on(reading: Reading) -> bool:
    """Whether it likely wants what the turn before wanted."""
    return reading.chances.get(SAME, 0.0) > max(reading.scores.values(), default=0.0)


def _intents(reading: Reading, earlier: Sequence[Intent]) -> Sequence[Intent]:
    if _is_for_others(reading):
        return ()
    if Intent.HELP in reading.by_rule and not _named(reading):
        return (Intent.HELP,)
    if earlier and goes_on(reading):
        other = [intent for intent in _METRICS if intent in reading.by_rule]
        if list(earlier) == [Intent.RECOMMEND] and _narrows(reading, other):
            return earlier
        return other if other and not set(other) & set(earlier) else _unsaid(reading, earlier)
    if traces_named(reading.question) and Intent.IMPORT in reading.by_rule:
        return (Intent.IMPORT,)
    meant = _meant([intent for intent in reading.scores if _applies(intent, reading)], reading)
    if meant == [Intent.HELP]:
        return () if _named(reading) and not reading.refusals else meant
    meant = [intent for intent in meant if intent is not Intent.HELP]
    if list(earlier) == [Intent.RECOMMEND] and _narrows(reading, meant):
        return earlier
    if _asks_of_the_chip(reading, meant):
        return (Intent.HARDWARE,)
    told = max(reading.scores.values()) > _DOUBTFUL or bool(set(meant) & reading.by_rule)
    if meant and (told or not _speaks_for_itself(reading)):
        return meant
    if reading.demands.claims and reading.models and reading.targets:
        return (Intent.FIT, Intent.LATENCY)
    return _unsaid(reading, earlier) or meant


def _asks_of_the_chip(reading: Reading, meant: Sequence[Intent]) -> bool:
    """A figure of memory or speed where no model is spoken of is the chip's own."""
    figures = {Intent.FIT, Intent.MEMORY}
    told = {"ram_bytes", "flash_bytes"} & reading.demands.limits.keys() or reading.demands.claims
    nameless = not reading.models and not _A_MODEL.search(reading.question)
    return bool(reading.targets and told and nameless and meant) and set(meant) <= figures


def _is_for_others(reading: Reading) -> bool:
    """No question about models and hardware, or none that tools answer."""
    likeliest, elsewhere = max(reading.scores.values(), default=0.0), reading.chances.get(ELSEWHERE, 0.0)
    if not reading.models and likeliest < _LIKELY and elsewhere > likeliest / 2:
        return True
    nothing_named = not (reading.names_model or reading.names_target)
    if elsewhere > max(likeliest, _DOUBTFUL) or (nothing_named and is_elsewhere(reading.question)):
        return True
    if nothing_named and reading.refusals and likeliest < _LIKELY:
        return True
    both = reading.names_model and reading.names_target
    at_hand = bool(reading.models) and not (reading.refusals or is_elsewhere(reading.question))
    told = both or (at_hand and likeliest > _LIKELY) or (_named(reading) and likeliest > _DOUBTFUL)
    if told or (reading.in_conversation and elsewhere < _SURE):
        return False
    return not is_ours(reading.question, in_conversation=reading.in_conversation or bool(reading.models))


def _speaks_for_itself(reading: Reading) -> bool:
    """Names alone tell what is usually wanted of them."""
    return bool(reading.models and (reading.targets or reading.hardware_question))


def _narrows(reading: Reading, meant: Sequence[Intent]) -> bool:
    """Another limit after "which board"."""
    figures = {*_FIGURES, Intent.MEMORY}
    return bool(reading.demands.limits) and not reading.names_target and set(meant) <= figures


def _named(reading: Reading) -> bool:
    return bool(reading.names_model or reading.names_target or reading.runtimes or reading.demands.limits)


def _meant(found: list[Intent], reading: Reading) -> list[Intent]:
    listable = {Intent.RECOMMEND, Intent.RUNTIME} & set(found)
    if listable and not reading.models and _filterable(reading):
        return [Intent.LIST_TARGETS]
    found = _answerable(found, reading)
    part = _PART_OF.get(found[0], set()) if found else set()
    if reading.targets and found[:1] == [Intent.RECOMMEND]:
        part = part - _FIGURES
    found = [
        intent
        for intent in found
        if intent is found[0]
        or intent not in part
        or (reading.scores[intent] > _CERTAIN and part != set(Intent))
    ]
    if Intent.OPTIMISE in found and reading.technique:
        found = [Intent.WHATIF if intent is Intent.OPTIMISE else intent for intent in found]
    changed = reading.technique or _varied(reading)
    if Intent.WHATIF in found and not changed and len(reading.models) == 1 and several(reading):
        found = [Intent.COMPARE if intent is Intent.WHATIF else intent for intent in found]
    if Intent.WHATIF in found and not (several(reading) and Intent.COMPARE in found):
        return _whatif(reading, found)
    if not reading.models and len(reading.targets) > 1 and set(found) <= {Intent.COMPARE, Intent.MODEL}:
        return [Intent.HARDWARE]
    if Intent.COMPARE in found:
        if _comparable(reading, found):
            return [Intent.COMPARE, *(intent for intent in found if intent not in _COMPARED)]
        found.remove(Intent.COMPARE)
        return _side_by_side(found) if several(reading) else found
    if found == [Intent.FIT] and _CAN_RUN.search(reading.question) and not reading.demands.limits:
        found.append(Intent.COMPATIBILITY)
    return found


def _answerable(found: list[Intent], reading: Reading) -> list[Intent]:
    """Without what lacks a model or a target, where something else lacks nothing."""
    whole = [
        intent
        for intent in found
        if (reading.models or intent in NEEDS_NO_MODEL) and (_placed(reading) or intent in NEEDS_NO_TARGET)
    ]
    of_the_chip = whole == [Intent.HARDWARE] and not _A_MODEL.search(reading.question)
    likely = bool(whole) and (whole[0] is found[0] or of_the_chip or reading.scores[whole[0]] > _LIKELY)
    if found[:1] == [Intent.CODE] and not _placed(reading) and "operators" in reading.question.casefold():
        return [Intent.MODEL]
    return whole if likely else found


def _placed(reading: Reading) -> bool:
    return bool(reading.targets or reading.hardware_question)


def _comparable(reading: Reading, found: Sequence[Intent]) -> bool:
    """Deployments of one model that differ in target or runtime alone."""
    places = max(len(reading.targets), 1) * max(len(reading.runtimes), 1)
    plain = not (_varied(reading) or reading.demands.clocks_mhz)
    return len(reading.models) == 1 and 1 < places <= _MOST_PLACES and plain and Intent.WHATIF not in found


def _filterable(reading: Reading) -> bool:
    """Limits on the hardware alone: a list answers, no model is needed."""
    asked = bool(reading.demands.limits or (reading.runtimes and Intent.RECOMMEND in reading.scores))
    return asked and reading.demands.limits.keys() <= _OF_THE_HARDWARE


def _side_by_side(found: list[Intent]) -> list[Intent]:
    found = [intent for intent in found if intent not in (Intent.OPTIMISE, Intent.WHATIF)]
    return found if set(found) & {*_METRICS, Intent.MODEL} else [*found, Intent.LATENCY, Intent.ENERGY]


def _whatif(reading: Reading, found: list[Intent]) -> list[Intent]:
    metrics = [intent for intent in found if intent in _METRICS]
    if reading.technique or _varied(reading):
        return [Intent.WHATIF, *(intent for intent in metrics if intent in _BESIDE_WHATIF)]
    if Intent.OPTIMISE in found and not several(reading):
        return [Intent.OPTIMISE]
    if reading.demands.limits:
        return metrics or [Intent.FIT]
    if reading.runtimes or reading.names_target:
        return metrics or [Intent.LATENCY, Intent.ENERGY]
    return [Intent.OPTIMISE]


def _varied(reading: Reading) -> bool:
    settings = reading.settings
    return bool(reading.demands.clocks_mhz or settings.batches or settings.threads or settings.input_sizes)


def _applies(intent: Intent, reading: Reading) -> bool:
    top = next(iter(reading.scores)) is intent
    match intent:
        case Intent.IMPORT:
            return bool(traces_named(reading.question)) or (
                top and _A_RECORD.search(reading.question) is not None
            )
        case Intent.HARDWARE:
            of_a_model = reading.models and (reading.names_model or _PARTS.search(reading.question))
            return _placed(reading) and not of_a_model
        case Intent.RUNTIME:
            return bool(reading.runtimes) and not (reading.names_target or reading.models)
        case Intent.LIST_TARGETS | Intent.LIST_RUNTIMES:
            return not (reading.names_model or reading.targets)
        case Intent.RECOMMEND:
            needed = _LIKELY if reading.hardware_question else _SURE if reading.names_target else 0.0
            return reading.scores[intent] > needed
        case Intent.DIFF:
            return len(reading.models) == 2
        case Intent.CLOCK | Intent.INVERSE if {Intent.CLOCK, Intent.INVERSE} & {next(iter(reading.scores))}:
            return bool(variable_of(reading.question)) and bool(reading.models or reading.demands.limits)
        case Intent.INVERSE:
            return bool(variable_of(reading.question)) and bool(reading.demands.limits)
        case _:
            return True


def _unsaid(reading: Reading, earlier: Sequence[Intent]) -> Sequence[Intent]:
    """No word of intent: what the turn before wanted, or what is usually wanted of what is named."""
    if earlier and reading.technique and any(is_file(model) for model in reading.models):
        return (Intent.WHATIF,)
    if earlier or reading.refusals:
        return earlier
    if reading.models and (reading.targets or reading.hardware_question):
        return (Intent.FIT,) if reading.demands.limits else (Intent.FIT, Intent.LATENCY)
    if reading.demands.limits:
        return (Intent.FIT,)
    if reading.models:
        return (Intent.FIT,) if _ON_SOMETHING.search(reading.question) else (Intent.MODEL,)
    return (Intent.HARDWARE,) if reading.names_target else ()
