"""Which targets and runtimes a question speaks of."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...hardware_db import Mention, find_target_names, suggest_target
from ...hardware_db.index import read_index
from ...hardware_db.names import folded

_PARTS = re.compile(
    r"\b(?:stm32\w+|nrf ?\d{4,}\w*|esp32(?:-?[a-z]\d{1,2})?(?:-(?!dev|wroo|wrov|mini|eye|box|kit|"
    r"sense|cam)[\w]+)*|esp8266|max7\d{4}|rp\d{4}\w*|"
    r"ethos-?\s?[un]\d+(?:-\d+)?|k210|k230|i\.?mx[\s.-]?\w+|jetson(?: (?:agx|orin|xavier|nano|nx|"
    r"tx[12]|thor))*|"
    r"coral\b(?: \w+)?|edge ?tpu|raspberry pi[\w ]{0,8}|arduino [\w ]+?\d*|(?:blue|black) ?pill|"
    r"teensy ?[\d.]*|apollo ?\d\w*|hailo-?\w+|"
    r"(?:rtx|gtx|quadro|tesla) ?\w+|snapdragon[\w ]{0,6}|cortex-?[mar]\d+\w*|kria \w+|"
    r"(?:jetson )?(?:agx )?orin (?:nano|nx)(?: super)?|xavier(?: nx)?|gap[89]|himax\w*|alif \w+|"
    r"sama\d\w*|"
    r"samd\d+\w*|lpc\d+\w*|mimxrt\d+|rx\d{2,3}\w*|ra\dm\d|cc\d{4}\w*|efr32\w+|psoc ?\w+|mcx ?\w+|"
    r"[abh]\d{2,3}\b|l40s?|t4\b|v100)\b",
    re.IGNORECASE,
)
"""What reads like hardware, whether the database knows it or not."""

_OF_GPUS = re.compile(
    r"\bgpus?\b|\bnvidia\b|\btensor ?rt\b|\bcuda\b|\btensor cores?\b|\bat once\b|\bbatch\w*|\bcloud\b|"
    r"\bservers?\b|\bdata ?cent\w+",
    re.IGNORECASE,
)
_LOOSE = re.compile(
    r"\b(?P<name>nordic|espressif|raspberry|nano|nucleo|disco(?:very)?|feather|ethos|portenta|teensy|arduino|"
    r"cortex-[am]\d+\+?|risc-?v|coral|orin)\b",
    re.IGNORECASE,
)
"""What several boards are called alike."""
_MAKERS = {"nordic": "nrf", "espressif": "esp32", "raspberry": "raspberry"}
"""Maker → how its chips are called."""
_MOST_OFFERED = 12
_LONG_NAME = 12
"""Letters of a misspelt name that leave no doubt where one name alone is like it."""
_SMALL_FAMILY = 10
_OF_THE_TRADE = frozenset(("MAC", "MACs", "MACS"))
"""Words of the trade that nicknames of hardware are spelt like."""


@dataclass(frozen=True)
class HardwareNamed:
    targets: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    """What was taken for a name that could be read otherwise."""
    question: str = ""
    """Asked back where a name means several targets, or none."""
    texts: tuple[str, ...] = ()
    """The words that name them."""


def targets_named(
    text: str, pinned: str | None = None, ignored: Sequence[str] = (), *, company: Sequence[str] = ()
) -> HardwareNamed:
    """Targets of a sentence.

    A family counts as its pinned or only member; among the targets that a conversation speaks of
    (`company`), as the member of their class that tells most; else it is asked back.
    """
    mentions = [
        _of_board(_widened(m, text), text) for m in find_target_names(text) if m.text not in _OF_THE_TRADE
    ]
    unknown = _unknown(text, ignored)
    mentions = [
        m
        for m in mentions
        if not any(_is_another_member(name, m) for name in unknown if not _covered(name, mentions))
        and (isinstance(m.meaning, str) or not any(m.text in name and m.text != name for name in ignored))
    ]
    texts = tuple(m.text for m in mentions)
    unknown = [name for name in unknown if name.casefold() not in map(str.casefold, texts)]
    if not mentions:
        asked_back = _unknown_target(unknown[0]) if unknown else _loosely_named(text)
        return HardwareNamed(texts=tuple(unknown), question=asked_back)
    chosen = [m.meaning for m in mentions if m.exact and isinstance(m.meaning, str)]
    notes: list[str] = []
    asked: list[str] = []
    doubtful = False
    for mention in (m for m in mentions if not (m.exact and isinstance(m.meaning, str))):
        taken, told = _meant(mention, [*chosen, pinned or ""], unknown, company)
        doubtful = doubtful or (not taken and mention.exact)
        chosen += [taken] if taken and taken not in chosen else []
        (notes if taken else asked).extend([told] if told else [])
    if doubtful or not chosen:
        return HardwareNamed(texts=texts, question=" ".join(asked))
    notes += [f"I know no target {name!r} and left it out." for name in unknown if _is_another(name, texts)]
    return HardwareNamed(targets=tuple(dict.fromkeys(chosen)), notes=tuple(notes), texts=texts)


def _widened(mention: Mention, text: str) -> Mention:
    """L4 is a GPU and a family of microcontrollers: what names both names all of them."""
    members = read_index().target_names.families.get(folded(mention.text), ())
    if not isinstance(mention.meaning, str) or not members or mention.meaning in members:
        return mention
    if _OF_GPUS.search(text):
        return mention
    return Mention(mention.text, (mention.meaning, *members), True)


def _of_board(mention: Mention, text: str) -> Mention:
    """The F411 Nucleo: of a family the only one on such a board."""
    board = _LOOSE.search(text)
    if isinstance(mention.meaning, str) or not mention.exact or board is None:
        return mention
    names, word = read_index().target_names.exact, board["name"].casefold()
    on_it = {target for name, target in names.items() if word in name and target in mention.meaning}
    return Mention(mention.text, on_it.pop(), True) if len(on_it) == 1 else mention


def _meant(
    mention: Mention, at_hand: Sequence[str], unknown: Sequence[str], company: Sequence[str]
) -> tuple[str, str]:
    """The target that a family or a misspelt name is taken for, with the sentence that says so or asks."""
    candidates = (mention.meaning,) if isinstance(mention.meaning, str) else mention.meaning
    if longer := next((n for n in unknown if mention.text in n and mention.text != n), ""):
        return "", _unknown_target(longer)
    if mention.exact:
        return _member_meant(mention.text, candidates, at_hand, company)
    long = len(mention.text) >= _LONG_NAME and len(candidates) == 1
    if long or _same_digits(mention.text, candidates[0]):
        return candidates[0], f"I took {mention.text} to be {candidates[0]}."
    return "", f"I know no target {mention.text!r}. Did you mean {' or '.join(candidates[:3])}?"


def _member_meant(
    family: str, members: Sequence[str], at_hand: Sequence[str], company: Sequence[str]
) -> tuple[str, str]:
    for known in at_hand:
        if known in members:
            return known, f"I took {family} to be {known}."
    if len(members) == 1:
        return members[0], f"I took {family} to be {members[0]}, the only one of them that I know."
    beside = [*at_hand, *company]
    if len(akin := _of_class(members, beside)) == 1:
        return akin[
            0
        ], f"I took {family} to be {akin[0]}, of the same class as {' and '.join(filter(None, beside))}."
    several = f"{family} could be any of these: {', '.join(members)}."
    if company and len(members) <= _SMALL_FAMILY:
        return _most_telling(
            members, company
        ), f"{several} I took {_most_telling(members, company)}; name another."
    return "", f"{several} Which one?"


def _of_class(members: Sequence[str], company: Sequence[str]) -> list[str]:
    """Beside an A10, L4 is a GPU."""
    known = {summary.id: summary.target_class for summary in read_index().targets}
    classes = {known[target] for target in company if target in known}
    return [member for member in members if known.get(member) in classes]


def _most_telling(members: Sequence[str], company: Sequence[str]) -> str:
    """Of the same class; where power is known there is an energy, and where most RAM is most models fit."""
    known = {summary.id: summary for summary in read_index().targets}
    classes = {known[target].target_class for target in company if target in known}

    def rank(member: str) -> tuple[bool, bool, int]:
        if (summary := known.get(member)) is None:
            return (False, False, 0)
        return (summary.target_class in classes, summary.power_mw is not None, summary.ram_bytes or 0)

    return max(members, key=rank)


def _is_another(name: str, mentioned: Iterable[str]) -> bool:
    """A name that no mention overlaps with, and that is no architecture of a core."""
    folded = name.casefold()
    known = [text.casefold() for text in mentioned]
    return "cortex" not in folded and not any(text in folded or folded in text for text in known)


def _same_digits(typed: str, known: str) -> bool:
    """Letters may be misspelt and digits swapped; another digit is another chip. A nickname has none."""
    one, other = (sorted(re.findall(r"\d", name.casefold().replace("stm32", ""))) for name in (typed, known))
    return not one or one == other


def _covered(name: str, mentions: Iterable[Mention]) -> bool:
    return any(name.casefold() in mention.text.casefold() for mention in mentions)


def _is_another_member(name: str, mention: Mention) -> bool:
    """ESP32-S5 is no ESP32."""
    return (
        isinstance(mention.meaning, str)
        and re.fullmatch(rf"{re.escape(mention.text)}-?[A-Za-z]\d", name, re.IGNORECASE) is not None
    )


def _loosely_named(text: str) -> str:
    """The Nano, a Discovery board: a word that several names share, asked back."""
    found = _LOOSE.search(text)
    if found is None:
        return ""
    word = _MAKERS.get(found["name"].casefold(), found["name"].casefold())
    names = read_index().target_names.exact
    members = sorted({target for known, target in names.items() if word in known})
    return (
        f"{found['name']} could be any of these: {', '.join(members[:_MOST_OFFERED])}. Which one?"
        if members
        else ""
    )


def _unknown(text: str, ignored: Iterable[str]) -> list[str]:
    skipped = [name.casefold() for name in ignored]
    found = [match[0].strip() for match in _PARTS.finditer(text)]
    return [name for name in found if not any(name.casefold() in known for known in skipped)]


def _unknown_target(name: str) -> str:
    near = suggest_target(name)
    nearest = f" The nearest names are {', '.join(near[:5])}." if near else ""
    return f"I know no target {name!r}.{nearest} `edgewright targets list` shows all of them."
