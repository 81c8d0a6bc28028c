"""Accelerators that compute for a board beside them, and the two together where that is a target of its own.

The id of such a target is that of the board and that of the accelerator: `raspberry-pi-5-hailo-8l`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...hardware_db.index import TargetSummary
from .query import Query, Role, Slot
from .want import Want
from .words import patterns, spoken

_ENGINES = ("edge-tpu", "hailo-nn")
_CARRIERS = frozenset(("mpu", "cpu", "gpu-soc"))
_READS = {**patterns("carried"), "against": patterns("beside_hardware")["against"]}
_Known = Mapping[str, TargetSummary]


def is_hosted(found: TargetSummary | None) -> bool:
    """Whether a target computes for a board beside it, and runs no program of its own."""
    kinds = [core.partition(" x ")[2] for core in found.cores] if found else []
    return bool(kinds) and all(kind in _ENGINES for kind in kinds)


def host_of(target: str, known: _Known) -> str:
    """The board under a target: itself where accelerators are known on it; empty for other targets."""
    pairs = _pairs(known)
    return pairs.get(target, target if target in pairs.values() else "")


def with_parts(host: str, known: _Known) -> tuple[str, ...]:
    """A board with each accelerator that is known on it."""
    return tuple(both for both, under in _pairs(known).items() if under == host)


def _pairs(known: _Known) -> dict[str, str]:
    """A board with an accelerator on it → the board."""
    parts = [f"-{name}" for name, found in known.items() if is_hosted(found)]
    hosts = {name: name.removesuffix(part) for name in known for part in parts if name.endswith(part)}
    return {both: host for both, host in hosts.items() if host in known}


def mounted(query: Query) -> Query:
    """Accelerators on the board that the question or the talk has for them, where the two are known together.

    The board alone stays beside it where it is set against it; else it feeds what computes.
    """
    known, own = query.targets, [slot for slot in query.slots if slot.role is Role.TARGET]
    parts = [slot for slot in own if is_hosted(known.get(str(slot.value))) and not slot.inherited]
    boards = [slot for slot in own if slot.text and _carries(str(slot.value), known)]
    if not parts:
        return query
    taken, feeding = dict[int, str](), dict[Slot, Slot]()
    for part in parts:
        takes = [b for b in boards if f"{b.value}-{part.value}" in known]
        board = next((b for b in boards if _sits_on(query, b, part)), takes[0] if len(takes) == 1 else None)
        if board is None:
            host = _made_for(part, known) or ("" if boards else _of_the_talk(query))
            taken[id(part)] = both if (both := f"{host}-{part.value}") in known else ""
        elif (both := f"{board.value}-{part.value}") in known:
            taken[id(part)] = both
            feeding |= {} if _is_rival(query, board, parts) else {board: board}
        elif _sits_on(query, board, part):
            feeding[board] = board.model_copy(update={"role": Role.HOST, "of": part.text})
    if not any(taken.values()) and not feeding:
        return query
    slots: list[Slot] = []
    for slot in query.slots:
        if slot in feeding:
            slots += [feeding[slot]] if feeding[slot].role is Role.HOST else []
        else:
            slots.append(slot.model_copy(update={"value": taken.get(id(slot)) or slot.value}))
    fed = [f"{s.of} computes; {b.text} only feeds it" for b, s in feeding.items() if s.role is Role.HOST]
    return query.model_copy(update={"slots": tuple(slots), "notes": (*query.notes, *fed)})


def _carries(target: str, known: _Known) -> bool:
    """Whether it is a board that an accelerator can sit on, and none that has one already."""
    found = known.get(target)
    return found is not None and found.target_class in _CARRIERS and host_of(target, known) in ("", target)


def _sits_on(query: Query, board: Slot, part: Slot) -> bool:
    """Whether a board is said to have the accelerator on it: a Pi 5 with a Hailo-8, a stick for my Pi."""
    text = query.question
    at, to = text.find(board.text), text.find(part.text)
    if at < to:
        return _READS["with"].fullmatch(text, at + len(board.text), to) is not None
    left = _READS["against"].search(text[to:at]) or _READS["replaces"].search(text[:at])
    return _READS["mounted"].search(text[:at]) is not None and not left


def _is_rival(query: Query, board: Slot, parts: Sequence[Slot]) -> bool:
    """Whether the board alone is set against what is put on it."""
    text = query.question
    helps = _READS["helps"].search(text) is not None
    if _READS["its_cores"].search(text):
        return True
    if any(_sits_on(query, board, part) for part in parts):
        return len(parts) == 1 and helps
    return helps or _READS["owned"].search(text[: text.find(board.text)]) is None


def _of_the_talk(query: Query) -> str:
    """The board that was spoken of last, where accelerators are known on it."""
    last = next(reversed(query.spoken_of), "")
    return host_of(last, query.targets)


def _made_for(part: Slot, known: _Known) -> str:
    """The only board that takes a hat or a kit."""
    if _READS["of_one_board"].search(part.text) is None:
        return ""
    hosts = {host for both, host in _pairs(known).items() if both.endswith(f"-{part.value}")}
    return hosts.pop() if len(hosts) == 1 else ""


_OF_THE_BOARD = (Role.RUNTIME, Role.CLOCK_MHZ, Role.THREADS, Role.DTYPE)


def with_additions(query: Query) -> Query:
    """What do I plug into it, which HAT: a choice among what can be put on the one board that is there."""
    known, boards = query.targets, list(dict.fromkeys(query.all(Role.TARGET)))
    asked = _READS["to_add"].search(query.question) and "doubt" not in spoken("conclusion", query.question)
    host = host_of(boards[0], known) or boards[0] if len(boards) == 1 else ""
    if not asked or not _carries(host, known) or Want.LIST_TARGETS in query.wants:
        return query
    among = with_parts(host, known) or tuple(name for name, found in known.items() if is_hosted(found))
    of_money = [want for want in query.wants if want is Want.CHEAPEST]
    query = query.without(_OF_THE_BOARD)
    slots = [s for s in query.slots if s.role not in (Role.TARGET, Role.TARGET_CLASS)]
    slots.append(Slot(role=Role.TARGET, value=host, inherited=True))
    return query.model_copy(
        update={"slots": tuple(slots), "among": among, "wants": (Want.RECOMMEND, *of_money), "picks": False}
    )
