"""Scales of drawings, and the SVG that all of them need."""

from __future__ import annotations

import math

from .records import dataclass
from .sanitize import escape


@dataclass(frozen=True)
class LogScale:
    """Whole decades from `low` to `high` on the pixels from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        share = math.log10(value / self.low) / math.log10(self.high / self.low)
        return round(self.start + (self.end - self.start) * share, 2)

    def ticks(self) -> list[float]:
        first, last = round(math.log10(self.low)), round(math.log10(self.high))
        return [10.0**power for power in range(first, last + 1)]


def decades(values: list[float], start: float, end: float) -> LogScale:
    """Decades that hold all the values, which are above zero."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return LogScale(10.0**low, 10.0 ** max(high, low + 1), start, end)


def svg(width: float, height: float, parts: list[str], note: str) -> str:
    """`note` is what a screen reader says of it."""
    box = f'viewBox="0 0 {width:g} {height:g}" role="img" aria-label="{escape(note)}"'
    return f"<svg {box}>{''.join(parts)}</svg>"


def text(x: float, y: float, words: str, *, anchor: str = "", kind: str = "") -> str:
    more = f' text-anchor="{anchor}"' if anchor else ""
    more += f' class="{kind}"' if kind else ""
    return f'<text x="{x:g}" y="{y:g}"{more}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<path class="{kind}" d="M{x1:g} {y1:g}L{x2:g} {y2:g}"/>'


def titled(words: str, inside: str) -> str:
    """With a tool tip."""
    return f"<g><title>{escape(words)}</title>{inside}</g>"


def legend(x: float, y: float, entries: list[tuple[str, str]]) -> str:
    """Squares of a class with what they mean."""
    parts = []
    for kind, words in entries:
        parts.append(f'<rect class="{kind}" x="{x:g}" y="{y - 9:g}" width="10" height="10"/>')
        parts.append(text(x + 15, y, words))
        x += 15 + 7.2 * len(words) + 18
    return "".join(parts)
