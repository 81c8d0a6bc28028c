"""What to change first where a language model is too slow: each change by itself, by what it brings."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from typing import Any, NamedTuple

from ....tools.generation.engine import family_of
from ....tools.generation.usual import FEWEST_BITS, USUAL, USUAL_DRAFT, small_caches, usual_of
from ....tools.model_zoo.language_model import language_model, language_model_names, load_catalogue
from ....tools.model_zoo.weight_format import kv_format, weight_format
from ..bench import Answering, Call, Record
from ..query import Query, Role
from ..words import patterns
from .cases import estimated, holds
from .decoding_choice import ALL, NONE_RUNS, targets_for
from .decoding_rates import claimed_wait
from .decoding_room import kind_of
from .phrases import figure, lines, said, table
from .tokens import where

_RATE, _WAIT = "session_tokens_per_s", "time_to_first_token_ms"
_WORTH, _FEWER = 1.1, 0.9
"""What a change has to bring, and the share of the bits that fewer are at most."""
_HALF = 0.6
"""Of its parameters that a smaller model of the family has at most."""
_SAYS = patterns("of_levers")


class _Lever(NamedTuple):
    change: str
    costs: str
    record: Record
    keeps: bool
    """Whether model, users and lengths stay as they are."""


def asks_levers(query: Query) -> bool:
    """Whether it is asked what would make it faster, and nothing is named that is to be tried."""
    tried = query.says(Role.WEIGHTS, Role.KV, Role.ENGINE, Role.GPU_LAYERS) and not query.says(Role.MODEL)
    question = query.question
    if tried or query.says(Role.CLAIMED_HZ):
        return False
    return bool(_SAYS["changes"].search(question)) and bool(_SAYS["slow"].search(question))


def levers(named: Sequence[tuple[str, Query]]) -> Answering:
    """Of the fastest that is named the changes that bring something, the one that brings most first.

    Of the wait for the first token where that is asked about, else of the rate. Empty where nothing of it
    fits, or its speed is not known.
    """
    found: list[tuple[Record, Query]] = []
    path = _WAIT if any("first_token" in one.asks for _, one in named) else _RATE
    for _, one in named:
        record = yield from estimated(one)
        if record.result and holds(record) and record.knows(path):
            found.append((record, one))
    if not found:
        return ""
    base, query = max(found, key=lambda each: _speed(each[0], path))
    tried = [lever for lever in (yield from _tried(base, query, path)) if _gain(lever, base, path) >= _WORTH]
    tried.sort(key=lambda lever: -_gain(lever, base, path))
    many = " each" if (base["batch"] or 1) > 1 and path == _RATE else ""
    length = f" until the first token of {base.ref('prompt_tokens')}" if path == _WAIT else ""
    now = f"Now {base.ref(path, '~')}{many}{length}: {where(base)}."
    first = next((lever for lever in tried if lever.keeps), next(iter(tried), None))
    head = (
        f"First {first.change}: {figure(first.record, path)}, {_times(first, base, path)}, at the cost of "
        f"{first.costs}."
        if first
        else "No setting brings much: its weights have few bits, and no smaller one of its family is known."
    )
    rows = [
        (
            one.change,
            one.record.ref(path, "~"),
            _times(one, base, path),
            one.record.ref("total_bytes", "GiB"),
            one.costs,
        )
        for one in tried
    ]
    heads = ("change", "first token" if path == _WAIT else "tokens/s each", "gain", "takes", "at the cost of")
    shown = table(heads, rows) if len(rows) > 1 else ""
    if path == _WAIT:
        claim = claimed_wait(base, query).partition(":")[0]
        return lines(
            f"{claim}." if claim else "",
            head,
            now,
            shown,
            _ARITHMETIC,
            (yield from _faster(base, query, path)),
        )
    return lines(head, now, shown, (yield from _draft(base, query)), (yield from _faster(base, query, path)))


_ARITHMETIC = (
    "Reading a prompt is arithmetic, which fewer bits of the weights do not spare. A beginning that is the "
    "same each time is read once where the engine keeps it (prompt cache)."
)


def _speed(record: Record, path: str) -> float:
    """What is to become more."""
    number = record.number(path) or 0.0
    return 1 / number if path == _WAIT and number else number


def _gain(lever: _Lever, base: Record, path: str) -> float:
    return _speed(lever.record, path) / (_speed(base, path) or 1.0)


def _times(lever: _Lever, base: Record, path: str) -> str:
    new, old = f"{lever.record.id}.{path}", f"{base.id}.{path}"
    return f"{{{{{f'{old}/{new}' if path == _WAIT else f'{new}/{old}'}|x}}}} as fast"


def _tried(base: Record, query: Query, path: str) -> Generator[Call, Record, list[_Lever]]:
    """Fewer bits, a smaller cache, fewer at once, a shorter context, a smaller model: each alone."""
    fixed = {"weights": base["weights"], "kv": base["kv"], "context": int(base["context"])}
    cases: list[tuple[str, str, bool, dict[str, Any]]] = []
    runtime, stored = family_of(str(base["runtime"])), language_model_of(base)
    bits = weight_format(str(base["weights"]), runtime).bits
    fewer = [each.id for each in usual_of(runtime) if FEWEST_BITS <= each.bits <= _FEWER * bits]
    if fewer and stored and path == _RATE:
        narrow = USUAL if USUAL in fewer else fewer[-1]
        cases.append((f"weights in {narrow}", "some quality", True, {"weights": narrow}))
    small = small_caches(runtime)[0]
    if path == _RATE and kv_format(str(base["kv"])).bits > kv_format(small).bits:
        cases.append((f"the cache in {small}", "hardly any quality", True, {"kv": small}))
    many = int(base["batch"] or 1)
    if many > 1:
        cases.append((f"{many // 2} at once, the others wait", "their wait", False, {"batch": many // 2}))
    if path == _WAIT:
        half = int(base["prompt_tokens"]) // 2
        cases.append((f"prompts of {half:,} tokens", "what is left out", True, {"prompt_tokens": half}))
    elif query.has(Role.CONTEXT) or many > 1:
        half = int(base["context"]) // 2
        short = {"context": half, "prompt_tokens": min(half, int(base["prompt_tokens"]))}
        cases.append((f"contexts of {half:,} tokens", "what is forgotten sooner", False, short))
    if smaller := _smaller(str(base["model"])):
        cases.append((f"{smaller} in its place", "worse answers", False, {"model": smaller}))
    found = []
    for change, costs, keeps, given in cases:
        record = yield from estimated(query, **fixed | given)
        if record.result and holds(record) and record.knows(path):
            found.append(_Lever(change, costs, record, keeps))
    return found


def language_model_of(record: Record) -> bool:
    """Whether the model is one by name, which can be had in another format."""
    return str(record["model"]) in language_model_names()


def _smaller(name: str) -> str:
    """The largest of its family with clearly fewer weights; empty where none is known."""
    if name not in language_model_names():
        return ""
    own = language_model(name)
    fewer = [
        each for each in load_catalogue().models
        if each.parameters <= _HALF * own.parameters and each.completes == own.completes
        and bool(each.encoder_parameters) == bool(own.encoder_parameters)
        and not each.encoder_positions
    ]  # fmt: skip
    for family in (r"[a-z]+[\d.]*", r"[a-z]+"):  # of its generation, else of its name
        begins = re.match(family, own.id)
        same = [each for each in fewer if begins and re.match(rf"{re.escape(begins[0])}(?![a-z])", each.id)]
        if same:
            return max(same, key=lambda each: each.parameters).id
    return ""


def _draft(base: Record, query: Query) -> Answering:
    """A small model that writes ahead, for one user."""
    if (base["batch"] or 1) > 1 or not language_model_of(base):
        return ""
    record = yield from estimated(query, weights=base["weights"], draft=USUAL_DRAFT)
    brings = record.result and record["draft"] and record["draft"]["accepted"]
    return f"Speculative decoding: {record.ref('draft.statement')}." if brings else ""


def _faster(base: Record, query: Query, path: str) -> Answering:
    """The cheapest hardware that is twice as fast."""
    model, rate = str(base["model"]), base.number(_RATE) or 0.0
    alone = query.without([Role.TARGET, Role.RAM_BYTES, Role.HOST, Role.HOST_BYTES, Role.CARDS, Role.RATE_HZ])
    words, demand = "Twice as fast", {"min_tokens_per_s": 2 * rate}
    if path == _WAIT:
        words = f"In {said(query, Role.LATENCY_MS)}" if query.has(Role.LATENCY_MS) else "In half the time"
        most = query.number(Role.LATENCY_MS) or (base.number(_WAIT) or 0.0) / 2
        alone, demand = alone.put(Role.LATENCY_MS, most), {"prompt_tokens": int(base["prompt_tokens"])}
    kind = kind_of(base, query)
    given = {"weights": base["weights"], "context": int(base["context"]), "batch": int(base["batch"] or 1)}
    given |= {"target_class": kind, "top": ALL} if kind else {}
    told = yield from targets_for(alone, model, with_table=False, **demand, **given)
    return "" if told.startswith(NONE_RUNS) else f"{words}: {told}"
