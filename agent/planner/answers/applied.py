"""A page applied to the network and the target at hand: one table says which figures a page is about."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....hardware_db.structured_sparsity import skips_zeros
from ...definitions import definitions
from ...leads import lead
from ...pages import sections_of
from ...patterns import compiled
from ..bench import Answering, ToolFailedError, call_of, needed
from ..factors import factors_in
from ..language import WRITER
from ..query import Query, Role
from ..want import Want
from ..words import entries, patterns, spoken
from . import bounds, judging
from .cases import estimated
from .clauses import CLAUSES
from .decoding_choice import BARE_MEMORY
from .passages import OF_TOKENS, SURE, quoted, search
from .phrases import joined, language_models, lines, model_shown, sentence, subject
from .templates import put
from .tokens import cache, weights, where

_SAYS = patterns("applied")

_OF_PAGE = {page: Want(want) for page, want in entries("of_page").items()}
"""What of a network on a target a page is about."""


OF_WRITERS = ("concepts/llm-decoding.md", "concepts/llm-memory.md")
"""Pages on language models, for which no other network stands in."""
_SHORT = 9
"""Words of a question that leaves to the one before what it is about."""


def at_hand(query: Query) -> bool:
    """Whether one network and one target are named, or were before."""
    one = len(set(query.all(Role.MODEL))) == 1 and len(set(query.all(Role.TARGET))) == 1
    return one and "|" not in query.text(Role.TARGET)


def comes_first(query: Query) -> bool:
    """Whether the case is asked for, and the page only says why."""
    if explains(query) or definitions(query.question) or _SAYS["in_general"].search(query.question):
        return False
    return query.says(Role.MODEL, Role.TARGET) or bool(_SAYS["of_the_case"].search(query.question))


def case(query: Query, page: str, wants: Sequence[Want]) -> Answering:
    """What the figures at hand say of what a page is about; empty where none is known."""
    if page in OF_WRITERS:
        cached = Want.RAM in wants or "kv_cache" in query.asks
        return (yield from _of_writers(query)) if cached or explains(query) else ""
    want = next((want for want in wants if want in CLAUSES), _OF_PAGE.get(page))
    if want is None or not at_hand(query) or language_models(query):
        return ""
    try:
        return (yield from _told(query, want, page))
    except ToolFailedError:
        return ""


def explains(query: Query) -> bool:
    """Whether a thing of language models is to be explained in a talk about one, and nothing new is named."""
    named = any(slot.text and not slot.inherited for slot in query.slots if slot.role in _OF_A_CASE)
    if WRITER not in query.asks or named or not _EXPLAINS.search(query.question):
        return False
    return bool(query.established) and any(
        one.page in OF_WRITERS for one in search(query.question, 1, SURE, within=OF_TOKENS)
    )


_EXPLAINS = patterns("of_explaining")["thing"]
_OF_A_CASE = (Role.MODEL, Role.TARGET, Role.WEIGHTS, Role.CONTEXT, Role.PROMPT, Role.BATCH)


def _of_writers(query: Query) -> Answering:
    """What a token takes in the cache of each language model that is named; how fast the first is there."""
    said = []
    if query.has(Role.TARGET) and language_models(query):
        record = yield from estimated(query)
        if record.knows("prefill_tokens_per_s", "decode_tokens_per_s"):
            return (
                f"Here, {where(record)}: it reads {record.ref('prefill_tokens_per_s')} and writes "
                f"{record.ref('session_tokens_per_s')}; {record.ref('prompt_tokens')} tokens of prompt take "
                f"{record.ref('time_to_first_token_ms')}. {cache(record)}, beside {weights(record)}."
            )
    for model in dict.fromkeys(language_models(query)):
        record = yield call_of("estimate_generation", query, model=model, target=BARE_MEMORY, batch=1)
        if record.knows("kv_cache_bytes"):
            each = f"{record.id}.kv_cache_bytes/{record.id}.context"
            said.append(f"{record.ref('model')} {{{{{each}|KiB}}}} a token in {record.ref('kv')}")
    return sentence(f"here: {joined(said)}") if said else ""


_OF_ROOFS = "concepts/roofline.md"


def _told(query: Query, want: Want, page: str) -> Answering:
    if want is Want.FITS:
        fits = yield from judging.fit(query)
        said = fits.removeprefix("But ")
        return (
            f"{model_shown(query)} on {query.text(Role.TARGET)}: {said[:1].lower()}{said[1:]}" if said else ""
        )
    record = needed((yield call_of("estimate_performance", query)))
    if want is not Want.BOUND:
        words = yield from CLAUSES[want][1](query)
        return sentence(f"here, {subject(query, record)}: {CLAUSES[want][0]}{words}")
    roof = needed((yield call_of("analyze_roofline", query)))
    return sentence(
        f"here, {subject(query, record)}: {CLAUSES[want][0]}{bounds.judged(roof, roofs=page == _OF_ROOFS)}"
    )


def asks_of_page_before(query: Query) -> bool:
    """Whether it only asks how what a page just told is here: and is it that here?"""
    short = len(query.question.split()) <= _SHORT and bool(_SAYS["of_the_case"].search(query.question))
    return (
        bool(query.page_before)
        and not query.says(Role.KV, Role.WEIGHTS)
        and short
        and at_hand(query)
        and not _SAYS["in_general"].search(query.question)
    )


def page_before(query: Query, wants: Sequence[Want]) -> Answering:
    """The case of what a page told in the answer before; of what is wanted where it has none."""
    found = search(query.page_before, 1)
    said = yield from case(query, found[0].page, ()) if found else case(query, "", wants)
    return said or (yield from case(query, "", wants))


_OF_ZEROS = ("concepts/smaller-models.md", "Zeros among the weights")
_OF_TIME = frozenset(
    (Want.WHAT_IF, Want.COMPARE, Want.PLAUSIBLE, Want.WHY_SLOWER, Want.LATENCY, Want.BOUND, Want.IMPROVE,
     Want.MEETS)
)  # fmt: skip


def asks_of_zeros(query: Query, wants: Sequence[Want]) -> bool:
    """Whether it is what zeros among the weights bring, or why they brought nothing."""
    asked = _OF_TIME & set(wants[:2]) and not query.has(Role.TECHNIQUE)
    return bool(asked and spoken("sparse", query.question))


def zeros(query: Query, _wants: Sequence[Want]) -> Answering:
    """That kernels multiply them; at most what the arithmetic takes that they would leave out."""
    page, heading = _OF_ZEROS
    section = next(one for one in sections_of(page) if one.heading == heading)
    made_for = _MADE_FOR_ZEROS.search(query.question) is not None
    pattern = _pattern_of(query)
    claim = next((one.text for one in factors_in(query.question) if one.compares), "")
    begins = "That is no fault." if spoken("suspected", query.question) else lead(query.question, section)
    begins = f"No, not *{claim}*." if claim and spoken("helps", query.question) else begins
    text = quoted(section) if made_for else f"{begins} {quoted(section)}".strip()
    told = lines(pattern, text) if made_for else lines(text, pattern)
    if not at_hand(query) or language_models(query):
        return told
    roof = needed((yield call_of("analyze_roofline", query)))
    most = put(
        "I do not calculate what kernels for zeros bring: dense, {subject} takes {latency_ms|~}[, of which "
        "{bound_shares.compute|%} are arithmetic, all that they could shorten].", roof,
        subject=subject(query, roof),
    )  # fmt: skip
    judged = pattern and spoken("helps", query.question)
    first, then = (most, told) if made_for and not judged else (told, most)
    return lines(first, then)


def _pattern_of(query: Query) -> str:
    """Whether the hardware that is named skips zeros in a pattern; empty where that is not known."""
    target = query.text(Role.TARGET)
    skips = skips_zeros(target) if target in query.targets and len(set(query.all(Role.TARGET))) == 1 else None
    if skips is None:
        return ""
    if skips:
        which = "where two of every four weights are zero (2:4), which a network is trained for"
        return f"{target} does skip them {which}."
    return f"The GPU of {target} has no such 2:4 sparsity, which NVIDIA's have from Ampere on."


_MADE_FOR_ZEROS = compiled(r"\b\d:\d\b|\bsparse (?:kernel|tensor core)", re.IGNORECASE)
"""What skips them is asked for by its name."""
