"""The answers: frames over what a question wants, in words with references."""

from ..bench import Frame
from . import beyond, facts, panels, texts, workloads
from .frames import answers_by_its_words, frames_of
from .generating import generation
from .still_open import if_meant, still_open

__all__ = [
    "Frame",
    "answers_by_its_words",
    "beyond",
    "facts",
    "frames_of",
    "generation",
    "if_meant",
    "panels",
    "still_open",
    "texts",
    "workloads",
]
