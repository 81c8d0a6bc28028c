"""The answers: frames over what a question wants, in words with references."""

from . import facts
from .decoding import generation
from .frames import Frame, frames_of

__all__ = ["Frame", "facts", "frames_of", "generation"]
