"""Bind every number of an answer to a field of a tool result, or flag it.

What counts as a number: digits with or without a unit, in scientific or grouped notation, each end of a
range, and words before a unit ("half a meg"). What does not: names spelt with digits (int8, STM32H743,
ResNet-50, U55-128, CONV_2D, files, targets and runtimes by their identifiers), dates, versions, list
numbering, "8-bit", "90 % interval", "of 100" after a score, and the conventions of the field
("1 MAC = 2 FLOP", "KiB is 1024 B").

What it may be bound to, under rounding to the printed digits (to the last digit that is not zero, but
within 5 %, after "about"):

- a field of a tool result that measures the same, by the unit beside it or by the ending of its name, in
  any unit of that family: ms and s, KiB and MB, µJ and mJ, MAC and FLOP (1 MAC = 2 FLOP), a share and %.
  KB and MB may mean powers of 1024 or of 1000. Signs don't count: a gap of -12 is 12 to spare;
- the length of a list of layers, operators or other pieces;
- ratio, relative change and difference of two fields that are told together: before and after, demand
  and bound, used and size;
- a number in a sentence of ours: statements, reasons, assumptions, sources, names of targets. Texts out of a
  model file never count, wherever they stand, and neither do the arguments of a call;
- a number that the user wrote.

A number without a unit takes the one of its range, its list, its column, its key or the number that it
explains in brackets; else it must be a count, a ratio or a plain number, or have three digits or more and
equal a field as it stands. Whole numbers from 0 to 2 without a unit pass. A sentence that names one of
several targets, or one layer, can only use the figures of that target or layer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .binding import Known
from .context import near_units, scopes
from .facts import Fact, Kind, facts_of
from .families import BARE
from .figures import Figure, find_figures
from .report import USER, Binding, GroundingReport

LONGEST_ANSWER = 100_000


def check_grounding(
    answer: str, tool_results: Iterable[Mapping[str, Any]], user_text: str = ""
) -> GroundingReport:
    """Check an answer.

    Args:
        answer: what the user is about to read.
        tool_results: the calls of the conversation: [{"id", "name", "arguments", "result"}].
        user_text: what the user wrote, all of it.
    """
    facts = [*facts_of(tool_results), *_said(user_text)]
    known = Known(facts)
    text = answer[:LONGEST_ANSWER]
    figures = find_figures(text)
    scope = scopes(text, figures, {fact.target for fact in facts})
    bindings: list[Binding] = []
    ungrounded: list[str] = []
    for position, figure in enumerate(figures):
        near = () if figure.readings else near_units(text, figures, position)
        fact = known.find(figure, near, scope.get(figure.start))
        if fact is not None:
            bindings.append(
                Binding(
                    text=figure.text,
                    value=figure.value,
                    unit=figure.unit,
                    tool_call=fact.call,
                    path=fact.path,
                )
            )
        elif not _passes(figure, bool(near)):
            ungrounded.append(figure.text)
    return GroundingReport(grounded=not ungrounded, ungrounded=tuple(ungrounded), bindings=tuple(bindings))


def _passes(figure: Figure, has_unit: bool) -> bool:
    return not figure.readings and not has_unit and figure.value in (0, 1, 2) and figure.step in (0.0, 1.0)


def _said(user_text: str) -> Iterable[Fact]:
    for figure in find_figures(user_text[:LONGEST_ANSWER]):
        for reading in figure.readings or (BARE,):
            yield Fact(
                reading.family,
                abs(figure.value) * reading.factor,
                abs(figure.value),
                USER,
                "",
                kind=Kind.USER,
            )


__all__ = ["Binding", "GroundingReport", "check_grounding"]
