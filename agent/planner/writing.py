"""What is asked of a language model, and how much it reads and writes: in tokens, words or pages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ...tools.model_zoo.language_model import LanguageModel, is_language_model, load_catalogue
from ..patterns import compiled
from ..quantities import Family, Figure, find_figures
from .query import Query, Role, Slot
from .want import Want
from .words import patterns, spoken

WORDS_A_TOKEN = 0.75
"""Of English text, a rule of thumb: answers that use it say so."""
READABLE = 10.0
"""Tokens a second that a reader is content with, where no other rate is asked."""
WORDS_A_PAGE = 500
"""Of plain text, single-spaced."""
_TOKENS_OF = {
    "": 1.0, "token": 1.0, "tokens": 1.0, "word": 1 / WORDS_A_TOKEN, "words": 1 / WORDS_A_TOKEN,
    "in": 1.0, "out": 1.0, "page": WORDS_A_PAGE / WORDS_A_TOKEN, "pages": WORDS_A_PAGE / WORDS_A_TOKEN,
}  # fmt: skip
_WORDS = patterns("of_writing")
_WRITES = _WORDS["writes"]
_OF_WHAT = {
    Role.CONTEXT: "context|history|window",
    Role.WRITTEN: r"summar|answer|repl|response|out(?:put)?\b(?! of)|back\b|essay|report",
    Role.PROMPT: r"in(?=\W*(?:$|and\b|[,/;]))|prompt|document|contract|input|transcript|question|paper|book",
}  # fmt: skip
"""What so many words, pages or tokens are of, right behind them: a 10 page contract, 300 words of answer."""
DOCUMENT = compiled(r"(?:document|contract|transcript|paper|book|article|letter|e-?mail)s?", re.IGNORECASE)
"""What is read as a whole: an 8k contract has 8,192 tokens."""
_WAYS = {"in": Role.PROMPT, "out": Role.WRITTEN}
_TEXT = _TOKENS_OF.keys() - {"", *_WAYS}
"""What is text by its name alone; `in` and `out` come in pairs."""
_NO_NOUNS = frozenset(("", "at", "each", "for", "on", "with"))
_READS = _WORDS["reads"]
_RETURNS = _WORDS["returns"]
"""What is done to a text that comes back about as long: it is read, and as much is written."""
_VERBS = compiled(
    r"\b(?:(?P<read>reading\b|reads\b|(?:summari[sz]|condens|past|feed)(?:e|es|s|ing)?\b(?!.*\b(?:in|into|to|within)\b))|"
    r"writing\b|writes\b|(?:summari[sz]|condens)\w*\b.*\b(?:in|into|to|within)(?: \w+)?\s*$)",
    re.IGNORECASE,
)
_IS_READ = compiled(r"\W*\w+ (?:\w+ ){0,3}?(?:to be|is|are|gets?|being) read\b", re.IGNORECASE)
_LONG = compiled(r"\W*\w+ long\b", re.IGNORECASE)
_BEFORE, _BEHIND = 28, 16
"""Characters beside a figure that tell whether it is read or written."""
_SIZE = compiled(
    r"(?<![\w.])(\d{1,3}(?:\.\d+)?)"
    r"(?:\s?[bB](?!\w)|[\s-]?(?:billion|bn)(?=[\s-](?:param\w*|weights|(?:language )?model|llm)s?\b))"
)
_USUAL = ("llama-3.1-", "llama-3.2-", "qwen2.5-", "llama-2-", "gemma-2-")
"""Families that stand for a size alone."""
_NEAR = 0.08


def asked_of_tokens(question: str) -> frozenset[str]:
    """What is asked of a language model, by the names in `words.toml`: first_token, kv_cache, …"""
    return frozenset(spoken("of_tokens", question))


def with_amounts(query: Query) -> Query:
    """Words and pages become tokens that are read or written; a rate of words becomes one of tokens."""
    slots, unread = list(query.slots), list(query.unread)
    figures = _of_text(query)
    counted = [figure for figure in figures if figure.family is Family.COUNT]
    taken: dict[Role, str] = {}
    for figure in sorted(counted, key=lambda each: _TOKENS_OF[each.noun] != 1):
        known = next((slot for slot in slots if slot.text == figure.text and not slot.inherited), None)
        role = _role(query, figure, known)
        if role is None:
            continue
        slots = [slot for slot in slots if slot is not known]
        unread = [text for text in unread if text != figure.text]
        if role is Role.WRITTEN and role in taken and Role.PROMPT not in taken:
            slots = _larger_read(slots, figure, taken)
            continue
        if role in taken:  # 20 pages, which are 12000 tokens
            continue
        taken[role] = figure.text
        slots = [slot for slot in slots if slot.role is not role or not slot.inherited]
        slots.append(_amount(role, figure))
    asked = {Role.PROMPT: "first_token", Role.WRITTEN: "written"}
    timed = any(slot.role is Role.LATENCY_MS and not slot.inherited for slot in slots)
    long = timed or re.search(r"\bhow long\b", query.question, re.I) is not None
    notes, page = list(query.notes), _WORDS["a_page"].search(query.question)
    returns, defined = _RETURNS.search(query.question), _WORDS["defines_page"].search(query.question)
    if page and long and not {Role.PROMPT, Role.WRITTEN} & taken.keys():
        taken[Role.PROMPT] = "a page"
        tokens = float(round(WORDS_A_PAGE / WORDS_A_TOKEN))
        slots.append(Slot(role=Role.PROMPT, value=tokens, text="a page"))
        notes.append(f"A page is taken as {WORDS_A_PAGE} words")
    of_a_page = page and not (returns or _WORDS["condenses"].search(query.question))
    if (long or defined) and Role.PROMPT in taken and Role.WRITTEN not in taken and (returns or of_a_page):
        read = next(slot for slot in slots if slot.role is Role.PROMPT and not slot.inherited)
        slots = slots if returns else [slot for slot in slots if slot is not read]
        slots.append(read.model_copy(update={"role": Role.WRITTEN}))
        taken[Role.WRITTEN] = read.text
    asks = query.asks | {asked[role] for role in taken if long and not timed and role in asked}
    slots = [_of_words(slot, figures) for slot in slots]
    told = {"slots": tuple(slots), "unread": tuple(unread), "asks": asks, "notes": tuple(notes)}
    return query.model_copy(update=told)


def _amount(role: Role, figure: Figure) -> Slot:
    words = f"{figure.text} {figure.noun.rstrip('s')}{'s' if figure.value != 1 else ''}"
    text = figure.text if _TOKENS_OF[figure.noun] == 1 else words
    return Slot(role=role, value=float(round(figure.value * _TOKENS_OF[figure.noun])), text=text)


def _larger_read(slots: list[Slot], figure: Figure, taken: dict[Role, str]) -> list[Slot]:
    """Of two that seem to be written the longer is read: reports of 6000 tokens, a summary of 400."""
    one = next(slot for slot in slots if slot.role is Role.WRITTEN and not slot.inherited)
    other = _amount(Role.WRITTEN, figure)
    longer, shorter = sorted((one, other), key=lambda slot: -slot.number)
    taken[Role.PROMPT] = longer.text
    rest = [slot for slot in slots if slot is not one and slot.role is not Role.PROMPT]
    return [*rest, longer.model_copy(update={"role": Role.PROMPT}), shorter]


def _of_text(query: Query) -> list[Figure]:
    """Words, pages and tokens; beside them, or in pairs, numbers alone: answers 300; 500 in, 300 out."""
    own = [figure for figure in query.figures if figure.noun in _TEXT]
    ways = [figure for figure in query.figures if figure.noun in _WAYS and not figure.unit]
    lists = any("token" in figure.noun for figure in own) or {figure.noun for figure in ways} == {*_WAYS}
    counts = (f for f in query.figures if f.family is Family.COUNT and f.noun in _NO_NOUNS and not f.unit)
    bare = [replace(each, noun="") for each in counts if _right_behind(query.question, each)]
    return [*own, *ways, *bare] if lists else own


def _right_behind(question: str, figure: Figure) -> Role | None:
    """What so many are said to be, before them: the prompt is 600 tokens, output: 300."""
    before = question[max(0, figure.start - 2 * _BEFORE) : figure.start]
    ends = rf"\w*,?(?: (?:that|which|alone|text|\w+ly))?(?:{_IS})?[\s:=~≈]*$"
    roles = (
        role for role, words in _OF_WHAT.items() if re.search(rf"\b(?!in\b)(?:{words}){ends}", before, re.I)
    )
    return next(roles, None)


def _role(query: Query, figure: Figure, known: Slot | None) -> Role | None:
    """Whether so much is read, written or kept; None where it is something else."""
    if figure.noun in ("", *_WAYS):
        return _WAYS.get(figure.noun) or _right_behind(query.question, figure)
    tokens = _TOKENS_OF[figure.noun] == 1
    of_tokens = (Role.CONTEXT, Role.PROMPT, Role.RUNS, Role.SEQUENCE, Role.WRITTEN)
    if tokens and known is not None and known.role not in of_tokens:
        return None
    near = query.question[max(0, figure.start - _BEFORE) : figure.end + _BEHIND]
    behind = query.question[figure.end :]
    verbs = list(_VERBS.finditer(query.question, max(0, figure.start - _BEFORE), figure.start))
    if verbs:
        return Role.PROMPT if verbs[-1]["read"] else Role.WRITTEN
    for role, words in _OF_WHAT.items():
        if re.match(rf"\W*{figure.noun}[\s-](?:of )?(?:an? |the |my |our )?(?:{words})", behind, re.I):
            return role
    if named := _right_behind(query.question, figure):
        return named
    if known is not None and known.role is Role.CONTEXT and Want.PRICE in query.wants:
        return Role.RUNS
    if known is not None and known.role is Role.RUNS and tokens and "first_token" not in query.asks:
        return None
    is_long = _LONG.match(behind) and re.search(rf"\w{_IS}\s*$", query.question[: figure.start], re.I)
    if is_long or _IS_READ.match(behind):
        return Role.PROMPT
    if _WRITES.search(near):
        return Role.WRITTEN
    if "page" in figure.noun or "first_token" in query.asks:
        return Role.PROMPT
    if known is not None and known.role is Role.CONTEXT:
        return Role.CONTEXT
    if _READS.search(query.question):
        return Role.PROMPT
    if known is not None and known.role in of_tokens:
        return Role.PROMPT if known.role is Role.SEQUENCE else known.role
    return Role.WRITTEN if _WRITES.search(query.question) else None


_IS = (
    r"(?: (?:is|are|will|would|of|with|has|have|carr(?:y|ies)|holds?|contains?|takes?|runs? to|comes? to|be|"
    r"about|around|roughly|up|to|some|a|typically|usually))+"
)


def _of_words(slot: Slot, figures: list[Figure]) -> Slot:
    """Two words a second are more tokens, and a page a minute far more."""
    if slot.inherited or slot.role not in (Role.RATE_HZ, Role.CLAIMED_HZ):
        return slot
    of_text = (each for each in figures if each.text == slot.text and each.noun.startswith(("word", "page")))
    figure = next(of_text, None)
    return (
        slot if figure is None else slot.model_copy(update={"value": figure.value * _TOKENS_OF[figure.noun]})
    )


def counts_text(question: str) -> bool:
    """Whether words, pages or tokens are counted in it."""
    return any(figure.noun in _TEXT for figure in find_figures(question))


def in_words(query: Query, role: Role) -> bool:
    """Whether a figure was given in words or pages."""
    text = next((slot.text for slot in query.slots if slot.role is role), "")
    return re.search(r"\b(?:word|page)s?\b", text, re.I) is not None


def with_size(query: Query, spoken_of: Sequence[str] = ()) -> Query:
    """Language models by their sizes alone: the 7B or the 14B.

    Args:
        spoken_of: the networks of the conversation, what the user named last first.
    """
    known = [name for name in spoken_of if is_language_model(name)]
    models = (slot for slot in query.slots if slot.role is Role.MODEL)
    taken = [slot for slot in models if _SIZE.fullmatch(slot.text.removeprefix("the "))]
    if known and taken and not {slot.value for slot in taken} & set(known):
        query = query.model_copy(update={"slots": tuple(slot for slot in query.slots if slot not in taken)})
    sizes = {size[0]: float(size[1]) for size in _SIZE.finditer(query.question)}
    chooses = spoken("any_writer", query.question)
    named = query.all(Role.MODEL)
    if not sizes or chooses or set(named) - set(known) or known[:1] != list(spoken_of[:1]):
        return query
    sized = {text: _sized(size, known) for text, size in sizes.items()}
    known_already = {*named, *query.left_out}
    found = {text: model.id for text, model in sized.items() if model and model.id not in known_already}
    families = {name.partition("-")[0] for name in known}
    return query.model_copy(
        update={
            "slots": (
                *(slot for slot in query.slots if slot.text not in found),
                *(Slot(role=Role.MODEL, value=m, text=text) for text, m in found.items()),
            ),
            "unread": tuple(text for text in query.unread if text not in found),
            "notes": (
                *query.notes,
                *(f"I took {t} to be {m}" for t, m in found.items() if m.partition("-")[0] not in families),
            ),
        }
    )


_ANY_KIND = frozenset(
    re.findall(r"\w+", "instruct chat it base model llm the a my our gguf distilled distill v")
)


def of_its_shape(query: Query) -> list[str]:
    """That a model of another name has the shape of the one that stands for it: DeepSeek R1 of V3."""
    told = []
    for slot in query.slots:
        own = set(re.findall(r"[a-z]+|\d+(?:\.\d+)?", slot.text.casefold())) - _ANY_KIND
        other = own - set(re.findall(r"[a-z]+|\d+(?:\.\d+)?", str(slot.value)))
        if slot.role is Role.MODEL and not slot.inherited and is_language_model(str(slot.value)) and other:
            told.append(f"{slot.text} is computed as {slot.value}, whose shape it has")
    return [note for note in told if not any(str(note).split(" is ")[0] in one for one in query.notes)]


def _sized(billions: float, known: Sequence[str]) -> LanguageModel | None:
    """That was spoken of and has the size; else of such a family, then of a usual one; else by its count."""
    models = [model for model in load_catalogue().models if not model.encoder_positions]
    named = [model for model in models if f"-{billions:g}b" in f"{model.id}-"]
    families = (re.sub(r"-\d+(?:\.\d+)?[bm](?:-.*)?$", "-", name) for name in known)
    for start in (*known, *families, *_USUAL):
        if found := [model for model in named if model.id.startswith(start)]:
            return found[0]
    near = [model for model in models if abs(model.parameters / 1e9 - billions) < _NEAR * billions]
    return next(iter(named or near), None)
