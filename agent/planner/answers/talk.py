"""Answers without a calculation: concepts and the product from its pages, and what is said between people."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..bench import Answering, Call, call_of, needed
from ..query import Query, Role
from .phrases import ask_model, ask_target, joined, lines, model_shown, quantity, subject

if TYPE_CHECKING:
    from ...library import Passage

_APT = 0.5
"""How much of a question a page has to speak of where nothing else was understood."""
_LONGEST = 90
"""Words of a page that are quoted."""
CAN = (
    "I tell whether a neural network fits a chip or board, how fast it runs, what energy and battery it "
    "takes, what holds it back, what a change brings, and which hardware to take."
)
_TRY = (
    "*does vww fit on an esp32-s3 at 5 fps?*",
    "*how long does a CR2032 last with kws once a minute on an nrf52840?*",
    "*compare raspberry-pi-5 and jetson-orin-nano for yolov8n*",
)


def explain(query: Query) -> Answering:
    """What the pages say, named; nothing where they say nothing."""
    yield from ()
    found = _pages(query, 2)
    if not found:
        return lines("My pages say nothing on that.", CAN)
    best = found[0]
    text = best.summary.strip() or _first_words(best.text)
    return lines(text, f"From {best.place}.")


def _pages(query: Query, limit: int) -> Sequence[Passage]:
    from ...library import search_pages

    return search_pages(query.question, limit=limit)


def _first_words(text: str) -> str:
    words = text.split()
    return " ".join(words[:_LONGEST]) + (" …" if len(words) > _LONGEST else "")


def accuracy(query: Query) -> Answering:
    """Unknown: no tool runs the network on data; what others published of such a change, where "
    "there is any."""
    name = model_shown(query) or "the model"
    first = f"I cannot tell: nothing here runs {name} on labelled data, and its accuracy depends on yours."
    technique = query.text(Role.TECHNIQUE)
    if technique and query.has(Role.MODEL) and query.has(Role.TARGET):
        record = yield call_of("simulate_optimizations", query, technique=technique, goal="latency")
        if record.result is not None and record["options"] and record["options"][0]["accuracy_risk"]:
            return lines(first, f"Published of {technique}: {record.ref('options[#0].accuracy_risk')}.")
    return lines(first, "Measure it on your own test set, before and after.")


def summary(query: Query) -> Answering:
    """The figures of what the conversation is about, once more and in one place."""
    if not query.has(Role.MODEL):
        return ask_model()
    if not query.has(Role.TARGET):
        return ask_target(query)
    said = []
    for target in query.spoken_of[-3:]:
        one = query.put(Role.TARGET, target)
        record = yield call_of("estimate_performance", one)
        if record.result is not None:
            said.append(
                f"- {subject(one, record)}: {quantity(record, 'latency_ms')}; "
                f"{record.ref('energy_uj')} an inference"
            )
    limits = [
        slot.text
        for slot in query.slots
        if slot.role in (Role.LATENCY_MS, Role.RATE_HZ, Role.RAM_BYTES) and slot.text
    ]
    return lines("So far:", *said, f"You asked for {joined(limits)}." if limits else "")


def helped(query: Query) -> Answering:
    """What can be asked, with examples."""
    if re.search(r"\b(?:models|networks|architectures)\b", query.question, re.IGNORECASE):
        return (yield from networks())
    return lines(CAN, "Try:", *(f"- {example}" for example in _TRY))


def networks() -> Answering:
    """The networks that need no file."""
    record = needed((yield Call("list_architectures", {})))
    names = list(record["architectures"])
    return (
        f"{len(names)} networks by name, among them {joined(names[::14])}, and any .tflite or .onnx file. "
        "`edgewright models list` shows them all."
    )


def thanks(query: Query) -> Answering:
    yield from ()
    greeting = re.match(
        r"\W*(?:hi|hello|hey|good (?:morning|evening|day)|servus|morning)\b", query.question, re.I
    )
    if greeting:
        return lines("Hello. " + CAN, f"Try: {_TRY[0]}")
    return "You are welcome. Ask on whenever you like."


def outside(_query: Query) -> Answering:
    """Declined in a sentence, with what there is instead."""
    yield from ()
    return lines("That is not what I am for.", CAN)


def unclear(query: Query) -> Answering:
    """Asked back, with what was understood."""
    yield from ()
    found = _pages(query, 1)
    if found and found[0].score >= _APT and not query.has(Role.MODEL):
        return (yield from explain(query))
    names = [*query.all(Role.MODEL), *query.all(Role.TARGET)]
    heard = (
        f"I heard {joined(names)}, but not what you want to know." if names else "I did not understand that."
    )
    return lines(heard, f"Try: {_TRY[0]}")
