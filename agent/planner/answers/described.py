"""A network without a file or a name, of which the user tells MACs and parameters."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....tools.core.records import dataclass, replace
from ...quantities import Family, Figure
from ..bench import Answering, Record, call_of, needed
from ..query import LIMITS, Query, Role
from ..want import Want
from ..wants import YES_OR_NO
from .deployment import ON_MICROCONTROLLERS, stand_ins
from .phrases import joined, lines
from .side_by_side import side_by_side

_MACS = {"mac": 1.0, "macs": 1.0, "mmac": 1e6, "mmacs": 1e6, "gmac": 1e9, "gmacs": 1e9}
_PARAMETERS = frozenset(("parameters", "params", "parameter", "weights"))
_MOST = 1e15
_BYTES = {"float32": 4.0, "float16": 2.0, "int16": 2.0, "int8": 1.0}
_ARENA = "arena|activations?|working memory|tensors|scratch"
_FILE = r"model|networks?|nets?|file|flatbuffer|tflite|onnx|binary|weights|cnn"
_SMALL, _LARGE = ("ic", "kws", "vww"), ("mobilenet_v2", "resnet50")
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
            words = (written.replace("mac", "MAC"), *found.words)
            found = replace(found, macs=figure.value * _MACS[figure.noun], words=words)
        elif figure.noun in _PARAMETERS:
            found = replace(found, parameters=figure.value, words=(*found.words, written))
    return found if found.words or found.file or found.arena else None


def _of_what(question: str, figure: Figure) -> str:
    """Whether so many bytes are the model's file or its arena, by the nearest word beside them."""
    before, behind = question[: figure.start], question[figure.end :]
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
    parts = [*filter(None, (_room(network, chip), "" if network.file else _weights(query, network, chip)))]
    small = chip["class"] in ("mcu", "npu")
    rates: list[tuple[float, str, str]] = []
    for name in (_SMALL if small else _LARGE) if network.macs else ():
        record = yield call_of("estimate_performance", query, model=name)
        facts = yield call_of("parse_model", query, model=name)
        if record.knows("latency_ms") and facts.number("macs"):
            ratio = f"{network.macs:.0f}*{record.id}.latency_ms/{facts.id}.macs"
            value = (record.number("latency_ms") or 0.0) / (facts.number("macs") or 1.0)
            rates.append((value, name, ratio))
    if rates:
        (_, _, least), (_, _, most) = min(rates), max(rates)
        names = joined(name for _, name, _ in rates)
        parts.insert(
            1 if Want.FITS in wants[:1] or (parts and parts[0].startswith("No")) else 0,
            f"About {{{{{least}|~}}}} to {{{{{most}|~}}}} an inference by {network.words[0]} alone, at the "
            f"rates at which {names} compute on {chip.ref('name')}.",
        )
    rest = "give the file, and I tell arena, time and energy"
    parts.append(f"For the rest {rest}." if network.arena else f"The RAM depends on its tensors: {rest}.")
    return lines(*parts)


def _room(network: Counted, chip: Record) -> str:
    """Whether a file and an arena of such sizes fit, each against its memory."""
    told, fits = list[str](), True
    for figure, path, word in ((network.file, "flash_bytes", "flash"), (network.arena, "ram_bytes", "RAM")):
        if figure is not None and chip.knows(path):
            share = f"{{{{{figure.value:.0f}bytes/{chip.id}.{path}|%}}}}"
            told.append(f"{figure.text} take {share} of the {chip.ref(path)} of {word}")
            fits = fits and figure.value <= (chip.number(path) or 0.0)
    if not told:
        return ""
    rest = ", before code, stack and drivers" if fits else ""
    return f"{'Yes' if fits else 'No'}, {joined(told)}{rest}: {chip.ref('name')}."


def _weights(query: Query, network: Counted, chip: Record) -> str:
    dtype = query.text(Role.DTYPE) or "int8"
    if not network.parameters or dtype not in _BYTES or not chip.knows("flash_bytes"):
        return ""
    size = network.parameters * _BYTES[dtype]
    share = f"{{{{{size:.0f}bytes/{chip.id}.flash_bytes|%}}}}"
    taken = f"{network.words[-1]} take {share} of the {chip.ref('flash_bytes')} of flash in {dtype}"
    if size > (chip.number("flash_bytes") or 0.0):
        return f"No: its {taken}."
    return f"Its {taken}, the code comes on top."


def by_example(query: Query, wants: Sequence[Want]) -> Answering:
    """Which of several boards is slower, and why, at a known network where none is named."""
    query, stands = with_an_example(query)
    return lines((yield from side_by_side(query, wants)), stands)


def with_an_example(query: Query) -> tuple[Query, str]:
    """With a known network of the size that such boards run, and that it stands for another."""
    classes = {query.targets[name].target_class for name in query.all(Role.TARGET) if name in query.targets}
    network = _SMALL[1] if classes & {"mcu", "npu"} else _LARGE[0]
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
