"""What a clock, an order of the operators or fewer bits bring."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..bench import Answering, call_of, needed
from ..query import Query, Role
from ..want import Want
from ..words import entries, spoken
from .changes import bare, techniques_of
from .deployment import of_a_case, stand_ins
from .passages import quoted, search
from .phrases import assumed, language_models, lines, model_shown, sentence, subject, table
from .templates import put

_CLOCKS = 4
_OF_A_STEP = (("clock_mhz", ""), ("energy_uj", "~"), ("latency_ms", ""), ("energy_delay", ""))
_PRODUCT = re.compile(r"\bedp\b|\benergy[- ]delay\b|\benergy (?:x|times|and) time\b", re.IGNORECASE)


def asks_frugal(query: Query) -> bool:
    """Whether to run fast and sleep, or slowly, is asked of a deployment, and no clock is named."""
    known = query.has(Role.MODEL) and query.has(Role.TARGET) and not query.has(Role.CLOCK_MHZ)
    return bool(known and "clock" in query.all(Role.VARIABLE) and spoken("race", query.question))


def frugal_clock(query: Query, _wants: Sequence[Want]) -> Answering:
    """The clock that needs the least energy, and why that is mostly the highest."""
    record = needed((yield call_of("sweep_frequency", query)))
    if not record.knows("best_energy_mhz"):
        return lines(
            f"Not known: no power of {record.ref('deployment.target')} is known.", assumed(query, record)
        )
    step, last = f"steps[{record['best_energy_mhz']:g}]", len(record["steps"]) - 1
    shown = sorted({round(last * i / (_CLOCKS - 1)) for i in range(_CLOCKS)}) if last > 0 else []
    energy = put(
        f"{{best_energy_mhz}} needs the least energy, {{{step}.energy_uj|~}} an inference in "
        f"{{{step}.latency_ms}}: {{where}}.", record, where=subject(query, record),
    )  # fmt: skip
    product = put("{best_energy_delay_mhz} has the least product of energy and time (EDP).", record)
    return lines(
        *((product, energy) if _PRODUCT.search(query.question) else (energy, product)),
        table(
            ("clock", "energy", "latency", "energy x time, uJ*s"),
            [[record.ref(f"steps[#{at}].{field}", unit) for field, unit in _OF_A_STEP] for at in shown],
        ),
        f"It rests on {record.ref('power_origin')}. {entries('of_energy')['clock_mhz']}",
    )


@of_a_case()
def order(query: Query, _wants: Sequence[Want]) -> Answering:
    """Whether another order of the operators lowers the peak."""
    record = needed((yield call_of("best_memory_order", query)))
    peak = f"the peak is {record.ref('before.peak_bytes')}"
    if record["saved_by_order_bytes"] or record["saved_by_packing_bytes"]:
        peak += f", {record.ref('after.peak_bytes')} in the best order"
    return lines(
        f"{record.ref('advice')} {sentence(peak + ': ' + subject(query, record))}", assumed(query, record)
    )


_QUALITY = re.compile(r"\bquality\b|\bperplexity\b|\bdumb\w*|\bstupid\w*|\bsmart\w*|\bdegrad\w+", re.I)


def asks_quality(query: Query, wants: Sequence[Want]) -> bool:
    """Whether it is what fewer bits do to the answers of a language model."""
    told = wants[:1] == (Want.ACCURACY,) or _QUALITY.search(query.question) is not None
    named = query.says(Role.WEIGHTS, Role.DTYPE) and not query.says(Role.KV)
    return told and named and bool(language_models(query))


_BITS = "what fewer bits cost a language model: quality that is lost in Q4"
_MOST_CHANGES = 3
_OTHERS_LOST = "what others lost: published accuracy of MobileNet and ResNet-50 with int8 and with pruning"


def accuracy(query: Query, _wants: Sequence[Want]) -> Answering:
    """Not known, as nothing runs the network on data; what others published of such a change, if anything."""
    if language_models(query) and (found := search(_BITS, 1)):
        return quoted(found[0])
    which = " which of them costs less: " if "which" in query.asks else ": "
    first = (
        f"I cannot tell{which}nothing here runs {model_shown(query) or 'the network'} on labelled data. "
        "Measure it on your own test set, before and after."
    )
    told: list[str] = []
    changes = tuple(techniques_of(query)) or query.cast.recent(Role.TECHNIQUE)
    if changes and query.has(Role.MODEL) and not query.has(Role.TARGET):
        query = query.put(Role.TARGET, (yield from stand_ins(query))[0])
    for technique in changes[:_MOST_CHANGES] if query.has(Role.MODEL) else ():
        record = yield call_of("simulate_optimizations", bare(query), technique=technique, goal="latency")
        if record.knows("options[#0].accuracy_risk"):
            told.append(f"{technique}: {record.ref('options[#0].accuracy_risk')}.")
    others = [] if told else search(_OTHERS_LOST, 1)
    return lines(first, *told, quoted(others[0]) if others else "")
