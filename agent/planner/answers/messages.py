"""A message that a runtime, a linker or a compiler printed: its own figures first, then what to do."""

from __future__ import annotations

import re

from ...messages import PAGE, looks_like_message, section_on_message
from ...pages import Section, sections_of
from ...patterns import compiled
from ..bench import Answering, Record, ToolFailedError, call_of
from ..parts import asked_in
from ..query import Query, Role
from ..want import Want
from . import judging, on_npu
from .cases import estimated
from .generating import generation
from .layers import peak
from .passages import APT, quoted, search, shortened
from .phrases import language_models, lines
from .templates import put

_KEPT = (Role.MODEL, Role.TARGET, Role.RUNTIME, Role.DTYPE, Role.WEIGHTS, Role.CARDS)
"""What a message's own figures are not taken for."""
_NEAR, _LIKE = 4, 0.3
"""Sections that are looked at, and the chance from which on one is told for a message that none knows."""
_STRANGE = "I do not know this very message."
_EXACT = 4 * 1024**2
_MOST_WORDS = 60
_OF_ARENA = "The arena is too small"
_OF_LINKING = "RAM overflows when linking"
_OF_FLASH = "Flash overflows"
_OF_GPU = "GPU memory is full"
_AT_RUN_TIME = ("Hard fault or panic while it runs", "Stack overflow", "Watchdog")
_OF_EDGE_TPU = ("Model not quantized", "Few operators on the Edge TPU")
_OF_NPUS = (*_OF_EDGE_TPU, "An NPU compiler leaves operators to the CPU")
_EDGE_TPU = "coral-edge-tpu"
_OF_ROOM = (_OF_ARENA, _OF_LINKING, _OF_FLASH, _OF_GPU)
_OF_OPERATORS = ("An operator is not registered", "An operator's version is too new", "Undefined reference")


def is_message(query: Query) -> bool:
    """Whether the question quotes a message: one that a page explains, or what has the form of one."""
    computed = query.has(Role.TRACE) or (query.has(Role.MODEL) and query.has(Role.TARGET))
    if section_on_message(query.question):
        return not (computed and language_models(query)) or _of_torch(query)
    if computed or not looks_like_message(query.question):
        return False
    near = search(query.question, 1)
    return _nearest(query.question) is not None or not near or near[0].chance < APT


def _of_torch(query: Query) -> bool:
    """Whether PyTorch says that memory is full, which holds what no format is said of in 16 bits."""
    alone = _TORCH.search(query.question) and not query.has(Role.ENGINE, Role.CONTEXT, Role.KV, Role.BATCH)
    found = section_on_message(query.question) if alone else None
    return found is not None and found.heading == _OF_GPU


_TORCH = compiled(
    r"\b(?:py)?torch\b|\boutofmemoryerror\b|\btransformers\b|\bautomodel|\bfrom_pretrained\b", re.I
)


def _of_its_version(question: str) -> str:
    """The same line is printed where only an older version is registered."""
    if not compiled(r"\bversion\W+(?:[2-9]|\d\d)|\btoo old\b|\bolder\b", re.I).search(question):
        return ""
    return quoted(next(one for one in sections_of(PAGE) if one.heading == _OF_OPERATORS[1]))


def _nearest(question: str) -> Section | None:
    """The section that is most like a message whose wording is in none, if another page is not more so."""
    near = search(question, _NEAR)
    best = next((one for one in near if one.page == PAGE and one.chance >= _LIKE), None)
    if best is None or near[0].chance >= APT > best.chance:
        return None
    return next(one for one in sections_of(PAGE) if one.heading == best.section)


def explained(query: Query, _wants: object) -> Answering:
    """What its figures say, what the message means, and whether the network fits where one is named."""
    known = section_on_message(query.question)
    found = known or _nearest(query.question)
    targets = set(query.all(Role.TARGET))
    target = min(targets) if found is not None and len(targets) == 1 and "|" not in min(targets) else None
    record = yield call_of("explain_message", query, text=query.question, target=target)
    if found is None:
        return f"{_STRANGE} docs/{PAGE} lists the kinds that I explain."
    if record.result is None:
        return quoted(found)
    doubt = "" if known else f"{_STRANGE} It looks like this kind:"
    kind = found.heading
    figures = _short(record) if kind in _OF_ROOM else _operator(record) if kind in _OF_OPERATORS else ""
    board = _board(query, record) if kind in (_OF_ARENA, _OF_LINKING) else ""
    board = lines(_ITS_ARRAY, board) if kind == _OF_ARENA and record.knows("needed_bytes") else board
    fits = (yield from _fits(query)) if kind in (*_OF_ROOM, *_AT_RUN_TIME) else ""
    arena = (yield from _arena(query)) if kind in (_OF_ARENA, _OF_LINKING) else ""
    mapped = (yield from _mapped(query, kind)) if kind in _OF_NPUS else ""
    newer = _of_its_version(query.question) if kind == _OF_OPERATORS[0] else ""
    told = (doubt, figures, arena, board, quoted(found), newer, mapped)
    return lines(
        *((fits, *told) if kind in (_OF_GPU, *_AT_RUN_TIME) else (*told, fits)), _asked_besides(query)
    )


def last_piece(query: Query, answer: str) -> Answering:
    """What the size is that an allocator's message names, where the answer is about the whole."""
    yield from ()
    asked = next((s.text for s in query.slots if s.role is Role.CLAIMED_BYTES and s.text), "")
    if not asked or asked in answer or " are missing:" in answer or _TRIED.search(query.question) is None:
        return ""
    return f"*{asked}* is the piece at which the memory was full, not all that it takes."


_TRIED = compiled(r"\btried to allocate\b", re.I)


def _asked_besides(query: Query) -> str:
    """What a page says on questions that stand beside the message."""
    found = (search(question, 1, APT) for question, _ in asked_in(query.question))
    return lines(*(shortened(page[0], _MOST_WORDS) for page in found if page and page[0].page != PAGE))


def _short(record: Record) -> str:
    """How much is missing, by the message's own figures."""
    if not record.knows("missing_bytes"):
        return ""
    words = ("missing", "needed", "available")
    sizes = {f"{word}": _bytes(record, f"{word}_bytes") for word in words if record.knows(f"{word}_bytes")}
    over = put(
        "{missing} too many: of an arena of {arena_bytes|B} at most {largest_arena_bytes|B} fit beside the "
        "rest.", record, **sizes,
    )  # fmt: skip
    short = put(
        "{missing} are missing: {needed} asked for, {available} available"
        "[: make the arena of {arena_bytes|B} at least {least_arena_bytes|B}].", record, **sizes,
    )  # fmt: skip
    return over or (short if len(sizes) == len(words) else f"It is {sizes['missing']} too large.")


def _bytes(record: Record, path: str) -> str:
    """To the byte, as arrays are declared, where it is no memory of gigabytes."""
    return record.ref(path, "B" if (record.number(path) or 0) < _EXACT else "")


def _operator(record: Record) -> str:
    if record.knows("register_call") and record["register_call"]:
        return (
            f"It is about {record.ref('operator')}: `resolver.{record.ref('register_call')};` registers it "
            "in TFLite Micro."
        )
    if record["operator"]:
        return f"It is about {record.ref('operator')}, which TFLite Micro has no kernel for."
    return ""


_ITS_ARRAY = (
    "What is too small is the array that the program declares as its arena, whatever RAM the chip has."
)


def _board(query: Query, record: Record) -> str:
    """Whether the board has the RAM for it: the one that is named, or the RAM that is told of it."""
    if not record.knows("ram_bytes"):
        return _of_its_ram(query, record)
    in_pieces = record.knows("largest_region_bytes") and record["largest_region_bytes"] != record["ram_bytes"]
    piece = f", the largest piece {record.ref('largest_region_bytes')}" if in_pieces else ""
    has = f"{record.ref('target')} has {record.ref('ram_bytes')} of RAM{piece}"
    match record.number("left_bytes"):
        case None:
            return f"{has}."
        case left if left > 0:
            room = f"beside what is asked for {record.ref('left_bytes')} remain"
            return f"{has}: {room}, so the array can be made larger."
    return f"{has}, which is too little: a larger array alone does not do."


def _of_its_ram(query: Query, record: Record) -> str:
    """What remains of a RAM that is told beside the message; empty where none is."""
    own = {record.number(f"{word}_bytes") for word in ("missing", "needed", "available", "arena")}
    told = [slot for slot in query.slots if slot.role is Role.RAM_BYTES and slot.number not in own]
    needed = record.number("needed_bytes")
    if not told or needed is None:
        return ""
    if needed >= told[0].number:
        return f"{told[0].text} are too little for that: a larger array alone does not do."
    left = f"{{{{{told[0].number:.0f}B-{record.id}.needed_bytes|KiB}}}}"
    return f"{told[0].text} would do: {left} remain beside that, for stack, heap and buffers of your own."


def _arena(query: Query) -> Answering:
    """What the network that is named needs by the plan, and the layer that makes it so much."""
    plain = query.without([role for role in Role if role not in _KEPT])
    if len(set(plain.all(Role.MODEL))) != 1 or language_models(plain):
        return ""
    anywhere = plain.put(Role.TARGET, judging.ANY_TARGET).put(Role.RUNTIME, judging.ANY_RUNTIME)
    plan = yield call_of("plan_memory", plain if len(set(plain.all(Role.TARGET))) == 1 else anywhere)
    needs = "{model} needs an arena of {arena_bytes|B} ({arena~}) with {deployment.runtime}[, most at {peak}]"
    told = put(needs, plan, peak=peak(plan) if plan["peak_layer"] else "")
    return f"By my figures {told}." if told else ""


def _mapped(query: Query, kind: str) -> Answering:
    """What of the network that is named its NPU takes, once it is compiled as it should be."""
    plain = query.without([role for role in Role if role not in _KEPT])
    if kind in _OF_EDGE_TPU and not plain.has(Role.TARGET):
        plain = plain.put(Role.TARGET, _EDGE_TPU)
    if (
        len(set(plain.all(Role.MODEL))) != 1
        or len(set(plain.all(Role.TARGET))) != 1
        or language_models(plain)
    ):
        return ""
    try:
        return (yield from on_npu.whole(plain))
    except ToolFailedError:
        return ""


def _fits(query: Query) -> Answering:
    """Of the network on the board, where both are named."""
    plain = query.without([role for role in Role if role not in _KEPT])
    if not plain.has(Role.MODEL) or not plain.has(Role.TARGET):
        return ""
    try:
        if language_models(plain) and _of_torch(query) and not plain.has(Role.WEIGHTS):
            in_full = plain.put(Role.WEIGHTS, "F16").model_copy(update={"asks": frozenset(("fit",))})
            first = (yield from generation(in_full, (Want.FITS,))).partition("\n")[0]
            record = yield from estimated(in_full)
            ways = enumerate(record["remedies"] or () if record["verdict"] == "FAIL" else ())
            less = (
                f"{record.ref(f'remedies[#{at}].statement')}." for at, e in ways if e["kind"] == "weights"
            )
            taken = "By my figures, in the 16 bits that PyTorch takes where no other format is asked for"
            return lines(f"{taken}: {first[:1].lower()}{first[1:]}", *less)
        if language_models(plain):
            plain = plain.model_copy(update={"asks": frozenset(("fit",))})
            told = yield from generation(plain, (Want.FITS,))
            fits = next((line for line in told.split("\n") if line.startswith(_VERDICTS)), "")
        else:
            fits = yield from judging.fit(plain)
    except ToolFailedError:
        return ""
    alone = f"{plain.text(Role.MODEL)} alone on {plain.text(Role.TARGET)}"
    return f"By my figures, {alone}: {fits}" if fits else ""


_VERDICTS = ("Yes", "No", "Prob", "It ")
