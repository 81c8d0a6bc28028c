"""The verdicts of rows out of many tables as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from ...cost_model.quantity_column import QuantityColumn
from ...verdicts.judge import Judged


class Row(Protocol):
    """What was judged under limits: a row of a table of verdicts."""

    @property
    def parts(self) -> Sequence[Judged]: ...
    @property
    def row(self) -> int: ...


def joined_parts(found: Sequence[Row]) -> list[Judged]:
    """Each limit over all rows, in their order; they were judged under the same limits."""
    if not found:
        return []
    return [_joined(found, at) for at in range(len(found[0].parts))]


def _joined(found: Sequence[Row], at: int) -> Judged:
    """Limits come in the same order for every row: they follow from what was demanded alone."""
    each = [(trial.parts[at], trial.row) for trial in found]
    first = each[0][0]
    fields = {part.field for part, _ in each} - {None}
    ceilings = [np.nan if part.ceiling is None else float(part.ceiling[row]) for part, row in each]
    return Judged(
        name=first.name,
        field=next(iter(fields), None),
        verdict=np.array([part.verdict[row] for part, row in each], dtype=np.int64),
        demand=_demand(each) if first.demand is not None else None,
        bound=np.array([part.bound[row] for part, row in each], dtype=np.float64),
        sentence=lambda number: each[number][0].sentence(each[number][1]),
        ceiling=np.array(ceilings),
    )


def _demand(each: Sequence[tuple[Judged, int]]) -> QuantityColumn:
    columns = [(part.demand, row) for part, row in each]
    return QuantityColumn.of(
        next(column.unit for column, _ in columns if column is not None),
        [column[row] for column, row in columns if column is not None],
    )
