"""OpenVINO's intermediate representation (.xml with its .bin), put into ONNX's operators (extra `onnx`)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from ...core.records import replace
from ...core.sanitize import clean_text
from ...graph import ModelGraph, Tensor
from ..damaged import one_error
from ..onnx import parse_onnx
from ..onnx.document import Shape
from ..tflite.reader import DamagedError, Readable
from .layers import RULES as _LAYERS
from .network import Layer, is_openvino, read_network
from .networks import RULES as _NETWORKS
from .proto import Model

__all__ = ["is_openvino", "parse_openvino"]

_RULES = {**_LAYERS, **_NETWORKS}


def parse_openvino(
    data: bytes, weights: Readable, name: str, shapes: Mapping[str | int, Shape] | None = None
) -> ModelGraph:
    """The network of an IR of version 10 or 11, in the operators of TFLite.

    Operations that ONNX has none for are CUSTOM under their names, and loops and branches are one operation
    each. Weights in half precision are seen as they are once loaded, in full.

    Args:
        data: the .xml file.
        weights: the .bin file beside it; only small constants in it are looked at.
        name: cleaned, for people.
        shapes: of inputs, by name or position, as the file orders dimensions. A batch left open is 1.

    Raises:
        ModelFileError: a damaged file.
        UsageError: no `onnx` package, or no such input.
    """
    with one_error(name, "OpenVINO model", "a layer", again="Convert or download it again."):
        made = _translated(data, weights)
    graph = parse_onnx(made, name, shapes)
    ops = tuple(replace(op, origin="") for op in graph.ops)
    tensors = _shared(graph.tensors)
    return replace(
        graph,
        format="openvino",
        sha256=hashlib.sha256(data).hexdigest(),
        file_bytes=len(data) + len(weights),
        subgraphs=(replace(graph.main, ops=ops, tensors=tensors), *graph.subgraphs[1:]),
        onnx_versions=None,
    )


def _shared(tensors: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    """Weights whose dimensions stand two ways, as of an embedding that is also a product, lie there once."""
    buffers = {t.name_untrusted: t.buffer for t in tensors if t.is_constant}
    bases = [t.name_untrusted.partition("/")[0] for t in tensors]
    return tuple(
        replace(t, buffer=buffers[base]) if t.is_constant and base in buffers else t
        for t, base in zip(tensors, bases, strict=True)
    )


def _translated(data: bytes, weights: Readable) -> bytes:
    network = read_network(data)
    model = Model(network, weights)
    for layer in network.layers:
        match layer.kind:
            case "Const":
                model.hold(layer)
            case "Parameter":
                named = layer.outputs[0].names.split(",")[0] or layer.name
                model.rename(layer, clean_text(named) or f"input {len(model.inputs)}")
                model.inputs.append(model.info(model.made(layer), layer.outputs[0]))
            case "Result":
                _end(model, layer)
            case _:
                _write(model, layer)
    if not model.outputs:
        raise DamagedError("it has no outputs")
    return model.finished()


def _end(model: Model, layer: Layer) -> None:
    name = f"result {len(model.outputs)}"
    model.put("Identity", [model.read(layer, 0)], name)
    model.outputs.append(model.info(name, layer.inputs[0]))


def _write(model: Model, layer: Layer) -> None:
    """By its rule; where it has none or an odd form, under its name."""
    before, rule = len(model.nodes), _RULES.get(layer.kind)
    try:
        if rule is None:
            raise KeyError(layer.kind)
        rule(model, layer)
    except (KeyError, ValueError, IndexError, TypeError, OverflowError):
        del model.nodes[before:]
        model.put(f"openvino.{layer.kind}", model.reads(layer), model.all_made(layer))
        model.declare(layer)
