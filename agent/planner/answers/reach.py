"""What a clock, an order of the operators or fewer bits bring."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from ...patterns import compiled
from ..bench import Answering, call_of, needed
from ..query import Query, Role
from ..want import Want
from ..words import entries, spoken
from . import published
from .axes import several
from .deployment import of_a_case, stand_ins
from .passages import SURE, quoted, search
from .phrases import joined, language_models, lines, model_shown, said, sentence, subject, table
from .techniques import bare, techniques_of
from .templates import put

_CLOCKS = 4
_PRODUCT = compiled(r"\bedp\b|\benergy[- ]delay\b|\benergy (?:x|times|and) time\b", re.IGNORECASE)


def asks_frugal(query: Query) -> bool:
    """Whether to run fast and sleep, or slowly, is asked of one deployment."""
    network = query.has(Role.MODEL) and not language_models(query)
    known = network and query.has(Role.TARGET) and not several(query.without([Role.CLOCK_MHZ]))
    limited = Want.LIMIT in query.wants and query.has(Role.LATENCY_MS)
    return bool(known and spoken("race", query.question)) and not limited


def frugal_clock(query: Query, _wants: Sequence[Want]) -> Answering:
    """The clock that takes least, at a rate with what is drawn asleep, and what the slowest takes."""
    named, query = list(query.numbers(Role.CLOCK_MHZ)), query.without([Role.CLOCK_MHZ])
    several_said = named if len(named) > 1 else None
    asked = call_of("sweep_frequency", query, clocks_mhz=several_said)
    record = needed((yield replace(asked, used=asked.used | {Role.CLOCK_MHZ})))
    rated = record.knows("best_average_mhz")
    best = "best_average_mhz" if rated else "best_energy_mhz"
    if not record.knows(best):
        why = f"no power of {record.ref('deployment.target')} is known"
        limited = query.has(Role.RATE_HZ) and record.knows("steps[#0].energy_uj")
        why = "it cannot keep that rate" if limited else why
        return lines(f"Not known: {why}.")
    steps = record["steps"]
    able = [at for at, step in enumerate(steps) if step["meets_limits"]]
    top, field = next(at for at in able if steps[at]["clock_mhz"] == record[best]), _TAKEN[rated]
    slow = f", {{slower_takes|x}} as much at {{steps[#{able[0]}].clock_mhz}}" if top != able[0] else ""
    paced = f" on average at {said(query, Role.RATE_HZ)}, asleep in between" if rated else " an inference"
    word = next(word for most, word in _RACE if (record.number("slower_takes") or 1.0) <= most)
    if several_said and len(able) < len(steps):
        late = joined(record.ref(f"steps[#{at}].clock_mhz") for at in range(len(steps)) if at not in able)
        word = f"{word if len(able) > 1 else 'Faster'}, as {late} cannot keep up"
    word = f"{word}: " if "race" in spoken("race", query.question) else ""
    energy = put(
        f"{word}{{{best}}} takes least, {{steps[#{top}].{field}|~}}{paced}{slow}: {{where}}.",
        record, where=subject(query, record),
    )  # fmt: skip
    product = put("{best_energy_delay_mhz} has the least product of energy and time (EDP).", record)
    by_product = bool(_PRODUCT.search(query.question))
    shown = sorted({able[round((len(able) - 1) * i / (_CLOCKS - 1))] for i in range(_CLOCKS)})
    columns = (*_OF_A_STEP, ("average", field, "~")) if rated else _OF_A_STEP
    columns = (*columns, ("energy x time, uJ*s", "energy_delay", "")) if by_product else columns
    return lines(
        *((product, energy) if by_product else (energy,)),
        table(
            [head for head, _, _ in columns],
            [[record.ref(f"steps[#{at}].{path}", unit) for _, path, unit in columns] for at in shown],
        )
        if len(shown) > 1
        else "",
        f"It rests on {record.ref('power_origin')}. {entries('of_energy')['clock_mhz']}",
    )


_OF_A_STEP = (("clock", "clock_mhz", ""), ("energy", "energy_uj", "~"), ("latency", "latency_ms", ""))
_TAKEN = {True: "average_power_mw", False: "energy_uj"}
_RACE = ((0.97, "Slower is better"), (1.03, "The clock hardly matters"), (math.inf, "Faster is better"))
"""Up to which times what the highest clock takes the slowest does."""


@of_a_case()
def order(query: Query, _wants: Sequence[Want]) -> Answering:
    """Whether another order of the operators lowers the peak."""
    record = needed((yield call_of("best_memory_order", query)))
    peak = f"the peak is {record.ref('before.peak_bytes')}"
    if record["saved_by_order_bytes"] or record["saved_by_packing_bytes"]:
        peak += f", {record.ref('after.peak_bytes')} in the best order"
    return lines(f"{record.ref('advice')} {sentence(peak + ': ' + subject(query, record))}")


_QUALITY = compiled(r"\bquality\b|\bperplexity\b|\bdumb\w*|\bstupid\w*|\bsmart\w*|\bdegrad\w+", re.I)


def asks_quality(query: Query, wants: Sequence[Want]) -> bool:
    """Whether it is what fewer bits do to the answers of a language model."""
    first = next((want for want in wants if want is not Want.GENERATION), None)
    told = first is Want.ACCURACY or _QUALITY.search(query.question) is not None
    named = query.says(Role.WEIGHTS, Role.DTYPE) and not query.says(Role.KV)
    return told and named and bool(language_models(query))


_BITS = "what fewer bits cost a language model: quality that is lost in Q4"
_MOST_CHANGES = 3
_OTHERS_LOST = "what others lost: published accuracy of MobileNet and ResNet-50 with int8 and with pruning"


def accuracy(query: Query, _wants: Sequence[Want]) -> Answering:
    """What was published of the networks; else that nothing here runs them on data, and what others lost."""
    known = published.tells(query)
    fewer_bits = asks_quality(query, (Want.ACCURACY,)) or not known
    if language_models(query) and fewer_bits and (found := search(_BITS, 1)):
        return quoted(found[0])
    reached = (yield from published.published(query)) if known else ""
    if known and published.knows_changes(query):
        return reached
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
    if reached:
        blamed = query.says(Role.DTYPE, Role.TECHNIQUE) and len(set(query.all(Role.DTYPE))) < 2
        page = search(query.question, 1, SURE) if blamed else ()
        return lines(quoted(page[0]) if page else "", reached, *told)
    if told and len(set(query.all(Role.DTYPE))) > 1:
        return lines(*told, first.replace("I cannot tell", "Of this very network I cannot tell", 1))
    others = [] if told else search(_OTHERS_LOST, 1)
    return lines(first, *told, quoted(others[0]) if others else "")
