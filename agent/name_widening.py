"""Names with the words beside them that tell one thing from another: no `Ti`, `16GB`, `small` is passed over.

A name is read once by its spelling; here it takes in the words before and behind it, in any order, as long as
one entry explains all of them. A word that tells things apart and that no entry explains makes it unknown.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from ..hardware_db.index import TargetSummary
from ..hardware_db.name_tokens import Meaning, Token, TokenNames, is_number, joins
from ..hardware_db.schema import TargetClass
from ..tools.core.records import dataclass, replace
from .name_types import Kind, Name
from .name_words import NOT_PARTS, QUALIFIERS, UNITS_BEHIND, USUAL_NETWORKS
from .patterns import compiled

_MOST_BEFORE, MOST_BEHIND = 3, 5
_MOST_MEMBERS = 8
GAP = compiled(r"[ ]?[-_/(]?[ ]?v?", re.IGNORECASE)
_CLOSES = compiled(
    r"\s*(?:$|[^\w\s%=/]|(?:on|in|at|with|for|and|or|vs|than|to|runs?|fits?|takes?|is|will|gives?|using|from|be|have|"
    r"has|as|of)\b|v?\d)",
    re.I,
)
_PART = compiled(r"[a-z]{1,6}\d{1,4}[a-z]{0,2}|\d{3,4}[a-z]{1,3}", re.I)
_CHUNK = compiled(r"[A-Za-z0-9]+")
_MEMORY = compiled(r"(\d+)gb")
_PARAMETERS = compiled(r"\d+(?:\.\d+)?b")
_NEAR_ENOUGH = 0.1


@dataclass(frozen=True, eq=False)
class Books:
    """What goes by which words."""

    targets: TokenNames
    models: TokenNames
    language_models: Callable[[], TokenNames]
    summaries: Mapping[str, TargetSummary]
    stranger: Callable[[int, str, Kind], Name]


def widened(text: str, names: Sequence[Name], books: Books) -> list[Name]:
    """The same names in their order, each with the words beside it that belong to it."""
    ordered = sorted(names, key=lambda name: name.start)
    found: list[Name] = []
    for at, name in enumerate(ordered):
        start = found[-1].end if found else 0
        if name.start < start:
            continue
        following = (other for other in ordered[at + 1 :] if other.known or other.kind not in _parts(name))
        stop = next((other.start for other in following), len(text))
        found.append(_widened(text, name, (start, stop), books))
    return found


def _parts(name: Name) -> tuple[Kind, ...]:
    """What an unknown part of it may look like: the A3B of a language model is spelt like a chip."""
    return (name.kind, Kind.TARGET) if name.kind is Kind.MODEL else (name.kind,)


def _widened(text: str, name: Name, between: tuple[int, int], books: Books) -> Name:
    match name.kind:
        case Kind.TARGET:
            return _with_neighbours(text, name, between, books.targets, books)
        case Kind.TASK:
            return _with_neighbours(text, name, between, books.models, books)
        case Kind.MODEL:
            network = _with_neighbours(text, name, between, books.models, books)
            return network if network.known else _language_model(text, network, between[1], books)
        case _:
            return name


def _with_neighbours(
    text: str, name: Name, between: tuple[int, int], entries: TokenNames, books: Books
) -> Name:
    """The widest stretch around a name that an entry explains; unknown where a word beside it is not."""
    inside = [token.word for token in entries.tokens(name.text)]
    if not any(map(entries.words, inside)):
        return name
    before = _beside(text, name.start, between[0], entries, back=True)
    behind = _beside(text, name.end, between[1], entries, back=False)
    sizes = [(b, a) for b in range(len(before) + 1) for a in range(len(behind) + 1)]
    sizes.sort(key=lambda size: (-sum(size), size[0]))
    for in_full in (True, False):
        for b, a in sizes:
            ends = [*before[b - 1 : b], *behind[a - 1 : a]]
            if (not ends and name.known) or not all(entries.words(token.word) for token in ends):
                continue
            meaning = entries.meaning([*inside, *(token.word for token in (*before[:b], *behind[:a]))])
            if not meaning.ids or (in_full and meaning.more):
                continue
            if taken := _taken(text, name, before[:b], behind[:a], meaning, entries):
                return _explained(text, taken, between[1], entries, books)
        for token in (*before[:1], *behind[:1]) if in_full and _is_card(name, books) else ():
            if (sized := _with_memory(text, name, token, books)) is not None:
                return _explained(text, sized, between[1], entries, books)
    return _explained(text, name, between[1], entries, books)


def _taken(
    text: str,
    name: Name,
    before: Sequence[Token],
    behind: Sequence[Token],
    meaning: Meaning,
    entries: TokenNames,
) -> Name | None:
    """The name with these words, if it may stand for what has all of them."""
    beside = (*before, *behind)
    if name.known and name.exact and name.kind is not Kind.TARGET and meaning.more:
        return None
    telling = [token.word for token in beside if entries.words(token.word)]
    if beside and name.ids == meaning.ids and all(map(_MEMORY.fullmatch, telling)):
        return None
    start = before[-1].start if before else name.start
    end = behind[-1].end if behind else name.end
    ids = meaning.ids
    if name.kind is not Kind.TARGET:
        usual = _usual(ids, entries)
        if usual is None or (meaning.more > 1 and not meaning.sole):
            return None
        if meaning.more and QUALIFIERS[Kind.MODEL] & _unsaid(text[start:end], ids, entries):
            return None
        ids = (usual,)
    elif not _close_enough(name, beside, meaning, entries):
        return None
    exact = (meaning.more == 0 and len(meaning.ids) == 1) or (name.exact and ids == name.ids)
    return Name(start, end, text[start:end], name.kind, ids, exact=exact or len(ids) > 1, family=len(ids) > 1)


def _close_enough(name: Name, beside: Sequence[Token], meaning: Meaning, entries: TokenNames) -> bool:
    """Whether hardware may stand for a name though its own name has more words."""
    if len(meaning.ids) > _MOST_MEMBERS:
        return False
    if meaning.more == 0 or (name.known and name.ids == meaning.ids):
        return True
    if not beside:
        words = entries.words(name.text)
        if not any(map(is_number, words)):
            return False
        certain = len(meaning.ids) > 1 or (meaning.more == 1 and meaning.sole and len(words) > 1)
        return certain and entries.begin_with(words[0], meaning.ids)
    if not name.known:
        return meaning.more <= 1
    qualified = any(_MEMORY.fullmatch(t.word) or t.word in QUALIFIERS[Kind.TARGET] for t in beside)
    return qualified and meaning.more <= 1 and not name.family


def _unsaid(written: str, members: Sequence[str], entries: TokenNames) -> set[str]:
    """Words that the one that is meant has, and that were not said."""
    if len(members) > 1:
        return set()
    return entries.words_of(members[0]) - set(entries.words(written))


def _usual(members: Sequence[str], entries: TokenNames) -> str | None:
    """Of several networks the one that is as the family's usual member in all that was not said."""
    if len(members) == 1:
        return members[0]
    shared = set.intersection(*(entries.words_of(member) for member in members))
    for usual, _ in USUAL_NETWORKS:
        words = entries.words_of(usual)
        alike = [member for member in members if entries.words_of(member) - shared <= words]
        if words & shared and len(alike) == 1:
            return alike[0]
    return None


def _beside(text: str, at: int, bound: int, entries: TokenNames, *, back: bool) -> list[Token]:
    """The words that stand next to a name and that names have, the nearest first."""
    near = words_between(text, bound, at, entries) if back else words_between(text, at, bound, entries)
    nearest_first = near[: -_MOST_BEFORE - 1 : -1] if back else near[:MOST_BEHIND]
    found: list[Token] = []
    edge = at
    for token in nearest_first:
        gap = text[token.end : edge] if back else text[edge : token.start]
        known = entries.knows(token.word) or not entries.words(token.word)
        if not known or joins(token.word) or measures(text, token) or _is_unit(text, token):
            break
        if not GAP.fullmatch(gap):
            break
        found.append(token)
        edge = token.start if back else token.end
    return found


def words_between(text: str, start: int, stop: int, entries: TokenNames) -> Sequence[Token]:
    """The words of that stretch of a text."""
    tokens, starts = _tokens(text, entries)
    found = tokens[bisect_left(starts, start) : bisect_left(starts, stop)]
    return found[:-1] if found and found[-1].end > stop else found


@lru_cache(maxsize=16)
def _tokens(text: str, entries: TokenNames) -> tuple[tuple[Token, ...], tuple[int, ...]]:
    tokens = tuple(entries.tokens(text))
    return tokens, tuple(token.start for token in tokens)


def measures(text: str, token: Token) -> bool:
    """Whether a number has a unit behind it that is none of a name's."""
    if not token.word.isdigit():
        return False
    return UNITS_BEHIND.match(text, token.end) is not None or text[token.end : token.end + 1] in ("/", "%")


def _is_unit(text: str, token: Token) -> bool:
    return token.word.isalpha() and UNITS_BEHIND.fullmatch(text, token.start, token.end) is not None


def _explained(text: str, name: Name, stop: int, entries: TokenNames, books: Books) -> Name:
    """The name, if nothing behind it tells it from what it is taken for."""
    if name.kind is Kind.TARGET and (other := _of_another_line(text, name, entries, books)):
        return other
    token = next(iter(words_between(text, name.end, stop, entries)), None)
    if token is None or not GAP.fullmatch(gap := text[name.end : token.start]):
        return name
    if _MEMORY.fullmatch(token.word) and _has_one_memory(name, entries, books):
        if entries.meaning([*entries.words(name.text), token.word]).ids == name.ids:
            return name
        sized = _with_memory(text, name, token, books)
        return sized or books.stranger(name.start, text[name.start : token.end], Kind.TARGET)
    if not _tells_apart(text, name, token, gap) or (token.word == "laptop" and _is_processor(name, books)):
        return name
    if gap != "-" and name.kind is Kind.TARGET and name.known and _is_chip(name, books):
        whole = text[name.start : token.end]
        return replace(name, end=token.end, text=whole, exact=len(name.ids) > 1)
    kind = Kind.MODEL if name.kind is Kind.TASK else name.kind
    chunk = _CHUNK.match(text, token.start)
    return books.stranger(name.start, text[name.start : chunk.end() if chunk else token.end], kind)


def _is_processor(name: Name, books: Books) -> bool:
    """Whether its own number says whether it is one of laptops."""
    found = (books.summaries.get(identifier) for identifier in name.ids)
    return name.known and all(each is not None and each.target_class is TargetClass.CPU for each in found)


def _of_another_line(text: str, name: Name, entries: TokenNames, books: Books) -> Name | None:
    """An Orange Pi 3 is no Pi 3: unknown where names have the two words in front, and none has them all."""
    own = entries.words(name.text)
    token = next(reversed(words_between(text, max(0, name.start - 20), name.start, entries)), None)
    if not own or not name.known or _is_chip(name, books) or token is None:
        return None
    if text[token.end : name.start] not in (" ", "-") or not token.word.isalpha():
        return None
    if not entries.has_pair(token.word, own[0]):
        return None
    return books.stranger(token.start, text[token.start : name.end], Kind.TARGET)


def _tells_apart(text: str, name: Name, token: Token, gap: str) -> bool:
    """Whether a word makes another thing of a name that it stands behind."""
    end = token.end
    if name.kind is Kind.TASK or (token.word[-1].isdigit() and UNITS_BEHIND.match(text, end)):
        return False
    if "(" not in gap and text[token.start : end].lower() in QUALIFIERS[name.kind]:
        return _CLOSES.match(text, end) is not None
    if name.kind is Kind.MODEL:
        return name.known and (_PARAMETERS.fullmatch(token.word) is not None or gap[-1:] in ("v", "V"))
    chunk = _CHUNK.match(text, token.start)
    part = chunk is not None and _PART.fullmatch(chunk[0]) is not None and not NOT_PARTS.fullmatch(chunk[0])
    return part and (gap == "-" or name.family)


def _is_chip(name: Name, books: Books) -> bool:
    """Of a microcontroller there are boards of many names."""
    summaries = (books.summaries.get(identifier) for identifier in name.ids)
    return all(summary and summary.target_class is TargetClass.MCU for summary in summaries)


def _is_card(name: Name, books: Books) -> bool:
    """Whether all that goes by the name are graphics cards whose memory is known."""
    if name.kind is not Kind.TARGET or not name.known:
        return False
    summaries = (books.summaries.get(identifier) for identifier in name.ids)
    return all(s and s.target_class is TargetClass.GPU and s.ram_bytes for s in summaries)


def _has_one_memory(name: Name, entries: TokenNames, books: Books) -> bool:
    """Whether another memory makes another thing of it: a card's is its own, or stands in its name."""
    if _is_card(name, books):
        return True
    sizes = [s.ram_bytes for i in name.ids if (s := books.summaries.get(i))]
    in_names = (any(map(_MEMORY.fullmatch, entries.words(identifier))) for identifier in name.ids)
    return bool(sizes) and all(sizes) and all(in_names)


def _with_memory(text: str, name: Name, token: Token, books: Books) -> Name | None:
    """A card with as much memory as stands beside it; None where none of that name has it."""
    memory = _MEMORY.fullmatch(token.word)
    if memory is None or name.kind is not Kind.TARGET:
        return None
    wanted = int(memory[1])
    sizes = ((i, (books.summaries[i].ram_bytes or 0) / 2**30) for i in name.ids)
    ids = tuple(i for i, size in sizes if abs(size - wanted) < _NEAR_ENOUGH * wanted)
    if not ids:
        return None
    start, end = min(name.start, token.start), max(name.end, token.end)
    return replace(name, start=start, end=end, text=text[start:end], ids=ids, family=len(ids) > 1)


_APART = compiled(r"\b(?:with|in|at|on|for|and|or)\b", re.IGNORECASE)
"""Behind it another thing begins: a Phi-3 mini with a 4k prompt."""


def _language_model(text: str, name: Name, stop: int, books: Books) -> Name:
    """A stranger with all the words behind it that language models are told apart by."""
    entries = books.language_models()
    if not any(entries.knows(word) for word in entries.words(name.text)):
        return name
    behind = _beside(text, name.end, stop, entries, back=False)
    inside = entries.words(name.text)
    for a in range(len(behind), 0, -1):
        if not entries.words(behind[a - 1].word) or _APART.search(text, name.end, behind[a - 1].start):
            continue
        if entries.meaning([*inside, *(token.word for token in behind[:a])]).ids:
            return books.stranger(name.start, text[name.start : behind[a - 1].end], Kind.MODEL)
    sizes = [token.end for token in behind[:2] if _PARAMETERS.fullmatch(token.word)]
    end = max([name.end, *sizes])
    return name if end == name.end else books.stranger(name.start, text[name.start : end], Kind.MODEL)
