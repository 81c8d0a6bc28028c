"""The verdict: each limit with what is needed, and what would close its gap."""

from __future__ import annotations

from collections.abc import Iterator

from ...constraint_checker.report import Check
from ...core.units import show
from ...verdicts.verdict import Verdict
from ..text.optimization import fit_text
from .blocks import Block, Items, Paragraph, Table
from .figures import span
from .results import Results

_HEADER = ("Check", "Verdict", "Needed", "90 % interval", "Allowed", "Basis")
_LONGEST_UNIT = 5


def blocks(results: Results) -> tuple[Block, ...]:
    checks = results.checks.checks
    found: list[Block] = [Table(_HEADER, tuple(map(_row, checks)), right=frozenset({2, 3, 4}))]
    found.append(Items(tuple(f"{check.name}: {check.statement}" for check in checks)))
    parts = [(check.name, part.name, show(part.value, part.unit)) for check in checks for part in check.terms]
    if parts:
        found.append(
            Table(
                ("Check", "Made up of", "Amount"),
                tuple(parts),
                right=frozenset({2}),
                folded="What it is made up of",
            )
        )
    levers = tuple(row for check in checks for row in _levers(check))
    if levers:
        found.append(Paragraph("Changes that were simulated on this model and deployment:"))
        header = ("Check", "Change", "Effort", "Before", "After", "Closes the gap")
        found.append(Table(header, levers, right=frozenset({3, 4})))
    if results.checks.fit is not None:
        first, *more = fit_text(results.checks.fit).splitlines()
        found += [Paragraph(first), Items(tuple(line.removeprefix("- ") for line in more))]
    return tuple(found)


def _row(check: Check) -> tuple[str, ...]:
    name, unit = (check.unit, "") if len(check.unit) > _LONGEST_UNIT else (check.name, check.unit)
    name = f"{name} (soft)" if check.soft else name
    if check.demand is None and check.verdict is not Verdict.UNKNOWN:
        needed = ("-", "-")
    else:
        needed = (show(check.demand, unit), span(check.demand_low, check.demand_high, unit))
    allowed = "none told" if check.bound is None else show(check.bound, unit)
    return (name, check.verdict.value, *needed, allowed, check.basis.value)


def _levers(check: Check) -> Iterator[tuple[str, ...]]:
    for lever in check.levers:
        yield (
            check.name, lever.change, lever.effort, show(lever.before, lever.unit),
            show(lever.after, lever.unit), "yes" if lever.closes_gap else "no",
        )  # fmt: skip
