"""What a turn leaves for later ones: the table that it showed, its figures, and nothing that was refused."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..answer import ToolCallRecord
from ..patterns import compiled
from ..sessions.saved import SavedTurn
from .answers.sought import GOAL_OF
from .answers.ways_out import LEADS
from .pointing import VARIED
from .query import Query, Role, Slot
from .shown import rows_of, targets_of
from .want import Want
from .words import meaning

_SUBJECT = (Role.MODEL, Role.TARGET, Role.RUNTIME)
NAMED = (*VARIED, Role.SEQUENCE, Role.BATTERY)
"""What a conversation may come back to."""
_OF_PAGES = frozenset((Want.CONCEPT, Want.PRODUCT, Want.HELP, Want.OUTSIDE, Want.THANKS))
"""What is asked aside: its names are none of the conversation's."""
_CHOOSES = ((Want.RECOMMEND,), (Want.CHEAPEST,))
_SUGGESTED = compiled(r"\b([a-z][\w-]*) \((?:minutes|hours|days|retraining|redesign)\b")
"""A change that an answer names, with its effort."""
_VARIED = {"clock": Role.CLOCK_MHZ, "batch": Role.BATCH, "input": Role.SIDE}
_UNIT_OF = {
    "latency_ms": "ms", "inferences_per_second": "1/s", "at_once_per_second": "1/s",
    "decode_tokens_per_s": "tokens/s",
}  # fmt: skip
_HELD = compiled(r"(?P<many>\d+) x (?P<target>[a-z][\w-]*) hold ")
"""How many cards an answer begins with that hold a model."""
_NO_FILE = "There is no model file"
_OF_A_CALL = compiled(r"\br\d+(?=\.)")


def left_by(query: Query, earlier: Query | None, turn: SavedTurn) -> Query:
    """What a turn leaves for later ones: the table that it showed, and nothing that its calls refused.

    Where hardware was to be chosen, none is chosen yet.
    """
    records = turn.records
    aside = query.wants and query.wants[0] in _OF_PAGES and not query.says(Role.MODEL, Role.TARGET)
    if earlier is not None and (aside or query.aside or (query.wants and set(query.wants) <= _OF_PAGES)):
        left = {"slots": earlier.slots, "cast": earlier.cast, "asks": earlier.asks, "picked": earlier.picked}
        return query.model_copy(update=left)
    query = _with_what_was_told_too(query, turn)
    if query.wants[:1] != (Want.SUMMARY,):
        alone = query.model_copy(update={"established": (), "shown": ()})
        query = query.model_copy(update={"established": (*query.established, alone)})
    weighed = [s for s in query.slots if s.role is Role.RUNTIME and s.text.startswith("without ")]
    weighed = weighed if len(set(query.all(Role.RUNTIME))) > 1 else []  # with them and without is asked once
    if weighed:
        kept = tuple(s for s in query.slots if s not in weighed)
        cast = query.cast.without(query.all(Role.RUNTIME))
        query = query.model_copy(update={"slots": kept, "cast": cast})
    query = _without_missing_files(query, records)
    refused = _arguments(records, failed=True) - _arguments(records, failed=False)
    lost = {
        slot.role for slot in query.slots if not slot.inherited and (slot.role.value, slot.value) in refused
    }
    lost -= set(_SUBJECT)
    if lost:
        before: tuple[Slot, ...] = earlier.slots if earlier else ()
        restored = tuple(slot for slot in before if slot.role in lost)
        query = query.without(lost)
        query = query.model_copy(update={"slots": (*query.slots, *restored)})
    if failing := _failing(records):
        query = query.put(Role.GOAL, GOAL_OF.get(failing[0], "latency"))
    told = str((turn.answer or {}).get("answer", ""))
    picked = next((put_first for record in records if (put_first := _picked(record, told))), None)
    picked = picked or (earlier.picked if earlier and not query.says(Role.MODEL) else ())
    query = query.model_copy(update={"picked": picked})
    held = _HELD.match(told)
    if held is not None and held["target"] == query.text(Role.TARGET):
        query = query.without([Role.CARDS]).put(Role.CARDS, float(held["many"]))
    rows = () if weighed else rows_of(told, query)
    shown = [(slot.role, slot.value) for row in rows for slot in row.slots if slot.role in NAMED]
    first = told.removeprefix("I would take ")
    best = next(
        (name for name in targets_of(rows) if re.match(rf"(?:\d+ x )?{re.escape(name)}[ ,:]", first)), ""
    )
    beside = any(lead in told for lead in LEADS)
    ranked = not beside and any(record["name"] == "recommend_hardware" for record in records)
    best = best or next(iter(targets_of(rows)), "") if ranked else best
    found = [found for record in records for found in _found(record)]
    found += [(Role.TECHNIQUE, name) for name in _SUGGESTED.findall(told)]
    if ranked and not {Want.RECOMMEND, Want.CHEAPEST} & set(query.wants):
        query = query.model_copy(update={"topic": (Want.RECOMMEND, *query.topic)})
    cast = query.cast.with_answer([*found, *shown], best, table=bool(rows))
    cast = cast.model_copy(update=_first_figure(turn, best))
    query = query.model_copy(update={"cast": cast, "shown": rows or query.shown})
    if not rows or not ranked or query.says(Role.TARGET) or query.wants[:1] not in _CHOOSES:
        return query
    return query.without([Role.TARGET, Role.RUNTIME])


def _with_what_was_told_too(query: Query, turn: SavedTurn) -> Query:
    """What an answer told under a head of its own was wanted too: *the same* of another board has it."""
    told = str((turn.answer or {}).get("answer", ""))
    also = [want for want in Want if meaning(want) and f"\nAlso, {meaning(want)}:" in told]
    wants, topic = (tuple(dict.fromkeys([*before, *also])) for before in (query.wants, query.topic))
    return query.model_copy(update={"wants": wants, "topic": topic if query.topic else ()}) if also else query


def _without_missing_files(query: Query, records: Sequence[ToolCallRecord]) -> Query:
    """A file that is not there is none of what the conversation is about: another is named in its place."""
    errors = [(record["arguments"].get("model"), str(record["error"])) for record in records]
    missing = {str(model) for model, error in errors if model and error.startswith(_NO_FILE)}
    kept = tuple(s for s in query.slots if s.role is not Role.MODEL or str(s.value) not in missing)
    if len(kept) == len(query.slots):
        return query
    return query.model_copy(update={"slots": kept, "cast": query.cast.without(missing)})


def _first_figure(turn: SavedTurn, best: str) -> dict[str, object]:
    """Which field the answer begins with, and what it is of; what a figure is asked about later."""
    path = next(
        (str(each["path"]) for each in (turn.answer or {}).get("numbers") or () if each.get("path")), ""
    )
    of_call = _OF_A_CALL.search(path)
    record = next((one for one in turn.records if of_call and one["id"] == of_call[0]), None)
    given = dict(record["arguments"]) if record else {}
    given["target"] = given.get("target") or best
    of = tuple(
        (role.value, value) for role in VARIED if isinstance(value := given.get(role.value), float | str)
    )
    return {"figure": path.rpartition(".")[2], "of": of, "told": tuple(_speeds(turn))}


def _speeds(turn: SavedTurn) -> Iterator[tuple[str, float]]:
    """Times and rates that an answer told, in its order."""
    for each in (turn.answer or {}).get("numbers") or ():
        field = str(each.get("path") or "").rpartition(".")[2]
        if each["unit"] == _UNIT_OF.get(field):
            yield field, float(each["value"])


def _arguments(records: Sequence[ToolCallRecord], *, failed: bool) -> set[tuple[str, float | str]]:
    """Name and value of what was given to the calls that failed, or to those that did not."""
    given = [record["arguments"] for record in records if (record["result"] is None) is failed]
    return {(k, v) for each in given for k, v in each.items() if isinstance(v, float | int | str)}


def _found(record: ToolCallRecord) -> list[tuple[Role, float]]:
    """How far a clock, a batch or an input can go."""
    result = record["result"] or {}
    role = _VARIED.get(str(result.get("variable"))) if record["name"] == "find_limit" else None
    return [(role, float(result["value"]))] if role and result.get("value") else []


def _picked(record: ToolCallRecord, told: str) -> tuple[Slot, ...]:
    """The language model that an answer put first of those on a target, in the format that it takes."""
    result = record["result"] or {}
    if record["name"] != "rank_generation" or not result.get("target"):
        return ()
    pick = next((row for row in result["ranking"] if told.startswith(f"{row['model']}, ")), None)
    if pick is None:
        return ()
    taken = Slot(role=Role.WEIGHTS, value=str(pick["weights"]), inherited=True, chance=0.5)
    return (Slot(role=Role.MODEL, value=str(pick["model"]), inherited=True), taken)


def _failing(records: Sequence[ToolCallRecord]) -> list[str]:
    """The checks that stand worst, unless they hold."""
    checks = [check for record in records for check in (record["result"] or {}).get("checks") or ()]
    for verdict in ("FAIL", "UNKNOWN", "MARGINAL"):
        if names := [str(check["name"]) for check in checks if check["verdict"] == verdict]:
            return names
    return []
