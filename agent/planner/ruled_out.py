"""What a question rules out by name: `not NVIDIA`, `no GPU`, `without the H743`, `only ST parts`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...hardware_db.makers import maker_named
from ...hardware_db.names import folded
from ..names import Kind, Name
from ..patterns import compiled
from .query import Role, Slot
from .words import patterns

_READS = patterns("rules_out")
_WORD = compiled(r"[A-Za-z][\w+]*(?: [A-Z]\w+)?")
_HARDWARE = r"(?:boards?|chips?|parts?|mcus?|microcontrollers?|devices?|modules?|silicon|hardware)"
_ALONE = compiled(
    rf"\b(?:only|nothing but|must be|ha(?:s|ve) to be|(?:stick|stay)(?:ing)? (?:to|with)|limited to|within)"
    rf"(?: (?:use|be|from|by|an?|the|with))*\s(?P<maker>{_WORD.pattern})|"
    rf"(?P<behind>[A-Z]\w+|microcontrollers|gpus)(?:\s{_HARDWARE})?\sonly\b"
)
_ASKED = compiled(
    rf"\b(?:(?:other|another|different|some|any|which|what)\s)+(?P<maker>{_WORD.pattern})\s{_HARDWARE}\b"
)
"""Before or behind the only maker that is taken, as it is written."""
_THIS_TIME = 0.5
_KINDS = (Kind.TARGET, Kind.MODEL, Kind.FILE)
_CLASSES = {
    "gpu": "gpu", "gpus": "gpu", "npu": "npu", "npus": "npu", "accelerator": "npu", "accelerators": "npu",
    "mcu": "mcu", "mcus": "mcu", "microcontroller": "mcu", "microcontrollers": "mcu", "linux": "linux",
    "dsp": "dsp", "dsps": "dsp",
}  # fmt: skip


def ruled_out(
    text: str, names: Sequence[Name], *, choosing: bool = False
) -> tuple[tuple[Name, ...], tuple[Slot, ...]]:
    """The names that are not wanted, and a slot for each maker, class and id behind a word that denies.

    Args:
        choosing: hardware is to be chosen, so that `why not a GPU` asks for another, and why.
    """
    found: list[Name] = []
    slots: list[Slot] = []
    denials = [(found.start(), found.end()) for found in _READS["not"].finditer(text)]
    denials += [(found.start(), found.end()) for found in _READS["why_not"].finditer(text) if choosing]
    denials += [(found.start("what"),) * 2 for found in _READS["behind"].finditer(text)]
    for begins, ends in denials:
        at = ends
        while (taken := _taken(text, at, names)) is not None:
            end, name, things = taken
            found += [name] if name else []
            words = text[begins:end].removeprefix("why ")
            slots += [
                Slot(role=Role.WITHOUT, value=thing, text=words)
                for thing in things
                if not name or name.kind is Kind.TARGET
            ]
            if (more := _READS["next"].match(text, end)) is None or _begins_anew(text, more):
                break
            at = more.end()
    for name in _that_one(text, names):
        found.append(name)
        slots += [Slot(role=Role.WITHOUT, value=each, text=name.text) for each in name.ids]
    return tuple(found), tuple({slot.value: slot for slot in slots}.values())


def _that_one(text: str, names: Sequence[Name]) -> list[Name]:
    """`I have no licence for a MAX78000, so leave that one out`: the only board of the sentence."""
    out = _READS["that_one"].search(text)
    if out is None:
        return []
    begins = max((end.end() for end in _ENDS.finditer(text, 0, out.start())), default=0)
    boards = [n for n in names if n.kind is Kind.TARGET and n.known and begins <= n.start < out.start()]
    return boards if len({one.ids for one in boards}) == 1 else []


_ENDS = compiled(r"[.?!;]\s")


def _begins_anew(text: str, more: re.Match[str]) -> bool:
    """Whether what stands behind a comma is no further thing of a list: `forget the Jetson, an M2`."""
    clause = re.split(r"[.?!;]", text[more.end() :])[0]
    return more[0].strip() == "," and _JOINS.search(clause) is None


_JOINS = compiled(r"\b(?:n?or|and)\b", re.IGNORECASE)


def alone_taken(text: str) -> tuple[Slot, ...]:
    """The only maker or class that is taken: `only ST parts`; for once where `another ST board` is asked."""
    found: dict[str, Slot] = {}
    for pattern, chance in ((_ASKED, _THIS_TIME), (_ALONE, 1.0)):
        for match in pattern.finditer(text):
            words = next(filter(None, match.groups()))
            if one := _thing(words) or _thing(words.partition(" ")[0]):
                found[one] = Slot(role=Role.WITHIN, value=one, text=match[0], chance=chance)
    return tuple(found.values())


def _taken(text: str, at: int, names: Sequence[Name]) -> tuple[int, Name | None, Sequence[str]] | None:
    """What is named there: where it ends, the name that it is, and what is ruled out."""
    name = next((each for each in names if each.start == at), None)
    if name is not None:
        out = name.kind in _KINDS and name.known and not _READS["lowered"].match(text, name.end)
        return (name.end, name, name.ids) if out else None
    word = _WORD.match(text, at)
    written = next((w for w in (word[0], word[0].partition(" ")[0]) if _thing(w)), "") if word else ""
    return (at + len(written), None, [_thing(written)]) if written else None


def _thing(words: str) -> str:
    """A maker or a class that words name; empty for none."""
    return _CLASSES.get(folded(words)) or maker_named(words)
