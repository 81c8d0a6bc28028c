"""Which member of a family a question means: of boards with one core, of a maker's kits, of a series."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...hardware_db.hosts import host_of
from ...hardware_db.index import TargetSummary
from ...hardware_db.names import folded
from ...hardware_db.processors import CPU, kernels_by_processor
from .owners import is_the_one, own_numbers
from .query import Query, Role, Slot
from .words import patterns, representatives

_READS = patterns("beside_hardware")
_OF_A_BOARD = (Role.CLOCK_MHZ, Role.RAM_BYTES, Role.FLASH_BYTES)


def _is_against(query: Query, slot: Slot, target: str) -> bool:
    """Whether a word of comparison stands between a family and a target that is named."""
    other = next((s.text for s in query.slots if s.role is Role.TARGET and s.value == target), "")
    return _READS["against"].search(_between(query, slot.text, other)) is not None


def has_instance(query: Query, slot: Slot) -> bool:
    """Whether another name behind the family is one of it: a Cortex-M4 like the F411."""
    behind = query.question[query.question.find(slot.text) + len(slot.text) :]
    like = _READS["instance"].match(behind)
    others = [s.text for s in query.slots if s.role is Role.TARGET and s.text and s is not slot]
    return like is not None and behind[like.end() :].startswith(tuple(others))


def stands_at(query: Query, slot: Slot, target: str) -> bool:
    """Whether a core is named beside the very target that has it: M4 (STM32L4R5), M55 with an Ethos-U55."""
    if not family_of_core(slot.text):
        return False
    others = [s.text for s in query.slots if s.role is Role.TARGET and s.value == target and s.text]
    return any(_READS["of_one"].fullmatch(_between(query, slot.text, other)) for other in others)


def is_of_a_core(query: Query, slot: Slot) -> bool:
    """Whether a core that is named behind tells more of the same device: a phone with four Cortex-A53."""
    cores = [s.text for s in query.slots if s.role is Role.TARGET and "|" in str(s.value) and s is not slot]
    return not family_of_core(slot.text) and any(
        family_of_core(core) and _READS["has_cores"].fullmatch(_between(query, slot.text, core))
        for core in cores
        if query.question.find(core) > query.question.find(slot.text)
    )


def _between(query: Query, one: str, other: str) -> str:
    (first, words), (last, _) = sorted((query.question.find(text), text) for text in (one, other))
    return query.question[first + len(words) : last]


def at_hand_of(query: Query, slot: Slot, at_hand: Sequence[str], members: Sequence[str]) -> list[str]:
    """Members of a family that the question or the talk names, where it is not set against them."""
    beside = [name for name in at_hand if not _is_against(query, slot, name)]
    return [target for target in (*beside, *_spoken_of(query)) if target in members]


def one_of(
    query: Query, slot: Slot, members: Sequence[str], before: Sequence[str], at_hand: Sequence[str]
) -> str:
    """Of a family one that is at hand; else one that has what is said, and stands for the rest."""
    if before and (len(at_hand) < 2 or is_the_one(query, slot, {*before} & {*at_hand})):
        return before[0]
    roomy = [m for m in members if m in query.targets and _has(query.targets[m], query, slot)]
    return _member(slot.text, roomy or members, at_hand, query.targets)


def _member(
    text: str, members: Sequence[str], company: Sequence[str], summaries: Mapping[str, TargetSummary]
) -> str:
    """What stands for the family; else of the plain ones one of its company's class, the largest."""
    usual = representatives().get(folded(text).removesuffix("s"), "") or representatives().get(
        f"cortex{folded(text)}", ""
    )
    if usual in members and usual not in company:
        return usual
    classes = {summaries[target].target_class for target in company if target in summaries}

    core = family_of_core(text)

    def rank(member: str) -> tuple[bool, bool, bool, bool, bool, int]:
        put_on = any(f"{board}-{member}" in summaries for board in company)
        summary = summaries[member]
        known, alone = summary.power_mw is not None, not core or _computes_on_it_alone(summary)
        alike = summary.target_class in classes
        return (member not in company, put_on, alone, alike, known, summary.ram_bytes or 0)

    plain = [name for name in members if not any(name.startswith(f"{other}-") for other in members)]
    return max(plain, key=rank)


def family_of_core(text: str) -> str:
    """The family of a core that a text names: `A55` is cortex-a55; empty for other families."""
    key = folded(text).removeprefix("arm")
    return (
        key if key.startswith("cortex") else f"cortex-{key}" if key[:1] in "am" and key[1:2].isdigit() else ""
    )


def _computes_on_it_alone(summary: TargetSummary) -> bool:
    """Whether a chip has cores of one kind, which networks can run on, and is no accelerator first."""
    on_cores = kernels_by_processor(summary.id).get(CPU)
    return len(summary.cores) == 1 and bool(on_cores) and summary.target_class != "npu"


def _has(summary: TargetSummary, query: Query, slot: Slot) -> bool:
    """Whether a chip runs as fast and holds as much as the question says of its board."""
    there = (summary.clock_max_mhz, summary.ram_bytes, summary.flash_bytes)
    said = ([own for own in own_numbers(query, role, slot) if not own.inherited] for role in _OF_A_BOARD)
    wanted = (own[0].number if own else 0.0 for own in said)
    return all((has or 0.0) >= least for has, least in zip(there, wanted, strict=True))


def _spoken_of(query: Query) -> list[str]:
    """The targets of the talk, the latest first, each with the board that it sits on."""
    return [of for each in reversed(query.spoken_of) for of in (each, host_of(each, query.targets))]
