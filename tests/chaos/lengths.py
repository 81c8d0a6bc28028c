"""Texts of one piece again and again, through every function that reads or writes text: time grows with length."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from edgewright.agent.asked_unit import asked_unit, price_in
from edgewright.agent.history import without_thoughts
from edgewright.agent.library import search_pages
from edgewright.agent.llm.keys import without_keys
from edgewright.agent.markdown import split_blocks
from edgewright.agent.names import find_names
from edgewright.agent.plain_text import printable
from edgewright.agent.planner.conversation import understood
from edgewright.agent.planner.languages import language_of
from edgewright.agent.quantities import find_figures
from edgewright.agent.references import render_template
from edgewright.agent.references.review import review
from edgewright.agent.repl.limits import read_limits
from edgewright.agent.repl.pins import read_mentions
from edgewright.agent.workspace import Workspace
from edgewright.hardware_db.errors import nearest
from edgewright.hardware_db.loader import target_ids
from edgewright.hardware_db.makers import maker_named
from edgewright.tools.core.render.markdown import escaped
from edgewright.tools.core.sanitize import clean_text, harmless, plain_name
from edgewright.tools.core.units import Dimension, parse_measure
from edgewright.tools.traces.stated_counters import counters_in
from tests.chaos.bombs import seconds
from tests.hardening import Row

REPEATED = (
    "10-20 ms ", "1 ms ", "esp32-", "stm32 ", "a hundred ", "kws on ", "nrf52840 or ", "mobilenet_v2 at ", "10 ",
    "50 ms under 3 fps, ", "every ", "4x4x", "1e9", "((", "{{r1.latency_ms}} ", "a", ".", "- ", "```", "|",
)  # fmt: skip
MORE = (
    "0.12 $/kWh ",
    "<think>",
    "Authorization: Bearer sk-",
    "@kws ",
    "**",
    "[a](",
    "\n",
    "{{",
    "1,",
    "twenty-",
)
RECORD = {"id": "r1", "name": "t", "arguments": {}, "result": {"latency_ms": 3.5}}
READERS: Mapping[str, Callable[[str], object]] = {
    "a question": lambda text: understood(text, None, {}),
    "an answer": lambda text: review(text, [RECORD]),
    "a template": lambda text: render_template(text, [RECORD]),
    "figures": find_figures,
    "names": find_names,
    "mentions": lambda text: read_mentions(text, Workspace(Path("/"))),
    "limits": read_limits,
    "a price": price_in,
    "a unit": asked_unit,
    "a language": language_of,
    "counts": counters_in,
    "a measure": partial(parse_measure, dimension=Dimension.TIME_MS),
    "a name misspelt": lambda text: nearest(text, target_ids()),
    "a maker": maker_named,
    "pages": search_pages,
    "keys": without_keys,
    "thoughts": without_thoughts,
    "blocks": split_blocks,
    "Markdown": escaped,
    "what is printable": printable,
    "what is clean": clean_text,
    "what is harmless": harmless,
    "a plain name": plain_name,
}


def growth() -> list[Row]:
    wrong, steepest, tried = list[str](), (0.0, ""), 0
    for name, read in READERS.items():
        for piece in (*REPEATED, *MORE):
            tried += 1
            ratio = growth_of(read, piece)
            if ratio > 12:  # unless something else took the time
                ratio = min(ratio, *(growth_of(read, piece) for _ in range(2)))
            steepest = max(steepest, (ratio, name))
            if ratio > 12:
                wrong.append(f"{name} of {piece!r}: {ratio:.1f} times")
    done = f"{tried} texts, {len(READERS)} functions; at most {steepest[0]:.1f} times ({steepest[1]})"
    return [
        Row("growth of texts from 1,000 to 8,000 characters", "at most 12 times as long", done, tuple(wrong))
    ]


def growth_of(read: Callable[[str], object], piece: str) -> float:
    """How many times as long reading takes of a text eight times as long."""
    short, long = ((piece * 8_000)[:size] for size in (1_000, 8_000))
    seconds(lambda: read(piece))
    before = max(seconds(lambda: read(short)), 2e-3)
    return seconds(lambda: read(long)) / before
