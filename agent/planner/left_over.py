"""What a question said and no answer used: it is named, never dropped in silence."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence

from ..asked_unit import asked_unit
from ..currencies import FOREIGN
from ..names import Kind, Name
from ..patterns import compiled
from .bench import is_filed
from .choice import rows_said
from .formats_said import is_said
from .on_the_sheet import on_the_sheet
from .query import Query, Role
from .roles import SURE
from .want import Want
from .words import entries, patterns

_IN_BUDGETS = frozenset(
    (Role.BATTERY, Role.SERIES, Role.CELLS, Role.BATTERY_V, Role.LIFE_MS, Role.RATE_HZ, Role.SUPPLY_V,
     Role.CURRENT_UA)
)  # fmt: skip
"""What an energy budget takes, if not as an argument of its own."""
_OF_CHANGES = frozenset((Role.SIDE, Role.WIDTH, Role.DTYPE, Role.TECHNIQUE))
_NAMES = frozenset((Role.MODEL, Role.TARGET))
_OF_GENERATION = {
    Role.DTYPE, Role.CONTEXT, Role.PROMPT, Role.BATCH, Role.DEVICES, Role.RATE_HZ, Role.PRICE_USD,
    Role.RAM_BYTES, Role.RUNTIME, Role.CARDS, Role.WRITTEN, Role.MODEL, Role.TAKEN_BYTES,
    Role.GPU_LAYERS, Role.LATENCY_MS, Role.HOST_BYTES,
}  # fmt: skip
"""What answers about language models take themselves."""
_PLAINLY = patterns("plainly")["plainly"]
"""For whom it is to be told, their age too."""
_FLOCK = patterns("flock")["flock"]
"""What is counted or watched: how many there are changes no figure."""
_MOST_NAMED, _ALL_DAY = 3, 24.0
OF_OWN_FIGURES = frozenset(("add_up_loads", "compare_figures"))
"""Tools that are given figures of the user's own alone."""
READ_THEMSELVES = frozenset(("explain_counters", "explain_message"))
"""Tools that take every figure that the question has for them."""
OF_PAGES = frozenset(("validate",))
"""Tools that answer beside a page, which speaks of no board that is named."""


def taken_as(query: Query, left: str, answer: str) -> list[str]:
    """How figures were taken that could play another role, unless the answer begins with judging them."""
    unit, meant = asked_unit(query.question), entries("taken_as")
    own = [slot for slot in query.slots if slot.text and not slot.inherited]
    known = on_the_sheet(query, [slot.text for slot in own])
    paid = [slot.text for slot in own if slot.role in _PRICES and slot.text not in known]
    foreign = [text for text in paid if _FOREIGN.search(text)]
    said = [f"I took *{text}* as so many US dollars, which prices here are in" for text in foreign]
    return said + [
        f"I took *{slot.text}* to be {meant[slot.role]}"
        for slot in own
        if slot.chance < SURE and slot.role in meant and slot.text not in known
        and f"*{slot.text}*" not in f"{left}{answer}"
        and not (slot.role in _JUDGED and slot.text in answer.partition("\n")[0])
        and f"{slot.text} take" not in answer
        and (unit is None or slot.text not in unit.words)
    ]  # fmt: skip


_CLAIMED = frozenset(role for role in Role if role.value.startswith("claimed_"))
_JUDGED = _CLAIMED | {Role.RUNS}
_PRICES, _FOREIGN = (
    (Role.PRICE_USD, Role.OWN_PRICE_USD),
    compiled(rf"(?<![a-z])(?:{FOREIGN})(?![a-z])", re.I),
)


_NUMBERED = compiled(r"\b(?:gpu|cuda|device|card|core|node|rank)[ :]?0\b", re.I)
"""The first of what is numbered is no figure."""


def not_used(
    query: Query, answer: str, used: Iterable[Role], functions: Iterable[str], types: Container[object] = ()
) -> str:
    """One line on what was said, went into no call and is not spoken of; empty where nothing is left.

    Args:
        types: those that the files have.
    """
    made = set(functions)
    if made & READ_THEMSELVES:
        return ""
    taken = {*used, Role.WITHOUT, Role.WITHIN, Role.HOST, Role.NPU_CORES, Role.PLACES, Role.PIECES}
    taken |= _IN_BUDGETS if "estimate_energy_budget" in made else set()
    generates = bool(made & {"estimate_generation", "rank_generation"})
    taken |= _OF_GENERATION if generates else set()
    taken |= {Role.SUPPLY_V, Role.TRACE} if "explain_trace" in made else set()
    taken |= _OF_CHANGES if "simulate_optimizations" in made else set()
    taken |= {Role.CLAIMED_MS} if made & {"calibrate_target", "import_profile"} else set()
    many = f"{query.number(Role.CARDS) or query.number(Role.DEVICES) or 0:g}"
    share = f"{query.number(Role.SHARE_PERCENT) or 0:g} % of the time"
    taken |= {Role.SHARE_PERCENT} if share in answer else set()
    several = f"{many} of " in answer or f"{many} x " in answer
    taken |= {Role.CARDS, Role.DEVICES} if several else set()
    shown = _plain(answer)
    left = [
        slot
        for slot in query.slots
        if slot.text and not slot.inherited and slot.role not in taken and _plain(slot.text) not in shown
        if not (slot.role in _NAMES and made & OF_OWN_FIGURES)
        if not (slot.role is Role.HOURS_A_DAY and slot.value == _ALL_DAY)
        if isinstance(slot.value, float) or not made <= OF_PAGES
    ]
    left = [slot for slot in left if not (slot.role is Role.DTYPE and slot.value in types)]
    filed = [slot.text for slot in left if is_filed(query, slot.role)]
    known = on_the_sheet(query, [*(slot.text for slot in left), *query.unread])
    rows = rows_said(query) if made & {"recommend_hardware"} else None
    known |= {rows.text} if rows else set()
    left = [slot for slot in left if slot.text not in known]
    changes = [str(slot.value) for slot in query.slots if slot.role is Role.TECHNIQUE]
    known |= {text for text in query.unread if any(one.endswith(f"-{text.rstrip(' %')}") for one in changes)}
    holds = f"{query.text(Role.MODEL)} is as its file holds it"
    of_file = f"{holds}: *{filed[0]}* takes another." if filed else ""
    said = [f"*{slot.text}*" for slot in left if slot.text not in filed]
    below = [f"*{text}*" for text in query.unread if text.startswith("-")]
    known |= {"0"} if _NUMBERED.search(query.question) else set()
    beside = (*_PLAINLY.finditer(query.question), *_FLOCK.finditer(query.question))
    told_of = " ".join(found[0] for found in beside).casefold()
    said += [
        f"*{text}*"
        for text in query.unread
        if not text.startswith("-")
        and text not in known
        and text.casefold() not in told_of
        and not re.search(rf"(?<![\w.,]){re.escape(_plain(text))}(?![\w.])", shown)
    ]
    told = unserved(query, made)
    strange = [n for n in query.unknown if not (generates and is_said(n.text)) and n.text not in told]
    said += [f"*{name.text}* (unknown{_nearest(name)})" for name in strange if name.text not in answer]
    nothing = f"I do not understand a figure below zero: {', '.join(below)}." if below else ""
    nothing = f"{nothing} {of_file}".strip()
    if not said:
        return nothing
    left_out = f"I did not take into account: {', '.join(dict.fromkeys(said))}."
    return f"{nothing} {left_out}".strip()


def unserved(query: Query, functions: Iterable[str]) -> str:
    """That what was named to compute with, or to compare, has no figures here, where others are told."""
    compared = any(want is Want.COMPARE for want, _ in query.likely[:2])
    kinds = (Kind.RUNTIME, Kind.MODEL) if compared else (Kind.RUNTIME,)
    names = dict.fromkeys(name.text for name in query.unknown if name.kind in kinds)
    if not names or not {"estimate_performance", "check_constraints"} & set(functions):
        return ""
    return f"Not known with {' and '.join(names)}: I have no figures for that. With what I know:"


def _plain(text: str) -> str:
    """90 % is 90%, 3.0 V is 3 V, 3×3 is 3x3."""
    return re.sub(r"(?<=\d)(?:\.0+(?!\d)|\s+(?=%))", "", text.casefold()).replace("×", "x")


def unknown(names: Sequence[Name]) -> str:
    """What is not known, with what is spelt most like it."""
    said = []
    for name in names:
        what = "chip or board" if name.kind is Kind.TARGET else "network"
        said.append(f"I do not know the {what} {name.text}{_nearest(name)}.")
    kinds = {name.kind for name in names}
    if Kind.TARGET in kinds:
        said.append("`edgewright targets add` describes one of your own.")
    if Kind.MODEL in kinds:
        said.append("Any .tflite or .onnx file will do in place of a name.")
    return " ".join(said)


def _nearest(name: Name) -> str:
    return f"; nearest in spelling: {', '.join(name.nearest[:_MOST_NAMED])}" if name.nearest else ""
