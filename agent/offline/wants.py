"""Which of the intents that a question touches it means: the rules between them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from .intents import Intent
from .reading import Reading
from .scope import is_elsewhere, is_other_work, is_ours

_METRICS = (Intent.FIT, Intent.LATENCY, Intent.ENERGY, Intent.MEMORY, Intent.BOTTLENECK, Intent.COMPATIBILITY)
_ANALYSES = frozenset((*_METRICS, Intent.OPTIMISE))
_ALONE = (Intent.IMPORT, Intent.INVERSE, Intent.LIST_TARGETS, Intent.LIST_RUNTIMES)
"""Where one of these is meant, what else is touched belongs to it."""

_THE_MODEL = re.compile(
    r"\b(?:this|my|the|that|our) (?:\w+ )?(?:model|net\w*|file)\b|\binference\b|"
    r"\b(?:does|will|would|can) it\b(?! have)",
    re.IGNORECASE,
)
_A_FILE = re.compile(r"\.(?:csv|log|etdump|prof)\b|\bprofiler\b|\btrace\b|\blog\b", re.IGNORECASE)
_CAN_RUN = re.compile(
    r"\b(?:can|could|does|do|will|would)\b.{2,60}\b(?:run|runs|execute|handle|work)\b", re.IGNORECASE
)


def settle(reading: Reading, earlier: Sequence[Intent] = ()) -> Reading:
    """The reading with its intents; none where the question is not for us."""
    return replace(reading, intents=_intents(reading, earlier))


def _intents(reading: Reading, earlier: Sequence[Intent]) -> tuple[Intent, ...]:
    if is_elsewhere(reading.question) and not _names_both(reading):
        return ()
    if is_other_work(reading.question) and not {Intent.FIT, Intent.LATENCY} & reading.scores.keys():
        return ()
    meant = _meant(reading)
    if meant == [Intent.HELP]:
        return (Intent.HELP,)
    meant = [i for i in meant if i is not Intent.HELP]
    if not meant:
        return _from_names(reading, earlier)
    named = reading.names_model or reading.names_target or bool(reading.runtimes)
    at_hand = reading.in_conversation or bool(reading.models)
    return tuple(meant) if named or is_ours(reading.question, in_conversation=at_hand) else ()


def _names_both(reading: Reading) -> bool:
    return reading.names_target and reading.names_model


def _meant(reading: Reading) -> list[Intent]:
    found = [intent for intent in reading.scores if _applies(intent, reading)]
    for only in _ALONE:
        if only in found:
            return [only]
    if Intent.BATTERY in found:
        return [Intent.BATTERY]
    if Intent.HARDWARE in found:
        return [Intent.HARDWARE]
    if Intent.RUNTIME in found:
        return [Intent.RUNTIME]
    if Intent.RECOMMEND in found:
        return [Intent.RECOMMEND]
    if Intent.WHATIF in found:
        return _whatif(reading, found)
    if several(reading) and Intent.COMPARE in found:
        found = [i for i in found if i is not Intent.OPTIMISE]
        return found if set(found) & set(_METRICS) else [*found, Intent.LATENCY, Intent.ENERGY]
    found = [i for i in found if i is not Intent.COMPARE]
    if found == [Intent.FIT] and _CAN_RUN.search(reading.question) and not _limited(reading):
        found.append(Intent.COMPATIBILITY)
    return found


def _applies(intent: Intent, reading: Reading) -> bool:
    question = reading.question
    match intent:
        case Intent.IMPORT:
            return _A_FILE.search(question) is not None
        case Intent.HARDWARE:
            return _about_hardware(reading)
        case Intent.RUNTIME:
            return (
                bool(reading.runtimes)
                and not reading.names_model
                and not reading.names_target
                and not reading.models
            )
        case Intent.LIST_TARGETS | Intent.LIST_RUNTIMES:
            return not reading.names_model and not reading.targets
        case Intent.RECOMMEND:
            return not reading.names_target
        case Intent.INVERSE:
            return Intent.BATTERY not in reading.scores
        case _:
            return True


def _about_hardware(reading: Reading) -> bool:
    """A fact of the chip itself: nothing in the question speaks of a model on it."""
    if reading.names_model or _THE_MODEL.search(reading.question):
        return False
    return reading.names_target or (bool(reading.targets) and not reading.models)


def _limited(reading: Reading) -> bool:
    return bool(reading.demands.limits)


def _whatif(reading: Reading, found: list[Intent]) -> list[Intent]:
    metrics = [i for i in found if i in _METRICS]
    if (
        reading.technique
        or reading.demands.clocks_mhz
        or reading.settings.batches
        or reading.settings.threads
    ):
        return [
            Intent.WHATIF,
            *(i for i in metrics if i in (Intent.BOTTLENECK, Intent.ENERGY, Intent.LATENCY)),
        ]
    if reading.runtimes or reading.names_target or _limited(reading):
        return metrics or ([Intent.FIT] if _limited(reading) else [Intent.LATENCY, Intent.ENERGY])
    return [Intent.OPTIMISE]


def several(reading: Reading) -> bool:
    return max(len(reading.targets), len(reading.runtimes), len(reading.models)) > 1


def _from_names(reading: Reading, earlier: Sequence[Intent]) -> tuple[Intent, ...]:
    """No word of intent: what the turn before wanted, or what is usually wanted of what is named."""
    named = reading.names_model or reading.names_target or bool(reading.hardware_question)
    varied = bool(reading.settings.batches or reading.demands.clocks_mhz or reading.demands.limits)
    if earlier and (named or varied or reading.runtimes or is_ours(reading.question, in_conversation=True)):
        return tuple(earlier)
    if _limited(reading) and (reading.models or named):
        return (Intent.FIT,)
    if not named or len(reading.question.split()) > 12:
        return ()
    if reading.models and (reading.targets or reading.hardware_question):
        return (Intent.FIT, Intent.LATENCY)
    return (Intent.MODEL,) if reading.names_model else (Intent.HARDWARE,)
