"""Generated code as a document: what is said of it stands around the code."""

from __future__ import annotations

from ..core.document import (
    Block,
    Code,
    Document,
    Paragraph,
    Section,
    described,
    joined,
    notes,
    place,
    text,
)
from .firmware_code import FirmwareCode

_LONGEST = 20_000
"""Characters that are shown of a file: models and golden vectors are long."""


@described.register
def firmware(code: FirmwareCode) -> Document:
    blocks: list[Block] = []
    if code.why_not:
        blocks.append(Paragraph(text("{why_not}")))
    if code.operators:
        counted = "1 operator" if len(code.operators) == 1 else f"{len(code.operators)} operators"
        blocks.append(Paragraph(text(f"Arena {{arena_bytes|bytes}}, {counted} registered.")))
    if code.written:
        blocks += [Paragraph(f"wrote {path}") for path in code.written]
    else:
        blocks += [_file(name, body) for name, body in code.files.items()]
    if code.commands:
        blocks.append(Code("Run:", "\n".join(code.commands)))
    title = joined("Code for ", place(code.deployment))
    return Document(code, title, (Section("", tuple(blocks)),), notes=notes(code, "notes"))


def _file(name: str, body: str) -> Block:
    if len(body) > _LONGEST:
        return Paragraph(f"{name}: {body.count(chr(10)):,} lines, for --output FOLDER to write")
    return Code(f"--- {name} ---", body.rstrip(), whole=True)
