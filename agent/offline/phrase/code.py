"""Code to paste: what decides it, and where the whole of it is."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ....tools.codegen.report import FirmwareCode
from ..reading import Reading
from ..turns import Outcome
from .figures import bullets, count, size
from .subject import model_of, place_of

_METHOD = re.compile(r"Add\w+")
_NOTES = 4


def phrase(outcome: Outcome, _asked: Reading) -> list[str]:
    code = FirmwareCode.model_validate(outcome.result)
    where = f"{model_of(outcome)} on {place_of(code.deployment)}"
    if not code.files and not code.commands:
        return [f"There is no code for {where}: {code.why_not or 'no runtime there takes any'}."]
    told = [f"Code for {where}{_head(code)}:"]
    if lines := [*_constant(code), *_resolver(code)]:
        told.append("```cpp\n" + "\n".join(lines) + "\n```")
    if code.commands:
        told.append("To run in a shell:\n```\n" + "\n".join(code.commands) + "\n```")
    if code.files:
        command = (
            f"`edgewright code MODEL -t {code.deployment.target} -r {code.deployment.runtime} -o FOLDER`"
        )
        told.append(f"{command} writes it whole: {', '.join(code.files)}.")
    if code.notes:
        told.append(bullets(list(code.notes[:_NOTES])))
    return told


def _head(code: FirmwareCode) -> str:
    parts = []
    if code.arena_bytes is not None:
        parts.append(f"an arena of {size(code.arena_bytes)}")
    if code.operators:
        parts.append(f"{count(len(code.operators))} operators to register")
    return f", {' and '.join(parts)}" if parts else ""


def _constant(code: FirmwareCode) -> Iterable[str]:
    if code.arena_bytes is not None:
        yield f"constexpr size_t kTensorArenaSize = {code.arena_bytes};"


def _resolver(code: FirmwareCode) -> Iterable[str]:
    methods = [name for name in code.operators if _METHOD.fullmatch(name)]
    if methods:
        yield f"tflite::MicroMutableOpResolver<{len(code.operators)}> resolver;"
        yield from (f"resolver.{name}();" for name in methods)
