"""Language models to choose among: which run where, and how many people one serves."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from typing import Any

from ....hardware_db.schema import TargetClass
from ....tools.model_zoo.language_model import load_catalogue
from ...patterns import compiled
from ..bench import Answering, Call, Record, call_of, needed
from ..query import Query, Role
from ..words import entries, spoken
from ..writing import READABLE, WORDS_A_TOKEN, in_words
from .cases import NARROW, cards_of, demanded, estimated, memory_of, settings, tokens_of
from .phrases import VERDICT_WORDS, joined, lines, said, table
from .tokens import cache_room, for_sessions, on_cards, split_over, where

_RANKED, ALL = 5, 1000
_ON_CARD = "gpu_layers"
_RATE, _WAIT, _LEFT = "session_tokens_per_s", "time_to_first_token_ms", "left_bytes"
_TOGETHER = 4
"""Cards that go into one computer."""
_KINDS = {
    r"\bmac(?:s|book\w*)?\b|\bapple\b": ("gpu-soc", r"apple-"), r"\bjetsons?\b": ("gpu-soc", r"jetson-"),
    r"\blaptops?\b|\bnotebooks?\b": ("gpu", r".*-laptop\b"),
}  # fmt: skip
"""Kinds of hardware by the words for them: their class, and what their ids are like."""
ANY_RATE = 0.01
_SHORT = 512
BARE_MEMORY = "a100-sxm4-80gb"
"""For figures of memory, which the hardware does not change."""
NONE_RUNS = "None of them runs"
_TOO_LARGE = "it does not fit"
_FASTEST = compiled(r"\b(?:fastest|quickest)\b", re.IGNORECASE)
_HEADS = {
    "model": "", "coding_name": "", "target": "", _RATE: "tokens/s", "weights": "weights",
    _WAIT: "first token", _LEFT: "left for all else", "total_bytes": "takes",
    "max_context": "longest context", _ON_CARD: "layers on the card", "price_usd": "price",
}  # fmt: skip
_ORDERS = {
    "the smallest": "smallest", "the fastest": "rate", "the one with the longest context": "context",
    "the one with most weights": "size", "the one with most weights at work and room to spare": "work",
}  # fmt: skip
"""What is wanted most of, in the words of the tool."""


def models_on(query: Query) -> Answering:
    """Of those that write fast enough, or fit so much memory, the one to take first, and those behind it.

    Of a family or a size alone, where one is named, and of those alone that were made for the context. On
    what runs none, what the smallest would need.
    """
    places = list(dict.fromkeys(query.all(Role.TARGET)))
    if len(places) > 1:
        each = []
        for place in places:
            each.append((yield from models_on(query.put(Role.TARGET, place))).partition("; the next")[0])
        return lines(*each)
    target, why = query.text(Role.TARGET), _order(query)
    given = on_target(query, target or BARE_MEMORY)
    if not target or (why == "the fastest" and not query.has(Role.RATE_HZ)):
        given |= {"min_tokens_per_s": ANY_RATE}
    ranking = yield call_of("rank_generation", query, **given)
    if ranking.result is None:
        models = [model for model in load_catalogue().models if not model.encoder_positions]
        return (yield from none_runs(query, min(models, key=lambda model: model.parameters).id))
    count = int(ranking["passing"] or 0)
    if not count:
        return _none_passes(ranking, query)
    rows = [ranking.row("ranking", at) for at in range(min(count, _RANKED))]
    name = "coding_name" if _codes(query) and rows[0]["coding_name"] else "model"
    rate = f"{rows[0].ref(_RATE, '~')} in " if target else ""
    rated = [_RATE] if target else []
    reads = [_WAIT] if target and query.has(Role.PROMPT) and rows[0].knows(_WAIT) else []
    left = [_LEFT] if target and shares_memory(query, target) else []
    spills = any(row["gpu_layers"] for row in rows)
    beside = [_ON_CARD] if spills else []
    return lines(
        f"{rows[0].ref(name)}, {_out_of(ranking, query, why, count)}: {rate}"
        f"{rows[0].ref('weights')}, {rows[0].ref('total_bytes', 'GiB')} in all at "
        f"{ranking.ref('context')} tokens{_split(rows[0])}{_read(rows[0], query) if reads else ''}"
        f"{'; the next' if count > 1 else ''}:",
        _table(rows, name, *rated, *reads, "weights", "total_bytes", *beside, *left, "max_context"),
        split_over(rows[0]) if cards_of(query) > 1 and target else "",
        "Size stands for how good they are, which is not calculated." if why == _LAST and target else "",
        "" if target else "Name the card, and I tell tokens a second.",
        _BESIDE if target and _may_spill(query) else "",
    )


def _may_spill(query: Query) -> bool:
    """Whether a computer around the card is spoken of, and not how much memory it has."""
    around = query.has(Role.HOST) or spoken("offloads", query.question)
    return bool(around) and not query.has(Role.HOST_BYTES)


def _split(row: Record) -> str:
    """That only some of its layers are on the card."""
    told = (
        f", {row.ref('gpu_layers')} of its {row.ref('layers')} layers on the card, the rest in the computer's"
    )
    return f"{told} memory" if row["gpu_layers"] else ""


_LAST = list(_ORDERS)[-1]
_BESIDE = (
    "All of these lie wholly on it. With layers in the computer's memory larger ones go too, mixtures of "
    "experts fastest: name one, such as gpt-oss-120b, and I compute it."
)


def _codes(query: Query) -> bool:
    return bool(spoken("coding", query.question))


def on_target(query: Query, target: str) -> dict[str, Any]:
    """What models are ranked on a target by: a family or a size alone, where one is named."""
    sizes, families = [1e9 * size for size in query.numbers(Role.BILLIONS)], query.all(Role.FAMILY)
    use = None if families or "smallest" in query.asks else "code" if _codes(query) else "chat"
    between = {"least_parameters": min(sizes), "most_parameters": max(sizes)} if sizes else {}
    meant = {"order": _ORDERS[_order(query)], "use": use, "families": list(families) or None}
    on = {"model": None, "target": target, "top": ALL}
    return ranked(query) | memory_of(query) | on | meant | between


def _order(query: Query) -> str:
    """What the first is to have most of, by the words for it."""
    asked = {
        "the smallest": "smallest" in query.asks, "the fastest": _FASTEST.search(query.question),
        "the one with most weights": spoken("sized", query.question),
        "the one with the longest context": "longest" in query.asks,
    }  # fmt: skip
    return next((why for why, is_asked in asked.items() if is_asked), _LAST)


def _kind(query: Query) -> str:
    """Which models are meant, in words: qwen or gemma models of 7B."""
    sizes = [slot.text for slot in query.slots if slot.role is Role.BILLIONS]
    family = joined(query.all(Role.FAMILY), "or") or ("coding" if _codes(query) else "language")
    return f"{family} {{}}{f' of {sizes[0]}' if sizes else ''}"


def _place(ranking: Record, query: Query) -> str:
    if not query.has(Role.TARGET):
        return said(query, Role.RAM_BYTES)
    return f"{f'{cards_of(query)} x ' if cards_of(query) > 1 else ''}{ranking.ref('target')}"


def _out_of(ranking: Record, query: Query, why: str, count: int) -> str:
    """Of how many of which kind it is the first, and by what."""
    kind = _kind(query).format("models" if count > 1 else "model")
    of_them = f"{why} of the {count} {kind} that" if count > 1 else f"the only {kind} that"
    place, tokens = _place(ranking, query), f"with {ranking.ref('context')} tokens of context"
    if not query.has(Role.TARGET):
        return f"{of_them} I know to fit {place} {tokens}"
    if ranking["min_tokens_per_s"] == ANY_RATE:
        return f"{of_them} fit {place}" if count > 1 else f"{of_them} fits {place}"
    return f"{of_them} write{'' if count > 1 else 's'} {_pace(ranking, query)} or more on {place}"


def _pace(ranking: Record, query: Query) -> str:
    least = ranking.ref("min_tokens_per_s", "tokens/s")
    if in_words(query, Role.RATE_HZ):
        least += f" ({said(query, Role.RATE_HZ)} at {WORDS_A_TOKEN:g} words a token)"
    return least


def _none_passes(ranking: Record, query: Query) -> str:
    kind, place = _kind(query).format("model"), _place(ranking, query)
    if not query.has(Role.TARGET):
        return f"No {kind} that I know fits {place} with {ranking.ref('context')} tokens of context."
    first = f"No {kind} that I know surely writes {_pace(ranking, query)} on {place}."
    rows = [ranking.row("ranking", at) for at in range(len(ranking["ranking"]))]
    fitting = [row for row in rows if row["reason"] != _TOO_LARGE]
    if not fitting:
        return lines(first, "None of them fits." if rows else "")
    near = max(fitting, key=_rate)
    if not near.knows(_RATE):
        return lines(first, f"{near.ref('model')} fits, at a speed not known.")
    return lines(first, f"{near.ref('model')} comes nearest: {near.ref(_RATE)} in {near.ref('weights')}.")


def ranked(query: Query) -> dict[str, Any]:
    """Arguments of `rank_generation`, as far as the question says them."""
    return settings(query) | {
        "min_tokens_per_s": query.number(Role.RATE_HZ), "max_price_usd": query.number(Role.PRICE_USD),
        "max_first_token_ms": query.number(Role.LATENCY_MS), "prompt_tokens": tokens_of(query, Role.PROMPT),
    }  # fmt: skip


def none_runs(query: Query, least: str) -> Answering:
    """A model against a chip without a runtime of language models: memory, and what could."""
    chip = needed((yield call_of("get_target", query, target=query.text(Role.TARGET))))
    bare = {"model": least, "target": BARE_MEMORY, "weights": NARROW, "context": _SHORT}
    need = needed((yield call_of("estimate_generation", query, **bare, prompt_tokens=_SHORT // 2)))
    could = yield call_of("rank_generation", query, model=least, target=None)
    known = query.has(Role.MODEL)
    model = need.ref("model") if known else f"The smallest that I know, {need.ref('model')},"
    first = (
        f"No: no runtime of language models runs on {chip.ref('name')}. {model} takes "
        f"{need.ref('total_bytes', 'MiB')} in {need.ref('weights')} at {need.ref('context')} tokens; there "
        f"is {chip.ref('ram_bytes')} of RAM."
    )
    if not could["passing"]:
        return first
    best = could.row("ranking", 0)
    cheapest = f"{best.ref('target')} ({best.ref('price_usd')}), {best.ref(_RATE, '~')}"
    return lines(first, f"The cheapest that I know to run it well: {cheapest}.")


def targets_for(query: Query, model: str, *, with_table: bool = True, **more: Any) -> Answering:
    """The cheapest that is fast enough for a model, of the kind that is named, and those behind it."""
    unwanted = {*query.all(Role.WITHOUT), *query.left_out}
    kinds = (kind for words, kind in _KINDS.items() if re.search(words, query.question, re.I))
    of_kind, named = next((kind for kind in kinds if kind[0] not in unwanted), ("", ""))
    of_class = {"target_class": of_kind or None, "top": ALL} if of_kind or unwanted else {}
    together = 1 if spoken("one_card", query.question) else _TOGETHER
    given = ranked(query) | {"model": model, "target": None, "max_cards": together} | of_class
    record = needed((yield call_of("rank_generation", query, **given | more)))
    rows = [record.row("ranking", at) for at in range(len(record["ranking"] or ()))]
    wanted = {t.id for t in query.targets.values() if not unwanted & {t.id, t.vendor, str(t.target_class)}}
    passing = rows[: int(record["passing"] or 0)]
    fit = [row for row in passing if re.match(named, row["target"]) and row["target"] in wanted]
    if not fit:
        why = f" {rows[0].ref('target')}: {rows[0].ref('reason')}." if rows and rows[0]["reason"] else ""
        return f"{NONE_RUNS} {record.ref('model')} so.{why}"
    priced = fit[0].knows("price_usd")
    fit = fit if priced else sorted(fit, key=_rate)
    first = _cheapest(fit, record, query)
    unpriced = f"{record.ref('assumptions[#0]')}." if priced and record["assumptions"] else ""
    split = split_over(fit[0]) if fit[0]["cards"] > 1 else ""
    waits = (_WAIT,) if query.has(Role.LATENCY_MS) else ()
    shown = _table(fit[:_RANKED], "target", _RATE, *waits, "weights", "price_usd")
    return lines(first, shown, unpriced, split) if with_table else first


def _cheapest(fit: Sequence[Record], record: Record, query: Query) -> str:
    """The first of them, and the first whose whole interval is fast enough."""
    best, priced = fit[0], fit[0].knows("price_usd")
    cost = best.ref("price_usd") if priced else "the slowest that does; no price is known"
    soon = f", its first token after {best.ref(_WAIT)}" if query.has(Role.LATENCY_MS) else ""
    many = (record["batch"] or 1) > 1
    each = f" for each of {record.ref('batch')} at once, {record.ref('context')} tokens each," if many else ""
    first = (
        f"{on_cards(best)}, {cost}: {best.ref(_RATE, '~')}{each} of {record.ref('model')} in "
        f"{best.ref('weights')}{soon}."
    )
    least = record.number("min_tokens_per_s") or 0.0
    sure = next((row for row in fit if (row[_RATE]["low"] or 0.0) >= least), None)
    if sure is best:
        return first
    surely = "none surely does"
    if sure:
        surely = f"{joined([on_cards(sure), sure.ref('price_usd')], 'at')} surely does with {sure.ref(_RATE)}"
    return f"{first} That is likely, not sure; {surely}."


def _rate(row: Record) -> float:
    return row.number(_RATE) or 0.0


def shares_memory(query: Query, target: str) -> bool:
    """Whether the system and other programs have theirs in the memory that a model takes: no card's is so."""
    found = query.targets.get(target)
    return found is not None and found.target_class is not TargetClass.GPU


def _read(row: Record, query: Query) -> str:
    """When the first token of a prompt that is said comes."""
    amount = said(query, Role.PROMPT)
    return f"; {amount}{' tokens' if amount.isdigit() else ''} are read in {row.ref(_WAIT, '~')}"


def _cell(row: Record, field: str) -> str:
    if field == _LEFT:
        return f"{{{{{row.id}.ram_bytes-{row.id}.total_bytes|GiB}}}}"
    if field == _ON_CARD:
        return f"{row.ref(field)} of {row.ref('layers')}" if row[field] else "all"
    return on_cards(row) if field == "target" else row.ref(field)


def _table(rows: Sequence[Record], *fields: str) -> str:
    cells = [[_cell(row, field) for field in fields] for row in rows]
    return table([_HEADS[field] for field in fields], cells)


def sessions_of_each(named: Sequence[tuple[str, Query]]) -> Answering:
    """The same of each that is named, a line each; of two the difference first, and what a cache costs."""
    told, most = list[str](), list[Record]()
    for name, one in named:
        most.append((yield from _with_most(one)))
        told.append(f"{name}: {(yield from sessions(one)).partition(_END)[0]}")
    caches = len({one.text(Role.KV) for _, one in named}) > 1
    counts = [int(record.number("most_sessions") or 0) for record in most]
    at = counts.index(max(counts))
    more = (
        f"{{{{{most[at].id}.most_sessions-{most[at - 1].id}.most_sessions|count}}}} more with {named[at][0]}."
    )
    first = more if len(most) == _TWO and len(set(counts)) > 1 else ""
    return lines(first, *told, entries("cache_costs")["costs"] if caches else "")


_END, _TWO = "\n", 2


def _with_most(query: Query) -> Generator[Call, Record, Record]:
    """One session, and how many get what is asked for, or what reads along."""
    least = demanded(query)[0] or READABLE
    return needed((yield from estimated(query, batch=1, session_tokens_per_s=least)))


def sessions(query: Query) -> Answering:
    """The most people at once that each get a rate, and what ends it: speed or memory."""
    one, words = (yield from _with_most(query)), demanded(query)[1]
    words = words or f"{READABLE:g} tokens/s, which reads along"
    count = int(one.number("most_sessions") or 0)
    if not count or not one.knows("decode_tokens_per_s"):
        slow = f"it writes {one.ref('decode_tokens_per_s', '~')}"
        why = "it does not fit" if one["verdict"] == "FAIL" else slow
        return f"None at {words}: for one alone {why}, {where(one)}."
    fixed = {"weights": one["weights"], "batch": count, "context": int(one["context"])}
    best = needed((yield from estimated(query, **fixed)))
    each = "full_context_tokens_per_s" if count == 1 else _RATE
    ends = {
        "memory": f"more do not fit, as {best.ref('headroom')}",
        "speed": "with more of them each falls below that",
    }.get(str(one["sessions_bound"]), "I count no further")
    fits = f"{VERDICT_WORDS[one['verdict']]}, it fits; " if "fit" in query.asks else ""
    return lines(
        cache_room(one) if "cache_room" in query.asks else "",
        f"{fits}{best.ref('batch')} at once: each gets {best.ref(each, '~')} against "
        f"{words}; {ends}: {where(best)}.",
        f"{best.ref('context')} tokens of context each: {best.ref('kv_cache_bytes', 'GiB')} of key-value "
        f"cache{for_sessions(best)} beside {best.ref('weights_bytes', 'GiB')} of weights, of "
        f"{best.ref('ram_bytes', 'GiB')}.",
        split_over(best) if cards_of(query) > 1 else "",
        "All at once is the worst moment; people who read and type share it better.",
    )
