"""What all cores of an accelerator do, where each of them takes an inference of its own."""

from __future__ import annotations

from collections.abc import Sequence

from ...figure_units import Family
from ...quantities import find_figures
from ..bench import Answering, Record, call_of, needed
from ..query import LIMITS, Query, Role
from ..want import Want
from .phrases import figure, lines, subject
from .templates import put

_OTHERS = frozenset((Want.FITS, Want.ENERGY, Want.POWER, Want.RAM, Want.FLASH, Want.PRICE, Want.CONCEPT))


def asks(query: Query, wants: Sequence[Want]) -> bool:
    """Whether it is what the cores of an accelerator bring to one network on one target."""
    placed = query.has(Role.MODEL) and len(set(query.all(Role.TARGET))) == 1
    open_ = not query.has(*LIMITS, Role.DEVICES, Role.RUNS)
    several = query.says(Role.NPU_CORES) and query.number(Role.NPU_CORES) != 1
    return several and placed and open_ and not _OTHERS & set(wants[:1])


def all_cores(query: Query, wants: Sequence[Want]) -> Answering:
    """How many times one core that is, in inferences a second; the time of one stays."""
    record = needed((yield call_of("estimate_performance", query)))
    where = subject(query, record)
    word = _word(query, record)
    many = put(
        "{at_once_gain|x~} the inferences of one core with all {at_once} at once, "
        "{at_once_per_second|fps~} in place of {inferences_per_second|fps}", record,
    )  # fmt: skip
    if not many:
        return f"{figure(record, 'latency_ms')}: {where}."
    one = put("{latency_ms|~}, as it runs on one core; split over several it is not modelled", record)
    together = f"{word}{many}: {where}."
    if wants[:1] == (Want.LATENCY,) and not word:
        first = put("{latency_ms|~}, on one core: ", record)
        alone = "One picture is no faster by that: each core takes one of its own."
        return lines(f"{first}{where}.", f"That makes {many}.", alone)
    return lines(together, f"One inference takes {one}.")


def _word(query: Query, record: Record) -> str:
    """Whether the factor that is asked for is reached."""
    asked = next((f for f in find_figures(query.question) if f.family is Family.FACTOR), None)
    ends, gain = record.ends("at_once_gain"), record.number("at_once_gain")
    if asked is None or ends is None or gain is None:
        return ""
    if gain >= asked.value:
        return f"Yes, {asked.text}: "
    return f"{'Nearly' if ends[1] >= asked.value else 'No, not'} {asked.text}: "
