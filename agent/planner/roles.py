"""Which role a figure plays, by a linear model over the words beside it, and the slot that it fills."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import pairwise, takewhile

from ..figure_pairs import is_bare, is_part, parts
from ..patterns import compiled
from ..quantities import Family, Figure
from .classifier import classifier
from .features import figure_features
from .query import Role, Slot
from .roles_by_words import OTHER_ROOM, SAID, are_those, is_asked_by_a_seller, named_by_words
from .words import entries

UNSURE, SURE, _AMONG_POSSIBLE = 0.48, 0.91, 0.7
"""A figure whose role is less likely than the first fills no slot and is named; below the second it is said
how it was taken. On questions in no fit: from 0.48 on, 76 in 100 slots are kept
and 83 of 100 of these are right; from 0.91, 36 are kept, 95 in 100 right: 2 figures in 100 are taken wrongly
in silence. A label that leads all that such a figure can have counts the third share of its lead."""
_LABELLED, _HINTED, UNTOLD = 0.5, 0.05, "untold"
"""How likely a label of a bare number has to be, alone and after such a figure, and what stands for none."""
_BETWEEN = compiled(
    r"\s*(?:[,/;|]|,?\s*(?:(?:and|but),?\s+)?(?:not|instead of|rather than|in place of)\b(?: at| with)?|"
    r",?\s*(?:or|and|vs\.?|versus|to)\b)\s*",
    re.I,
)
"""What stands between the members of a list."""
_AS_LIKELY = 0.05
"""Of a common role, beside those of each."""
_BYTES = (Role.RAM_BYTES, Role.FLASH_BYTES, Role.TAKEN_BYTES, Role.TAKEN_FLASH_BYTES)
_SMALL_RAM = 8_192
"""A bare number below is KiB where memory is meant."""
_ROLES: Mapping[str, Mapping[Family, tuple[Role, float]]] = {
    label: {
        Family[family]: (Role(to if isinstance(to, str) else to[0]), 1.0 if isinstance(to, str) else to[1])
        for family, to in of.items()
    }
    for label, of in entries("roles").items()
}
"""Label → the family of a figure → its role, and what the figure is multiplied by."""
CLAIMED = {next(iter(of)): label for label, of in _ROLES.items() if label.startswith("claimed_")}
"""The family of a figure → the label of one that is to be judged."""
_OF_FAMILY = {next(iter(_ROLES[label])): label for label in ("in_use", "tariff", "rent", "bandwidth")}
"""What a figure of such a family is, whatever stands beside it."""
_TIMED = ("rate", "claimed_rate", "latency_limit", "claimed_time")
_PERIODS = {label: next(iter(_ROLES[label].values()))[0] for label in _TIMED}
_WHOLE, _SMALLEST_SIDE = frozenset(("batch", "threads", "devices", "cells", "sequence")), 8
_MOST_CELLS = 1_000.0
"""Of a battery; more of them are pieces that are built."""
SLOTLESS = frozenset(("other", "version", "exit_code", "parameters", "accuracy", "probability"))
"""Labels of figures that are no setting and no limit."""
_SHARES = {"prune": "prun", "input": "input|resolution|side|size|image", "width": "width|channels"}


def labels_of(
    text: str,
    words: Sequence[str],
    places: Mapping[int, int],
    figures: Sequence[Figure],
    known: AbstractSet[Role] = frozenset(),
) -> tuple[list[Figure], list[str], list[float]]:
    """The figures, their likeliest labels and the chances of these; those of a list share both.

    A bare number whose words do not tell is of a role that the conversation has figures for, `known`, if any.
    """
    found = list(figures)
    chances = [_chances(words, places[figure.start], figure) for figure in found]
    for last in range(len(found) - 1, 0, -1):
        one, unit = found[last - 1], found[last]
        joined = _shares_unit(text, found, last) or is_part(text, one, unit)
        if joined and not (one.spoken and one.value == 1) and not one.unit and unit.unit and unit.written:
            scale = unit.value / unit.written
            found[last - 1] = replace(one, value=one.written * scale, family=unit.family, unit=unit.unit)
            chances[last - 1] = _chances(words, places[one.start], found[last - 1])
    labels = [likeliest(each, figure) for each, figure in zip(chances, found, strict=True)]
    for run in _runs(text, found):
        common = max(chances[run[0]], key=lambda label: math.prod(chances[i].get(label, 0.0) for i in run))
        apart, together = (
            math.prod(chances[i].get(label, 0.0) for i, label in zip(run, several, strict=True))
            for several in ([labels[i] for i in run], [common] * len(run))
        )
        if together > _AS_LIKELY * apart and all(_sensible(common, found[i]) for i in run):
            labels = [common if i in run else label for i, label in enumerate(labels)]
            best = max(chances[i].get(common, 0.0) for i in run)
            chances = [{**each, common: best} if i in run else each for i, each in enumerate(chances)]
    for i, figure in enumerate(found):
        likely = chances[i].get(labels[i], 1.0) >= UNSURE
        named = named_by_words(figure, labels[i], words, places[figure.start], sure=likely)
        if label := _as_before(figure, named or labels[i], known) or named:
            labels[i], chances[i] = label, {label: 1.0}
        elif known and _without_role(figure, chances[i].get(labels[i], 0.0)):
            labels[i] = _before(chances[i], known)
    for i in _replaced(text, found):
        labels[i], chances[i] = "other", {"other": 1.0}
    dropped = set[int]()
    for pair in parts(text, found):
        labels[pair.part] = f"{pair.room}_{'limit' if pair.left else 'reserved'}"
        labels[pair.whole] = f"{pair.room}_limit"
        chances[pair.part] = chances[pair.whole] = {}
        dropped |= {pair.whole} if pair.left else set()
    sure = [certainty(*each) for each in zip(labels, chances, found, strict=True)]
    labels = [
        _room(label, words, places[figure.start]) if chances[i] else label
        for i, (label, figure) in enumerate(zip(labels, found, strict=True))
    ]
    kept = [i for i in range(len(found)) if i not in dropped]
    return [found[i] for i in kept], [labels[i] for i in kept], [sure[i] for i in kept]


def _chances(words: Sequence[str], at: int, figure: Figure) -> Mapping[str, float]:
    yields = figure.family is Family.POWER and "/" in figure.unit
    known = "power_limit" if yields else _OF_FAMILY.get(figure.family)
    return {known: 1.0} if known else classifier("roles").chances(figure_features(words, at, figure))


def certainty(label: str, chances: Mapping[str, float], figure: Figure) -> float:
    """How likely a label is: of itself, or among those that such a figure can have."""
    if label not in chances:
        return 1.0
    among = sum(
        v for name, v in chances.items() if _possible(name, figure.family) and _sensible(name, figure)
    )
    own = chances[label] + chances.get(OTHER_ROOM.get(label, ""), 0.0)
    return min(1.0, max(own, _AMONG_POSSIBLE * own / among if among else 0.0))


def _as_before(figure: Figure, label: str, known: AbstractSet[Role]) -> str:
    """`1.90 an hour` after a rent, `three of them` after cells; `and at 320?` after a picture's size."""
    hourly = figure.family is Family.RATE and figure.unit in ("/h", "/hr", "/hour") and not figure.noun
    if Role.RENT in known and (hourly or figure.noun in ("each", "apiece")):
        return "rent"
    if Role.CELLS in known and label == "devices" and figure.value <= _MOST_CELLS:
        return "cells"
    side = (
        is_bare(figure)
        and figure.value >= _SMALL_SIDE
        and figure.value % 16 == 0
        and label in ("clock", "other")
    )
    return "input_size" if side and Role.SIDE in known and not known & _OTHER_NUMBERS else ""


_SMALL_SIDE, _OTHER_NUMBERS = 96, {Role.CLOCK_MHZ, Role.BATCH}
"""Sides of usual pictures are multiples of 16 from the first on, where no such number was spoken of."""


def _without_role(figure: Figure, chance: float) -> bool:
    return is_bare(figure) and chance < _LABELLED


def _before(chances: Mapping[str, float], known: Container[Role]) -> str:
    """The likeliest role of a bare number among those that the conversation has figures for."""
    hinted = (label for label, chance in chances.items() if chance > _HINTED)
    of = (label for label in hinted if _ROLES.get(label, {}).get(Family.COUNT, (None,))[0] in known)
    return next(of, UNTOLD)


def listed(text: str, one: Figure, other: Figure) -> bool:
    """Whether nothing but a comma, an `or` or an `and not` stands between two figures."""
    return _BETWEEN.fullmatch(text[one.end : other.start]) is not None


def _replaced(text: str, figures: Sequence[Figure]) -> Iterator[int]:
    """Bare numbers that a rate or a time stands in place of: 15 fps instead of 30, 20 ms and not 50."""
    for i, (one, other) in enumerate(pairwise(figures), 1):
        against = _AGAINST.search(text[one.end : other.start]) and listed(text, one, other)
        if against and one.family in (Family.RATE, Family.TIME) and is_bare(other):
            yield i


_AGAINST = compiled(r"\b(?:not|instead of|rather than|in place of)\b", re.I)


def _shares_unit(text: str, figures: Sequence[Figure], last: int) -> bool:
    """`8 or 16 ms`, `5, 10, 20 ms`; a comma alone between two joins nothing: at 640, 25 fps."""
    pairs = [(i - 1, i) for i in (last - 1, last, last + 1) if 0 < i < len(figures)]
    joined = [pair for pair in pairs if listed(text, figures[pair[0]], figures[pair[1]])]
    here = (last - 1, last)
    longer = len(joined) > 1 or figures[last].upper is not None
    return here in joined and (longer or _chosen_from(text, figures, here))


def _runs(text: str, figures: Sequence[Figure]) -> list[list[int]]:
    """Places of the figures of each list, at least two of one family."""
    runs: list[list[int]] = [[]]
    for i, figure in enumerate(figures):
        before = figures[i - 1] if i else None
        if before is None or before.family is not figure.family or not listed(text, before, figure):
            runs.append([])
        runs[-1].append(i)
    return [run for run in runs if len(run) > 2 or (len(run) == 2 and _chosen_from(text, figures, run))]


def _chosen_from(text: str, figures: Sequence[Figure], run: Sequence[int]) -> bool:
    """Whether two figures are more than one behind the other: `8 or 16`, not `batch 8, 4 threads`."""
    return text[figures[run[0]].end : figures[run[1]].start].strip(" ,;") != ""


def likeliest(chances: Iterable[str], figure: Figure) -> str:
    """The first of the labels, the likeliest first, that such a figure can have."""
    thousands = figure.family is Family.COUNT and figure.unit.casefold() in ("k", "m")
    possible = (label for label in chances if _possible(label, figure.family) and _sensible(label, figure))
    return next((label for label in possible if not thousands or label in SAID["thousands"]), "other")


def _possible(label: str, family: Family) -> bool:
    if label in SLOTLESS:
        return family not in (Family.ENERGY, Family.POWER, Family.CURRENT, Family.CHARGE, Family.VOLTAGE)
    if label == "technique_share":
        return family in (Family.PERCENT, Family.FACTOR)
    return family in _ROLES.get(label, {}) or (label in _PERIODS and family in (Family.TIME, Family.RATE))


def _sensible(label: str, figure: Figure) -> bool:
    """No image has a side of 0.25, nothing runs on one thread and a half, 50 dollars more are no price."""
    if figure.family is Family.MONEY and figure.noun:
        return label in SLOTLESS
    if label in _WHOLE:
        return figure.value == int(figure.value)
    return label != "input_size" or figure.value >= _SMALLEST_SIDE


def slot_of(figure: Figure, label: str, words: Sequence[str], at: int) -> Slot | None:
    """The slot that a figure with a label fills; None where it fills none."""
    if label == "technique_share":
        return _share(figure, words, at)
    if label == "devices" and _A_YEAR.search(figure.text):  # how many are made
        return None
    if label == "devices" and set(words[at + 1 : at + 3]) & SAID["bought"]:  # not how many feed one board
        return None
    found = _ROLES.get(label, {}).get(figure.family)
    if found is None:
        role = Role.LIFE_MS if label == "life" else _PERIODS.get(label)
        text = _EACH.sub("", figure.text) if label == "life" else figure.text
        return Slot(role=role, value=1e3 / figure.value, text=text) if role and figure.value else None
    role, factor = found
    bounded = SAID["bounding"] & {*words[max(0, at - 3) : at]}
    if label == "price" and bounded and not is_asked_by_a_seller(words, at):
        role = Role.PRICE_USD
    value = figure.value * factor
    if role is Role.SHARE_PERCENT:
        return _of_share(figure, factor, words, at)
    if label == "devices" and (are_those(words, at) or words[at + 1 : at + 2] == ["a_target"]):
        role = Role.CARDS
    if figure.family is Family.COUNT and role in _BYTES:
        value = _bytes(figure)
    return Slot(role=role, value=value, text=figure.text)


_A_YEAR = compiled(r"(?:years?|yr|annum|months?|quarter)$", re.I)
_EACH = compiled(r"^(?:once|every|each)\s+(?=an?\s|\d)", re.I)


def _of_share(figure: Figure, sign: float, words: Sequence[str], at: int) -> Slot | None:
    """What is left of the processor; of a memory, no slot: how much that is, the target says."""
    left = figure.value if sign > 0 else 100 - figure.value
    if not 0 < left < 100 or SAID["any_memory"] & {*words[at + 1 : at + 6], *words[max(0, at - 4) : at]}:
        return None
    return Slot(role=Role.SHARE_PERCENT, value=left, text=figure.text)


def _room(label: str, words: Sequence[str], at: int) -> str:
    """Flash or RAM, as the nearest word that names either says: `96K of flash`, `RAM 320k`."""
    kind = next((rest for rest in ("_limit", "_reserved") if label in (f"ram{rest}", f"flash{rest}")), "")
    behind = takewhile(lambda word: word not in _PAUSES, words[at + 1 : at + 4])
    near = [*behind, *reversed(words[max(0, at - 2) : at])]
    known = SAID["flash"] | SAID["ram"] | SAID["external"]
    named = next((word for word in near if word in known or word.startswith("fig_")), "")
    if not kind or not named or named.startswith("fig_"):
        return label
    if named in SAID["external"]:
        return (
            "external_ram" if kind == "_limit" and not SAID["flash"] & set(words[at + 1 : at + 4]) else label
        )
    return f"flash{kind}" if named in SAID["flash"] else f"ram{kind}"


_PAUSES = frozenset(",;.:?!")


def _bytes(figure: Figure) -> float:
    """`320k` of RAM, `1M` of flash; a small bare number is KiB."""
    scale = {"k": 1024.0, "m": 1024.0**2}.get(figure.unit.casefold())
    if scale is not None:
        return figure.written * scale
    return figure.value * 1024 if figure.value <= _SMALL_RAM else figure.value


def _share(figure: Figure, words: Sequence[str], at: int) -> Slot | None:
    """Which technique a share is of: the one whose word stands nearest."""
    near = sorted(range(len(words)), key=lambda i: abs(i - at))
    for i in near:
        for technique, stems in _SHARES.items():
            if any(words[i].startswith(stem) for stem in stems.split("|")):
                return Slot(role=Role.TECHNIQUE, value=f"{technique}-{figure.value:g}", text=figure.text)
    return None
