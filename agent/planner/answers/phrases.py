"""Pieces of sentences that answers have in common; every figure in them is a reference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ....tools.model_zoo.language_model import is_language_model
from ....tools.model_zoo.named import tokens_of
from ..bench import NOT_KNOWN, Record
from ..query import IN_USE, Query, Role

RETRAINING = "retraining"
ASSUMED = "Assumed: "
"""What begins with it is what nobody said and the figures depend on; `granted` alone writes it."""
BY_THEIRS = "By your figures"
"""What begins with it is reckoned from what the user measured, and judged there."""
ASKS = "Which model?"
VERDICT_WORDS = {
    "PASS": "Yes", "MARGINAL": "Probably, though not surely", "FAIL": "No",
    "UNKNOWN": "It cannot be told for sure",
}  # fmt: skip
ASKS_LANGUAGE_MODEL = "Which language model?"
_EXAMPLES = "`kws_ref_model.tflite`, `kws`, `mobilenet_v2:int8`"
_ADDED_UP = frozenset((Role.TAKEN_BYTES, Role.TAKEN_FLASH_BYTES, Role.TAKEN_MS, *IN_USE))


def model_shown(query: Query) -> str:
    return query.text(Role.MODEL).rpartition("/")[2]


def batch_of(record: Record) -> int:
    """How many inputs a run is of: its time and energy are those of all of them."""
    return int(record.number("deployment.batch") or 1)


def said(query: Query, *roles: Role) -> str:
    """The user's own words for the first slot of such a role; a value where none stand for it."""
    if roles[0] in _ADDED_UP:
        return joined(slot.text or f"{slot.value:g}" for slot in query.slots if slot.role in roles)
    slot = next((slot for role in roles for slot in query.slots if slot.role is role), None)
    if slot is None:
        return ""
    if isinstance(slot.value, float) and slot.text[1:2].islower():
        return slot.text[0].lower() + slot.text[1:]
    return slot.text or f"{slot.value:g}" if isinstance(slot.value, float) else str(slot.text or slot.value)


def subject(query: Query, record: Record, verb: str = "") -> str:
    """Which model on what: `kws on nrf52840, batch 8`; `verb` goes between the two."""
    deployed = record["deployment"] or {}
    does = f" {verb}" if verb else ""
    words = [f"{model_shown(query)}{does} on {record.ref('deployment.target')}"]
    if query.has(Role.RUNTIME):
        words[0] += f" with {record.ref('deployment.runtime')}"
    if query.has(Role.DTYPE) and str(record.arguments.get("dtype", "")):
        words.append(str(record.arguments["dtype"]))
    if tokens_of(query.text(Role.MODEL)) and record.arguments.get("input_size"):
        words.append(f"{record.arguments['input_size']} tokens")
    elif query.has(Role.SIDE) and record.arguments.get("input_size"):
        words.append(f"{record.arguments['input_size']}x{record.arguments['input_size']} input")
    if deployed.get("batch", 1) > 1:
        words.append(f"batch {record.ref('deployment.batch')}")
    if query.has(Role.CLOCK_MHZ):
        words.append(f"at {record.ref('deployment.clock_mhz', 'MHz')}")
    if deployed.get("threads", 1) > 1:
        words.append(f"{record.ref('deployment.threads')} threads")
    elif query.has(Role.THREADS):
        words.append("one thread")
    return ", ".join(words)


def figure(record: Record, path: str, unit: str = "", *, basis: bool = True) -> str:
    """The figure with its interval, and what it rests on."""
    if not record.knows(path):
        return NOT_KNOWN
    shown = record.ref(path, f"{unit}~")
    return f"{shown}, {record.ref(path + '.basis')}" if basis and record.knows(path + ".basis") else shown


def price(record: Record, path: str = "price_usd") -> str:
    """What it costs and what that buys, as in `5.79 USD a chip`."""
    of = f"{path.removesuffix('price_usd')}price_of"
    return f"{record.ref(path)} a {record.ref(of)}" if record.knows(path, of) else record.ref(path)


def ratio(over: Record, under: Record, path: str, other: str = "") -> str:
    """How many times as much; empty where one is not known or is nothing."""
    if not over.number(path) or not under.number(other or path):
        return ""
    return f"{{{{{over.id}.{path}/{under.id}.{other or path}|x}}}}"


def compared(over: Record, under: Record, path: str, more: str = "as much", less: str = "less") -> str:
    """How many times more or less the one is, told so that it is never below one; empty like `ratio`."""
    way = (over.number(path) or 0.0) >= (under.number(path) or 0.0)
    times = ratio(over, under, path) if way else ratio(under, over, path)
    return f"{times} {more if way else less}" if times else ""


def joined(parts: Iterable[str], last: str = "and") -> str:
    words = [part for part in parts if part]
    return f" {last} ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def lines(*parts: str) -> str:
    return "\n".join(part for part in parts if part)


def sentence(*parts: str) -> str:
    """Parts of one sentence, with a capital and a full stop."""
    words = ", ".join(part for part in parts if part)
    return f"{words[:1].upper()}{words[1:]}{'' if words.endswith('.') else '.'}" if words else ""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    body = [f"| {' | '.join(cells)} |" for cells in rows]
    return "\n".join([f"| {' | '.join(head)} |", f"|{'|'.join('---' for _ in head)}|", *body])


def relaxed(record: Record) -> list[str]:
    """Which limit would have to give, and by how much."""
    return [
        f"A limit of {record.ref(f'relaxations[#{i}].needed')} on {record.ref(f'relaxations[#{i}].limit')} "
        "alone would be met."
        for i in range(min(2, len(record["relaxations"] or ())))
    ]


def ask_model(instead: str = "") -> str:
    """The one question back where no model is named, with what can be said without it."""
    return lines(instead, f"{ASKS} Name a file or a network, such as {_EXAMPLES}.")


def in_time(takes: Sequence[float], most: float) -> str:
    """Whether what takes at least, likely and at most so long is done in time: surely where all of it is."""
    least, likely, longest = takes
    surely = "Yes" if longest <= most else "No" if least > most else ""
    return surely or ("Probably, though not surely" if likely <= most else "Probably not")


def language_models(query: Query) -> list[str]:
    """Networks named that write token by token, by name or as a file."""
    return [name for name in query.all(Role.MODEL) if is_language_model(name)]


def as_words(text: str) -> str:
    """Words of a file or a user stay words: nothing in them is a reference."""
    return text.replace("{{", "{ {").replace("}}", "} }")
