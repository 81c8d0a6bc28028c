"""What a question leaves for its reader to complete: a factor in words, another size, a second processor."""

from __future__ import annotations

import re

from ...hardware_db.index import read_index
from ...tools.core.dimensions import measure
from ..quantities import Family, find_figures
from .decisions import target_of
from .query import LIMITS, Query, Role, Slot
from .said_in import units_asked
from .want import Want
from .wants import CLAIMS
from .words import patterns

_FACTORS = {"hal": 0.5, "qua": 0.25, "dou": 2.0, "twi": 2.0, "tri": 3.0, "thi": 1 / 3}
_FOUND = patterns("stepped")["step"]
_ROLES = {"batch": Role.BATCH, "threads": Role.THREADS, "cores": Role.THREADS}
_LIMIT_OF = {
    Family.TIME: Role.LATENCY_MS, Family.RATE: Role.RATE_HZ, Family.ENERGY: Role.ENERGY_UJ,
    Family.POWER: Role.POWER_MW,
}  # fmt: skip
_ALSO = r"\W{0,2}(?:,|and|&|with|at)?\W{1,3}(?:(?:below|under|within|at most|less than|max\w*|up to) )?"
_CPU, _GPU = re.compile(r"\bcpus?\b", re.IGNORECASE), re.compile(r"\bgpus?\b", re.IGNORECASE)


SURE = 0.5
"""Chance of its role from which on a number is nothing else."""


def completed(query: Query) -> Query:
    """With all of it."""
    return _by_its_unit(_on_both(_with_sizes(_with_limits(stepped(query)))))


_MEASURED_IN = {measure("mWh").dimension: Want.ENERGY, measure("mW").dimension: Want.POWER}


def _by_its_unit(query: Query) -> Query:
    """*How many milliwatt hours does one take?* asks for no time."""
    asked = (_MEASURED_IN.get(measure(unit).dimension) for unit in units_asked(query.question))
    want = next(filter(None, asked), None)
    if want is None:
        return query
    others = (each for each in query.wants if each not in (Want.LATENCY, want))
    return query.model_copy(update={"wants": (want, *others)})


def _with_limits(query: Query) -> Query:
    """*Below 100 ms and 5 mJ*: what stands beside a limit is one of its own kind.

    *And if it is 50 ms?* after a limit of 300 ms takes its place, where limits are judged.
    """
    judges = query.likely[:1] and query.likely[0][0] is Want.MEETS
    claimed = [slot.text for slot in query.slots if slot.role in CLAIMS and not slot.inherited and judges]
    for text in (*query.unread, *claimed):
        figures = find_figures(text)
        role = _LIMIT_OF.get(figures[0].family) if len(figures) == 1 else None
        limits = (slot.text for slot in query.slots if slot.role in LIMITS and slot.text)
        beside = any(re.search(re.escape(one) + _ALSO + re.escape(text), query.question) for one in limits)
        anew = judges and role is not None and query.has(role) and not query.says(role)
        if role is not None and (anew or (beside and not query.has(role))):
            slots = (slot for slot in query.slots if slot.role is not role and slot.text != text)
            slot = Slot(role=role, value=figures[0].value, text=text)
            left = tuple(each for each in query.unread if each != text)
            query = query.model_copy(update={"slots": (*slots, slot), "unread": left})
    return query


def _with_sizes(query: Query) -> Query:
    """*The one with 128 MACs or the 256 one*: a number that makes another target of the name of one."""
    named = [slot for slot in query.slots if slot.role is Role.TARGET and slot.text and not slot.inherited]
    unsure = (slot for slot in query.slots if slot.chance < SURE and not slot.inherited)
    figures = dict.fromkeys(slot.text for slot in unsure if slot.text.isdigit())
    for text in (*query.unread, *figures) if len({slot.value for slot in named}) == 1 else ():
        other = re.sub(r"\d+(?!.*\d)", text, named[0].text) if text.isdigit() else ""
        target = target_of(other) if other else ""
        if target and target != named[0].value:
            left = tuple(each for each in query.unread if each != text)
            slot = Slot(role=Role.TARGET, value=target, text=text)
            slots = tuple(each for each in query.slots if each.inherited or each.text != text)
            query = query.model_copy(update={"slots": (*slots, slot), "unread": left})
    return query


def _on_both(query: Query) -> Query:
    """*On its CPU and on its GPU*: the first kernels of each, one beside the other."""
    chip = query.targets.get(query.text(Role.TARGET))
    both = _CPU.search(query.question) and _GPU.search(query.question)
    if not both or chip is None or len(set(query.all(Role.TARGET))) > 1 or query.says(Role.RUNTIME):
        return query
    known = {runtime.id: runtime.runs_on for runtime in read_index().runtimes}
    runs_on = {name: known[name] for name in chip.runtimes if name in known}
    of_gpu = [name for name, kinds in runs_on.items() if set(kinds) <= _GRAPHICS]
    of_cpu = [name for name, kinds in runs_on.items() if not set(kinds) & (_GRAPHICS | {"npu", "gpu"})]
    if not of_gpu or not of_cpu:
        return query
    slots = [slot for slot in query.slots if slot.role not in (Role.RUNTIME, Role.TARGET_CLASS)]
    kernels = [of_cpu[0], *of_gpu[:_MOST_OF_A_GPU]]
    slots += [Slot(role=Role.RUNTIME, value=name) for name in kernels]
    wants = tuple(dict.fromkeys((Want.COMPARE, *query.wants)))
    note = f"{kernels[0]} is the CPU, {' and '.join(kernels[1:])} the GPU"
    return query.model_copy(update={"slots": tuple(slots), "wants": wants, "notes": (*query.notes, note)})


_MOST_OF_A_GPU = 2
_GRAPHICS = frozenset(
    (
        "nvidia-gpu", "amd-gpu", "intel-gpu", "apple-gpu", "mali", "adreno", "powervr", "videocore",
        "vivante-gpu",
    )
)  # fmt: skip


def stepped(query: Query) -> Query:
    """With what the setting becomes, behind what it is now; a step that goes nowhere is none."""
    found = _FOUND.search(query.question)
    if found is None or not query.has(Role.MODEL) or not query.has(Role.TARGET):
        return query
    role = _ROLES.get((found["what"] or found["what_first"]).casefold(), Role.CLOCK_MHZ)
    if query.says(role, Role.CLOCK_BEFORE_MHZ):
        return query
    chip = query.targets.get(query.text(Role.TARGET))
    usual = (chip.clock_max_mhz if chip else None) if role is Role.CLOCK_MHZ else 1.0
    base = query.number(role) or usual
    step = (found["step"] or found["step_last"]).casefold().removeprefix("a ").removeprefix("one ")
    after = (base or 0.0) * _FACTORS[step[:3]]
    if not base or (role is not Role.CLOCK_MHZ and after < 1):
        return query
    slots = (
        *query.without([role]).slots,
        Slot(role=role, value=base, inherited=True),
        Slot(role=role, value=after, text=found[0]),
    )
    wants = [Want.WHAT_IF, *(want for want in query.wants if want not in (Want.WHAT_IF, Want.COMPARE))]
    return query.model_copy(update={"slots": slots, "wants": tuple(wants)})
