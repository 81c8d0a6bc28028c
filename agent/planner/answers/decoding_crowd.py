"""Several sessions that one target does not hold at the usual context: what would, and how many of it."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from ....hardware_db.schema import TargetClass
from ..bench import Answering, Call, Record, call_of
from ..query import Query
from ..writing import READABLE
from .cases import USUAL_CONTEXT, asked, demanded, holds, settings
from .decoding_rows import Row
from .phrases import lines
from .tokens import filled, on_cards


def at_usual(record: Record, query: Query) -> Generator[Call, Record, Record | None]:
    """The case at the usual context of each, where it was taken shorter to fit; None where it was not."""
    several = (record["batch"] or 1) > 1 and settings(query)["context"] is None
    if not several or int(record["context"]) >= USUAL_CONTEXT or record["verdict"] == "FAIL":
        return None
    given = asked(query) | {"context": USUAL_CONTEXT, "weights": record["weights"]}
    full = yield call_of("estimate_generation", query, **given)
    return None if full.result is None or holds(full) else full


def at_one_context(rows: Sequence[Row]) -> Generator[Call, Record, tuple[list[Row], list[str]]]:
    """Rows that are all at the usual context, and what each that does not hold it serves in a shorter."""
    same, short = list[Row](), list[str]()
    for row in rows:
        full = yield from at_usual(row.record, row.query)
        if full is not None:
            each = row.record.ref("session_tokens_per_s", "~")
            held = f"{row.record.ref('context')} tokens each, {filled(row.record)}, at {each} each"
            short.append(f"{row.name} holds {row.record.ref('batch')} sessions of {held}.")
        same.append(row._replace(record=full) if full else row)
    return same, short


def ways_of_each(rows: Sequence[Row]) -> Generator[Call, Record, list[str]]:
    """What would hold the sessions of each row that does not."""
    told = list[str]()
    for row in rows:
        if is_crowd(row.record) and not holds(row.record):
            ways = yield from would_hold(row.record, row.query)
            told += [f"{row.name}: {way}" for way in ways.splitlines()]
    return told


def is_crowd(record: Record) -> bool:
    return (record["batch"] or 1) > 1


def would_hold(full: Record, query: Query) -> Answering:
    """What would hold so many sessions: several of the card with the whole model each, and other formats.

    Cards that share the layers compute in turn: told where not one of them holds a session alone.
    """
    several = yield from _replicas(full, query)
    left_out = {"cards", "narrow"} if several else {"narrow"}
    ways = [
        full.ref(f"remedies[#{at}].statement")
        for at, each in enumerate(full["remedies"] or ())
        if each["kind"] not in left_out
    ]
    return lines(*(f"{way}." for way in (several, *ways) if way))


def _replicas(full: Record, query: Query) -> Answering:
    """As many of a card as serve all sessions, each with the whole model, and their price."""
    target = query.targets.get(str(full["target"]))
    if target is None or target.target_class is not TargetClass.GPU or (full["cards"] or 1) > 1:
        return ""
    least, words = demanded(query)
    one = yield call_of("estimate_generation", query, **asked(query) | {
        "batch": 1, "context": full["context"], "weights": full["weights"], "kv": full["kv"],
        "session_tokens_per_s": least or READABLE,
    })  # fmt: skip
    if not 0 < (one.number("most_sessions") or 0.0) < (full.number("batch") or 0.0):
        return ""
    chip = yield call_of("get_target", query, target=full["target"])
    count = f"ceil({full.id}.batch/{one.id}.most_sessions)"
    paid = f"{{{{{count}*{chip.id}.price_usd}}}} at launch" if chip.knows("price_usd") else "price not known"
    return (
        f"{{{{{count}|count}}}} x {full.ref('target')} ({paid}) in {full.ref('weights')}: every one with the "
        f"whole model and up to {one.ref('most_sessions')} sessions of {full.ref('context')} tokens, at "
        f"{words or f'{READABLE:g} tokens/s'} each or more"
    )


def unless_short(full: Record, record: Record) -> str:
    """That the usual context of each does not fit, and a shorter one does."""
    return (
        f"No, not with the usual {full.ref('context')} tokens each on {on_cards(full)}: {filled(full)}; yes "
        f"with {record.ref('context')} tokens each."
    )
