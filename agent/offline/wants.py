"""Which of the intents that a question touches it means: the rules between them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from .intents import Intent
from .reading import Reading, is_file
from .scope import is_elsewhere, is_other_code, is_other_work, is_ours

_METRICS = (Intent.FIT, Intent.LATENCY, Intent.ENERGY, Intent.MEMORY, Intent.BOTTLENECK, Intent.COMPATIBILITY)
_BESIDE_WHATIF = (Intent.FIT, Intent.BOTTLENECK, Intent.LATENCY, Intent.ENERGY)
_ALONE = (
    Intent.IMPORT, Intent.DIFF, Intent.VALIDATE, Intent.CLOCK, Intent.INVERSE, Intent.LIST_TARGETS,
    Intent.LIST_RUNTIMES, Intent.BATTERY, Intent.HARDWARE, Intent.RUNTIME, Intent.RECOMMEND,
)  # fmt: skip
"""Where one of these is meant, what else is touched belongs to it; the first counts."""

_OWN_WORDS = {
    Intent.TIMELINE: {Intent.MEMORY, Intent.OPTIMISE, Intent.WHATIF, Intent.BOTTLENECK},
    Intent.ORDER: {Intent.MEMORY, Intent.OPTIMISE, Intent.WHATIF, Intent.COMPATIBILITY, Intent.COMPARE},
    Intent.CODE: {Intent.MEMORY, Intent.COMPATIBILITY, Intent.RUNTIME, Intent.MODEL},
    Intent.EVIDENCE: {Intent.ACCURACY},
}
"""Where one of these is meant, the words that also touch those speak of it."""
_COMPARED = {
    Intent.COMPARE, Intent.LATENCY, Intent.ENERGY, Intent.FIT, Intent.MODEL, Intent.OPTIMISE,
    Intent.RECOMMEND,
}  # fmt: skip
"""What setting deployments side by side answers too."""
_MOST_PLACES = 12
_OF_THE_HARDWARE = {"ram_bytes", "flash_bytes", "power_mw", "price"}
_THE_MODEL = re.compile(
    r"\b(?:this|my|the|that|our) (?:\w+ )?(?:model|net\w*|file)\b|\binference\b|"
    r"\b(?:does|will|would|can) it\b(?! have)",
    re.IGNORECASE,
)
_PARTS = re.compile(r"\b(?:arena|activations|weights|tensors?|layers?|ops|operators)\b", re.IGNORECASE)
_IT_HAS = re.compile(
    r"\b(?:has|have|got)\b.{0,30}\b(?:s?ram|flash|memory|clock|cores?|cache|fpu)\b", re.IGNORECASE
)
_A_FILE = re.compile(r"\.(?:csv|tsv|log|txt|json|etdump|prof)\b", re.IGNORECASE)
_A_RECORD = re.compile(r"\b(?:micro)?profiler\b|\btrace\b|\blog\b", re.IGNORECASE)
_CAN_RUN = re.compile(
    r"\b(?:can|could|does|do|will|would)\b.{2,60}\b(?:runs?|execute|handle|work)\b", re.IGNORECASE
)
_ON_SOMETHING = re.compile(r"\bon (?:an?|my|our|the|this|some)\b", re.IGNORECASE)
_LEAST = re.compile(
    r"\benerg\w+|\befficien\w+|\bbest\b|\boptimal\b|\bideal\b|\b(?:low|slow)est\b|\bsweep|\bscan|\bvary|\bjoules?\b",
    re.IGNORECASE,
)
_MEMORY_LISTED = re.compile(
    r"\b(?:s?ram|memory|flash)\b\s*(?:,|/|&|\+|\?|and\b|of\b|for\b|on\b)", re.IGNORECASE
)


def settle(reading: Reading, earlier: Sequence[Intent] = ()) -> Reading:
    """The reading with its intents; none where the question is not for us."""
    return replace(reading, intents=tuple(_intents(reading, earlier)))


def several(reading: Reading) -> bool:
    """Whether something is named twice, so that it can be set side by side."""
    return max(len(reading.targets), len(reading.runtimes), len(reading.models)) > 1


def _intents(reading: Reading, earlier: Sequence[Intent]) -> Sequence[Intent]:
    question = reading.question
    if is_elsewhere(question) and not (reading.names_target and reading.names_model):
        return ()
    if is_other_work(question) and not {Intent.FIT, Intent.LATENCY, Intent.CODE} & reading.scores.keys():
        return ()
    if Intent.CODE in reading.scores and is_other_code(question):
        return ()
    meant = _meant([intent for intent in reading.scores if _applies(intent, reading)], reading)
    if meant == [Intent.HELP]:
        return meant
    ours = _named(reading) or is_ours(
        question, in_conversation=reading.in_conversation or bool(reading.models)
    )
    meant = [intent for intent in meant if intent is not Intent.HELP]
    if list(earlier) == [Intent.RECOMMEND] and _narrows(reading, meant):
        return earlier
    if (
        list(earlier) == [Intent.HARDWARE]
        and not reading.models
        and set(meant) <= {Intent.MEMORY, Intent.ENERGY}
    ):
        return earlier if ours else ()
    if meant:
        return meant if ours else ()
    if reading.demands.claims and reading.models and reading.targets:
        return (Intent.LATENCY,)
    return _unsaid(reading, earlier) if ours else ()


def _narrows(reading: Reading, meant: Sequence[Intent]) -> bool:
    """Another limit after "which board"."""
    figures = {Intent.LATENCY, Intent.ENERGY, Intent.MEMORY, Intent.FIT}
    return bool(reading.demands.limits) and not reading.names_target and set(meant) <= figures


def _named(reading: Reading) -> bool:
    return bool(reading.names_model or reading.names_target or reading.runtimes or reading.demands.limits)


def _meant(found: list[Intent], reading: Reading) -> list[Intent]:
    found = _without_echoes(found)
    listable = {Intent.RECOMMEND, Intent.RUNTIME} & set(found)
    if listable and not reading.models and _filterable(reading):
        return [Intent.LIST_TARGETS]
    for only in _ALONE:
        if only in found:
            return [only]
    if _MEMORY_LISTED.search(reading.question) and not {Intent.FIT, Intent.MEMORY, Intent.WHATIF} & set(
        found
    ):
        found = found if "ram_bytes" in reading.demands.limits else [Intent.MEMORY, *found]
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


def _without_echoes(found: list[Intent]) -> list[Intent]:
    """Without the intents whose words belong to a more special one."""
    echoes: set[Intent] = set()
    for intent, words in _OWN_WORDS.items():
        echoes |= words if intent in found else set()
    return [intent for intent in found if intent not in echoes]


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
    match intent:
        case Intent.IMPORT:
            told = _A_RECORD.search(reading.question) is not None and not reading.demands.claims
            return told or _A_FILE.search(reading.question) is not None
        case Intent.HARDWARE:
            return _about_hardware(reading)
        case Intent.RUNTIME:
            return bool(reading.runtimes) and not (reading.names_target or reading.models)
        case Intent.LIST_TARGETS | Intent.LIST_RUNTIMES:
            return not (reading.names_model or reading.targets)
        case Intent.RECOMMEND:
            return not reading.names_target
        case Intent.DIFF:
            return len(reading.models) == 2
        case Intent.VALIDATE:
            return not (reading.names_model and reading.targets)
        case Intent.EVIDENCE:
            return Intent.VALIDATE not in reading.scores or (reading.names_model and bool(reading.targets))
        case Intent.ACCURACY:
            return Intent.VALIDATE not in reading.scores
        case Intent.CLOCK:
            return bool(reading.demands.limits) or _LEAST.search(reading.question) is not None
        case Intent.INVERSE:
            return Intent.BATTERY not in reading.scores and bool(reading.models or reading.demands.limits)
        case _:
            return True


def _about_hardware(reading: Reading) -> bool:
    """A fact of the chip itself: nothing in the question speaks of a model on it."""
    if reading.names_model or _THE_MODEL.search(reading.question):
        return False
    if reading.models and (Intent.FIT in reading.scores or _PARTS.search(reading.question)):
        return False
    at_hand = bool(reading.targets) and (not reading.models or _IT_HAS.search(reading.question) is not None)
    return reading.names_target or at_hand


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
