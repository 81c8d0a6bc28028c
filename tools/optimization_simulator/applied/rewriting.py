"""A changed graph as a .tflite file, with the weights that the file before it held."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ....hardware_db.errors import UsageError
from ...graph import ModelGraph, Signature, Tensor
from ...model_formats.tflite.stored import stored_in
from ...model_formats.writer.tflite import write_tflite
from ...model_formats.writer.weights import Bytes
from .cut_channels import CutChannels


def rewritten(
    before: ModelGraph, content: bytes, after: ModelGraph, name: str, new: Mapping[int, Bytes] | None = None
) -> bytes:
    """
    Args:
        before: the file as it was read, and its bytes.
        after: the same with a change called `name`.
        new: what constants of `after` hold, where that is not what the file has.

    Raises:
        UsageError: the change takes weights that the file does not hold, or operators that cannot be written.
    """
    stored = stored_in(content)
    contents: dict[tuple[int, int], Bytes] = {(0, index): data for index, data in (new or {}).items()}
    if _resizes_channels(before, after):
        after, cut = CutChannels(before, after, stored).graph_and_contents(after)
        contents |= {(0, index): values.reshape(-1).view("u1") for index, values in cut.items()}
    for number, subgraph in enumerate(after.subgraphs):
        for tensor in subgraph.tensors:
            if not tensor.is_constant or (number, tensor.index) in contents or tensor.values is not None:
                continue
            if tensor.buffer is None or tensor.sparsity is not None:
                raise UsageError(
                    f"{name} takes weights that the file does not hold.",
                    hint="It can be simulated; the network has to be trained.",
                )
            data = stored(tensor.buffer)
            if len(data) != tensor.stored_bytes:
                raise UsageError(f"{name} takes weights of another size than the file holds.")
            contents[number, tensor.index] = data
    return write_tflite(replace(after, signatures=_signatures(before, after)), contents=contents)


def _resizes_channels(before: ModelGraph, after: ModelGraph) -> bool:
    """Whether the operators are the same, on constants of other sizes."""
    if [op.kind for op in before.main.ops] != [op.kind for op in after.main.ops]:
        return False
    pairs = zip(before.main.tensors, after.main.tensors, strict=False)
    return any(_weighs(one) and one.shape != other.shape for one, other in pairs)


def _weighs(tensor: Tensor) -> bool:
    return tensor.is_constant and tensor.values is None


def _signatures(before: ModelGraph, after: ModelGraph) -> tuple[Signature, ...]:
    """Those of the main subgraph, by the order of inputs and outputs."""
    ends = zip(
        (*before.main.inputs, *before.main.outputs), (*after.main.inputs, *after.main.outputs), strict=True
    )
    place = dict(ends)

    def moved(named: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
        return tuple((name, place[index]) for name, index in named if index in place)

    return tuple(
        replace(
            each,
            inputs_untrusted=moved(each.inputs_untrusted),
            outputs_untrusted=moved(each.outputs_untrusted),
        )
        for each in before.signatures
        if each.subgraph == 0
    )
