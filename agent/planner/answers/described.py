"""A network without a file or a name, of which the user tells MACs and parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...quantities import Family, find_figures
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
_SMALL, _LARGE = ("ic", "kws", "vww"), ("mobilenet_v2", "resnet50")
"""Networks at whose rates another is reckoned: on microcontrollers, and elsewhere."""


@dataclass(frozen=True)
class Counted:
    macs: float = 0.0
    parameters: float = 0.0
    words: tuple[str, ...] = ()
    """MACs first, parameters last."""


def described(query: Query) -> Counted | None:
    """MACs and parameters that the question itself counts; None where it counts neither."""
    found = Counted()
    for figure in find_figures(query.question):
        if figure.family is not Family.COUNT or not 0 < figure.value < _MOST:
            continue
        written = f"{figure.text} {figure.noun}"
        if figure.noun in _MACS:
            words = (written.replace("mac", "MAC"), *found.words)
            found = Counted(figure.value * _MACS[figure.noun], found.parameters, words)
        elif figure.noun in _PARAMETERS:
            found = Counted(found.macs, figure.value, (*found.words, written))
    return found if found.words else None


def by_its_counts(query: Query, wants: Sequence[Want]) -> Answering:
    """Whether its weights fit, and about what it takes at the rates that known networks reach there.

    The time is MACs × (latency / MACs) of each known network: the least and the most of them, with intervals.
    """
    network = described(query) or Counted()
    chip = needed((yield call_of("get_target", query)))
    parts = [_weights(query, network, chip)]
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
            1 if Want.FITS in wants[:1] or parts[0].startswith("No") else 0,
            f"About {{{{{least}|~}}}} to {{{{{most}|~}}}} an inference by {network.words[0]} alone, at the "
            f"rates at which {names} compute on {chip.ref('name')}.",
        )
    parts.append("The RAM depends on its tensors: give the file, and I tell arena, time and energy.")
    return lines(*parts)


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
    classes = {query.targets[name].target_class for name in query.all(Role.TARGET) if name in query.targets}
    network = _SMALL[1] if classes & {"mcu", "npu"} else _LARGE[0]
    told = yield from side_by_side(query.put(Role.MODEL, network), wants)
    return lines(told, f"No network was named: {network} stands for yours.")


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
