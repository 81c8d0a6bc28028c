"""Bind every number of an answer to a field of a tool result, or flag it.

What counts as a number: digits with or without a unit, in scientific or grouped notation, each end of a
range, and words before a unit ("half a meg"). What does not: names spelt with digits (int8, STM32H743,
ResNet-50, U55-128, CONV_2D, files, targets and runtimes by their identifiers), dates, versions, list
numbering, "8-bit", "90 % interval", "of 100" after a score, and the conventions of the field
("1 MAC = 2 FLOP", "KiB is 1024 B").

What it may be bound to, under rounding to the printed digits (to the last digit that is not zero, but
within 5 %, after "about"; in words like "a third" within 8 %; never further off than 15 %):

- a field of a tool result that measures the same, by the unit beside it or by the ending of its name, in
  any unit of that family: ms and s, KiB and MB, µJ and mJ, MAC and FLOP (1 MAC = 2 FLOP), a share and %.
  KB may mean 1024 or 1000 bytes, kB are 1000. Signs don't count: a gap of -12 is 12 to spare;
- the length of a list of layers, operators or other pieces;
- ratio, relative change and difference of two fields that are told together: before and after, demand
  and bound, used and size; of the same field of two targets, runtimes, models or clocks that the sentence
  names; of a layer and its whole; of two figures that the text tells (`set_against`); of what comes out and
  what the user demands of it;
- the sum of several that the text tells, of all layers of an operator or of the largest (`totals`), and so
  many times what each of them has (`multiples`);
- what so many inferences take, and how many of them an amount buys (`runs`);
- how often, where a result only tells how long;
- a number in a sentence of ours: statements, reasons, assumptions, sources, names of targets. Texts out of a
  model file never count, wherever they stand, and neither do the arguments of a call;
- a number that the user wrote, as a limit or a premise and not as what comes out; of one that a tool repeats
  it is the user's where the sentence tells it as the demand.

What the sentence says of a number must hold of the field:

- its quantity (`quantities`, `clauses`): the words of its part of the clause, the head of its column and row.
  A figure of a part, a case or a comparison counts only where the text speaks of that (`marks`);
- its subject (`subjects`, `clocks`, `same_subject`): the target, runtime, model, layer, operator, change,
  clock and region that the sentence names, or the sentence, heading or cell before it;
- its role (`claims`, `intervals`, `suiting`): the value or an end of its interval, what was asked for or what
  comes out, what is left, how much more or less, faster or slower, of what, best or worst.

A number without a unit takes the one of its range, its list, its column, its key or the number that it
explains in brackets; else it must be a count, a ratio or a plain number, or have three digits or more and
equal a field as it stands. Whole numbers from 0 to 2 without a unit pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .asked import Asked
from .binding import Known
from .claims import claim_of
from .clauses import Clauses
from .clocks import tell_clocks
from .context import near_units
from .facts import Fact, Kind
from .families import BARE, Family
from .figures import Figure, find_figures, strictly
from .intervals import interval_ends, not_extremes, out_of_order, told_as_ends, unlike_ends
from .known_names import Mention, known_in, mentions_in, named_in, techniques_in
from .multiples import multiples_of_each
from .ratios import Ratios
from .reading import facts_of
from .report import USER, Binding, GroundingReport, audit_rows
from .runs import bought
from .sentences import paragraphs, sentence_starts
from .set_against import set_against
from .spoken_figures import in_digits
from .subjects import spoken_of

LONGEST_ANSWER = 100_000
_LONGEST_COUNTED = 12
_RECIPROCAL = {Family.RATE: Family.TIME, Family.TIME: Family.RATE}
"""Who asks for five a second allows a fifth of a second."""
_BESIDE = 30
_NEAR = 16
MOST_FIGURES = 5_000
"""Of one answer; whatever stands behind them is told as ungrounded."""


def check_grounding(
    answer: str, tool_results: Iterable[Mapping[str, Any]], user_text: str = ""
) -> GroundingReport:
    """Check an answer.

    Args:
        answer: what the user is about to read.
        tool_results: the calls of the conversation: [{"id", "name", "arguments", "result"}].
        user_text: what the user wrote, all of it.
    """
    text = answer[:LONGEST_ANSWER]
    results = list(tool_results)
    names = known_in(results)
    figures = find_figures(text, names.models)
    if not figures:
        return GroundingReport(grounded=True, ungrounded=(), bindings=())
    mentions = mentions_in(text, names)
    facts = [*facts_of(results, named_in(mentions)), *_said(user_text)]
    mentions += techniques_in(text, {fact.subject.technique for fact in facts} - {""})
    asked = _asked(text, figures[:MOST_FIGURES], mentions)
    known = Known(facts)
    found = _found(text, asked, known)
    shown = [one.figure for one in asked]
    for position, end in list(unlike_ends(text, shown, found)):
        found[position] = known.find(asked[position]._replace(end=end))
    for position in list(not_extremes(text, shown, found, facts)):
        found[position] = None
    for position in list(out_of_order(text, shown, found)):
        found[position] = None
    bindings = [_binding(a.figure, fact) for a, fact in zip(asked, found, strict=True) if fact]
    left = [
        one.figure
        for at, (one, fact) in enumerate(zip(asked, found, strict=True))
        if fact is None and not _passes(one) and not _counts_a_list(text, asked, at)
    ]
    left += figures[MOST_FIGURES:]
    return GroundingReport(
        grounded=not left,
        ungrounded=tuple(figure.text for figure in left),
        spans=tuple((figure.start, figure.end) for figure in left),
        bindings=tuple(bindings),
    )


def _asked(text: str, figures: Sequence[Figure], mentions: Sequence[Mention]) -> list[Asked]:
    figures = [strictly(figure) for figure in figures]
    near = [() if f.readings else near_units(text, figures, at) for at, f in enumerate(figures)]
    indexed = [
        f.as_index() if n and n[0].family is Family.INDEX else f for f, n in zip(figures, near, strict=True)
    ]
    spoken, ends = spoken_of(text, indexed, mentions), interval_ends(text, figures)
    tell_clocks(text, indexed, near, spoken)
    words = Clauses(text, figures, mentions).own()
    around, ranged = paragraphs(text, figures), told_as_ends(text, figures)
    return [
        Asked(
            figure,
            near[at],
            spoken[figure.start],
            claim_of(text, figures, at),
            ends.get(at, ""),
            ranged[at],
            words[at],
            text[max(0, figure.start - _BESIDE) : figure.end + _BESIDE],
            text[slice(*around[at])],
        )
        for at, figure in enumerate(indexed)
    ]


def _found(text: str, asked: Sequence[Asked], known: Known) -> list[Fact | None]:
    """Each in what tools told; then what is left, as a relation of two that were told."""
    found = [known.find(one) for one in asked]
    if all(found):
        return found
    ratios = Ratios(known.facts)
    starts = sentence_starts(text, [one.figure for one in asked])
    for at, one in enumerate(asked):
        if found[at] is None and one.figure.readings:
            near = [
                f
                for other, f in enumerate(found[max(0, at - _NEAR) : at + _NEAR], max(0, at - _NEAR))
                if f and f.kind is not Kind.PAIR and _told_together(asked, starts, other, at)
            ]
            near += multiples_of_each(text, asked, found, starts, at)
            found[at] = ratios.find(one, near, set_against(text, asked, found, starts, at))
    for at, fact in bought(text, asked, known.facts):
        found[at] = found[at] or fact
    return found


def _told_together(asked: Sequence[Asked], starts: Sequence[int], other: int, at: int) -> bool:
    """In one sentence, or in one before it in the paragraph."""
    if starts[other] == starts[at]:
        return True
    return other < at and asked[other].figure.start >= asked[at].figure.start - len(asked[at].around)


def _binding(figure: Figure, fact: Fact) -> Binding:
    return Binding(
        text=figure.text, value=figure.value, unit=figure.unit, tool_call=fact.call, path=fact.path
    )


def _passes(asked: Asked) -> bool:
    figure = asked.figure
    bare = not figure.readings and not asked.near
    return bare and figure.value in (0, 1, 2) and figure.step in (0.0, 1.0)


def _counts_a_list(text: str, asked: Sequence[Asked], at: int) -> bool:
    """Three layers: 2, 0 and 4. Three measurements: 53, 51 and 43 ms."""
    figure = asked[at].figure
    if (
        figure.family not in (Family.OPERATORS, Family.PIECES, None)
        or not 1 < figure.value <= _LONGEST_COUNTED
    ):
        return False
    listed, after_colon = 0, 0
    for one in asked[at + 1 :]:
        gap = text[figure.end : one.figure.start]
        if "\n" in gap or ". " in gap:
            break
        listed += one.figure.family is Family.INDEX
        after_colon += ": " in gap
    return figure.value == (after_colon if figure.family is None else listed)


def _said(user_text: str) -> Iterable[Fact]:
    text = user_text[:LONGEST_ANSWER]
    for figure in [*find_figures(text)[:MOST_FIGURES], *find_figures(in_digits(text))[:MOST_FIGURES]]:
        for reading in figure.readings or (BARE,):
            value = abs(figure.value)
            told = Fact(reading.family, value * reading.factor, value, USER, "", kind=Kind.USER)
            yield told
            if reading.family in _RECIPROCAL and told.value:
                yield told._replace(family=_RECIPROCAL[reading.family], value=1 / told.value)


__all__ = ["Binding", "GroundingReport", "audit_rows", "check_grounding"]
