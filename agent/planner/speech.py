"""Whisper in a question: which size of it is to transcribe, and how much sound."""

from __future__ import annotations

import re
from dataclasses import replace

from ...tools.model_zoo.language_model import is_language_model, language_model_meant
from ..figure_units import FACTORS
from ..patterns import compiled
from ..quantities import Family, Figure
from .query import Query, Role, Slot
from .words import patterns

_SIZE = r"(?:large[-_ ]v3[-_ ])?turbo|large(?:[-_ ]v\d)?|tiny|base|small|medium"
_NAMED = compiled(
    rf"\bwhisper(?!(?:[-_ ]\w+)?[-_ ](?:en|de)coder)(?:\.cpp)?(?:[-_ ](?P<size>{_SIZE}))?(?![\w-])",
    re.IGNORECASE,
)
_AGAIN = compiled(rf"\b(?P<size>{_SIZE.replace('large(', 'large(?! )(')})(?![\w-])", re.IGNORECASE)
_LISTENS = patterns("of_speech")["listens"]
_PERIOD = r"(?:\b(?:a|per|each|every) (?:day|week|month)\b|\bdaily\b)"
_SOUND = compiled(
    rf"(?:[\s-]?{_PERIOD})?[\s-](?:of )?(?:\w+ ){{0,2}}?(?:audio|sound|speech|recordings?|calls?|podcasts?|"
    rf"meetings?|voice|clips?|interviews?|tape|talk|material)\b(?:.{{0,16}}?{_PERIOD})?|\s{_PERIOD}",
    re.IGNORECASE,
)
"""Behind a time that is of sound, how often it comes with it."""
_BESIDE = compiled(r"\b(?:beside|alongside|next to|together|loaded|both|as well|plus|and)\b", re.IGNORECASE)
USUAL = "whisper-small"


def hears(name: str) -> bool:
    """Whether a language model transcribes sound."""
    return name.startswith("whisper") and is_language_model(name)


def as_speech(query: Query, earlier: Query) -> Query:
    """With the whole of Whisper where sound is spoken of, not its encoder alone, and the sound there is."""
    before = next(filter(hears, earlier.all(Role.MODEL)), "")
    named = _NAMED.search(query.question)
    found = named if named is not None else _AGAIN.search(query.question) if before else None
    size = found["size"] if found else None
    known = language_model_meant(f"whisper {size}".replace("_", " ")) if size else None
    strange = size is not None and size.casefold().startswith(("large", "turbo", "med"))
    beside = _BESIDE.search(query.question) is not None
    listens = strange or beside or _LISTENS.search(query.question) or _writes_text(query)
    if not before and _of_sound(query) and (encoder := _encoder_before(earlier)):
        query, before = _with_model(query, encoder, ""), encoder
    if not before and not (named and listens):
        return query
    if found is not None:
        query = query.model_copy(update={"slots": tuple(map(_in_whole, query.slots))})
        query = _with_model(query, known or before or USUAL, found[0])
    query = _with_partner(query, earlier, beside=beside)
    times = [each for each in query.figures if each.family is Family.TIME]
    sound = [(each, match.end()) for each in times if (match := _SOUND.match(query.question, each.end))]
    daily = (each for each in query.figures if each.family is Family.DUTY and _SOUND.search(each.text))
    sound += [(replace(each, value=each.written * _ms_of(each)), each.end) for each in daily]
    return _with_sound(query, *sound[0]) if sound else query


def _ms_of(figure: Figure) -> float:
    """Of the unit of hours a day."""
    return FACTORS[figure.unit.partition("/")[0].casefold()][1]


_WRITE_TEXT = ("cpu", "mpu", "gpu", "gpu-soc")


def _writes_text(query: Query) -> bool:
    """Whether all that is named runs the whole of it, and no kernels for the encoder alone are named."""
    named = [query.targets.get(name) for name in query.all(Role.TARGET)]
    able = all(found is not None and str(found.target_class) in _WRITE_TEXT for found in named)
    return bool(named) and able and not query.says(Role.RUNTIME)


def _of_sound(query: Query) -> bool:
    """Whether it is now asked of so much sound."""
    times = (each for each in query.figures if each.family is Family.TIME)
    return any(_SOUND.match(query.question, each.end) for each in times)


def _encoder_before(earlier: Query) -> str:
    """The whole of a size whose encoder was spoken of; empty where none was."""
    encoders = (name for name in earlier.all(Role.MODEL) if name.endswith("_encoder"))
    wholes = (name.removesuffix("_encoder").replace("_", "-") for name in encoders)
    return next(filter(hears, wholes), "")


def _with_partner(query: Query, earlier: Query, *, beside: bool) -> Query:
    """Beside the one that listens the one that writes, and the other way round, where both were spoken of."""
    named = [name for name in query.all(Role.MODEL) if is_language_model(name)]
    known = [name for name in earlier.all(Role.MODEL) if is_language_model(name)]
    pair = len({hears(name) for name in known}) > 1
    if not (beside or pair) or len({hears(name) for name in named}) != 1:
        return query
    others = [name for name in known if hears(name) is not hears(named[0])]
    added = (Slot(role=Role.MODEL, value=name, inherited=True) for name in others)
    return query.model_copy(update={"slots": (*query.slots, *added)})


def _with_model(query: Query, model: str, text: str) -> Query:
    """In place of the encoder and of words that no name is known by."""
    words = text.casefold()
    slots = [s for s in query.slots if s.value != model and not str(s.value).startswith("whisper_")]
    return query.model_copy(
        update={
            "slots": (Slot(role=Role.MODEL, value=model, text=text), *slots),
            "unknown": tuple(name for name in query.unknown if name.text.casefold() not in words),
            "notes": tuple(note for note in query.notes if "whisper" not in note),
        }
    )


def _in_whole(slot: Slot) -> Slot:
    """Another size of it that is named by its size alone."""
    whole = str(slot.value).replace("_encoder", "").replace("_", "-")
    alone = slot.role is Role.MODEL and hears(whole) and "whisper" not in slot.text.casefold()
    return slot.model_copy(update={"value": whole}) if alone else slot


def _with_sound(query: Query, figure: Figure, end: int) -> Query:
    """So long is what is to be transcribed, at once or a day, which is no limit on how long that takes."""
    of_them = query.question[figure.start : end]
    taken = {each.text for each in query.figures if figure.start <= each.start < end}
    kept = tuple(slot for slot in query.slots if slot.text not in taken)
    return query.model_copy(
        update={
            "slots": (*kept, Slot(role=Role.SOUND_MS, value=figure.value, text=of_them)),
            "unread": tuple(text for text in query.unread if text not in taken),
        }
    )
