"""ExecuTorch programs (.pte): the plan of their first method, with what they delegate named."""

from __future__ import annotations

import hashlib

from ...graph import ModelGraph
from ..aten import Program, translated
from ..aten.more import HANDLERS
from ..damaged import one_error
from ..onnx.lowering import lowered
from ..tflite.reader import DamagedError, Readable, Reader
from .plan import Delegates, Plan
from .schema import FILE_IDENTIFIER, INLINE_DATA, PLAN, PROGRAM, SEGMENT

__all__ = ["is_pte", "parse_pte"]

_PREFERRED = "forward"


def is_pte(data: Readable) -> bool:
    return len(data) >= 8 and bytes(data[4:8]) == FILE_IDENTIFIER


def parse_pte(data: Readable, name: str) -> ModelGraph:
    """The method `forward` of an ExecuTorch program, else its first, in the operators of TFLite.

    What a backend was handed is CUSTOM under the backend's name: its data counts as stored, its work is
    not known. Weights are not read.

    Args:
        data: the file's bytes.
        name: cleaned, for people.

    Raises:
        ModelFileError: a damaged file, or a method that branches.
    """
    with one_error(name, "ExecuTorch program", "its plan", again="Export it again."):
        return _parsed(data, name)


def _parsed(data: Readable, name: str) -> ModelGraph:
    reader = Reader(data)
    _, plans_at, inline_at, segments_at = reader.read(PROGRAM, reader.root())
    segments = tuple(reader.read(SEGMENT, table)[1] for table in reader.tables(SEGMENT, segments_at))
    if sum(segments) > reader.size:
        raise DamagedError("its segments are larger than the file")
    delegates = Delegates(tuple(reader.tables(INLINE_DATA, inline_at)), segments)
    plans = [Plan(reader, table, delegates) for table in reader.tables(PLAN, plans_at)]
    if not plans:
        raise DamagedError("it holds no method")
    plan = next((each for each in plans if each.method == _PREFERRED), plans[0])
    program = Program()
    calls = list(plan.calls())
    program.values, program.constants = plan.known, plan.constants
    translated(program, calls)
    subgraphs = lowered(program.document(plan.inputs, plan.outputs), name, HANDLERS)
    with memoryview(data) as view:
        sha256 = hashlib.sha256(view).hexdigest()
    return ModelGraph(name=name, format="pte", sha256=sha256, file_bytes=len(data), subgraphs=subgraphs)
