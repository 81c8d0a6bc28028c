"""Answers without a calculation: concepts and the product from its pages, and what is said between people."""

from __future__ import annotations

import re

from ...names import Kind
from ..bench import Answering, call_of, needed
from ..left_over import unknown
from ..query import Query, Role
from .phrases import ask_model, ask_target, joined, lines, model_shown, quantity, subject

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
    from ...library import search_pages

    yield from ()
    found = search_pages(query.question, limit=2)
    if not found:
        return lines("My pages say nothing on that.", CAN)
    best = found[0]
    text = best.summary.strip() or _first_words(best.text)
    return lines(text, f"From {best.place}.")


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


def generation(query: Query) -> Answering:
    """Language models: which part is not known, by name."""
    yield from ()
    models = [name.text for name in query.unknown if name.kind is Kind.MODEL] or ["a language model"]
    boards = [name for name in query.unknown if name.kind is Kind.TARGET]
    hint = (
        "I have no model of decoding. A rule of thumb: each token reads all weights once, so the memory "
        "bandwidth over the bytes of the weights bounds the rate."
    )
    if _has_generation():
        hint = "`edgewright generation` computes tokens a second and the key-value cache."
    return lines(
        f"I cannot tell for {joined(models)}: my networks are for vision, sound and short text.",
        hint,
        unknown(boards) if boards else "",
    )


def _has_generation() -> bool:
    from ...registry import TOOLS

    return any(tool.function == "estimate_generation" for tool in TOOLS)


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
    if "list" in query.question.lower() or "which models" in query.question.lower():
        record = needed((yield call_of("list_architectures", query)))
        some = joined(
            [record.ref(f"architectures[#{i}].name") for i in range(0, len(record["architectures"]), 14)]
        )
        return lines(
            f"{record.ref('architectures')} networks by name, among them {some}, and any .tflite or "
            ".onnx file."
        )
    yield from ()
    return lines(CAN, "Try:", *(f"- {example}" for example in _TRY))


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
    names = [*query.all(Role.MODEL), *query.all(Role.TARGET)]
    heard = (
        f"I heard {joined(names)}, but not what you want to know." if names else "I did not understand that."
    )
    return lines(heard, f"Try: {_TRY[0]}")
