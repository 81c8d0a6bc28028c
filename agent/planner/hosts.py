"""Which accelerator sits on which board by the words of a question, and what can be put on one."""

from __future__ import annotations

from collections.abc import Sequence

from ...hardware_db.hosts import both_of, can_carry, host_of, is_hosted, only_host, with_parts
from .owners import place_of
from .query import Query, Role, Slot
from .want import Want
from .words import patterns, spoken

_READS = {**patterns("carried"), "against": patterns("beside_hardware")["against"]}
_SLOWER = ", and more slowly than this where its USB is only 2.0"
_OF_THE_BOARD = (Role.RUNTIME, Role.CLOCK_MHZ, Role.THREADS, Role.DTYPE)


def mounted(query: Query) -> Query:
    """Accelerators on the board that the question or the talk has for them, where the two are known together.

    The board alone stays beside it where it is set against it; else it feeds what computes.
    """
    known, own = query.targets, [slot for slot in query.slots if slot.role is Role.TARGET]
    parts = [slot for slot in own if is_hosted(known.get(str(slot.value))) and not slot.inherited]
    boards = [slot for slot in own if slot.text and can_carry(str(slot.value), known)]
    if not parts:
        return query
    taken, feeding, fed = dict[int, str](), dict[Slot, Slot](), list[tuple[Slot, str]]()
    latest = next(reversed(query.spoken_of), "")
    for part in parts:
        takes = [b for b in boards if f"{b.value}-{part.value}" in known]
        board = next((b for b in boards if _sits_on(query, b, part)), takes[0] if len(takes) == 1 else None)
        if board is None:
            alone = only_host(str(part.value), known) if _READS["of_one_board"].search(part.text) else ""
            host = alone or ("" if boards else host_of(latest, known))
            taken[id(part)] = both_of(host, str(part.value), known)
            put = not boards and can_carry(latest, known) and _READS["onto_it"].search(query.question)
            fed += [(part, latest)] if put and not taken[id(part)] else []
        elif both := both_of(str(board.value), str(part.value), known):
            taken[id(part)] = both
            feeding |= {} if _is_rival(query, board, parts) else {board: board}
        elif _sits_on(query, board, part):
            feeding[board] = board.model_copy(update={"role": Role.HOST, "of": part.text})
            fed.append((part, board.text))
    if not any(taken.values()) and not feeding and not fed:
        return query
    slots: list[Slot] = []
    for slot in query.slots:
        if slot in feeding:
            slots += [feeding[slot]] if feeding[slot].role is Role.HOST else []
        else:
            slots.append(slot.model_copy(update={"value": taken.get(id(slot)) or slot.value}))
    named = {
        f"I took {p.text} to be {p.value}": f"I took {p.text} to be {b}"
        for p in parts
        if (b := taken.get(id(p)))
    }
    query = query.model_copy(update={"notes": tuple(named.get(note, note) for note in query.notes)})
    notes = (f"{p.text} computes; {on} only feeds it{_SLOWER * ('usb' in str(p.value))}" for p, on in fed)
    return query.model_copy(update={"slots": tuple(slots), "notes": (*query.notes, *notes)})


def once(query: Query) -> Query:
    """Without an accelerator that is named again beside its board: Pi 5 with AI kit (13 TOPS Hailo)."""
    on_boards = {str(s.value) for s in query.slots if s.role is Role.TARGET and s.text}
    again = [
        slot
        for slot in query.slots
        if slot.role is Role.TARGET
        and is_hosted(query.targets.get(str(slot.value)))
        and any(f"{host_of(name, query.targets)}-{slot.value}" == name for name in on_boards)
    ]
    if not again or _READS["against"].search(query.question):
        return query
    return query.model_copy(update={"slots": tuple(slot for slot in query.slots if slot not in again)})


def _sits_on(query: Query, board: Slot, part: Slot) -> bool:
    """Whether a board is said to have the accelerator on it: a Pi 5 with a Hailo-8, a stick for my Pi."""
    text, place, to = query.question, place_of(query, board), query.question.find(part.text)
    if place is None:
        return board.inherited and any(_READS[how].search(text) for how in ("onto_it", "puts"))
    at, length = place
    if at < to:
        return _READS["with"].fullmatch(text, at + length, to) is not None
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


def with_additions(query: Query) -> Query:
    """What do I plug into it, which HAT: a choice among what can be put on the one board that is there."""
    known, boards = query.targets, list(dict.fromkeys(query.all(Role.TARGET)))
    asked = _READS["to_add"].search(query.question) and "doubt" not in spoken("conclusion", query.question)
    host = host_of(boards[0], known) or boards[0] if len(boards) == 1 else ""
    denied = "npu" in query.all(Role.WITHOUT)
    if not asked or denied or not can_carry(host, known) or Want.LIST_TARGETS in query.wants:
        return query
    among = with_parts(host, known) or tuple(name for name, found in known.items() if is_hosted(found))
    of_money = [want for want in query.wants if want is Want.CHEAPEST]
    query = query.without(_OF_THE_BOARD)
    slots = [s for s in query.slots if s.role not in (Role.TARGET, Role.TARGET_CLASS)]
    slots.append(Slot(role=Role.TARGET, value=host, inherited=True))
    return query.model_copy(
        update={"slots": tuple(slots), "among": among, "wants": (Want.RECOMMEND, *of_money), "picks": False}
    )


def with_what_it_carries(query: Query, earlier: Query) -> Query:
    """A board that is meant without its name has the accelerator that was put on it just before."""
    named = {slot.value for slot in query.slots if slot.role is Role.TARGET and slot.text}
    meant = set(query.all(Role.TARGET)) - named
    both = earlier.all(Role.TARGET) if earlier.says(Role.TARGET) else ()
    put_on = {host_of(name, query.targets): name for name in both if host_of(name, query.targets) != name}
    if meant & set(put_on.values()):
        return query
    slots = (
        slot.model_copy(update={"value": put_on[str(slot.value)]})
        if slot.role is Role.TARGET and slot.value in meant & put_on.keys()
        else slot
        for slot in query.slots
    )
    return query.model_copy(update={"slots": tuple(slots)})


def as_bare(query: Query, earlier: Query) -> Query:
    """The board where what sits on it is taken off: `the Pi alone`, `without the kit`, `kit or no kit`."""
    known, text, off = query.targets, query.question, _READS["taken_off"].search(query.question)
    own = [slot for slot in query.slots if slot.role is Role.TARGET]
    alone = [s for s in own if s.text in text and _READS["bare"].match(text.partition(s.text)[2])]
    before = [name for name in earlier.all(Role.TARGET) if host_of(name, known) not in ("", name)]
    host = host_of(before[-1], known) if before else ""
    named = {name for slot in own for name in str(slot.value).split("|")}
    of_it = not own or bool(named & {host, *before})
    if not before or not (off or alone) or not of_it or len(own) > 1:
        return query
    out = {before[-1], before[-1].removeprefix(f"{host}-"), "npu"}
    said = alone[0].text if alone else off[0] if off else ""
    both = (host, before[-1]) if off and _READS["either"].search(text) else (host,)
    kept = [s for s in query.slots if s not in own and not (s.role is Role.WITHOUT and s.value in out)]
    slots = (*kept, *(Slot(role=Role.TARGET, value=name, text=said) for name in both))
    notes = tuple(note for note in query.notes if before[-1] not in note)
    return query.model_copy(update={"slots": slots, "notes": notes, "left_out": query.left_out - out})
