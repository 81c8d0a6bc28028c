"""Cases of language models: every combination of what is named, and what the estimate of each is given."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from functools import partial
from itertools import product
from typing import Any

from ....hardware_db.schema import TargetClass
from ....tools.generation.usual import FEWEST_BITS, MOST_CARDS, USUAL, small_caches
from ....tools.model_zoo.weight_format import weight_format
from ..bench import Call, Record, call_of
from ..language_places import SAME_MEMORY
from ..owners import of_target
from ..paces import pace_in
from ..query import Query, Role
from ..words import spoken
from ..writing import READABLE
from .phrases import language_models, said

_VARIED = (
    Role.MODEL, Role.TARGET, Role.WEIGHTS, Role.KV, Role.ENGINE, Role.CONTEXT, Role.PROMPT, Role.BATCH,
    Role.RAM_BYTES, Role.BANDWIDTH, Role.GPU_LAYERS,
)  # fmt: skip
_WORDS = {Role.CONTEXT: "tokens of context", Role.PROMPT: "tokens of prompt", Role.BATCH: "sessions"}
_OF_TYPES = {"float32": "F32", "float16": "F16", "bfloat16": "BF16", "int8": "int8", "int4": "int4"}
USUAL_CONTEXT = 4096
NARROW = USUAL
"""What most people take."""
_SHORT = 512
"""Tokens of a prompt, and of an answer."""


def kinds(query: Query) -> list[tuple[str, Query]]:
    """Every combination of what is named more than once, as a name and a query of its own."""
    varied = [(role, values) for role in _VARIED if len(values := values_of(query, role)) > 1]
    found = []
    for combination in product(*(values for _, values in varied)):
        chosen = {role: value for (role, _), value in zip(varied, combination, strict=True)}
        if not _go_together(query, chosen):
            continue
        one = of_target(query, str(chosen[Role.TARGET])) if Role.TARGET in chosen else query
        for (role, _), value in zip(varied, combination, strict=True):
            one = one.put(role, value, text=text_of(query, role, value))
        names = [_name(query, role, value) for (role, _), value in zip(varied, combination, strict=True)]
        many = f"{cards_of(one)} x " if cards_of(one) > 1 and Role.TARGET in dict(varied) else ""
        found.append((f"{many}{', '.join(names)}", one))
    return found


def _go_together(query: Query, values: Mapping[Role, float | str]) -> bool:
    """Whether a format is that of the model, where each has its own."""
    model, weights = values.get(Role.MODEL), values.get(Role.WEIGHTS)
    texts = {slot.text for slot in query.slots if slot.role is Role.MODEL and slot.value == model}
    own = {slot.value for slot in query.slots if slot.role is Role.WEIGHTS and slot.of in texts}
    return weights is None or not own or weights in own


def values_of(query: Query, role: Role) -> list[float | str]:
    """What is named for a role; sizes of memory where a target comes in several."""
    if role is Role.MODEL:
        return list(dict.fromkeys(language_models(query)))
    if role is Role.RAM_BYTES and (_is_card(query) or len(values_of(query, Role.TARGET)) != 1):
        return []
    return list(dict.fromkeys(slot.value for slot in query.slots if slot.role is role))


def text_of(query: Query, role: Role, value: float | str) -> str:
    """The user's own words; they say whether thousands are meant by 1,024."""
    return next((slot.text for slot in query.slots if slot.role is role and slot.value == value), "")


def _name(query: Query, role: Role, value: float | str) -> str:
    shown = str(value) if isinstance(value, str) else text_of(query, role, value) or f"{value:g}"
    if role is Role.GPU_LAYERS and shown.isdigit():
        return f"{shown} layers on the card"
    if role is Role.BATCH and value == 1:
        return "1 session"
    return f"{shown} {_WORDS[role]}" if role in _WORDS else shown


def cards_of(query: Query) -> int:
    """How many of the target are meant."""
    target = next((slot for slot in query.slots if slot.role is Role.TARGET), None)
    names = ("", target.text, target.value) if target else ("",)
    of_it = (slot for slot in query.slots if slot.role is Role.CARDS and slot.of in names)
    return int(min(next((slot.number for slot in of_it), 1.0), MOST_CARDS + 1))


def _is_card(query: Query) -> bool:
    found = query.targets.get(query.text(Role.TARGET))
    return found is not None and found.target_class is TargetClass.GPU


def memory_of(query: Query) -> dict[str, int]:
    """How many there are, and what each has of the user's own; no size that goes with the name."""
    found, cards = query.targets.get(query.text(Role.TARGET)), cards_of(query)
    several = {"cards": cards} if cards > 1 else {}
    several |= {"reserve_bytes": int(kept)} if (kept := query.number(Role.TAKEN_BYTES)) else {}
    own = query.number(Role.RAM_BYTES) or 0.0
    known = found.ram_bytes or 0 if found else 0
    others = _is_card(query) and own > cards * known * (1 + SAME_MEMORY)
    if found and (others or len(set(query.all(Role.TARGET))) > 1 or abs(own - known) < SAME_MEMORY * own):
        return several
    return several | ({"memory_bytes": int(own)} if own else {})


def is_narrow(weights: str) -> bool:
    """Whether it has fewer bits than most quality takes."""
    return bool(weights) and weight_format(weights).bits < FEWEST_BITS


def is_format_named(query: Query) -> bool:
    return query.has(Role.DTYPE, Role.WEIGHTS)


def demanded(query: Query) -> tuple[float | None, str]:
    """Tokens a second that are wanted, and in whose words: of typing or reading where only that is."""
    if query.has(Role.RATE_HZ):
        return query.number(Role.RATE_HZ), said(query, Role.RATE_HZ)
    if pace := pace_in(query.question):
        return pace.tokens_per_s, pace.told
    if spoken("readable", query.question):
        return READABLE, f"{READABLE:g} tokens/s, which reads along"
    return None, ""


def settings(query: Query) -> dict[str, Any]:
    """Formats, lengths and sessions, as far as the question says them."""
    context, prompt, written = map(partial(tokens_of, query), (Role.CONTEXT, Role.PROMPT, Role.WRITTEN))
    said_all = context is None and prompt and written
    if prompt and (said_all or prompt > (context or USUAL_CONTEXT)):
        context = prompt + (written or 0)
    split, weights = query.has(Role.GPU_LAYERS), query.text(Role.WEIGHTS)
    of_now = query.says(Role.DEVICES) and not query.says(Role.BATCH)
    counts = (Role.DEVICES, Role.BATCH) if of_now else (Role.BATCH, Role.DEVICES)
    sessions = None if split else query.number(counts[0]) or query.number(counts[1])
    return {
        "context": context, "batch": _whole(sessions),
        "weights": weights or _OF_TYPES.get(query.text(Role.DTYPE)),
        "kv": query.text(Role.KV) or None, "runtime": query.text(Role.ENGINE) or None,
    }  # fmt: skip


def asked(query: Query) -> dict[str, Any]:
    """Arguments of `estimate_generation`, as far as the question says them."""
    return (
        settings(query)
        | {
            "model": language_models(query)[0],
            "prompt_tokens": tokens_of(query, Role.PROMPT),
            "gpu_layers": _whole(query.number(Role.GPU_LAYERS)),
            "bandwidth_gb_s": None if _is_card(query) else query.number(Role.BANDWIDTH),
        }
        | memory_of(query)
    )


def estimated(query: Query, **more: Any) -> Generator[Call, Record, Record]:
    """As it is asked; what was not said now gives way where it does not go.

    Many sessions' context becomes short, and the cache of a context that was spoken of before has 8 bits.
    """
    given = asked(query) | more
    tried: list[dict[str, Any]] = [{}]
    if given["context"] is None and (given.get("batch") or 1) > 1:
        tried.append({"context": (given["prompt_tokens"] or _SHORT) + _SHORT})
    if query.has(Role.CONTEXT) and not query.says(Role.CONTEXT) and not query.has(Role.KV):
        tried.append({"kv": small_caches(query.text(Role.ENGINE))[0]})
    records = []
    for other in tried:
        records.append((yield call_of("estimate_generation", query, **given | other)))
        if records[-1].result and holds(records[-1]):
            return (yield from _nearest_claim(records[-1], query, given | other))
    return next((record for record in records if record.result and record["verdict"] != "FAIL"), records[0])


def holds(record: Record) -> bool:
    """Whether it all fits what the runtime takes by default."""
    total, usable = record.number("total_bytes") or 0.0, record.number("usable_bytes")
    return record["verdict"] != "FAIL" and (usable is None or total <= usable)


def lies_beside(record: Record) -> bool:
    """Whether what it computes on alone does not hold it: a computer around the card may hold the rest."""
    ram = record.number("ram_bytes")
    return record["verdict"] == "FAIL" or (ram is not None and (record.number("total_bytes") or 0.0) > ram)


def _nearest_claim(record: Record, query: Query, given: dict[str, Any]) -> Generator[Call, Record, Record]:
    """Of a speed that is claimed, in the widest format that fits where that comes nearer."""
    claimed = query.number(Role.CLAIMED_HZ) or 0.0
    if not claimed or given["weights"] or record["widest_weights"] in (None, record["weights"]):
        return record
    wide = yield call_of("estimate_generation", query, **given | {"weights": record["widest_weights"]})
    slow, fast = (row.number("session_tokens_per_s") or 0.0 for row in (wide, record))
    return wide if claimed < (slow * fast) ** 0.5 else record


def _whole(number: float | None) -> int | None:
    return None if number is None else int(number)


def tokens_of(query: Query, role: Role) -> int | None:
    """8k tokens are 8192; none are no length."""
    number = query.number(role)
    if not number:
        return None
    return int(number * 1.024) if said(query, role).lower().endswith("k") else int(number)
