"""Files and kinds by patterns; words that one entry alone has: `nano ble sense`, `7900XTX`, `effnet b3`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from ..hardware_db.name_tokens import Token, TokenNames, is_number
from .name_types import Kind, Name
from .name_widening import GAP, MOST_BEHIND, Books, measures, words_between
from .name_words import MODEL_FILE, ORDINARY, OTHER_FILE


def names_of_words(text: str, names: Sequence[Name], books: Books) -> Iterator[Name]:
    """Names in what other names leave free, in their order."""
    edges = [(0, 0), *((name.start, name.end) for name in names), (len(text), len(text))]
    for (_, start), (stop, _) in pairwise(edges):
        taken = start
        for kind, entries in ((Kind.TARGET, books.targets), (Kind.MODEL, books.models)):
            tokens = words_between(text, taken, stop, entries)
            for name in _runs(text, tokens, kind, entries):
                taken = name.end
                yield name


def _runs(text: str, tokens: Sequence[Token], kind: Kind, entries: TokenNames) -> Iterator[Name]:
    at = 0
    while at < len(tokens):
        name, length = next(_names_at(text, tokens[at : at + MOST_BEHIND], kind, entries), (None, 1))
        if name is not None:
            yield name
        at += length


def _names_at(
    text: str, tokens: Sequence[Token], kind: Kind, entries: TokenNames
) -> Iterator[tuple[Name, int]]:
    for length in range(len(tokens), 1, -1):
        run = tokens[:length]
        if not all(GAP.fullmatch(text[a.end : b.start]) for a, b in pairwise(run)):
            continue
        if not all(entries.words(token.word) for token in (run[0], run[-1])):
            continue
        words = [token.word for token in run if entries.words(token.word)]
        if (
            len(words) < 2
            or not all(map(entries.knows, words))
            or any(measures(text, token) for token in run)
        ):
            continue
        if not _says_enough(words, run[0].word):
            continue
        meaning = entries.meaning(words)
        ids = meaning.ids
        if len(ids) == 1 and meaning.more <= 1 and (_is_long(words) or entries.begin_with(words[0], ids)):
            start, end = run[0].start, run[-1].end
            yield Name(start, end, text[start:end], kind, ids, exact=meaning.more == 0), length


def _says_enough(words: Sequence[str], first: str) -> bool:
    """A number of four digits with its letters, or a word of a name's own at the front."""
    return _is_long(words) or (len(first) >= 3 and first not in ORDINARY - {"nano"} and not is_number(first))


def _is_long(words: Sequence[str]) -> bool:
    return any(word.isdigit() and len(word) == 4 for word in words) and not all(map(str.isdigit, words))


def files_in(text: str) -> Iterator[Name]:
    """Files that are named by their endings: networks and traces."""
    for match in MODEL_FILE.finditer(text):
        yield Name(match.start(), match.end(), match[0], Kind.FILE, (match[0],))
    for match in OTHER_FILE.finditer(text):
        yield Name(match.start(), match.end(), match[0], Kind.TRACE, (match[0],))


def by_pattern(text: str, kind: Kind, patterns: Mapping[str, re.Pattern[str]]) -> Iterator[Name]:
    """What patterns of one kind find; a pattern without an id stands for what it finds."""
    for identifier, pattern in patterns.items():
        for match in pattern.finditer(text):
            yield Name(match.start(), match.end(), match[0], kind, (identifier or match[0],))
