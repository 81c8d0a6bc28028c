"""What a table of rows comes to: which is best and by how much, which hold, which do not and why."""

from __future__ import annotations

from collections.abc import Sequence

from ..bench import is_named
from ..query import LIMITS, Query, Role
from ..want import Want
from .columns import CHECK, ESTIMATE, LIFE, Column
from .phrases import apart, joined
from .rows import Row

_JUDGED = frozenset((Want.FITS, Want.MEETS))
_MOST_REASONED, _MOST_WORDS = 4, 45


def rank(row: Row, column: Column) -> tuple[bool, bool, float]:
    """What fails last, then what is not known, then by the figure."""
    number = row.number(column)
    return (
        row.verdict == "FAIL",
        number is None,
        (-number if column.largest else number) if number is not None else 0.0,
    )


def summed_up(query: Query, wants: Sequence[Want], order: Sequence[Row], main: Column) -> str:
    """Which is best and by how much; where limits decide, that they do."""
    best = order[0]
    if best.number(main) is None:
        if known := [row for row in order if row.number(main) is not None]:
            fails = ", which cannot run it as it is" if known[0].verdict == "FAIL" else ""
            figure = known[0].cell(main, main=True)
            return f"I know the {main.head} of {known[0].name} alone, {figure}{fails}"
        tell = "; say what each draws, such as *20 mA at 3.3 V*" if main.function == LIFE else ""
        return f"I cannot tell, as the {main.head} of none of them is known{tell}"
    limited = query.has(*LIMITS)
    meets = [row for row in order if row.verdict in ("PASS", "MARGINAL")]
    runs = [row for row in order if row.verdict != "FAIL"]
    shown = best.cell(main, main=True) + (f" {main.head}" if main.ratio else "")
    of_models = len(set(query.all(Role.MODEL))) > 1
    verdicts = _which(order, "meet your limits" if limited else "fit") if _JUDGED & set(wants) else ""
    if of_models and runs and (_JUDGED & set(wants[:1]) or limited):
        return verdicts or _which(order, "meet your limits")
    if not runs:
        return (
            f"none of them {'meets your limits' if limited else 'fits'}; {best.name} comes "
            f"nearest with {shown}"
        )
    if len(runs) == 1 and len(order) > 1:
        return (
            f"{best.name} is the only one that "
            f"{'can meet your limits' if limited else 'it fits'}, with {shown}"
        )
    first = f"{best.name} {main.best} with {shown}"
    if verdicts and not limited:
        first = f"{verdicts}; {first}"
    if limited and not meets:
        first += ", though none surely meets your limits"
    elif limited:
        first += (
            " of those that meet your limits" if best in meets else ", though not surely within your limits"
        )
    others = [row for row in order[1:] if row.verdict != "FAIL" and row.number(main) is not None]
    return first + (_ahead(best, others[0], main) if others else "")


def _which(rows: Sequence[Row], do: str) -> str:
    """Which of them hold, and which do not."""
    yes = joined(row.name for row in rows if row.verdict in ("PASS", "MARGINAL"))
    unsure = joined(row.name for row in rows if row.verdict == "UNKNOWN")
    no = joined(row.name for row in rows if row.verdict == "FAIL")
    said = [f"{yes} {do}" if yes else f"none surely {do}".replace("none surely fit", "none surely fits")]
    said += [f"{unsure} may"] if unsure else []
    return "; ".join([*said, f"not {no}"] if no else said)


def _ahead(best: Row, second: Row, main: Column) -> str:
    one, other = best.records[main.function], second.records[main.function]
    top, bottom = (one, other) if main.largest else (other, one)
    if not top.number(main.path) or not bottom.number(main.path) or "{chip}" in main.ratio:
        return ""
    unsure = (
        ""
        if apart(one.ends(main.path), other.ends(main.path)) or one.ends(main.path) is None
        else ", though their intervals overlap"
    )
    exact = (one.ends(main.path) or (0, 1))[0] == (one.ends(main.path) or (0, 1))[1]
    return (
        f", {{{{{top.id}.{main.path}/{bottom.id}.{main.path}|x}}}} better than "
        f"{second.name}{'' if exact else unsure}"
    )


def others_best(columns: Sequence[Column], order: Sequence[Row]) -> str:
    """Where another figure that is wanted has another best."""
    parts = []
    for column in columns[1:3]:
        known = [row for row in order if row.number(column) is not None and row.verdict != "FAIL"]
        best = min(known, key=lambda row: rank(row, column), default=None)
        if best is not None and len(known) > 1 and (best is not order[0] or best.number(columns[0]) is None):
            parts.append(f"{best.name} {column.best}")
    return joined(parts)


def refused(rows: Sequence[Row]) -> list[str]:
    """Why those that fail do, in the words of the check that decides it; one where all fail by the same."""
    said: dict[str, str] = {}
    for row in rows if len(rows) <= _MOST_REASONED else ():
        check = row.records.get(CHECK)
        if row.verdict != "FAIL" or check is None:
            continue
        failing = [one for one in check["checks"] if one["verdict"] == "FAIL"]
        why = next((one for one in failing if one["name"] == "operators"), failing[0])
        if why["name"] == "operators":
            operators = check.ref("checks[operators].demand", "count")
            kernels_of = check.ref("deployment.runtime")
            run = "operator does" if why["demand"] == 1 else "operators do"
            said.setdefault("operators", f"{row.name}: {operators} {run} not run with {kernels_of}.")
            continue
        stop = "" if str(why["statement"]).endswith(".") else "."
        if len(str(why["statement"]).split()) <= _MOST_WORDS:
            path = "checks[" + why["name"] + "].statement"
            said.setdefault(why["name"], f"{row.name}: {check.ref(path)}{stop}")
    return list(said.values())


def kernels(query: Query, rows: Sequence[Row]) -> str:
    """Which kernels and type were taken where the question names none."""
    if query.has(Role.RUNTIME) or not rows:
        return ""
    taken = [row.records[ESTIMATE] for row in rows]
    typed = not query.has(Role.DTYPE) and all(is_named(row.query.text(Role.MODEL)) for row in rows)
    dtype = f", {taken[0].ref('dtype')}" if typed and len({str(one["dtype"]) for one in taken}) == 1 else ""
    of = {row.query.text(Role.TARGET): one for row, one in zip(rows, taken, strict=True)}
    runtimes = {str(one["deployment"]["runtime"]) for one in taken}
    if len(runtimes) == 1:
        return f"With {taken[0].ref('deployment.runtime')}{dtype}."
    if len(of) < len(rows):
        return ""
    each = [f"{one.ref('deployment.runtime')} on {target}" for target, one in of.items()]
    return f"With {joined(each)}{dtype}."
