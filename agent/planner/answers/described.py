"""A network without a file or a name, of which the user tells MACs and parameters."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from ....tools.core.records import dataclass, replace
from ...patterns import compiled
from ...quantities import Family, Figure
from ..bench import Answering, Record, call_of, needed
from ..query import LIMITS, Query, Role
from ..want import Want
from ..wants import YES_OR_NO
from .deployment import ON_MICROCONTROLLERS, stand_ins
from .phrases import in_time, joined, lines, said
from .side_by_side import side_by_side

_MACS = {"mac": 1.0, "macs": 1.0, "mmac": 1e6, "mmacs": 1e6, "gmac": 1e9, "gmacs": 1e9}
_PARAMETERS = frozenset(("parameters", "params", "parameter", "weights"))
_MOST = 1e15
_BYTES = {"float32": 4.0, "float16": 2.0, "int16": 2.0, "int8": 1.0}
_ARENA = "arena|activations?|working memory|tensors|scratch"
_FILE = r"model|networks?|nets?|file|flatbuffer|tflite|onnx|binary|weights|cnn"
_ROOM = compiled(r"\s*(?:of )?(?:\w+ )?(?:s?ram|flash|rom|memory)\b", re.IGNORECASE)
"""Behind what there is of a memory."""
SMALL, _LARGE = ("ic", "kws", "vww"), ("mobilenet_v2", "resnet50")
"""Networks at whose rates another is reckoned: on microcontrollers, and elsewhere."""


@dataclass(frozen=True)
class Counted:
    macs: float = 0.0
    parameters: float = 0.0
    words: tuple[str, ...] = ()
    """MACs first, parameters last."""
    file: Figure | None = None
    """Bytes of the model's file or weights."""
    arena: Figure | None = None


def described(query: Query) -> Counted | None:
    """What the question itself counts or measures of the network; None where that is nothing."""
    found = Counted()
    for figure in query.figures:
        if figure.family is Family.BYTES and figure.value > 0:
            of = _of_what(query.question, figure)
            found = replace(found, file=figure) if of == "file" else found
            found = replace(found, arena=figure) if of == "arena" else found
        if figure.family is not Family.COUNT or not 0 < figure.value < _MOST:
            continue
        written = f"{figure.text} {figure.noun}"
        if figure.noun in _MACS:
            words = (re.sub("[mg]?mac", lambda match: match[0].upper(), written), *found.words)
            found = replace(found, macs=figure.value * _MACS[figure.noun], words=words)
        elif figure.noun in _PARAMETERS:
            found = replace(found, parameters=figure.value, words=(*found.words, written))
    return found if found.words or found.file or found.arena else None


def _of_what(question: str, figure: Figure) -> str:
    """Whether so many bytes are the model's file or its arena, by the nearest word beside them."""
    before, behind = question[: figure.start], question[figure.end :]
    if _ROOM.match(behind):
        return ""
    near = [
        (len(match["between"]), name)
        for name, words in (("arena", _ARENA), ("file", _FILE))
        for match in (
            re.search(rf"\b(?:{words})\b(?P<between>[^.?!;]{{0,24}})$", before, re.I),
            re.match(rf"(?P<between>\s*(?:\w+ ){{0,2}}?)(?:{words})\b", behind, re.I),
        )
        if match
    ]
    return min(near)[1] if near else ""


def by_its_counts(query: Query, wants: Sequence[Want]) -> Answering:
    """Whether its weights fit, and about what it takes at the rates that known networks reach there.

    The time is MACs × (latency / MACs) of each known network: the least and the most of them, with intervals.
    """
    network = described(query) or Counted()
    chip = needed((yield call_of("get_target", query)))
    fits = _room(query, network, chip)
    parts = [fits if Want.FITS in wants else fits.removeprefix("Yes, ")] if fits else []
    small = chip["class"] in ("mcu", "npu")
    rates: list[tuple[float, str, str]] = []
    ends: list[float] = []
    for name in (SMALL if small else _LARGE) if network.macs else ():
        record = yield call_of("estimate_performance", query, model=name)
        facts = yield call_of("parse_model", query, model=name)
        if record.knows("latency_ms") and facts.number("macs"):
            factor = network.macs / (facts.number("macs") or 1.0)
            ratio = f"{network.macs:.0f}*{record.id}.latency_ms/{facts.id}.macs"
            rates.append((factor * (record.number("latency_ms") or 0.0), name, ratio))
            ends += [factor * end for end in record.ends("latency_ms") or ()]
    if rates:
        (quick, _, least), (slow, _, most) = min(rates), max(rates)
        names = joined(name for _, name, _ in rates)
        demand, said_so = demanded(query)
        word = in_time((min(ends), (quick + slow) / 2, max(ends)), demand) if demand else ""
        parts.insert(
            1 if Want.FITS in wants[:1] or (parts and parts[0].startswith("No")) else 0,
            f"{f'{word}, against {said_so}: about' if word else 'About'} {{{{{least}|~}}}} to "
            f"{{{{{most}|~}}}} an inference by {network.words[0]} alone, at the "
            f"rates at which {names} compute on {chip.ref('name')}.",
        )
    rest = "give the file, and I tell arena, time and energy"
    parts.append(f"For the rest {rest}." if network.arena else f"The RAM depends on its tensors: {rest}.")
    return lines(*parts)


def demanded(query: Query) -> tuple[float, str]:
    """The most time for an inference, in ms, as it is said; 0 where none is."""
    times = [query.number(Role.LATENCY_MS), 1e3 / (query.number(Role.RATE_HZ) or math.inf)]
    return min(filter(None, times), default=0.0), said(query, Role.LATENCY_MS, Role.RATE_HZ)


def weights_of(query: Query, network: Counted) -> tuple[float, str]:
    """Bytes in flash, by its file or its parameters, and the words for them; 0 where neither is told."""
    if network.file:
        return network.file.value, network.file.text
    dtype = query.text(Role.DTYPE) if query.text(Role.DTYPE) in _BYTES else "int8"
    return network.parameters * _BYTES[dtype], f"{''.join(network.words[-1:])} in {dtype}"


def _room(query: Query, network: Counted, chip: Record) -> str:
    """Whether weights and an arena of such sizes fit, each against its memory."""
    told, fits = list[str](), True
    arena = (network.arena.value, network.arena.text) if network.arena else (0.0, "")
    rows = ((*weights_of(query, network), "flash_bytes", "flash"), (*arena, "ram_bytes", "RAM"))
    for size, text, path, word in rows:
        if size and chip.knows(path):
            share = f"{{{{{size:.0f}bytes/{chip.id}.{path}|%}}}}"
            told.append(f"{text} take {share} of the {chip.ref(path)} of {word}")
            fits = fits and size <= (chip.number(path) or 0.0)
    if not told:
        return ""
    rest = ", before code, stack and drivers" if fits else ""
    word = "Yes," if fits else "No," if network.file or network.arena else "No: its"
    return f"{word} {joined(told)}{rest}: {chip.ref('name')}."


def by_example(query: Query, wants: Sequence[Want]) -> Answering:
    """Which of several boards is slower, and why, at a known network where none is named."""
    query, stands = with_an_example(query)
    return lines((yield from side_by_side(query, wants)), stands)


def with_an_example(query: Query) -> tuple[Query, str]:
    """With a known network of the size that such boards run, and that it stands for another."""
    classes = {query.targets[name].target_class for name in query.all(Role.TARGET) if name in query.targets}
    network = SMALL[1] if classes & {"mcu", "npu"} else _LARGE[0]
    return query.put(Role.MODEL, network), f"No network was named: {network} stands for yours."


def asks_of_class(query: Query) -> bool:
    """Whether a network would gain by hardware of a class, and no board is named."""
    one = query.says(Role.TARGET_CLASS) and len(set(query.all(Role.TARGET_CLASS))) == 1
    free = not query.has(Role.TARGET, *LIMITS) and len(set(query.all(Role.MODEL))) == 1
    return (
        one and free and bool(YES_OR_NO.match(query.question)) and query.text(Role.TARGET_CLASS) in _OF_CLASS
    )


def of_class(query: Query, _wants: Sequence[Want]) -> Answering:
    """One board of the class beside one without, each for others."""
    boards = yield from stand_ins(query)
    small = boards[0] == ON_MICROCONTROLLERS[0]
    other = _OF_CLASS[query.text(Role.TARGET_CLASS)][0 if small else 1]
    both = query.without([Role.TARGET_CLASS]).put(Role.TARGET, boards[0], other)
    told = yield from side_by_side(both, (Want.COMPARE, Want.LATENCY))
    return lines(told, "You named no board, so these stand for others: which is yours?")


_OF_CLASS = {"npu": ("ethos-u55-128", "hailo-8"), "gpu": ("jetson-nano", "jetson-orin-nano-8gb")}
"""What stands for a class where a network goes into a microcontroller, and elsewhere."""
