"""From the words of a question to a query: each name and figure gets its role from the words beside it."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence

from ...hardware_db.errors import UnknownNameError
from ...tools.model_zoo.language_model import language_model
from ..names import Kind, Name, find_names
from ..quantities import Family, Figure, find_figures
from .classifier import classifier
from .features import features_of
from .intent import Intent
from .query import Query, Role, Slot
from .words import figure_rules, spoken

LONGEST_QUESTION = 4_000
_LIKELY, _POSSIBLE, _OF_A_PART = 0.42, 0.2, 0.22
"""An intent counts from here on, the likeliest from there on; below, the question is not understood."""
_ALONE = frozenset((Intent.THANKS, Intent.HELP, Intent.OUTSIDE, Intent.SUMMARY))
_CLAUSE = re.compile(r"[,;:.?!()](?=\s|$)|\b(?:and|but|then|while|with|whereas)\b", re.IGNORECASE)
_PART = re.compile(
    r"(?<=[?;])\s+|,?\s+and (?=(?:how|what|which|is there|does|will|can|where|why|would|who|when)\b)"
    r"|,\s+(?=(?:how|what|which|is there|does|will|can|where|why)\b)",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"\?\s*\Z|\b(?:how|what|which|is|are|does|do|will|can|could|where|why|who|would|should|when)\b",
    re.IGNORECASE,
)
_CLAIMS = {Role.LATENCY_MS: Role.CLAIMED_MS, Role.RATE_HZ: Role.CLAIMED_HZ}
_CLAIMED = frozenset(_CLAIMS.values())
_FEWEST = 3
"""Words of a part that is a question of its own."""
_KINDS = {
    Kind.TARGET: Role.TARGET, Kind.RUNTIME: Role.RUNTIME, Kind.MODEL: Role.MODEL, Kind.FILE: Role.MODEL,
    Kind.TRACE: Role.TRACE, Kind.DTYPE: Role.DTYPE, Kind.BATTERY: Role.BATTERY,
}  # fmt: skip


def read(question: str, *, pinned: frozenset[str] = frozenset(), follows: bool = False) -> Query:
    """What the words say by themselves, before anything is taken from the conversation.

    Args:
        pinned: `model` and `target`, where the conversation has one.
        follows: whether something was asked before.
    """
    text = question.strip()[:LONGEST_QUESTION]
    names = find_names(text)
    figures = find_figures(text, [(name.start, name.end) for name in names])
    slots, unread = _of_figures(text, figures, names)
    if "normal" in spoken("asks", text) and not any(slot.role in _CLAIMED for slot in slots):
        slots = [s.model_copy(update={"role": _CLAIMS.get(s.role, s.role)}) for s in slots]
    plain = _without(text, [*names, *figures])
    written = _language_models(names)
    return Query(
        question=text,
        intents=_intents(text, names, figures, pinned, follows),
        slots=(*_of_names(names), *written, *slots, *_of_words(plain)),
        asks=frozenset(spoken("asks", plain)),
        excluded=frozenset(spoken("excluded", plain)),
        unknown=tuple(
            name for name in names if not name.known and all(slot.text != name.text for slot in written)
        ),
        unread=unread,
        notes=tuple(
            f"I took {name.text} to be {name.ids[0]}" for name in names if name.known and not name.exact
        ),
    )


def _of_names(names: Sequence[Name]) -> Iterator[Slot]:
    """A task names a network only where no network is named; a family waits for the conversation."""
    named = [name for name in names if name.known]
    has_model = any(name.kind in (Kind.MODEL, Kind.FILE) for name in named)
    seen: set[tuple[Role, str]] = set()
    for name in named:
        if name.kind is Kind.TASK and has_model:
            continue
        role = Role.MODEL if name.kind is Kind.TASK else _KINDS[name.kind]
        value = "|".join(name.ids) if name.family else name.ids[0]
        if (role, value) not in seen:
            seen.add((role, value))
            yield Slot(role=role, value=value, text=name.text)


def _language_models(names: Sequence[Name]) -> list[Slot]:
    """Networks that write token by token, which have a catalogue of their own."""
    found = []
    for name in names:
        if name.kind is Kind.MODEL and not name.known:
            with contextlib.suppress(UnknownNameError):
                found.append(Slot(role=Role.MODEL, value=language_model(name.text).id, text=name.text))
    return found


def _of_figures(
    text: str, figures: Sequence[Figure], names: Sequence[Name]
) -> tuple[list[Slot], tuple[str, ...]]:
    edges = sorted([(f.start, f.end) for f in figures] + [(n.start, n.end) for n in names])
    slots: list[Slot] = []
    unread: list[str] = []
    for figure in figures:
        slot = _slot_of(text, figure, edges)
        if slot is not None:
            if not (slot.role is Role.RUNS and figure.value <= 1):
                slots.append(slot)
        elif not figure.spoken:
            unread.append(figure.text)
    return slots, tuple(unread)


def _slot_of(text: str, figure: Figure, edges: Sequence[tuple[int, int]]) -> Slot | None:
    if figure.family is Family.MONEY and figure.unit in ("€", "£"):
        return None
    before, after = _beside(text, figure, edges)
    noun = figure.noun
    rule = next(
        (
            rule
            for rule in figure_rules().get(figure.family, ())
            if rule.fits(figure.value, noun, before, after)
        ),
        None,
    )
    if rule is None:
        return None
    value: float | str = figure.value * rule.scale
    if rule.write:
        value = rule.write.format(figure.value)
    return Slot(role=rule.role, value=value, text=figure.text)


def _beside(text: str, figure: Figure, edges: Sequence[tuple[int, int]]) -> tuple[str, str]:
    """The words of its clause before it, and behind it up to the next figure."""
    start = max([end for _, end in edges if end <= figure.start], default=0)
    stop = min([begin for begin, _ in edges if begin >= figure.end], default=len(text))
    sentence = max(text.rfind(mark, 0, figure.start) for mark in ".?!;,")
    before = text[max(sentence + 1, figure.start - 60) : figure.start]
    near = text[max(start - 24, sentence + 1, 0) : figure.start]
    found = _CLAUSE.search(text, figure.end, stop)
    after = text[figure.end : found.start() if found else stop]
    return (before if len(near) < len(before) else near), after.strip()


def _of_words(text: str) -> Iterator[Slot]:
    for table, role in (
        ("class", Role.TARGET_CLASS), ("variable", Role.VARIABLE), ("technique", Role.TECHNIQUE),
        ("goal", Role.GOAL),
    ):  # fmt: skip
        yield from (Slot(role=role, value=name) for name in spoken(table, text)[:2])


def _without(text: str, spans: Sequence[Name | Figure]) -> str:
    """The words alone; what stands for a type or a technique in a name is none of them."""
    kept, last = "", 0
    for span in sorted(spans, key=lambda each: each.start):
        if isinstance(span, Name) and span.kind in (Kind.DTYPE, Kind.TASK):
            continue
        kept += text[last : span.start] + " § "
        last = max(last, span.end)
    return kept + text[last:]


def _intents(
    text: str, names: Sequence[Name], figures: Sequence[Figure], pinned: frozenset[str], follows: bool
) -> tuple[Intent, ...]:
    """Of the whole question and of each part of it that is one, in the order of the parts."""
    parts = [part for part in _PART.split(text) if len(part.split()) >= _FEWEST and _ASKING.search(part)]
    found: list[Intent] = []
    if len(parts) > 1:
        for part in parts:
            chances = _chances(part, pinned | {"model", "target"}, follows)
            best = next(iter(chances))
            if chances[best] >= _OF_A_PART and best not in (*_ALONE, Intent.SAME, Intent.EXPLAIN):
                found.append(best)
    chances = _whole(text, names, figures, pinned, follows)
    best = next(iter(chances))
    likely = [intent for intent, chance in chances.items() if chance >= _LIKELY]
    if best in _ALONE and not found:
        return (best,)
    found += [intent for intent in likely if intent not in _ALONE]
    if not found and chances[best] >= _POSSIBLE:
        found = [best]
    if Intent.WHATIF in found and not _names_a_change(text, names, figures):
        others = [intent for intent in chances if intent not in (*_ALONE, Intent.WHATIF)]
        found = [intent for intent in found if intent is not Intent.WHATIF] or others[:1]
    return tuple(dict.fromkeys(found))


def _names_a_change(text: str, names: Sequence[Name], figures: Sequence[Figure]) -> bool:
    kinds = (Kind.DTYPE, Kind.RUNTIME, Kind.TARGET, Kind.MODEL)
    asks = {"both", "half_clock", "full_clock"} & set(spoken("asks", text))
    return bool(figures or asks or spoken("technique", text) or any(name.kind in kinds for name in names))


def _whole(
    text: str, names: Sequence[Name], figures: Sequence[Figure], pinned: frozenset[str], follows: bool
) -> Mapping[Intent, float]:
    return classifier().chances(features_of(text, names, figures, pinned=pinned, follows=follows))


def _chances(part: str, pinned: frozenset[str], follows: bool) -> Mapping[Intent, float]:
    names = find_names(part)
    figures = find_figures(part, [(name.start, name.end) for name in names])
    return _whole(part, names, figures, pinned, follows)
