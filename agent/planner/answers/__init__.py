"""The answers: frames over what a question wants, in words with references."""

from . import facts
from .besides import besides
from .decoding import generation
from .each_part import each_part
from .frames import Frame, answers_by_its_words, frames_of
from .held_against import held_against

__all__ = [
    "Frame",
    "answers_by_its_words",
    "besides",
    "each_part",
    "facts",
    "frames_of",
    "generation",
    "held_against",
]
