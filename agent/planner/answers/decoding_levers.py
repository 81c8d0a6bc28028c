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
from .decoding_room import kind_of
from .phrases import figure, lines, table
from .tokens import where

_RATE = "session_tokens_per_s"
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

    Empty where nothing of it fits, or its speed is not known.
    """
    found: list[tuple[Record, Query]] = []
    for _, one in named:
        record = yield from estimated(one)
        if record.result and holds(record) and record.knows(_RATE):
            found.append((record, one))
    if not found:
        return ""
    base, query = max(found, key=lambda each: each[0].number(_RATE) or 0.0)
    tried = [lever for lever in (yield from _tried(base, query)) if _gain(lever, base) >= _WORTH]
    tried.sort(key=lambda lever: -_gain(lever, base))
    now = f"Now {base.ref(_RATE, '~')}{' each' if (base['batch'] or 1) > 1 else ''}: {where(base)}."
    first = next((lever for lever in tried if lever.keeps), next(iter(tried), None))
    head = (
        f"First {first.change}: {figure(first.record, _RATE)}, {_times(first, base)}, at the cost of "
        f"{first.costs}."
        if first
        else "No setting brings much: its weights have few bits, and no smaller one of its family is known."
    )
    rows = [
        (
            one.change,
            one.record.ref(_RATE, "~"),
            _times(one, base),
            one.record.ref("total_bytes", "GiB"),
            one.costs,
        )
        for one in tried
    ]
    shown = (
        table(("change", "tokens/s each", "gain", "takes", "at the cost of"), rows) if len(rows) > 1 else ""
    )
    return lines(head, now, shown, (yield from _draft(base, query)), (yield from _faster(base, query)))


def _gain(lever: _Lever, base: Record) -> float:
    return (lever.record.number(_RATE) or 0.0) / (base.number(_RATE) or 1.0)


def _times(lever: _Lever, base: Record) -> str:
    return f"{{{{{lever.record.id}.{_RATE}/{base.id}.{_RATE}|x}}}} as fast"


def _tried(base: Record, query: Query) -> Generator[Call, Record, list[_Lever]]:
    """Fewer bits, a smaller cache, fewer at once, a shorter context, a smaller model: each alone."""
    fixed = {"weights": base["weights"], "kv": base["kv"], "context": int(base["context"])}
    cases: list[tuple[str, str, bool, dict[str, Any]]] = []
    runtime, stored = family_of(str(base["runtime"])), language_model_of(base)
    bits = weight_format(str(base["weights"]), runtime).bits
    fewer = [each.id for each in usual_of(runtime) if FEWEST_BITS <= each.bits <= _FEWER * bits]
    if fewer and stored:
        narrow = USUAL if USUAL in fewer else fewer[-1]
        cases.append((f"weights in {narrow}", "some quality", True, {"weights": narrow}))
    small = small_caches(runtime)[0]
    if kv_format(str(base["kv"])).bits > kv_format(small).bits:
        cases.append((f"the cache in {small}", "hardly any quality", True, {"kv": small}))
    many = int(base["batch"] or 1)
    if many > 1:
        cases.append((f"{many // 2} at once, the others wait", "their wait", False, {"batch": many // 2}))
    if query.has(Role.CONTEXT) or many > 1:
        half = int(base["context"]) // 2
        short = {"context": half, "prompt_tokens": min(half, int(base["prompt_tokens"]))}
        cases.append((f"contexts of {half:,} tokens", "what is forgotten sooner", False, short))
    if smaller := _smaller(str(base["model"])):
        cases.append((f"{smaller} in its place", "worse answers", False, {"model": smaller}))
    found = []
    for change, costs, keeps, given in cases:
        record = yield from estimated(query, **fixed | given)
        if record.result and holds(record) and record.knows(_RATE):
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


def _faster(base: Record, query: Query) -> Answering:
    """The cheapest hardware that writes twice as fast."""
    model, least = str(base["model"]), 2 * (base.number(_RATE) or 0.0)
    kind = kind_of(base, query)
    given = {"weights": base["weights"], "context": int(base["context"]), "batch": int(base["batch"] or 1)}
    given |= {"target_class": kind, "top": ALL} if kind else {}
    alone = query.without([Role.TARGET, Role.RAM_BYTES, Role.HOST, Role.CARDS, Role.RATE_HZ])
    told = yield from targets_for(alone, model, with_table=False, min_tokens_per_s=least, **given)
    return "" if told.startswith(NONE_RUNS) else f"Twice as fast: {told}"
