"""What a model file holds."""

from __future__ import annotations

import re

from ....tools.core.units import digits
from ....tools.graph.summary import LayerSummary, ModelSummary, TensorSummary
from ..reading import Reading
from ..turns import Outcome
from .figures import bullets, count, layer, listed, size
from .subject import model_of

_FLOPS = re.compile(r"\bflops?\b", re.IGNORECASE)
_LAYERS = re.compile(
    r"\blayers?\b|\bwhere\b|\b(?:which|heaviest|biggest|largest|most) (?:\w+ )?(?:ops?|operators?)\b",
    re.IGNORECASE,
)
_SHOWN = 5
_WEIGHTS = re.compile(r"\bweights?\b|\bparam\w*|\bbiggest\b|\blargest\b", re.IGNORECASE)


def phrase(outcome: Outcome, asked: Reading) -> list[str]:
    model = ModelSummary.model_validate(outcome.result)
    lead = (
        f"{model_of(outcome)} has {count(model.macs)} MACs and {count(model.parameter_count)} parameters "
        f"in {count(model.op_count)} operators; it computes in {model.dtype}."
    )
    lines = [
        _size(model),
        *_kinds(model),
        *_ends(model),
        *_flops(model, asked),
        *_other_types(model),
        *_uncounted(model),
    ]
    return [lead, bullets(lines), *_heaviest(model, asked)]


def _size(model: ModelSummary) -> str:
    file = (
        "built from its name, there is no file"
        if model.file_bytes is None
        else f"the file is {size(model.file_bytes)}"
    )
    return f"{model.format}: {file}; parameters take {size(model.parameter_bytes)}"


def _kinds(model: ModelSummary) -> list[str]:
    told = [f"{each.op} ({each.op_count} operators)" for each in model.operators]
    return [f"made of {listed(told)}"] if told else []


def _ends(model: ModelSummary) -> list[str]:
    return [
        f"{name}: {listed([_tensor(tensor) for tensor in tensors])}"
        for name, tensors in (("input", model.inputs), ("output", model.outputs))
        if tensors
    ]


def _tensor(tensor: TensorSummary) -> str:
    return f"{'×'.join(map(str, tensor.shape)) or 'scalar'} {tensor.dtype}"


def _flops(model: ModelSummary, asked: Reading) -> list[str]:
    """Every FLOP figure is the MACs in another unit: 1 MAC = 2 FLOP."""
    if not _FLOPS.search(asked.question):
        return []
    return [f"that is {digits(2 * model.macs / 1e6)} MFLOP (1 MAC = 2 FLOP)"]


def _other_types(model: ModelSummary) -> list[str]:
    others = [dtype for dtype in model.dtypes if dtype != model.dtype]
    return [f"types of its tensors: {listed([model.dtype, *others])}"] if others else []


def _uncounted(model: ModelSummary) -> list[str]:
    if not model.not_counted:
        return []
    told = [layer(row.index, row.op) for row in model.not_counted[:4]]
    return [f"not counted: {listed(told)}"]


def _heaviest(model: ModelSummary, asked: Reading) -> list[str]:
    if not _LAYERS.search(asked.question):
        return []
    if _WEIGHTS.search(asked.question):
        rows = sorted(model.layers, key=lambda row: -row.parameter_bytes)[:_SHOWN]
        return ["Most parameters:\n" + bullets([_layer(row) for row in rows])]
    rows = sorted((row for row in model.layers if row.macs), key=lambda row: -(row.macs or 0))[:_SHOWN]
    return ["Most MACs:\n" + bullets([_layer(row) for row in rows])] if rows else []


def _layer(row: LayerSummary) -> str:
    return (
        f"{layer(row.index, row.op)} {count(row.macs or 0)} MACs, {size(row.parameter_bytes)} of parameters"
    )
