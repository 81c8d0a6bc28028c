"""Operators that every runtime computes as one: norms, biases and activations."""

from __future__ import annotations

from .document import Document, Node

_FUSING = frozenset({
    "Conv", "Gemm", "MatMul", "Add", "Sub", "Mul", "Div", "AveragePool", "MaxPool",
})  # fmt: skip
"""Operators whose TFLite kernels compute an activation at once."""
_CLIPS: dict[tuple[float | None, float | None], str] = {
    (0.0, 6.0): "RELU6",
    (-1.0, 1.0): "RELU_N1_TO_1",
    (0.0, None): "RELU",
}


_NUMPY_BROADCASTS = 7
"""From this opset on arithmetic is what it still is; of older files runtimes have to see each operator."""


def fuse(document: Document) -> None:
    if 0 < document.opset < _NUMPY_BROADCASTS:
        return
    for step in (_fold_norms, _fuse_bias, _fuse_hard_swish, _fuse_gelu, _fuse_activations):
        step(document)


class _Chain:
    """Who writes and reads what, and what a pattern made superfluous."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.producers, self._readers = document.producers(), document.readers()
        self._gone: set[int] = set()

    def only_reader(self, name: str) -> Node | None:
        found = self._readers.get(name, [])
        return found[0] if len(found) == 1 and name not in self.document.outputs else None

    def only_writer(self, name: str) -> Node | None:
        """The producer of what one node alone reads."""
        return self.producers.get(name) if self.only_reader(name) is not None else None

    def writers_of(self, node: Node) -> list[Node]:
        return [before for name in node.inputs if (before := self.only_writer(name)) is not None]

    def replace(self, node: Node, kind: str, x: str, superfluous: list[Node]) -> None:
        node.kind, node.inputs, node.attributes = kind, [x], {}
        self._gone.update(id(each) for each in superfluous)

    def drop(self) -> None:
        self.document.nodes[:] = [node for node in self.document.nodes if id(node) not in self._gone]


def _fold_norms(document: Document) -> None:
    """What scales and shifts the channels of a convolution becomes its weights and its bias."""
    producers, readers = document.producers(), document.readers()
    kept = []
    for node in document.nodes:
        before = producers.get(node.inputs[0]) if node.inputs else None
        if before is None or not _folds(document, node, before, readers):
            kept.append(node)
            continue
        if not before.has(2) and node.kind != "Mul":
            before.inputs = [*before.inputs[:2], node.inputs[2 if node.kind == "BatchNormalization" else 1]]
        before.outputs = [node.outputs[0]]
        producers[node.outputs[0]] = before
    document.nodes[:] = kept


def _folds(document: Document, node: Node, before: Node, readers: dict[str, list[Node]]) -> bool:
    if before.kind not in {"Conv", "ConvTranspose"} or len(readers.get(node.inputs[0], [])) != 1:
        return False
    if node.inputs[0] in document.outputs or before.inputs[1] not in document.constants:
        return False
    if node.kind == "BatchNormalization":
        return True
    shape, made = document.value(node.inputs[-1]).shape, document.value(node.outputs[0]).shape
    if node.kind not in {"Mul", "Add"} or len(node.inputs) != 2 or shape is None or made is None:
        return False
    channels = (1,) * (len(made) - len(shape)) + shape
    per_channel = len(channels) == len(made) > 1 and all(
        size in {1, made[1]} if axis == 1 else size == 1 for axis, size in enumerate(channels)
    )
    return per_channel and node.inputs[1] in document.constants


def _fuse_bias(document: Document) -> None:
    """A vector added to a product with constant weights is its bias."""
    producers, readers = document.producers(), document.readers()
    gone: set[int] = set()
    for node in document.nodes:
        if node.kind != "Add" or len(node.inputs) != 2:
            continue
        for product, bias in (node.inputs, node.inputs[::-1]):
            before = producers.get(product)
            vector = document.constants.get(bias)
            if (
                before is not None
                and before.kind == "MatMul"
                and len(before.inputs) == 2
                and before.inputs[1] in document.constants
                and len(document.value(before.inputs[1]).shape or ()) == 2
                and vector is not None
                and len(vector.shape) == 1
                and len(readers[product]) == 1
                and product not in document.outputs
            ):
                before.inputs.append(bias)
                before.outputs = [node.outputs[0]]
                producers[node.outputs[0]] = before
                gone.add(id(node))
                break
    document.nodes[:] = [node for node in document.nodes if id(node) not in gone]


def _fuse_activations(document: Document) -> None:
    producers, readers = document.producers(), document.readers()
    kept = []
    for node in document.nodes:
        name = _activation(document, node)
        before = producers.get(node.inputs[0]) if name and node.inputs else None
        fits = (
            before is not None
            and before.kind in _FUSING
            and before.activation == "NONE"
            and len(readers.get(before.outputs[0], [])) == 1
            and before.outputs[0] not in document.outputs
        )
        if not fits or before is None:
            kept.append(node)
            continue
        before.activation = name
        before.outputs = [node.outputs[0]]
        producers[node.outputs[0]] = before
    document.nodes[:] = kept


def _activation(document: Document, node: Node) -> str:
    """TFLite's name of an activation that its kernels fuse; empty for all else."""
    if node.kind == "Relu":
        return "RELU"
    if node.kind == "Clip":
        return _CLIPS.get(clip_bounds(document, node), "")
    return ""


def clip_bounds(document: Document, node: Node) -> tuple[float | None, float | None]:
    """Lower and upper bound: attributes before opset 11, inputs from then on; None where there is none."""
    bounds: list[float | None] = []
    for position, attribute in ((1, "min"), (2, "max")):
        value = node.attributes.get(attribute)
        if isinstance(value, (int, float)):
            bounds.append(float(value))
            continue
        content = (
            document.constants[node.inputs[position]].content
            if _constant_at(document, node, position)
            else None
        )
        bounds.append(content[0] if content and len(content) == 1 else None)
    return bounds[0], bounds[1]


def _constant_at(document: Document, node: Node, position: int) -> bool:
    return node.has(position) and node.inputs[position] in document.constants


def _fuse_hard_swish(document: Document) -> None:
    """x × HardSigmoid(x) with a slope of 1/6 is HardSwish, and so is x × clip(x + 3, 0, 6) / 6."""
    chain = _Chain(document)
    for node in document.nodes:
        if node.kind != "Mul" or len(node.inputs) != 2:
            continue
        for x, gate in (node.inputs, node.inputs[::-1]):
            before = chain.only_writer(gate)
            if (
                before is not None
                and before.kind == "HardSigmoid"
                and _is_sixth(before)
                and before.inputs[0] == x
            ):
                chain.replace(node, "HardSwish", x, [before])
                break
            if before is not None and _is_relu6_plus_3(chain, before, x):
                then = chain.only_reader(node.outputs[0])
                if then is not None and _divides_by_six(document, then, node.outputs[0]):
                    chain.replace(then, "HardSwish", x, [node, before, *chain.writers_of(before)])
                break
    chain.drop()


def _is_sixth(node: Node) -> bool:
    return abs(node.number("alpha", 0.2) - 1 / 6) < 1e-3


def _is_relu6_plus_3(chain: _Chain, clip: Node, x: str) -> bool:
    if _activation(chain.document, clip) != "RELU6":
        return False
    plus = chain.only_writer(clip.inputs[0])
    if plus is None or plus.kind != "Add" or x not in plus.inputs:
        return False
    return any(_number(chain.document, name) == 3.0 for name in plus.inputs if name != x)


def _divides_by_six(document: Document, node: Node, data: str) -> bool:
    others = [_number(document, name) for name in node.inputs if name != data]
    if len(others) != 1 or others[0] is None:
        return False
    wanted = {"Div": 6.0, "Mul": 1 / 6}.get(node.kind)
    return wanted is not None and abs(others[0] - wanted) < 1e-3


def _number(document: Document, name: str) -> float | None:
    constant = document.constants.get(name)
    held = constant.content if constant is not None else None
    return held[0] if held is not None and len(held) == 1 else None


def _fuse_gelu(document: Document) -> None:
    """x × 0.5 × (1 + erf(x / √2)), in whichever order it was written, is GELU."""
    chain = _Chain(document)
    producers, only_reader = chain.producers, chain.only_reader

    def other(node: Node, name: str) -> str:
        return next((i for i in node.inputs if i != name), "")

    for erf in [node for node in document.nodes if node.kind == "Erf"]:
        scaled = producers.get(erf.inputs[0])
        plus = only_reader(erf.outputs[0])
        if scaled is None or scaled.kind not in {"Div", "Mul"} or plus is None or plus.kind != "Add":
            continue
        x = next((i for i in scaled.inputs if i not in document.constants), "")
        steps, last = [scaled, erf, plus], plus
        halved, gated = False, False
        while (then := only_reader(last.outputs[0])) is not None and then.kind == "Mul":
            factor = other(then, last.outputs[0])
            before = producers.get(factor)
            if factor == x and not gated:
                gated = True
            elif factor in document.constants and not halved:
                halved = True
            elif before is not None and before.kind == "Mul" and x in before.inputs and not (gated or halved):
                gated = halved = True
                steps.append(before)
            else:
                break
            steps.append(then)
            last = then
            if gated and halved:
                break
        if gated and halved and x:
            chain.replace(last, "Gelu", x, [node for node in steps if node is not last])
    chain.drop()
