"""Language models to choose among: which run where, and how many people one serves."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any

from ....tools.model_zoo.language_model import language_model, load_catalogue
from ..bench import Answering, Call, Record, call_of, needed
from ..query import Query, Role
from ..words import spoken
from ..writing import READABLE, WORDS_A_TOKEN, in_words
from .cases import NARROW, asked, cards_of, demanded, estimated, kept_format, memory_of, settings
from .phrases import joined, lines, said, sentence, table
from .tokens import SPLIT, context_of, for_sessions, where

_RANKED, _ALL = 5, 1000
_KINDS = {
    r"\bmac(?:s|book\w*)?\b|\bapple\b": ("gpu-soc", r"apple-"), r"\bjetsons?\b": ("gpu-soc", r"jetson-"),
    r"\blaptops?\b|\bnotebooks?\b": ("gpu", r".*-laptop\b"),
}  # fmt: skip
"""Kinds of hardware by the words for them: their class, and what their ids are like."""
_MOST_SESSIONS = 4096
_ANY_RATE = 0.01
_SHORT = 512
BARE_MEMORY = "a100-sxm4-80gb"
"""For figures of memory, which the hardware does not change."""
_JUST = 0.1
"""What counts of a model that only just fits, or may be too slow."""
_TOO_LARGE = "it does not fit"
_FASTEST = re.compile(r"\b(?:fastest|quickest)\b", re.IGNORECASE)
_HEADS = {
    "model": "", "target": "", "session_tokens_per_s": "tokens/s", "weights": "weights",
    "total_bytes": "takes", "max_context": "longest context", "price_usd": "price",
}  # fmt: skip
_Ranked = Mapping[str, Any]


def _at_work(row: _Ranked) -> float:
    """A mixture of experts counts by what it has and what a token uses; what only just fits counts less."""
    model = language_model(str(row["model"]))
    return model.parameters * model.active_parameters * (1.0 if row["verdict"] == "PASS" else _JUST)


_ORDERS: Mapping[str, Callable[[_Ranked], float]] = {
    "the smallest": lambda row: -row["parameters"],
    "the fastest": lambda row: row["session_tokens_per_s"]["value"] or 0.0,
    "the one with the longest context": lambda row: row["max_context"] or 0,
    "the largest": lambda row: row["parameters"],
    "the one with most weights at work and room to spare": _at_work,
}


def models_on(query: Query) -> Answering:
    """Of those that write fast enough, or fit so much memory, the one to take first, and those behind it.

    Of a family or a size alone, where one is named, and of those alone that were made for the context. On
    what runs none, what the smallest would need.
    """
    places = list(dict.fromkeys(query.all(Role.TARGET)))
    if len(places) > 1:
        return (yield from _of_each_place(query, places))
    target, why = query.text(Role.TARGET), _order(query)
    given = ranked(query) | memory_of(query) | {"model": None, "target": target or BARE_MEMORY, "top": _ALL}
    if not target or (why == "the fastest" and not query.has(Role.RATE_HZ)):
        given |= {"min_tokens_per_s": _ANY_RATE, "weights": given["weights"] or NARROW}
    ranking = yield call_of("rank_generation", query, **given)
    if ranking.result is None:
        models = [model for model in load_catalogue().models if not model.encoder_positions]
        return (yield from none_runs(query, min(models, key=lambda model: model.parameters).id))
    meant = [at for at, row in enumerate(ranking["ranking"]) if _is_meant(str(row["model"]), query)]
    passing = [at for at in meant if at < int(ranking["passing"] or 0)]
    least = query.number(Role.CONTEXT) or 0.0
    rows = [at for at in passing if (context_of(ranking["ranking"][at]["model"]) or least) >= least]
    if not rows:
        return _none_passes(ranking, query, meant)
    order = sorted(rows, key=lambda at: _ORDERS[why](ranking["ranking"][at]), reverse=True)
    if why == _LAST:
        order = [order[0], *(at for at in rows if at != order[0])]
    order, best = _each_family_first(ranking, query, order), f"ranking[#{order[0]}]"
    rate = f"{ranking.ref(f'{best}.session_tokens_per_s', '~')} in " if target else ""
    then = "; the next by size" if why == _LAST and len(rows) > 1 else "; the next" if len(rows) > 1 else ""
    speed = ("session_tokens_per_s",) if target else ()
    fields = ("model", *speed, "weights", "total_bytes", "max_context")
    return lines(
        f"{ranking.ref(f'{best}.model')}, {_out_of(ranking, query, why, len(rows))}: {rate}"
        f"{ranking.ref(f'{best}.weights')}, {ranking.ref(f'{best}.total_bytes', 'GiB')} in all at "
        f"{ranking.ref('context')} tokens{then}:",
        _rows(ranking, order[:_RANKED], fields),
        f"Made for a shorter context: {len(passing) - len(rows)} more." if len(passing) > len(rows) else "",
        sentence(SPLIT) if cards_of(query) > 1 and target else "",
        "" if target else "Name the card, and I tell tokens a second.",
    )


def _of_each_place(query: Query, places: Sequence[str]) -> Answering:
    """The model to take on each of several targets, and of these the one with most of what is wanted."""
    why, found = _order(query), list[tuple[Record, int]]()
    for place in places:
        one = query.put(Role.TARGET, place)
        given = ranked(one) | memory_of(one) | {"model": None, "target": place, "top": _ALL}
        record = needed((yield call_of("rank_generation", one, **given)))
        meant = [at for at, row in enumerate(record["ranking"]) if _is_meant(str(row["model"]), query)]
        passing = [at for at in meant if at < int(record["passing"] or 0)]
        if passing:
            found.append((record, max(passing, key=lambda at: _ORDERS[why](record["ranking"][at]))))
    if not found:
        return f"No {_kind(query).format('model')} that I know does that on {joined(places, 'or')}."
    found.sort(key=lambda pair: _ORDERS[why](pair[0]["ranking"][pair[1]]), reverse=True)
    record, at = found[0]
    best = f"ranking[#{at}]"
    pace = f"{record.ref(f'{best}.session_tokens_per_s', '~')} in {record.ref(f'{best}.weights')}"
    head = ["board", *(_HEADS[field] or field for field in _OF_A_PLACE)]
    cells = [
        [row.ref("target"), *(row.ref(f"ranking[#{n}].{field}") for field in _OF_A_PLACE)] for row, n in found
    ]
    more = record["ranking"][at]["verdict"] != "PASS"
    return lines(
        f"{record.ref(f'{best}.model')} on {record.ref('target')}: {why} of what writes "
        f"{_pace(record, query)} or more there, with {pace}{', though it only just does' if more else ''}.",
        table(head, cells),
    )


_OF_A_PLACE = ("model", "session_tokens_per_s", "weights", "total_bytes")
_LAST = list(_ORDERS)[-1]


def _order(query: Query) -> str:
    """What the first is to have most of, by the words for it."""
    asked = {
        "the smallest": "smallest" in query.asks, "the fastest": _FASTEST.search(query.question),
        "the largest": query.has(Role.FAMILY) and spoken("sized", query.question),
        "the one with the longest context": "longest" in query.asks,
    }  # fmt: skip
    return next((why for why, is_asked in asked.items() if is_asked), _LAST)


def _is_meant(name: str, query: Query) -> bool:
    """Of a family and between the sizes that are named."""
    families, sizes = query.all(Role.FAMILY), [1e9 * size for size in query.numbers(Role.BILLIONS)]
    of_them = not families or name.startswith(families)
    return of_them and (not sizes or min(sizes) <= language_model(name).parameters <= max(sizes))


def _each_family_first(ranking: Record, query: Query, order: Sequence[int]) -> list[int]:
    """Of several families the first of each before the others."""
    firsts: dict[str, int] = {}
    for at in order:
        name = str(ranking["ranking"][at]["model"])
        firsts.setdefault(next(filter(name.startswith, query.all(Role.FAMILY)), ""), at)
    return [*firsts.values(), *(at for at in order if at not in firsts.values())]


def _kind(query: Query) -> str:
    """Which models are meant, in words: qwen or gemma models of 7B."""
    sizes = [slot.text for slot in query.slots if slot.role is Role.BILLIONS]
    family = joined(query.all(Role.FAMILY), "or") or "language"
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
    if ranking["min_tokens_per_s"] == _ANY_RATE:
        return f"{of_them} fit {place}" if count > 1 else f"{of_them} fits {place}"
    return f"{of_them} write{'' if count > 1 else 's'} {_pace(ranking, query)} or more on {place}"


def _pace(ranking: Record, query: Query) -> str:
    least = ranking.ref("min_tokens_per_s", "tokens/s")
    if in_words(query, Role.RATE_HZ):
        least += f" ({said(query, Role.RATE_HZ)} at {WORDS_A_TOKEN:g} words a token)"
    return least


def _none_passes(ranking: Record, query: Query, meant: Sequence[int]) -> str:
    kind, place = _kind(query).format("model"), _place(ranking, query)
    if not query.has(Role.TARGET):
        return f"No {kind} that I know fits {place} with {ranking.ref('context')} tokens of context."
    first = f"No {kind} that I know surely writes {_pace(ranking, query)} on {place}."
    rows = {at: ranking["ranking"][at] for at in meant if ranking["ranking"][at]["reason"] != _TOO_LARGE}
    if not rows:
        return lines(first, "None of them fits." if meant else "")
    near = max(rows, key=lambda at: rows[at]["session_tokens_per_s"]["value"] or 0.0)
    name, rate = (ranking.ref(f"ranking[#{near}].{field}") for field in ("model", "session_tokens_per_s"))
    if rows[near]["session_tokens_per_s"]["value"] is None:
        return lines(first, f"{name} fits, at a speed not known.")
    return lines(first, f"{name} comes nearest: {rate} in {ranking.ref(f'ranking[#{near}].weights')}.")


def ranked(query: Query) -> dict[str, Any]:
    """Arguments of `rank_generation`, as far as the question says them."""
    named = {"weights": None} if kept_format(query) else {}
    rate, price = query.number(Role.RATE_HZ), query.number(Role.PRICE_USD)
    return settings(query) | named | {"min_tokens_per_s": rate, "max_price_usd": price}


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
    cheapest = f"{could.ref('ranking[#0].target')} ({could.ref('ranking[#0].price_usd')})"
    rate = could.ref("ranking[#0].session_tokens_per_s", "~")
    return lines(first, f"The cheapest that I know to run it well: {cheapest}, {rate}.")


def targets_for(query: Query, model: str, *, with_table: bool = True, **more: Any) -> Answering:
    """The cheapest that is fast enough for a model, of the kind that is named, and those behind it."""
    kinds = (kind for words, kind in _KINDS.items() if re.search(words, query.question, re.I))
    of_kind, named = next(kinds, ("", ""))
    of_class = {"target_class": of_kind, "top": _ALL} if of_kind else {}
    given = ranked(query) | {"model": model, "target": None} | of_class
    record = needed((yield call_of("rank_generation", query, **given | more)))
    rows = record["ranking"] or ()
    passing = enumerate(rows[: int(record["passing"] or 0)])
    fit = [at for at, row in passing if re.match(named, row["target"])]
    if not fit:
        failing = rows and rows[0]["reason"]
        why = f" {record.ref('ranking[#0].target')}: {record.ref('ranking[#0].reason')}." if failing else ""
        return f"None of them runs {record.ref('model')} so.{why}"
    priced = record.knows(f"ranking[#{fit[0]}].price_usd")
    fit = fit if priced else sorted(fit, key=lambda at: rows[at]["session_tokens_per_s"]["value"] or 0.0)
    best = f"ranking[#{fit[0]}]"
    cost = f", {record.ref(f'{best}.price_usd')}" if priced else ", the slowest that does; no price is known"
    first = (
        f"{record.ref(f'{best}.target')}{cost}: {record.ref(f'{best}.session_tokens_per_s', '~')} of "
        f"{record.ref('model')} in {record.ref(f'{best}.weights')}."
    )
    fields = ("target", "session_tokens_per_s", "weights", "price_usd")
    unpriced = f"{record.ref('assumptions[#0]')}." if priced and record["assumptions"] else ""
    return lines(first, _rows(record, fit[:_RANKED], fields), unpriced) if with_table else first


def _rows(record: Record, rows: Sequence[int], fields: Sequence[str]) -> str:
    cells = [[record.ref(f"ranking[#{at}].{field}") for field in fields] for at in rows]
    return table([_HEADS[field] for field in fields], cells)


def sessions(query: Query) -> Answering:
    """The most people at once that each get a rate, and what ends it: speed or memory."""
    least, words = demanded(query)
    least, words = least or READABLE, words or f"{READABLE:g} tokens/s, which reads along"
    one = needed((yield from estimated(query, batch=1)))
    if not _serves(one, least):
        slow = f"it writes {one.ref('decode_tokens_per_s', '~')}"
        why = "it does not fit" if one["verdict"] == "FAIL" else slow
        return f"None at {words}: for one alone {why}, {where(one, cards_of(query))}."
    best, beyond = yield from _most(query, one, least)
    ends = "I count no further"
    if beyond is not None:
        full = not _holds(beyond)
        ends = (
            f"more do not fit, as {beyond.ref('headroom')}"
            if full
            else "with more of them each falls below that"
        )
    return lines(
        f"{best.ref('batch')} at once: each gets {best.ref('session_tokens_per_s', '~')} against "
        f"{words}; {ends}: {where(best, cards_of(query))}.",
        f"{best.ref('context')} tokens of context each: {best.ref('kv_cache_bytes', 'GiB')} of key-value "
        f"cache{for_sessions(best)} beside {best.ref('weights_bytes', 'GiB')} of weights, of "
        f"{best.ref('ram_bytes', 'GiB')}.",
        sentence(SPLIT) if cards_of(query) > 1 else "",
        "All at once is the worst moment; people who read and type share it better.",
    )


def _serves(record: Record, least: float) -> bool:
    rate = record.number("session_tokens_per_s")
    return _holds(record) and rate is not None and rate >= least


def _holds(record: Record) -> bool:
    """Whether it goes into what the runtime takes of the memory."""
    return (record.number("total_bytes") or 0.0) <= (record.number("usable_bytes") or 0.0)


def _most(query: Query, one: Record, least: float) -> Generator[Call, Record, tuple[Record, Record | None]]:
    """The largest count that serves, by doubling and halving, and the next that was tried and does not."""
    best, beyond = one, None
    low, high = 1, _MOST_SESSIONS + 1
    while high - low > max(1, low // 50):
        batch = 2 * low if beyond is None else (low + high) // 2
        if batch > _MOST_SESSIONS:
            break
        fixed = {"weights": one["weights"], "batch": batch, "context": int(one["context"])}
        record = needed((yield call_of("estimate_generation", query, **asked(query) | fixed)))
        if _serves(record, least):
            best, low = record, batch
        else:
            beyond, high = record, batch
    return best, beyond
