"""Of several networks which is the smallest or the largest: by what they store, and by what they compute."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from ..words import spoken
from .phrases import language_models, lines, table

_LARGEST = re.compile(r"\b(?:biggest|largest|heaviest)\b", re.I)
_MOST = 8


def asks(query: Query) -> bool:
    """Whether one of several networks is to be told by its size."""
    models = set(query.all(Role.MODEL))
    sized = spoken("sized", query.question) and {"the_two", "which"} & query.asks
    return bool(sized) and len(models) > 1 and not language_models(query) and not query.one_of


def by_size(query: Query, _wants: Sequence[Want]) -> Answering:
    """The one that is asked for first, then all of them."""
    rows: list[tuple[str, Record]] = []
    for model in list(dict.fromkeys(query.all(Role.MODEL)))[:_MOST]:
        record = needed((yield call_of("parse_model", query, model=model)))
        rows.append((model.rpartition("/")[2], record))
    sign = -1 if _LARGEST.search(query.question) else 1
    rows.sort(key=lambda row: sign * (row[1].number("parameter_count") or 0.0))
    name, best = rows[0]
    word = "largest" if sign < 0 else "smallest"
    return lines(
        f"{name} is the {word}: {best.ref('parameter_count')} parameters, {best.ref('macs', 'M')} MACs.",
        table(
            ("network", "parameters", "MACs"),
            [[name, record.ref("parameter_count"), record.ref("macs", "M")] for name, record in rows],
        ),
    )


__all__ = ["asks", "by_size"]
