"""Sections of docs/ as answers: which may answer, and what is quoted of one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from types import ModuleType
from typing import TYPE_CHECKING

from ....hardware_db.later import Later
from ...pages import POINTS, Section, Subject
from ...patterns import compiled
from ...stop_words import STOP_WORDS
from ..language import WRITER, speaks_of_language_models
from ..parts import asked_in
from ..query import Query, Role
from ..want import Want
from ..words import spoken, without_asides
from .phrases import lines

if TYPE_CHECKING:
    from . import own_data
else:
    own_data = Later(".own_data", __package__)

if TYPE_CHECKING:
    from ...library import Passage

SURE = 0.2
"""Chance of a section from which on it is said as the answer, and from POSSIBLE on as the nearest there is.

By `python -m tests.evaluation.fit_pages` 87 of 126 held-out questions reach the first, 35 of which no page
answers; 94 % of these 87 are answered rightly.
"""
APT = 0.45
"""The same where the question was taken for another one, of a model that it does not name."""
_PLAIN = 0.42
"""The same of one question of a message, read with the rest of it."""
_PAGED = frozenset((Want.CONCEPT, Want.PRODUCT, Want.ERROR, Want.CALIBRATE, Want.IMPORT))
"""Wants that pages answer, and what goes on from there."""
_VERDICT = compiled(r"(?:Yes|No|Not)\b")
_OF_A_CASE = (Role.MODEL, Role.TARGET, Role.RUNTIME)
_WORDS = compiled(r"[^\W_]{2,}")
_LONGEST, _SHORTEST = 100, 15
"""Words of a page that are quoted at most, what is computed for it included, and at least."""
_MOST_LINES = 24
"""Of a block of code, a list or a table."""
_SENTENCES = compiled(r"(?<=[.!?]) (?=[A-Z`\"(\d])")
_PROSE = compiled(r"(?![|>#]|- |\d+\. |```)")
_LINK = compiled(r"\[([^\]]+)\]\(([^)\s]+)\)")


def search(
    words: str, limit: int, least: float = 0.0, meant: Sequence[Subject] = tuple(Subject), within: str = ""
) -> Sequence[Passage]:
    """Sections whose chance to answer is `least` or more."""
    words = without_asides(words, "said", "before")
    found: Sequence[Passage] = _library().search_pages(words, limit=limit, meant=meant, within=within)
    if not found or found[0].chance < least:
        return ()
    plainly = spoken("plainly", words)
    return tuple(_library().in_plain_words(one, words) for one in found) if plainly else found


def in_general(query: Query, text: str) -> str:
    """The words without network, target and kernels, where it names a network on a target."""
    named = [slot for slot in query.slots if slot.role in _OF_A_CASE and slot.text and not slot.inherited]
    case = {slot.role for slot in named} >= {Role.MODEL, Role.TARGET}
    names = {slot.text for slot in named} if case else ()
    for name in sorted(names, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "", text)
    return text


def each_part(query: Query, meant: Sequence[Subject] = tuple(Subject)) -> dict[str, Passage | None]:
    """Each question of the message with the section that plainly answers it, read with the rest of it.

    One that says nothing by itself, and the first that no section answers, have what answers the whole.
    """
    past = query.established[-1:]
    before = past[0].question if past and set(past[0].wants[:1]) & _PAGED else ""
    whole, field = f"{before} {in_general(query, query.question)}".strip(), _field(query)
    of_whole = next(iter(search(whole, 1, SURE, meant, field)), None)
    asking = asked_in(query.question)
    if len(asking) == 1:
        alone = asking[0][0] if query.has(Role.TARGET) and not POINTS.search(asking[0][0]) else ""
        return {asking[0][0]: of_whole or next(iter(search(alone, 1, _PLAIN, meant, field)), None)}
    found: dict[str, Passage | None] = {}
    for question, stands_before in asking:
        words = _WORDS.findall(in_general(query, question).casefold())
        tells = any(word not in STOP_WORDS for word in words) or bool(before)
        goes_on = not tells or (POINTS.search(question) and stands_before not in found)
        statement = stands_before if goes_on else ""
        asked = in_general(query, f"{statement} {question}".strip())
        around = f"{field} {whole}" if whole != asked else field
        found[question] = next(iter(search(asked, 1, _PLAIN, meant, around)), None)
    told = {one.place for one in found.values() if one}
    for question, one in found.items():
        if one is None and of_whole and (of_whole.place not in told or POINTS.search(question)):
            found[question] = of_whole
            told.add(of_whole.place)
    return found


OF_TOKENS = "tokens a second of a language model, its weights and its KV cache"


def _field(query: Query) -> str:
    """What is spoken of where the question itself does not say it."""
    return OF_TOKENS if WRITER in query.asks and not speaks_of_language_models(query.question) else ""


def _library() -> ModuleType:
    from ... import library

    return library


def quoted(passage: Passage | Section, words: int = _LONGEST, kind: str = "") -> str:
    """What is computed for it, its first paragraph with what that introduces, and where it stands.

    Args:
        kind: the class of processors that is asked about; empty for all.
    """
    computed = own_data.COMPUTED[passage.computed](kind) if passage.computed else ""
    longest = words - len(computed.split())
    if passage.is_row:
        heading = passage.heading if isinstance(passage, Section) else passage.section
        return lines(f"{heading}: {_without_links(passage.text)}.", f"From {passage.place}.")
    text = _opening(passage.text, longest) if longest > _SHORTEST else ""
    begins = "" if isinstance(passage, Section) else passage.lead
    text = text if _VERDICT.match(text) else f"{begins} {text}".strip()
    return lines(computed, text, f"From {passage.place}.")


def code_of(passage: Passage, language: str = "") -> str:
    """The first block of code in it, of a language where one is named, with its fences; empty without one."""
    return next((block for block in _blocks(passage.text) if block.startswith(f"```{language}")), "")


def shortened(passage: Passage, words: int) -> str:
    """Its first sentences, up to so many words, and where they stand."""
    kept = _whole_sentences(passage.summary.strip() or passage.text, words)
    kept = f"{passage.section}: {kept}." if passage.is_row else kept
    kept = f"{passage.lead} {kept}".strip() if kept and not _VERDICT.match(kept) else kept
    return f"{kept} (from {passage.place})" if kept and not kept.endswith(":") else ""


def _opening(text: str, longest: int) -> str:
    """Whole sentences of its first paragraph, and the code, list or table that its colon announces."""
    blocks = list(_blocks(text))
    first = next((at for at, block in enumerate(blocks) if _PROSE.match(block)), None)
    if first is None:
        return _cut(_without_links(blocks[0])) if blocks else ""
    whole = " ".join(_without_links(blocks[first]).split())
    kept = _whole_sentences(whole, longest) or whole
    announced = kept.endswith(":") and first + 1 < len(blocks)
    return f"{kept}\n{_cut(_without_links(blocks[first + 1]))}" if announced else kept


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs, lists, tables and blocks of code, each whole."""
    block: list[str] = []
    in_code = False
    for line in text.splitlines():
        fence = line.startswith("```")
        if block and not in_code and (fence or not line.strip()):
            yield "\n".join(block)
            block = []
        if in_code or line.strip():
            block.append(line)
        in_code ^= fence
        if fence and not in_code:
            yield "\n".join(block)
            block = []
    if block:
        yield "\n".join(block)


def _whole_sentences(text: str, words: int) -> str:
    """The first sentences, as many as so many words hold; empty where the first alone is longer."""
    sentences = _SENTENCES.split(text)
    lengths = accumulate(len(each.split()) for each in sentences)
    return " ".join(each for each, total in zip(sentences, lengths, strict=True) if total <= words)


def _cut(block: str) -> str:
    """Whole lines, the fence of a block of code closed."""
    rows = block.split("\n")
    if len(rows) <= _MOST_LINES:
        return block
    return "\n".join([*rows[: _MOST_LINES - 1], "…", *(["```"] if block.startswith("```") else [])])


def _without_links(text: str) -> str:
    return text if text.startswith("```") else _LINK.sub(r"\1", text)
