"""How figures that somebody claims stand to an estimate, and the word that answers what is asked of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....tools.core.records import dataclass
from ...patterns import compiled
from ..bench import Record
from ..query import Query, Role, Slot
from ..want import Want
from ..wants import YES_OR_NO
from ..words import entries, patterns, spoken, spoken_in_turn
from .phrases import joined, said

_VERSIONS = 1.25
"""Times by which the same network on the same chip differs between two releases of a kernel library.

Of 380 such pairs of one source among the measurements nearly four in five differ by less.
"""
_SHOWN = 1.005
"""Times by which an end differs from its three digits: who holds 182 ms against 101-182 ms is inside."""
FAR = 2.0
"""Times the estimate from which on a figure that its interval holds is possible rather than plausible."""
_OUTSIDE = "outside the interval by no more than two releases of one kernel library differ"
_WELL_ABOVE = 1.33
"""The same of a rate, which beyond that is less likely reached than not."""
_UNITS = {
    Role.CLAIMED_MS: "ms", Role.CLAIMED_HZ: "*1count/1s", Role.RATE_HZ: "*1count/1s", Role.CLAIMED_UJ: "uJ",
    Role.CLAIMED_MW: "mW",
}  # fmt: skip
_NOT_BROKEN = "Not broken by that, but set up otherwise than I take it"
_NEITHER = "Neither need be wrong, but the two are not of one set-up"
_NOBODY = "Nobody by that"
_NO_FAULT, _SHORT = "Nothing is wrong by that", 2
_WHICH = compiled(
    r"\bwhich (?:one |of (?:them|these|those|the two) )?(?:is|would|can|do you)\b"
    r"|\b(?:good|fine|ok(?:ay)?|normal) or (?:too )?(?:bad|slow|poor|low)\b",
    re.IGNORECASE,
)
_WHOSE = patterns("whose")


@dataclass(frozen=True)
class Held:
    """A figure that somebody claims, against the field of a record that is of its kind."""

    slot: Slot
    record: Record
    path: str
    own: bool
    """Whether the user measured it; else others promise or have it."""

    @property
    def claim(self) -> float:
        return self.slot.number

    @property
    def times(self) -> float:
        """The claim over the estimate."""
        return self.claim / (self.record.number(self.path) or self.claim or 1.0)

    @property
    def _of_a_rate(self) -> bool:
        return "_per_s" in self.path

    @property
    def better(self) -> bool:
        return (self.times > 1) == self._of_a_rate

    @property
    def standing(self) -> str:
        low, high = self.record.ends(self.path) or (0.0, 0.0)
        if self._of_a_rate and self.times > _WELL_ABOVE and self.claim <= high * _SHOWN:
            return "hardly"
        far = not 1 / FAR <= self.times <= FAR
        if low / _SHOWN <= self.claim <= high * _SHOWN:
            return "possible" if far else "plausible"
        far = far or "token" in self.path
        return "near" if not far and low / _VERSIONS <= self.claim <= high * _VERSIONS else "off"

    @property
    def judged(self) -> str:
        """How it stands to the estimate, and by how much it differs."""
        standing, field = self.standing, f"{self.record.id}.{self.path}"
        if standing == "plausible":
            return standing
        stated = f"{self.claim:.6g}{_UNITS[self.slot.role]}"
        of_time = self.slot.role in (Role.CLAIMED_MS, Role.CLAIMED_HZ, Role.RATE_HZ)
        than = ("faster" if self.better else "slower") if of_time else "more" if self.times > 1 else "less"
        much = f"{field}/({stated})" if self.times < 1 else f"{stated}/{field}"
        if standing == "near":
            by = f"{{{{{f'1-{stated}/{field}' if self.times < 1 else f'{much}-1'}|%}}}}"
            return f"{by} {than} than I expect, {_OUTSIDE}"
        inside = "" if standing == "off" else ", though inside the interval"
        return f"{{{{{much}|x}}}} {than} than I expect{inside}"


def held(query: Query, record: Record, role: Role, path: str) -> list[Held]:
    """Each figure of a kind that the question claims; the user's own first where that is what is doubted."""
    slots = without_terms(query.question, [slot for slot in query.slots if slot.role is role])
    found = [Held(slot, record, path, _is_own(query.question, slot)) for slot in slots]
    first = stance(query) != "fine" or puzzled(query)
    blames = bool(spoken("blamed_for_it", query.question))

    def place(one: Held) -> tuple[bool, ...]:
        return not one.own, blames and one.standing == "plausible", blames and one.better

    return sorted(found, key=place) if first else found


def without_terms(question: str, slots: list[Slot]) -> list[Slot]:
    """Without those that are divided by each other: 26000/8.7 = about 3000 claims the last alone."""
    close = "".join(question.split())
    terms = {
        id(each) for one in slots for two in slots
        if one.text and two.text and f"{one.text}/{two.text}".replace(" ", "") in close
        for each in (one, two)
    }  # fmt: skip
    return [slot for slot in slots if id(slot) not in terms] or slots


def stance(query: Query) -> str:
    """Whether it is asked to be right or wrong, by what is said first; empty where only its cause is."""
    asked = spoken_in_turn(query.question, "judged")
    plain = "fine" if YES_OR_NO.search(query.question) and not query.established else "open"
    return asked[0] if asked else "" if puzzled(query) else plain


def puzzled(query: Query) -> bool:
    asked = spoken("puzzled", query.question) or spoken("blamed_for_it", query.question)
    return bool(asked) or Want.WHY_SLOWER in query.wants[:1]


def word(query: Query, one: Held) -> str:
    """What the answer begins with; what is better than expected is no fault of the user's own."""
    asked = spoken_in_turn(query.question, "judged")
    if _WHICH.search(query.question):
        return ""
    blamed = spoken("blamed_for_it", query.question)
    if "hardware" in blamed and one.own and not one.better:
        return _NOT_BROKEN if one.standing == "off" else "No"
    if "party" in blamed and (one.standing not in ("near", "off") or query.has(Role.CLAIMED_GOPS)):
        return _NOBODY
    if "party" in blamed and one.own and not one.better:
        return _NEITHER
    if "bad" in asked and one.own and one.better and one.standing != "plausible":
        doubted = "Yes" if one.standing == "off" else "Perhaps"
        return doubted if spoken("too_good", query.question) else "No" if asked[0] == "bad" else _NO_FAULT
    beyond = one.standing == "near" and not 1 / _VERSIONS <= one.times <= _VERSIONS
    standing = "hardly" if beyond and one.better and not one.own else one.standing
    return str(entries(f"stands_{asked_as}")[standing]) if (asked_as := stance(query)) else ""


def judged(query: Query, claims: Sequence[Held], word: str) -> str:
    """The word, and how each of them stands."""
    alike: dict[str, list[str]] = {}
    for one in claims:
        alike.setdefault(one.judged, []).append(one.slot.text or said(query, one.slot.role))
    told = [f"{joined(of)} {'are' if len(of) > 1 else 'is'} {how}" for how, of in alike.items()]
    short = len(word.split()) <= _SHORT
    return f"{f'{word}, ' if word and short else f'{word}: ' if word else ''}{', and '.join(told)}"


def _is_own(text: str, slot: Slot) -> bool:
    """Whether who is named nearest before a figure, else behind it, is the user."""
    start = text.find(slot.text)
    before, behind = re.split(r"[.;!?](?:\s|$)", text[: max(start, 0)])[-1], text[start + len(slot.text) :]
    last = {
        name: max((one.end() for one in found.finditer(before)), default=-1) for name, found in _WHOSE.items()
    }
    if max(last.values()) < 0:
        return (
            _WHOSE["theirs"].match(re.sub(r"^(?:\W*[\w/]+){0,3}?\W*(?:was|were|is|are|as)\W+", "", behind))
            is None
        )
    return last["mine"] >= last["theirs"]
