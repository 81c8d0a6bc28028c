"""Language models to choose among: which run where, and how many people one serves."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Any

from ....tools.model_zoo.language_model import language_model, load_catalogue
from ..bench import Answering, Call, Record, call_of, needed
from ..language import families_in
from ..query import Query, Role
from ..writing import READABLE, WORDS_A_TOKEN, in_words
from .families import of_families
from .phrases import lines, said, table
from .tokens import where

_RANKED = 5
_KINDS = {r"\bmac(?:s|book\w*)?\b|\bapple\b": "apple-", r"\bjetsons?\b": "jetson-"}
"""Kinds of hardware whose ids start alike, all of class gpu-soc or cpu."""
OF_KINDS = "gpu-soc"
_MOST_SESSIONS = 4096
_ANY_RATE = 0.01
_SHORT, _NARROW = 512, "Q4_K_M"
_BARE_MEMORY = "a100-sxm4-80gb"


def models_on(query: Query, settings: Mapping[str, Any]) -> Answering:
    """Those that write fast enough, the largest first; on what runs none, what the smallest would need."""
    target = query.text(Role.TARGET)
    ranking = yield call_of("rank_generation", query, **settings, model=None, target=target)
    if ranking.result is None:
        models = [model for model in load_catalogue().models if not model.encoder_positions]
        return (yield from none_runs(query, min(models, key=lambda model: model.parameters).id))
    if families_in(query.question):
        least = settings.get("min_tokens_per_s") or READABLE
        return (yield from of_families(query, settings, target, least=least))
    return _models_ranked(ranking, query)


def models_in(query: Query, settings: Mapping[str, Any]) -> Answering:
    """The largest that fit so much memory, of whatever hardware: fit is all that memory tells."""
    bare = {**settings, "min_tokens_per_s": _ANY_RATE, "weights": settings["weights"] or _NARROW}
    if families_in(query.question):
        return (yield from of_families(query, bare, _BARE_MEMORY))
    ranking = needed((yield call_of("rank_generation", query, **bare, model=None, target=_BARE_MEMORY)))
    room = said(query, Role.RAM_BYTES)
    if not ranking["passing"]:
        return f"No language model that I know fits {room}."
    rows = range(min(int(ranking["passing"]), _RANKED))
    heads, fields = (
        ("", "weights", "takes", "longest context"),
        ("model", "weights", "total_bytes", "max_context"),
    )
    return lines(
        f"{ranking.ref('ranking[#0].model')} is the largest that I know to fit {room} with "
        f"{ranking.ref('context')} tokens of context: {ranking.ref('ranking[#0].total_bytes', 'GiB')} in "
        f"{ranking.ref('ranking[#0].weights')}.",
        _rows(ranking, rows, heads, fields),
        "Name the card, and I tell tokens a second.",
    )


def none_runs(query: Query, least: str) -> Answering:
    """A model against a chip without a runtime of language models: memory, and what could."""
    chip = needed((yield call_of("get_target", query, target=query.text(Role.TARGET))))
    named = query.has(Role.MODEL)
    bare = {"model": least, "target": _BARE_MEMORY, "weights": _NARROW, "context": _SHORT}
    need = needed((yield call_of("estimate_generation", query, **bare, prompt_tokens=_SHORT // 2)))
    could = yield call_of("rank_generation", query, model=least, target=None)
    model = need.ref("model") if named else f"The smallest that I know, {need.ref('model')},"
    first = (
        f"No: no runtime of language models runs on {chip.ref('name')}. {model} takes "
        f"{need.ref('total_bytes', 'MiB')} in {need.ref('weights')} at {need.ref('context')} tokens; there "
        f"is {chip.ref('ram_bytes')} of RAM."
    )
    if not could["passing"]:
        return first
    cheapest = f"{could.ref('ranking[#0].target')} ({could.ref('ranking[#0].price_usd')})"
    rate = could.ref("ranking[#0].session_tokens_per_s", "~")
    return lines(first, f"The cheapest that I know to run it well: {cheapest}, {rate}.")


def _models_ranked(record: Record, query: Query) -> str:
    passing = int(record["passing"] or 0)
    least = record.ref("min_tokens_per_s", "tokens/s")
    if in_words(query, Role.RATE_HZ):
        least += f" ({said(query, Role.RATE_HZ)} at {WORDS_A_TOKEN:g} words a token)"
    if not passing:
        fits = next((i for i, row in enumerate(record["ranking"]) if row["verdict"] == "UNKNOWN"), None)
        unsure = (
            "" if fits is None else f"{record.ref(f'ranking[#{fits}].model')} fits, at a speed not known."
        )
        return lines(
            f"No language model that I know surely writes {least} on {record.ref('target')}.", unsure
        )
    smallest = "smallest" in query.asks
    others = "the smallest" if smallest else "the largest"
    rows = range(passing - 1, -1, -1) if smallest else range(passing)
    at = rows[0] if smallest else picked(record["ranking"], rows)
    pick = f"ranking[#{at}]"
    why = "the smallest" if smallest else "with most weights at work and room to spare in memory and speed"
    count = f"of {record.ref('passing')} that write" if passing > 1 else "the one that writes"
    first = (
        f"{record.ref(f'{pick}.model')}, {count} {least} or more on {record.ref('target')} {why}: "
        f"{record.ref(f'{pick}.session_tokens_per_s', '~')} in {record.ref(f'{pick}.weights')}, "
        f"{record.ref(f'{pick}.total_bytes', 'GiB')} in all at {record.ref('context')} tokens; "
        f"then {others} first:"
    )
    heads = ("", "tokens/s", "weights", "takes")
    fields = ("model", "session_tokens_per_s", "weights", "total_bytes")
    order = [at, *(each for each in rows if each != at)]
    return lines(first, _rows(record, order[:_RANKED], heads, fields))


def picked(ranking: Sequence[Mapping[str, Any]], rows: Iterable[int]) -> int:
    """Of those that fit with room to spare the one with most weights at work, the first of equals.

    A mixture of experts counts as the geometric mean of what it has and of what a token uses.
    """
    order = [at for at in rows if at < len(ranking)]
    roomy = [at for at in order if ranking[at]["verdict"] == "PASS"] or order[:1]

    def at_work(at: int) -> float:
        model = language_model(str(ranking[at]["model"]))
        return model.parameters * model.active_parameters

    return max(roomy, key=at_work)


def kind_named(query: Query) -> str:
    """What the ids of the targets start with that are asked for by their kind alone; empty for any."""
    return next((start for words, start in _KINDS.items() if re.search(words, query.question, re.I)), "")


def targets_ranked(record: Record, kind: str = "", *, with_table: bool = True) -> str:
    """The cheapest that is fast enough, and those behind it.

    Args:
        kind: what ids have to start with.
    """
    rows = record["ranking"] or ()
    fit = [at for at, row in enumerate(rows[: int(record["passing"] or 0)]) if row["target"].startswith(kind)]
    if not fit:
        why = f" {record.ref('ranking[#0].target')}: {record.ref('ranking[#0].reason')}." if rows else ""
        return f"None of them runs {record.ref('model')} so.{why}"
    best = f"ranking[#{fit[0]}]"
    priced = record.knows(f"{best}.price_usd")
    cost = f", {record.ref(f'{best}.price_usd')}" if priced else ", whose price is not known here"
    first = (
        f"{record.ref(f'{best}.target')}{cost}: {record.ref(f'{best}.session_tokens_per_s', '~')} of "
        f"{record.ref('model')} in {record.ref(f'{best}.weights')}."
    )
    if not with_table:
        return first
    heads = ("", "tokens/s", "weights", "price")
    fields = ("target", "session_tokens_per_s", "weights", "price_usd")
    unpriced = f"{record.ref('assumptions[#0]')}." if record["assumptions"] else ""
    return lines(first, _rows(record, fit[:_RANKED], heads, fields), unpriced)


def _rows(record: Record, rows: Sequence[int], heads: Sequence[str], fields: Sequence[str]) -> str:
    return table(heads, [[record.ref(f"ranking[#{at}].{field}") for field in fields] for at in rows])


def sessions(query: Query, asked: Mapping[str, Any]) -> Answering:
    """The most people at once that each get a rate, and what ends it: speed or memory."""
    least = query.number(Role.RATE_HZ) or READABLE
    cards = int(query.number(Role.CARDS) or 1)
    if cards > 1:
        return (yield from _across_cards(query, asked, cards))
    one = needed((yield call_of("estimate_generation", query, **{**asked, "batch": 1})))
    fixed = {**asked, "weights": one["weights"]}
    if not _serves(one, least):
        why = (
            "it does not fit"
            if one["verdict"] == "FAIL"
            else "it writes " + one.ref("decode_tokens_per_s", "~")
        )
        return f"None at {_rate(query)}: for one alone {why}, {where(one)}."
    best, beyond = yield from _most(query, fixed, one, least)
    ends = ""
    if beyond is not None:
        full = beyond["verdict"] == "FAIL"
        ends = "more do not fit its memory" if full else "with more of them each falls below that"
    first = (
        f"{best.ref('batch')} at once: each gets {best.ref('session_tokens_per_s', '~')} against "
        f"{_rate(query)}; {ends or 'I count no further'}: {where(best)}."
    )
    room = (
        f"{best.ref('context')} tokens of context each: {best.ref('kv_cache_bytes', 'GiB')} of key-value "
        f"cache beside {best.ref('weights_bytes', 'GiB')} of weights, of {best.ref('ram_bytes', 'GiB')}."
    )
    return lines(first, room, "All at once is the worst moment; people who read and type share it better.")


def _across_cards(query: Query, asked: Mapping[str, Any], cards: int) -> Answering:
    """How many have room on several cards; how fast they write there is not calculated."""
    alone = needed((yield call_of("estimate_generation", query, **{**asked, "batch": 1})))
    each = alone.number("ram_bytes")
    if not each:
        return f"I cannot tell: the memory of {alone.ref('target')} is not known."
    whole = {**asked, "memory_bytes": int(cards * each), "weights": alone["weights"]}
    one = needed((yield call_of("estimate_generation", query, **{**whole, "batch": 1})))
    first = f"How fast several sessions are on {said(query, Role.CARDS)} cards together I do not calculate"
    if one["verdict"] == "FAIL":
        return f"None: {one.ref('total_bytes', 'GiB')} do not fit all of them together, {where(one)}."
    best, _ = yield from _most(query, whole, one, 0.0)
    return lines(
        f"{first}, so not how many get {_rate(query)}. By memory {best.ref('batch')} at once have room, at "
        f"{best.ref('context')} tokens each: {where(best)}.",
        "A shorter context makes room for more.",
    )


def _rate(query: Query) -> str:
    return said(query, Role.RATE_HZ) or f"{READABLE:g} tokens/s, which reads along"


def _serves(record: Record, least: float) -> bool:
    rate = record.number("session_tokens_per_s")
    return record["verdict"] in ("PASS", "MARGINAL") and (not least or (rate is not None and rate >= least))


def _most(
    query: Query, fixed: Mapping[str, Any], one: Record, least: float
) -> Generator[Call, Record, tuple[Record, Record | None]]:
    """The largest count that serves, by doubling and halving, and the next that was tried and does not."""
    best, beyond = one, None
    low, high = 1, 2
    while high <= _MOST_SESSIONS:
        record = needed((yield call_of("estimate_generation", query, **{**fixed, "batch": high})))
        if not _serves(record, least):
            beyond = record
            break
        best, low, high = record, high, 2 * high
    while beyond is not None and high - low > max(1, low // 50):
        middle = (low + high) // 2
        record = needed((yield call_of("estimate_generation", query, **{**fixed, "batch": middle})))
        if _serves(record, least):
            best, low = record, middle
        else:
            beyond, high = record, middle
    return best, beyond


__all__ = ["OF_KINDS", "kind_named", "models_in", "models_on", "none_runs", "sessions", "targets_ranked"]
