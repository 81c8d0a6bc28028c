"""A network without a file or a name, of which the user tells MACs and parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ...quantities import find_figures
from ..bench import NOT_KNOWN, Answering, Record, call_of, needed
from ..counted import Counted, counted
from ..own_figures import OwnFigures
from ..query import Query, Role
from ..want import Want
from . import energies, own_account
from .phrases import joined, lines
from .side_by_side import side_by_side

_BYTES = {"float32": 4.0, "float16": 2.0, "int16": 2.0, "int8": 1.0}
_SMALL, _LARGE = ("ic", "kws", "vww"), ("mobilenet_v2", "resnet50")
"""Networks at whose rates another is reckoned: on microcontrollers, and elsewhere."""


def described(query: Query) -> Counted | None:
    """MACs and parameters that the question itself counts."""
    return counted(find_figures(query.question))


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


class _Span(NamedTuple):
    """The least and the most of a figure, by known networks' figures for each MAC, intervals included."""

    low: float
    high: float


def runs_on(query: Query, wants: Sequence[Want]) -> bool:
    """Whether a rate, a battery or a load is told of a network that was described, on one target."""
    if query.network is None or not query.network.macs or query.has(Role.MODEL):
        return False
    figures = query.figures
    if figures is None or not query.told or not query.has(Role.TARGET) or Want.RECOMMEND in wants[:1]:
        return False
    paced = any(one.rate_hz for one in figures.consumers)
    return paced and not any(one.drawn for one in figures.consumers) and bool(_sink(figures))


def _sink(figures: OwnFigures) -> object:
    return figures.battery or figures.battery_mah or figures.battery_wh or figures.asleep or figures.beside


def on_its_own_figures(query: Query, _wants: Sequence[Want]) -> Answering:
    """Life and power by its MACs, at the energy that known networks take for each, beside what was told."""
    network, figures = query.network, query.figures
    assert network is not None
    assert figures is not None
    budgets = []
    for name in _SMALL:
        budget = yield call_of("estimate_energy_budget", query, model=name, rate_hz=1e-3, battery=None)
        facts = yield call_of("parse_model", query, model=name)
        if budget.knows("latency_ms") and facts.number("macs"):
            budgets.append((budget, facts.number("macs") or 1.0))
    spent = _span(network, budgets, "energy_uj")
    took = _span(network, budgets, "latency_ms")
    if spent is None or took is None:
        return f"{NOT_KNOWN}, as no source gives the power of {query.text(Role.TARGET)}; {energies.TELL}"
    rate = next(one.rate_hz for one in figures.consumers if one.rate_hz)
    loads = [f"inference={took.low:.6g}..{took.high:.6g}ms,{spent.low:.6g}..{spent.high:.6g}uJ,{rate:.8g}/s"]
    loads += [one.spec(one.name or "extra") for one in figures.beside]
    asleep = budgets[0][0].number("sleep_current_ua")
    if figures.asleep or asleep:
        loads.append(figures.asleep.spec("sleep") if figures.asleep else f"sleep={asleep:.6g}uA")
    names = [load.partition("=")[0] for load in loads]
    own = figures if figures.supply_v else _with_volts(figures, budgets[0][0])
    record = yield from own_account.summed(query, own, loads)
    rests = (
        f"Each inference {record.ref('loads[#0].energy_uj', '~')}, by {network.words[0]} at what "
        f"{joined(_SMALL)} take for each MAC on {query.text(Role.TARGET)}."
    )
    return own_account.composed(query, own, record, names, rests)


def _span(network: Counted, budgets: Sequence[tuple[Record, float]], path: str) -> _Span | None:
    ends = [(end, macs) for record, macs in budgets if (end := record.ends(path)) is not None]
    if not ends:
        return None
    each = [(low * network.macs / macs, high * network.macs / macs) for (low, high), macs in ends]
    return _Span(min(low for low, _ in each), max(high for _, high in each))


def _with_volts(figures: OwnFigures, budget: Record) -> OwnFigures:
    volts = budget.number("power.supply_v")
    return replace(figures, supply_v=volts) if volts else figures
