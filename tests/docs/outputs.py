"""Whether an output is the one that a page shows, and what the page would have to show instead.

`[…]` or `…` alone on a line stands for any lines, `…` within a line for any text.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from itertools import pairwise

_LEFT_OUT = ("[…]", "…")
_SIMILAR = 0.6
_SHORT = 4
"""Lines of a part that is shown for itself, not as the beginning and the end of something."""
_FIGURE = re.compile(r"[\d.,]+")


def is_left_out(line: str) -> bool:
    return line.strip() in _LEFT_OUT


def same(shown: Sequence[str], printed: Sequence[str]) -> bool:
    """Every line that is shown is printed, in that order and with nothing between that is not marked."""
    pattern = "".join(r"(?:.*\n)*?" if is_left_out(line) else f"{_as_pattern(line)}\n" for line in shown)
    return re.fullmatch(pattern, "".join(f"{line.rstrip()}\n" for line in printed)) is not None


def _as_pattern(line: str) -> str:
    return ".*".join(map(re.escape, line.rstrip().split("…")))


def renewed(shown: Sequence[str], printed: Sequence[str]) -> list[str]:
    """`shown` with the figures of `printed`; what was left out stays left out.

    A part behind left-out lines begins at the printed line that reads the same but for its figures.

    Raises:
        LookupError: no line reads like the one that a part began with.
    """
    if same(shown, printed):
        return list(shown)
    gaps = [-1, *(at for at, line in enumerate(shown) if is_left_out(line)), len(shown)]
    lines: list[str] = []
    at = 0
    for before, behind in pairwise(gaps):
        part = shown[before + 1 : behind]
        if before >= 0:
            lines.append(shown[before])
            at = _like(part[0], printed, at) if part else at
        end = len(printed) if behind == len(shown) and part else _end(part, printed, at)
        lines += [_kept(was, now) for was, now in zip(_padded(part, end - at), printed[at:end], strict=False)]
        at = end
    return lines


def _padded(part: Sequence[str], length: int) -> list[str]:
    return [*part, *[""] * (length - len(part))]


def _kept(was: str, now: str) -> str:
    return was if "…" in was and re.fullmatch(_as_pattern(was), now.rstrip()) else now.rstrip()


def _like(line: str, printed: Sequence[str], start: int) -> int:
    """Where a line reads the same but for its figures, with the same first one (an index, perhaps) if there is such.

    Where none does, as columns came or went, the most similar line.
    """
    wanted, first = _shape(line), _FIGURE.search(line)
    alike = [
        at
        for at in range(start, len(printed))
        if _shape(printed[at]) == wanted or re.fullmatch(_as_pattern(line), printed[at].rstrip())
    ]
    if not alike and (close := difflib.get_close_matches(line, printed[start:], 1, _SIMILAR)):
        return printed.index(close[0], start)
    if not alike:
        raise LookupError(f"nothing that is printed reads like {line!r}: show another part of the output")
    same_index = (
        at for at in alike if first and (found := _FIGURE.search(printed[at])) and found[0] == first[0]
    )
    return next(same_index, alike[0])


def _end(part: Sequence[str], printed: Sequence[str], start: int) -> int:
    """Behind the line that reads like the last one, the nearest to where it would stand."""
    expected = start + len(part)
    if len(part) < _SHORT:
        return expected
    last = _shape(part[-1])
    alike = [at + 1 for at in range(start, len(printed)) if _shape(printed[at]) == last]
    return min(alike, key=lambda end: abs(end - expected), default=expected)


def _shape(line: str) -> str:
    return re.sub(r"\s+", " ", _FIGURE.sub("0", line.replace("-", " "))).strip()
