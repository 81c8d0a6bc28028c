"""What the memory's bandwidth allows a language model: the weights that a token reads, how often a second."""

from __future__ import annotations

from collections.abc import Sequence

from ..bench import Record
from ..query import Query, Role
from ..want import Want
from .phrases import said

_OF_A_CEILING = frozenset((Want.BOUND, Want.WHY_SLOWER, Want.INTENSITY, Want.UTILISATION))
_ASKS_CEILING = frozenset(("why", "bandwidth", "bound_at", "intensity", "peak", "compute"))
_BY_WEIGHTS = 0.5
"""Of the time of a step, that reading the weights takes."""
_PREFILL = (
    "Reading the prompt is arithmetic over all its tokens at once (prefill): the wait grows with its "
    "length, and more arithmetic shortens it, so a GPU helps and faster memory hardly does; writing is the "
    "other way round."
)
_BUSY = (
    " The {} that a monitor shows is how much of the time kernels run: they wait for memory, so a low one is "
    "no fault, and a high one says nothing of the arithmetic in use."
)


def ceiling(record: Record, query: Query, wants: Sequence[Want]) -> str:
    """What the bandwidth allows and why, where that is asked for."""
    if not (_OF_A_CEILING & set(wants) or _ASKS_CEILING & query.asks):
        return ""
    if "first_token" in query.asks:
        return _PREFILL
    if not record.knows("bandwidth_bytes_per_s", "weights_bytes", "decode_tokens_per_s"):
        return f"The bandwidth of {record.ref('target')} is not known." if record["result"] else ""
    shown = next((text for text in query.unread if "%" in text), said(query, Role.CLAIMED_PERCENT))
    i, together = record.id, (record["batch"] or 1) > 1
    read, most = read_bytes(record), most_per_second(record)
    active = " that one token uses" if record["active_parameters"] < 0.7 * record["parameters"] else ""
    step = f"every step, a token for each of {record.ref('batch')}," if together else "every token"
    unit = "{{" + f"1s*{most}|count" + "}} steps a second" if together else f"{{{{{most}|tokens/s}}}}"
    bound = "Not by the weights alone" if together and _reached(record) < _BY_WEIGHTS else "Memory-bound"
    bound = f"No, those hardly help writing: {bound.lower()}" if "compute" in query.asks else bound
    return (
        f"{bound}: {step} reads the {{{{{read}|GiB}}}} of weights{active}; at "
        f"{{{{{i}.bandwidth_bytes_per_s|GB/s}}}} that is at most {unit}, of which it reaches "
        f"{{{{{i}.decode_tokens_per_s/({i}.batch*{most})|%}}}}"
        f"{'; caches of the sessions and their arithmetic take the rest' if together else ''}. "
        "Fewer bytes a weight is what makes it faster"
        f"{', not more arithmetic' if {'why', 'compute'} & query.asks else ''}."
        f"{_BUSY.format(shown) if shown else ''}"
    )


def read_bytes(record: Record) -> str:
    """Bytes of weights that a step reads, as an expression."""
    return f"{record.id}.weights_bytes*{record.id}.active_parameters/{record.id}.parameters"


def most_per_second(record: Record) -> str:
    """Steps a second that the bandwidth allows, as an expression."""
    return f"{record.id}.bandwidth_bytes_per_s/({read_bytes(record)})"


def most_steps(record: Record) -> float:
    """The same; 0 where it is not known."""
    names = ("bandwidth_bytes_per_s", "weights_bytes", "active_parameters", "parameters")
    rate, read, active, all_of_them = (record.number(name) or 0.0 for name in names)
    return rate * all_of_them / (read * active) if read and active else 0.0


def _reached(record: Record) -> float:
    """The share of a step that reading the weights takes; 1 where it is not known."""
    steps, most = (record.number("decode_tokens_per_s") or 0.0) / (record["batch"] or 1), most_steps(record)
    return steps / most if steps and most else 1.0
