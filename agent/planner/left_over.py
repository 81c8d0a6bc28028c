"""What a question said and no answer used: it is named, never dropped in silence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..names import Kind, Name
from .intent import Intent
from .query import LIMITS, Query, Role

_BATTERY = frozenset(
    (
        Role.BATTERY, Role.SERIES, Role.CELLS, Role.LIFE_MS, Role.ACTIVE_UA, Role.ACTIVE_MW, Role.SUPPLY_V,
        Role.SLEEP_UA, Role.CHARGE_MAH, Role.BATTERY_V,
    )
)  # fmt: skip
_SUBJECT = frozenset((Role.MODEL, Role.TARGET, Role.RUNTIME))
_OWN_POWER = frozenset((Role.ACTIVE_UA, Role.ACTIVE_MW, Role.SUPPLY_V))
HONOURED: dict[Intent, frozenset[Role]] = {
    Intent.LATENCY: frozenset((Role.CLAIMED_MS, Role.CLAIMED_HZ, Role.RUNS)),
    Intent.ENERGY: _OWN_POWER | {Role.RATE_HZ},
    Intent.BATTERY: _BATTERY,
    Intent.MEMORY: frozenset((Role.RAM_BYTES, Role.TAKEN_BYTES, Role.FLASH_BYTES)),
    Intent.WHATIF: frozenset((Role.TECHNIQUE, Role.DTYPE, Role.SIDE, Role.CLOCK_MHZ, Role.RUNTIME)),
    Intent.FIT: frozenset((Role.RAM_BYTES, Role.TAKEN_BYTES, Role.FLASH_BYTES)),
    Intent.COMPARE: _SUBJECT | {Role.DTYPE, Role.THREADS, Role.BATCH, Role.CLOCK_MHZ},
    Intent.DIFF: _SUBJECT,
    Intent.ACCURACY: _SUBJECT | {Role.DTYPE},
    Intent.RECOMMEND: _BATTERY | {Role.RATE_HZ, Role.TARGET},
    Intent.BOTTLENECK: frozenset((Role.CLAIMED_PERCENT,)),
    Intent.HARDWARE: frozenset(
        (Role.TARGET, Role.CLAIMED_GOPS, Role.CLOCK_MHZ, Role.FLASH_BYTES, Role.RAM_BYTES, Role.PRICE_USD)
    ),
    Intent.MODEL: frozenset((Role.LAYER,)),
    Intent.IMPORT: frozenset((Role.TRACE,)),
    Intent.GENERATION: frozenset((Role.MODEL, Role.TARGET, Role.DTYPE, Role.CONTEXT)),
}  # fmt: skip
"""Roles that an answer uses beside those that went into its calls."""
_ACCOUNTED_FOR = frozenset(
    (
        Intent.EXPLAIN, Intent.THANKS, Intent.HELP, Intent.OUTSIDE, Intent.SUMMARY,
        Intent.LIST_RUNTIMES, Intent.LIST_TARGETS, Intent.SAME,
    )
)  # fmt: skip
"""Answers in words, which use no figure."""
_COMMANDS = {
    **dict.fromkeys(LIMITS, "`edgewright check` judges limits"),
    Role.BATCH: "`edgewright estimate --batch` takes one",
    Role.THREADS: "`edgewright estimate --threads` takes them",
    Role.CLOCK_MHZ: "`edgewright estimate --clock` takes one",
    Role.BATTERY: "`edgewright energy` takes batteries",
    Role.CHARGE_MAH: "`edgewright energy` takes batteries",
    Role.SLEEP_UA: "`edgewright energy --sleep-ua` takes it",
    Role.DTYPE: "a file keeps the type that it has: name the network to change it",
    Role.SIDE: "`edgewright optimize --technique input-HEIGHTxWIDTH` changes it",
    Role.WIDTH: "`edgewright optimize --technique width-PERCENT` changes it",
    Role.TAKEN_BYTES: "`edgewright check --reserve` takes it",
}


def not_used(query: Query, intents: Sequence[Intent], used: Iterable[Role]) -> str:
    """One line on what was said and not used; empty where all was."""
    if all(intent in _ACCOUNTED_FOR for intent in intents):
        return ""
    taken = set(used).union(*(HONOURED.get(intent, frozenset()) for intent in intents))
    left = [slot for slot in query.slots if slot.text and not slot.inherited and slot.role not in taken]
    said = [f"*{slot.text}*" for slot in left]
    said += [f"*{text}*" for text in query.unread]
    said += [f"*{name.text}* (unknown{_nearest(name)})" for name in query.unknown]
    if not said:
        return ""
    commands = dict.fromkeys(_COMMANDS[slot.role] for slot in left if slot.role in _COMMANDS)
    more = f" ({'; '.join(list(commands)[:2])})" if commands else ""
    return f"I did not take into account: {', '.join(dict.fromkeys(said))}{more}."


def unknown(names: Sequence[Name]) -> str:
    """What is not known, with what is spelt most like it."""
    said = []
    for name in names:
        what = "chip or board" if name.kind is Kind.TARGET else "network"
        said.append(f"I do not know the {what} {name.text}{_nearest(name)}.")
    kinds = {name.kind for name in names}
    if Kind.TARGET in kinds:
        said.append(
            "`edgewright targets list` shows all that I know, `edgewright targets add` describes one "
            "of your own."
        )
    if Kind.MODEL in kinds:
        said.append("Any .tflite or .onnx file will do in place of a name.")
    return " ".join(said)


def _nearest(name: Name) -> str:
    return f"; nearest in spelling: {', '.join(name.nearest)}" if name.nearest else ""
