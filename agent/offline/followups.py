"""What a question leaves unsaid because the turns before it said it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..grounding.figures import find_figures
from ..grounding.spoken_figures import in_digits
from .intent import Intent
from .limits import Demands
from .named import Earlier
from .reading import Reading, read
from .settings import Settings
from .turns import Turn
from .wants import goes_on, settle

_COMPARED = 4
"""Targets of earlier turns that are set side by side."""
REMEMBERED = 8
"""Turns that are looked back at."""

_ELLIPTIC = re.compile(
    r"^\W*(?:and|what about|how about|what if|what|same|also|then|ok(?:ay)?|but|now|with|at|on|or|"
    r"why|instead|so|if|only|just|no,?|yes,?|i mean|sorry)\b",
    re.IGNORECASE,
)
_ALL_OF_THEM = re.compile(
    r"\b(?:which one|both|the (?:two|three|four|lot)|they|them|each|either|these|those|all)\b", re.IGNORECASE
)
_COUNTED = {"both": 2, "the two": 2, "the three": 3}
_BACKWARDS = re.compile(
    r"\b(?:it|its|that|there|the (?:two|three|four|others?)|(?:this|which|last|first|other|second) one|they|"
    r"both|same|again|instead|then|them|those)\b",
    re.IGNORECASE,
)


def understood(turns: Sequence[Turn]) -> Reading:
    """The last question, completed by the turns before it."""
    earlier: Reading | None = None
    recent = turns[-REMEMBERED:]
    for turn in recent[:-1]:
        earlier = _as_called(_complete(turn, earlier), turn.arguments)
    return _complete(recent[-1], earlier)


def _complete(turn: Turn, earlier: Reading | None) -> Reading:
    company = earlier.targets if earlier is not None else ()
    before = None if earlier is None else Earlier(earlier.models, earlier.targets)
    reading = read(turn.question, turn.context, before, company=company)
    if earlier is None:
        return settle(_pinned(reading))
    follows = _follows(reading) and not _repinned(reading, earlier)
    spoken_of = tuple(dict.fromkeys([*earlier.spoken_of, *earlier.targets]))
    reading = replace(reading, spoken_of=spoken_of)
    if follows:
        reading = _inherit(reading, earlier)
    reading = _with_the_one_before(_pinned(reading), earlier)
    if not reading.models:
        reading = replace(reading, models=earlier.models[-1:])
    if not reading.targets and not reading.hardware_question:
        reading = replace(reading, targets=earlier.targets[-1:])
    return settle(reading, earlier.intents)


def _with_the_one_before(reading: Reading, earlier: Reading) -> Reading:
    """Would an L4 be any faster? Than the one spoken of."""
    lone = reading.names_target and len(reading.targets) == 1 and len(earlier.targets) == 1
    if not (
        lone and Intent.COMPARE in (*reading.scores, *reading.by_rule) and reading.targets != earlier.targets
    ):
        return reading
    return replace(reading, targets=(*earlier.targets, *reading.targets))


def _follows(reading: Reading) -> bool:
    question = reading.question
    return goes_on(reading) or bool(_ELLIPTIC.match(question)) or bool(_BACKWARDS.search(question))


def _repinned(reading: Reading, earlier: Reading) -> bool:
    """The user fixed another model or target since."""
    return any(
        reading.pinned.get(key) and reading.pinned.get(key) != earlier.pinned.get(key)
        for key in ("model", "target")
    )


def _inherit(reading: Reading, earlier: Reading) -> Reading:
    new_target = reading.names_target
    told, before = reading.settings, earlier.settings
    settings = replace(
        told,
        batches=told.batches or before.batches[-1:],
        threads=told.threads or (() if new_target and not goes_on(reading) else before.threads[-1:]),
        dtype=told.dtype or (None if reading.names_model else before.dtype),
        width=told.width or (None if reading.names_model else before.width),
        input_sizes=told.input_sizes or (() if reading.names_model else before.input_sizes[-1:]),
    )
    demands = _same_limit(reading, earlier)
    if not new_target and not demands.clocks_mhz:
        demands = replace(demands, clocks_mhz=earlier.demands.clocks_mhz[-1:])
    narrowed = earlier.intents == (Intent.RECOMMEND,) and not new_target
    if narrowed or goes_on(reading) or reading.scores.keys() == {Intent.FIT}:
        demands = replace(demands, limits={**earlier.demands.limits, **demands.limits})
    all_of_them = _ALL_OF_THEM.search(reading.question) is not None
    kept = slice(None) if all_of_them else slice(-1, None)
    count = _COUNTED.get(
        ((match := _ALL_OF_THEM.search(reading.question)) and match[0].casefold()) or "", _COMPARED
    )
    alone = all_of_them and len(earlier.targets) == 1
    targets = reading.spoken_of[-count:] if alone else earlier.targets[kept]
    return replace(
        reading,
        models=reading.models or earlier.models[kept],
        targets=reading.targets or (() if reading.hardware_question else targets),
        runtimes=reading.runtimes or (() if new_target else earlier.runtimes[-1:]),
        settings=settings,
        demands=demands,
    )


def _same_limit(reading: Reading, earlier: Reading) -> Demands:
    """ "And 200?" after a limit in milliseconds."""
    numbers = [figure.value for figure in find_figures(in_digits(reading.question)) if not figure.readings]
    if len(numbers) != 1 or reading.settings != Settings() or "latency_ms" not in earlier.demands.limits:
        return reading.demands
    told = f"I read {numbers[0]:g} as {numbers[0]:g} ms."
    limits = {**reading.demands.limits, "latency_ms": numbers[0]}
    return replace(reading.demands, limits=limits, conventions=[*reading.demands.conventions, told])


def _pinned(reading: Reading) -> Reading:
    pinned = reading.pinned
    model, target, runtime = (str(pinned.get(key) or "") for key in ("model", "target", "runtime"))
    return replace(
        reading,
        models=reading.models or ((model,) if model else ()),
        targets=reading.targets or ((target,) if target and not reading.hardware_question else ()),
        runtimes=reading.runtimes or ((runtime,) if runtime else ()),
    )


def _as_called(reading: Reading, calls: Sequence[Mapping[str, Any]]) -> Reading:
    """What the tools were really asked wins: a language model may have planned that turn."""

    def named(key: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(str(call[key]) for call in calls if call.get(key)))

    return replace(
        reading,
        models=named("model") or reading.models,
        targets=named("target") or reading.targets,
        runtimes=named("runtime") or reading.runtimes,
    )
