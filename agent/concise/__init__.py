"""Results as a chat model reads them: short text whose left sides are what references are written with."""

from .text import LONGEST_TOKENS, shown

__all__ = ["LONGEST_TOKENS", "shown"]
