"""What of an answer is right: tools, arguments, verdict, figures, behaviour."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from edgewright.agent.answer import Answer, ToolCallRecord

from .behaviour import FORBIDDEN, REQUIRED
from .cases import Turn
from .figures import stated_values


class Aspect(StrEnum):
    TOOLS = "tool choice"
    ARGUMENTS = "arguments"
    TARGET = "target"
    VERDICT = "verdict"
    FIGURES = "figures"
    FAITHFULNESS = "faithfulness"
    REFUSAL = "refusal"
    BEHAVIOUR = "behaviour"


@dataclass(frozen=True)
class Check:
    aspect: Aspect
    passed: bool
    detail: str = ""


_OTHER_NAMES = {
    "price": ("price_usd", "max_price_usd"),
    "ram_bytes": ("min_ram_bytes",),
    "flash_bytes": ("min_flash_bytes",),
    "power_mw": ("max_power_mw", "average_power_mw"),
}
"""How tools spell what a question's arguments are called."""
_VARIABLES = {"input_size": "input", "clock_mhz": "clock", "rate_hz": "rate", "ram_bytes": "ram"}
_RELATIVE, _LOOSE = 1e-3, 0.02
_LOOKING_UP = ("list_targets", "list_runtimes", "get_target", "get_runtime", "parse_model")
"""Calls that do no harm where a question has to be asked back."""
_REFUSING = frozenset(("decline", "ask_model", "ask_target", "ask_limit", "did_you_mean", "reveal_secret"))


def score(turn: Turn, answer: Answer) -> Iterator[Check]:
    """Every check that the turn asks for; faithfulness always."""
    calls = [call for call in answer.tool_calls if call["result"] is not None]
    yield from _tools(turn, answer)
    yield from _arguments(turn, calls)
    yield from _target(turn, calls, answer.answer)
    yield from _verdict(turn, answer)
    yield from _figures(turn, calls, answer.answer)
    yield Check(Aspect.FAITHFULNESS, answer.grounded, f"in no tool result: {', '.join(answer.ungrounded)}")
    yield from _behaviour(turn, answer)


def _tools(turn: Turn, answer: Answer) -> Iterator[Check]:
    wanted = turn.expected.tools
    called = [call["name"] for call in answer.tool_calls if call["error"] is None]
    if wanted is None:
        return
    told = f"called {', '.join(called) or 'nothing'}"
    if not wanted:
        free = () if "call_tool" in turn.must_not else _LOOKING_UP
        yield Check(Aspect.REFUSAL, set(called) <= set(free), told)
        return
    missing = [] if {wanted[0], *turn.expected.accept} & set(called) else [wanted[0]]
    missing += [name for name in wanted[1:] if name not in called]
    yield Check(Aspect.TOOLS, not missing, f"{told}; lacks {', '.join(missing)}")


def _arguments(turn: Turn, calls: Sequence[ToolCallRecord]) -> Iterator[Check]:
    for name, told in turn.expected.args.items():
        for value in told if isinstance(told, list) else [told]:
            given = list(_given(name, calls))
            right = any(_same(one, value, name) for one in given)
            yield Check(Aspect.ARGUMENTS, right, f"{name} should be {value}, was {given or 'not given'}")


def _given(name: str, calls: Sequence[ToolCallRecord]) -> Iterator[Any]:
    for call in calls:
        arguments, result = call["arguments"], call["result"] or {}
        places = [result.get("deployment") or {}, *(result.get("deployments") or ())]
        for key in (name, *_OTHER_NAMES.get(name, ())):
            yield from (told[key] for told in (arguments, *places) if key in told)
        match name:
            case "latency_ms" if arguments.get("rate_hz"):
                yield 1e3 / arguments["rate_hz"]
            case "rate_hz" if arguments.get("period_s"):
                yield 1 / arguments["period_s"]
            case "dtype" | "width" | "input_size" if ":" in str(arguments.get("model", "")):
                yield from arguments["model"].split(":")[1:]
            case "sparsity":
                percent = str(arguments.get("technique", "")).rpartition("-")[2]
                yield from [int(percent) / 100] if percent.isdigit() else []
            case "path":
                yield from (value for key, value in arguments.items() if key in ("profile", "file"))


def _same(given: Any, wanted: Any, name: str) -> bool:
    number, other_number = _number(given), _number(wanted)
    if number is not None and other_number is not None:
        return math.isclose(number, other_number, rel_tol=_RELATIVE)
    one, other = str(given).casefold(), str(wanted).casefold()
    if name == "model":
        one = one.partition(":")[0]
    if name == "variable":
        return one == _VARIABLES.get(other, other)
    if name == "technique":
        return one == other or one.startswith(f"{other}-") or other.startswith(f"{one}-")
    return one == other


def _number(value: Any) -> float | None:
    try:
        return None if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        return None


def _target(turn: Turn, calls: Sequence[ToolCallRecord], text: str) -> Iterator[Check]:
    if not turn.targets:
        return
    used = set(_targets(calls))
    missing = [target for target in turn.targets if target not in used and target not in text]
    yield Check(Aspect.TARGET, not missing, f"lacks {', '.join(missing)}; used {', '.join(sorted(used))}")


def _targets(calls: Iterable[ToolCallRecord]) -> Iterator[str]:
    for call in calls:
        arguments, result = call["arguments"], call["result"] or {}
        yield from (str(arguments[key]) for key in ("target", "one", "other") if arguments.get(key))
        yield from (str(target).partition("/")[0] for target in arguments.get("targets") or ())
        yield from (str(p["target"]) for p in _places(result) if p.get("target"))


def _places(result: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    for place in (result.get("deployment"), *(result.get("deployments") or ())):
        if isinstance(place, Mapping):
            yield place


_IN_WORDS = {
    "PASS": re.compile(r"\byes\b|\bfits?\b|\bmeets?\b|\blasts?\b", re.IGNORECASE),
    "MARGINAL": re.compile(r"\bprobably\b|\bnot surely\b", re.IGNORECASE),
    "FAIL": re.compile(r"\bno\b|\bnot\b|\bnothing\b|\bnone\b", re.IGNORECASE),
    "UNKNOWN": re.compile(r"\bcannot tell\b|\bunknown\b", re.IGNORECASE),
}
"""How an answer says a verdict, where it does not name it."""


def _verdict(turn: Turn, answer: Answer) -> Iterator[Check]:
    if not turn.verdicts:
        return
    stated = {found["verdict"] for found in answer.verdicts if not found["name"]}
    said = answer.answer
    right = any(v in stated and (v in said or _IN_WORDS[v].search(said)) for v in turn.verdicts)
    yield Check(Aspect.VERDICT, right, f"should be {' or '.join(turn.verdicts)}, was {stated or 'not given'}")


def _figures(turn: Turn, calls: Sequence[ToolCallRecord], text: str) -> Iterator[Check]:
    for name, wanted in turn.value.items():
        found = list(stated_values(name, calls, text))
        right = any(_is_value(value, wanted) for value in found)
        yield Check(Aspect.FIGURES, right, f"{name} should be {wanted}, was {found[:5] or 'not stated'}")
    for name, (low, high) in turn.range.items():
        found = [v for v in stated_values(name, calls, text) if isinstance(v, int | float)]
        right = any(low <= value <= high for value in found)
        yield Check(Aspect.FIGURES, right, f"{name} should be {low:g} to {high:g}, was {found[:5]}")


def _is_value(found: Any, wanted: float | str) -> bool:
    """Exactly, but for fractions."""
    if isinstance(wanted, float) and isinstance(found, int | float):
        return math.isclose(found, wanted, rel_tol=_LOOSE)
    return bool(found == wanted)


def _behaviour(turn: Turn, answer: Answer) -> Iterator[Check]:
    for code in turn.must:
        check = REQUIRED.get(code)
        if check is not None:
            aspect = Aspect.REFUSAL if code in _REFUSING else Aspect.BEHAVIOUR
            yield Check(aspect, check(answer), code)
    for code in turn.must_not:
        check = FORBIDDEN.get(code)
        if check is not None:
            aspect = Aspect.REFUSAL if code in _REFUSING else Aspect.BEHAVIOUR
            yield Check(aspect, not check(answer), f"must not: {code}")
    if turn.candidates:
        offered = [name for name in turn.candidates if name in answer.answer]
        yield Check(Aspect.REFUSAL, len(offered) >= 2, f"offers {', '.join(offered) or 'none'}")
