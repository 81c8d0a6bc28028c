"""How far wrong answers are found and true ones left alone: true ones are changed, one figure at a time.

True answers are the planner's, with their references and as plain text; nobody wrote them to fit the checks.
"""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from edgewright.agent.references import Hole, fill, results_of
from edgewright.agent.references.figures import figures_in
from edgewright.agent.references.filling import HOLE
from edgewright.agent.references.review import review_against
from edgewright.tools.core.paths import keys_of

from .answered import Answered

_PAIRS, _FIGURES, _OTHERS = 4, 3, 2
"""Changes that are made to one answer, of each sort."""
_UNITS = {
    "ms": "s",
    "s": "ms",
    "KiB": "MiB",
    "MiB": "KiB",
    "µs": "ms",
    "mJ": "µJ",
    "µJ": "mJ",
    "mW": "W",
    "W": "mW",
}
Tally = dict[str, list[bool]]


def tally(answers: Iterable[Answered], seed: int = 1) -> Tally:
    """What was changed → of each change, whether it was noticed; of true figures, whether they were marked."""
    found: Tally = defaultdict(list)
    chance = random.Random(seed)
    for answer in answers:
        _true(answer, found)
        for swap in swapped(answer, chance):
            found["two references swapped"].append(seen_of(answer, swap).is_visible)
        for kind, text in _replaced(answer, chance):
            found[kind].append(bool(answer.marked(text) - answer.marked_as_written))
        for kind, text in _prose(answer, chance):
            found[kind].append(bool(answer.marked(text) - answer.marked_as_rendered))
    return found


def tally_text(found: Tally) -> str:
    rows = [
        f"| {kind} | {sum(each)} | {len(each)} | {100 * sum(each) / len(each):.1f} % |"
        for kind, each in found.items()
    ]
    return "\n".join(["| Figures | Marked | Of | Share |", "|---|--:|--:|--:|", *rows])


def _true(answer: Answered, found: Tally) -> None:
    for kind, text in (("true, by reference", answer.written), ("true, plain text", answer.rendered.text)):
        seen = review_against(answer.given, text, answer.records)
        figures = len(seen.filled.holes) or sum(1 for _ in figures_in(text, ()))
        found[kind] += [n < len(seen.problems) for n in range(max(figures, len(seen.problems)))]


def _figures(answer: Answered) -> list[tuple[Hole, re.Match[str]]]:
    """References to numbers, and where they are written."""
    holes = fill(answer.written, results_of(answer.records)).holes
    places = list(HOLE.finditer(answer.written))
    if len(holes) != len(places):
        return []
    return [pair for pair in zip(holes, places, strict=True) if isinstance(pair[0].value.value, int | float)]


class Swap(NamedTuple):
    """An answer with two references exchanged, and which of its references they are."""

    text: str
    places: tuple[int, int]


class Seen(NamedTuple):
    """What the check makes of two exchanged references."""

    marked: bool
    of_two_subjects: bool
    bare: int
    """How many of the two are neither marked nor named."""

    @property
    def is_visible(self) -> bool:
        return self.marked or (self.of_two_subjects and self.bare < 2)


def seen_of(answer: Answered, swap: Swap) -> Seen:
    seen = review_against(answer.given, swap.text, answer.records)
    at_hand, shown = seen.belonging.at_hand, seen.belonging.shown
    holes = [seen.filled.holes[place] for place in swap.places]
    places = [at_hand.holes.index(hole) for hole in holes if hole in at_hand.holes]
    keys = {at_hand.key(at_hand.figures[place]) for place in places}
    marked = bool(Counter(seen.marked) - answer.marked_as_written)
    return Seen(marked, len(keys) == 2, sum(place not in shown for place in places))


def swapped(answer: Answered, chance: random.Random) -> Iterator[Swap]:
    """The answer with two references of one unit exchanged, some pairs of it."""
    figures = _figures(answer)
    pairs = [
        (one, other)
        for n, one in enumerate(figures)
        for other in figures[n + 1 :]
        if one[0].amount.paths != other[0].amount.paths
        and one[0].value.unit == other[0].value.unit
        and one[0].text != other[0].text
    ]
    text = answer.written
    every = [found.span() for found in HOLE.finditer(text)]
    for (one, at), (other, there) in chance.sample(pairs, min(_PAIRS, len(pairs))):
        middle = text[at.end() : there.start()]
        yield Swap(
            text[: at.start()] + other.written + middle + one.written + text[there.end() :],
            (every.index(at.span()), every.index(there.span())),
        )


def _replaced(answer: Answered, chance: random.Random) -> Iterator[tuple[str, str]]:
    """The same field of another call, or of another row."""
    results = results_of(answer.records)
    for hole, place in _figures(answer):
        others = {re.sub(r"\br\d+", record, hole.written, count=1) for record in results}
        row = re.search(r"(r\d+)\.(layers|ranking|options)\[[^\]]*\]", hole.written)
        if row is not None:
            keys = keys_of((results[row[1]] or {}).get(row[2], ()))
            others |= {hole.written.replace(row[0], f"{row[1]}.{row[2]}[{key}]") for key in keys[:4]}
        made = [o for o in sorted(others) if (new := fill(o, results)).text != hole.text and not new.errors]
        for other in chance.sample(made, min(_OTHERS, len(made))):
            yield (
                "a reference of another call or row",
                answer.written[: place.start()] + other + answer.written[place.end() :],
            )


def _prose(answer: Answered, chance: random.Random) -> Iterator[tuple[str, str]]:
    text = answer.rendered.text
    asked = {round(figure.value, 6) for figure in figures_in(answer.question, ())}
    figures = [
        f
        for f in figures_in(text, ())
        if not f.spoken and (f.unit or f.written > 12) and round(f.value, 6) not in asked
    ]
    for figure in chance.sample(figures, min(_FIGURES, len(figures))):
        number = re.match(r"[\d.,]*\d", figure.text)
        if number is None:
            continue
        rest = figure.text[number.end() :]
        changed = {"plain text, ×1000": f"{float(number[0].replace(',', '')) * 1000:,.6g}{rest}"}
        changed["plain text, a digit"] = _other_digit(number[0], chance) + rest
        if figure.unit in _UNITS:
            changed["plain text, the unit"] = number[0] + rest.replace(figure.unit, _UNITS[figure.unit])
        kin = [
            f.text
            for f in figures
            if f.unit == figure.unit and f.family is figure.family and f.text != figure.text
        ]
        if kin:
            changed["plain text, another figure of it"] = chance.choice(kin)
        yield from ((kind, text[: figure.start] + new + text[figure.end :]) for kind, new in changed.items())


def _other_digit(number: str, chance: random.Random) -> str:
    """One of the first two digits is another."""
    at = chance.choice([n for n, c in enumerate(number) if c.isdigit()][:2])
    return number[:at] + chance.choice([d for d in "123456789" if d != number[at]]) + number[at + 1 :]
