"""Generated code as text: what is said of it as comments, so that all of it may be pasted."""

from __future__ import annotations

from ...codegen.report import FirmwareCode
from .common import notes, where


def firmware_text(code: FirmwareCode) -> str:
    parts = [f"Code for {where(code.deployment)}"]
    if code.why_not:
        parts.append(code.why_not)
    if code.operators:
        arena = "unknown" if code.arena_bytes is None else f"{code.arena_bytes:,} bytes"
        parts.append(f"Arena {arena}, {_counted(len(code.operators))} registered.")
    if code.written:
        parts += [f"wrote {path}" for path in code.written]
    else:
        parts += [f"--- {name} ---\n\n{text.rstrip()}" for name, text in code.files.items()]
    if code.commands:
        parts.append("\n".join(("Run:", *(f"    {command}" for command in code.commands))))
    return "\n\n".join(parts) + notes(code.notes, code.assumptions, code.warnings)


def _counted(operators: int) -> str:
    return "1 operator" if operators == 1 else f"{operators} operators"
