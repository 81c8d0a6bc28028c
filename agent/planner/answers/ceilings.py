"""What the memory's bandwidth allows a language model: the weights that a token reads, how often a second."""

from __future__ import annotations

from collections.abc import Sequence

from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from ..words import spoken
from .cases import estimated
from .phrases import lines, said

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


def of_use(record: Record, query: Query) -> Answering:
    """What share of the peak of its arithmetic writing uses, and up to how many at once a batch pays."""
    asked, rate = spoken("use_of_cards", query.question), "decode_tokens_per_s"
    told: list[str] = []
    if "peak" in asked and record.knows(rate):
        page, i = (yield call_of("get_target", query, target=record["target"])), record.id
        dtype = _TYPES.get(str(record["weights"]), "float16")
        rows = enumerate(page["peaks"] or ())
        at = next((at for at, row in rows if row["dtype"] == dtype and row["dense_gops"]), None)
        done = f"2*{i}.active_parameters*{i}.{rate}/{record['cards'] or 1}"
        peak = f"{page.id}.peaks[#{at}].dense_gops"
        used = f"Writing uses {{{{{done}/{peak}|%}}}} of the peak compute, {{{{{peak}}}}} dense in {dtype}"
        unknown = f"No peak in {dtype} is known of {page.ref('id')}."
        told.append(unknown if at is None else f"{used}: two operations a weight and token.")
    if "batch" in asked:
        many = needed((yield from estimated(query.without([Role.BATCH, Role.DEVICES]), crowds=True)))
        i = many.id
        if many["paying"]:
            why = ENDS.get(str(many["paying_bound"]), "I count no further")
            together = f"{{{{{i}.paying.{rate}|~}}}} together, {{{{{i}.paying.session_tokens_per_s}}}} each"
            times = f"{{{{{i}.paying.{rate}/{i}.crowds[#0].{rate}|x}}}} as much as one alone"
            up_to = (
                f"up to some {{{{{i}.paying.sessions|count}}}} at once of {many.ref('context')} tokens each"
            )
            told.append(f"Batching pays {up_to}, {together}, {times}: {why}.")
    return lines(*told)


_TYPES = {"FP8": "float8", "int8": "int8", "W8A8": "int8", "F32": "float32", "BF16": "bfloat16"}
ENDS = {"memory": "more do not fit", "speed": "beyond, twice as many bring less than a quarter more"}


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
