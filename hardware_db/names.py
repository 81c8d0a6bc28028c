"""How people spell names: what two spellings share when they mean the same."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator

_SEPARATORS = re.compile(r"[^a-z0-9+@]+")
_WITHIN_LINES = re.compile(r"[^a-z0-9+@\n]+")
_WORD = re.compile(r"[A-Za-z0-9+@]+")

_VENDORS = frozenset(
    re.findall(
        r"\w+",
        """
        adafruit adi alif amazon amd ambiq analog analogdevices arm arduino artery atmel broadcom devices
        espressif foundation gigadevice google himax infineon instruments intel labs maxim microchip
        microelectronics nordic nuvoton nvidia nxp pi pjrc qualcomm quicklogic raspberry renesas seeed
        semiconductor silabs silicon sparkfun st stm stmicro stmicroelectronics texas ti
        """,
    )
)
_ARTICLES = frozenset(["a", "an", "any", "my", "our", "some", "that", "the", "this", "your"])
_GENERIC = frozenset(
    re.findall(
        r"\w+",
        """
        accelerator board boards card chip core cpu dev development devkit gpu kernels kit library
        mcu microcontroller module processor runtime series soc sxm target
        """,
    )
)


def folded(name: str) -> str:
    """The spelling that counts: no case, and nothing between letters and digits."""
    return _SEPARATORS.sub("", name.casefold())


def folded_each(names: Iterable[str]) -> list[str]:
    """The same of many names at once, of one line each."""
    return _WITHIN_LINES.sub("", "\n".join(names).casefold()).split("\n")


def words(text: str) -> list[str]:
    return [match.group().casefold() for match in _WORD.finditer(text)]


def spellings(name: str) -> Iterator[str]:
    """Folded forms to look a name up by, the fullest first.

    Then without the words that add nothing to it: an article or vendor before, 'board' or 'GPU' behind.
    """
    yield folded(name)
    starts = [words(name)]
    while len(starts[-1]) > 1 and starts[-1][0] in _ARTICLES | _VENDORS:
        starts.append(starts[-1][1:])
        yield "".join(starts[-1])
    for start in starts:
        parts = start
        while len(parts) > 1 and parts[-1] in _GENERIC:
            parts = parts[:-1]
            yield "".join(parts)


def distance(one: str, other: str, limit: int = 99) -> int:
    """Edits from one spelling to the other; swapping neighbours counts once. Stops above `limit`.

    A column of the table of edits at a time, its steps up and down as bits: H. Hyyrö, "A bit-vector algorithm
    for computing Levenshtein and Damerau edit distances", Nordic Journal of Computing 10 (2003).
    """
    if not one or abs(len(one) - len(other)) > limit:
        return abs(len(one) - len(other))
    places, every = _places(one), (1 << len(one)) - 1
    last = every ^ every >> 1
    up, down, diagonal, before = every, 0, 0, 0
    edits, left = len(one), len(other)
    for letter in other:
        here = places.get(letter, 0)
        swapped = (~diagonal & here) << 1 & before
        diagonal = ((here & up) + up ^ up | here | down | swapped) & every
        more, fewer = down | every & ~(diagonal | up), diagonal & up
        edits += bool(more & last) - bool(fewer & last)
        left -= 1
        if edits - left > limit:
            return edits - left
        more, fewer = more << 1 | 1, fewer << 1
        up, down, before = (fewer | ~(diagonal | more)) & every, more & diagonal & every, here
    return edits


@functools.lru_cache(maxsize=64)
def _places(word: str) -> dict[str, int]:
    """Letter → a bit for each place that it stands at."""
    places: dict[str, int] = {}
    for place, letter in enumerate(word):
        places[letter] = places.get(letter, 0) | 1 << place
    return places


def closest(name: str, known: Iterable[str], count: int) -> list[str]:
    """The known folded names that need the fewest edits for their length, best first."""
    key = folded(name)
    if not key:
        return []
    scored = []
    for candidate in known:
        limit = max(len(key), len(candidate)) // 2
        edits = distance(key, candidate, limit)
        if edits <= limit:
            scored.append((edits / max(len(key), len(candidate)), candidate))
        elif candidate.startswith(key) or (len(key) > 3 and key in candidate):
            scored.append((0.5, candidate))
    return [candidate for _, candidate in sorted(scored)[:count]]
