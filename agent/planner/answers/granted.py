"""What an answer takes for granted: one line, read off the results that its figures come from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ....tools.model_zoo.named import side_of, type_of
from ...patterns import compiled
from ...references import fill
from ..bench import Record, is_named
from ..query import Query, Role
from .phrases import ASSUMED, joined, language_models

_REFERENCE = compiled(r"\b(r\d+)\.(?:(\w+)\[#(\d+)\])?")
_SERVED = ("gpu", "gpu-soc")
_RATES = ("inferences_per_second", "at_once_per_second")
_SAID_AS = {
    "one session": r"sessions?|at once|one after another|users?|each of",
    "batch 1": "batch(?:es)?", "threads": "threads?",
}  # fmt: skip
"""Words by which an answer says it otherwise, under what it is or ends with here."""
_SHORTER = compiled(r" (?:input|of context)$")
_ROOM = "plan_memory"
"""Depends on no clock."""
_MOST_NAMED = 4


class _Case(NamedTuple):
    """A result that a figure is of, or a row of one with the whole behind it."""

    row: Record
    whole: Record
    of_class: str = ""

    def get(self, name: str) -> tuple[str, str]:
        """A name or a figure of it as it is, and as a reference; both empty where it has none."""
        for record in (self.row, self.whole):
            deployed = record["deployment"] if isinstance(record["deployment"], Mapping) else {}
            for holder, before in ((deployed, "deployment."), (record.result or {}, "")):
                if isinstance(holder.get(name), str | float | int):
                    return str(holder[name]), record.ref(f"{before}{name}")
        return "", ""

    @property
    def writes(self) -> bool:
        """Whether it is of a language model."""
        return self.whole.name in ("estimate_generation", "rank_generation")

    @property
    def network(self) -> str:
        """As it was built, where it goes by a name; empty for a file, which is what it is."""
        name = self.get("model")[0]
        return name if is_named(name.partition(":")[0]) else ""


_OF_NETWORKS = (Role.TARGET, Role.DTYPE, Role.SIDE, Role.RUNTIME, Role.THREADS, Role.CLOCK_MHZ, Role.BATCH)
_OF_TOKENS = (Role.TARGET, Role.WEIGHTS, Role.RUNTIME, Role.CONTEXT, Role.BATCH)
"""In this order: what was taken where the user did not say it."""
_OF_ONE = (Role.TARGET, Role.CLOCK_MHZ)
"""Where these differ, the rows are named by them, or they tell little."""


def _words(case: _Case, role: Role) -> str:
    """What it is there, in words; empty where it is not known, or is nothing to mention."""
    text, shown = case.get(role)
    match role:
        case Role.DTYPE:
            return (text or type_of(case.network)) if case.network else ""
        case Role.SIDE:
            side = side_of(case.network) if case.network else None
            return f"{side}x{side} input" if side else ""
        case Role.THREADS:
            return f"{shown} threads" if text not in ("", "0", "1") else ""
        case Role.CLOCK_MHZ:
            timed = text and case.of_class not in ("", "gpu") and case.whole.name != _ROOM
            return shown.replace("}}", "|MHz}}") if timed else ""
        case Role.CONTEXT:
            return f"{shown} tokens of context" if text not in ("", case.get("max_context")[0]) else ""
        case Role.BATCH:
            alone = "one session" if case.writes else "batch 1" if case.of_class in _SERVED else ""
            return alone if text == "1" else ""
    return text


def granted(query: Query, answer: str, records: Mapping[str, Record]) -> str:
    """What nobody said and the figures depend on, once; empty where the question or the answer says it."""
    lines = answer.split("\n")
    first = next((line for line in lines if next(_cases(query, line, records), None)), "")
    told = [first, *(line for line in lines if line.startswith("|") and line != first)]
    cases = [case for line in told for case in _cases(query, line, records)]
    cases = [case for case in cases if case.writes is cases[0].writes]
    cases = [case for case in cases if case.whole.name != _ROOM] or cases
    shown, at_first = _filled(answer, records), _filled("\n".join(told), records)
    common, apart = list[str](), list[list[str]]()
    writes = bool(cases) and cases[0].writes
    for role in () if not cases else _OF_TOKENS if writes else _OF_NETWORKS:
        of_each = [_words(case, role) for case in cases]
        plain = {_filled(text, records) for text in of_each}
        where = shown if len(plain) == 1 else at_first
        if _is_given(query, answer, role) or all(not text or _tells(where, text) for text in plain):
            continue
        if (
            role is Role.SIDE and len({case.network.partition(":")[0] for case in cases}) > 1
        ):  # each has its usual one
            continue
        if len(plain) == 1:
            common.append(of_each[0])
        elif role not in _OF_ONE:
            apart.append(of_each)
    if any(path in first for path in _RATES) and len({case.get("target")[0] for case in cases}) == 1:
        common.append("the network alone")
    found = "; ".join(filter(None, (", ".join(common), *_apart(cases, apart))))
    return f"{ASSUMED}{found}." if found else ""


def _is_given(query: Query, answer: str, role: Role) -> bool:
    """Whether the user said it, or it means nothing for these figures."""
    match role:
        case Role.TARGET:  # memory may be told whatever the board
            return not query.has(role)
        case Role.CONTEXT if "_bytes" not in answer:
            return True
        case Role.RUNTIME if "| kernels |" in answer:
            return True
        case Role.BATCH if language_models(query):
            return query.has(role, Role.DEVICES)
    return query.has(role, *{Role.RUNTIME: [Role.ENGINE], Role.SIDE: [Role.SEQUENCE]}.get(role, []))


def _cases(query: Query, line: str, records: Mapping[str, Record]) -> Iterator[_Case]:
    """The results that the line has figures of, where those depend on how something runs."""
    for found in _REFERENCE.finditer(line):
        whole = records.get(found[1])
        if whole is None:
            continue
        rows = whole[found[2]] if found[2] else ()
        row = whole.row(found[2], int(found[3])) if rows and isinstance(rows[0], Mapping) else whole
        case = _Case(row, whole)
        if case.get("runtime")[0] and case.get("target")[0]:
            known = query.targets.get(case.get("target")[0])
            yield case._replace(of_class=known.target_class if known else "")


def _filled(text: str, records: Mapping[str, Record]) -> str:
    return fill(text, {one.id: one.result for one in records.values()}).text


def _tells(answer: str, words: str) -> bool:
    """Whether the answer says it already."""
    usual = _SAID_AS.get(words) or _SAID_AS.get(words.rpartition(" ")[2])
    said = usual or re.escape(_SHORTER.sub("", words))
    return re.search(rf"(?<![\w-])(?:{said})(?![\w-])", answer) is not None


def _apart(cases: Sequence[_Case], settings: Sequence[Sequence[str]]) -> list[str]:
    """What differs, by board, kernel library or network; nothing where none of these tells them apart."""
    words = [tuple(filter(None, dict.fromkeys(each))) for each in zip(*settings, strict=True)]
    for name, joint in (("target", "on"), ("runtime", "with"), ("model", "for")):
        by_name: dict[str, set[tuple[str, ...]]] = {}
        for case, each in zip(cases, words, strict=False):
            of = case.get(name)[0]
            by_name.setdefault(of, set()).add(tuple(word for word in each if word != of))
        if len(by_name) < 2 or any(len(each) > 1 for each in by_name.values()):
            continue
        groups: dict[tuple[str, ...], list[str]] = {}
        for of, found in by_name.items():
            groups.setdefault(found.pop(), []).append(of)
        if len(by_name) > _MOST_NAMED:
            values = dict.fromkeys(value for each in groups for value in each)
            return [f"{joined(values, 'or')}, as is usual on each"] if len(groups) <= _MOST_NAMED else []
        return [f"{', '.join(each)} {joint} {joined(of)}" for each, of in groups.items() if each]
    return []
