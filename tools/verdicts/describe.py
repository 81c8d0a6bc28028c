"""What would make a model fit, and which limits would have to give, in words and tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..core.document import Block, Items, Paragraph, Table, Text, joined, text
from .changes import Combination, Fit
from .relaxation import Relaxation, RelaxedPair

_PAIRS = 3


def fit_blocks(fit: Fit, at: str) -> Iterator[Block]:
    """What would make it fit, with the figures after each change.

    Args:
        fit: the answer.
        at: where it stands in the result.
    """
    yield Paragraph(text("To fit: {statement}.", at))
    if fit.changes is not None and fit.changes.changes:
        yield steps(fit.changes, f"{at}.changes")
    if fit.nearest is not None:
        reasons = [text(f"{{reasons[#{n}]}}", f"{at}.nearest") for n in range(len(fit.nearest.reasons))]
        yield Paragraph(
            joined("Nearest: ", name_of(fit.nearest, f"{at}.nearest"), ": ", listed(reasons, "; "))
        )
        if fit.nearest.changes:
            yield steps(fit.nearest, f"{at}.nearest")
    yield from relaxations(fit.relaxations, () if fit.relaxations else fit.relaxed_pairs, at)


def name_of(shown: Combination, at: str) -> Text:
    """`input-50 + prune-50`."""
    names = [text(f"{{changes[#{n}].technique}}", at) for n in range(len(shown.changes))]
    return listed(names, " + ") if names else "as it is"


def listed(texts: Sequence[Text], between: str = ", ") -> Text:
    return joined(*(part for at, each in enumerate(texts) for part in ((between,) if at else ()) + (each,)))


def steps(shown: Combination, at: str) -> Table:
    """One change upon the other; what cannot run yet has no figures."""
    rows = tuple(
        (
            text("{technique}", here),
            text("{effort}", here),
            *_figures(f"{here}.after", step.after is not None),
        )
        for number, step in enumerate(shown.changes)
        for here in (f"{at}.changes[#{number}]",)
    )
    return Table(("Then", "Effort", "Latency", "Energy", "Arena", "Flash"), rows, spare=("Energy", "Flash"))


def _figures(at: str, runs: bool) -> tuple[Text, ...]:
    if not runs:
        return ("cannot run yet", "", "", "")
    return tuple(
        text(cell, at) for cell in ("{latency_ms~}", "{energy_uj}", "{arena_bytes}", "{flash_bytes}")
    )


def relaxations(single: Sequence[Relaxation], pairs: Sequence[RelaxedPair], at: str = "") -> Iterator[Items]:
    """By how much limits would have to give, and what that admits; `at` is what holds them."""
    begin = f"{at}." if at else ""
    if single:
        paths = [f"{begin}relaxations[#{n}]" for n in range(len(single))]
        lines = [joined(_change(path), text(": {admits}", path)) for path in paths]
        yield Items(tuple(lines), "One limit alone would have to give")
    if pairs:
        paths = [f"{begin}relaxed_pairs[#{n}]" for n in range(min(len(pairs), _PAIRS))]
        both = [listed([_change(f"{path}.relaxations[#{i}]") for i in range(2)], " and ") for path in paths]
        lines = [joined(pair, text(": {admits}", path)) for pair, path in zip(both, paths, strict=True)]
        yield Items(tuple(lines), "No limit alone suffices; two would have to give together")


def _change(at: str) -> Text:
    return text("{limit} {demanded} → {needed} ({+percent})", at)
