"""A network of Core ML's older kind: layers that state no shapes, put into ONNX's operators (extra `onnx`).

Fields by number are those of mlmodel/format/NeuralNetwork.proto and FeatureTypes.proto in apple/coremltools.
Files that map inputs to five dimensions (sequence, batch, channels, height, width) are read with a batch of 1
as [sequence, channels, height, width]; others have the dimensions that they state.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ...core.records import dataclass
from ..openvino.network import Network
from ..openvino.proto import Model
from ..tflite.reader import DamagedError
from .layer_names import KINDS
from .wire import Message

_LAYERS, _ARRAYS, _MOST_DIMENSIONS, _MOST_SIZE = 1, 5, 16, 1 << 32
_FLOAT = 1
_GRAY = frozenset({10, 40})
_OWN = frozenset({1, 2, 3, 4, 5, 10})
"""Fields of a layer that are no parameters of its kind."""


@dataclass(frozen=True)
class Layer:
    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    given: Message
    """Its parameters."""

    def sizes(self, number: int, default: Sequence[int] = ()) -> tuple[int, ...]:
        """Raises DamagedError for a list of sizes that cannot be."""
        found = self.given.packed(number, _MOST_DIMENSIONS) or tuple(default)
        if any(abs(size) >= _MOST_SIZE for size in found):
            raise DamagedError(f"a layer has a size of {max(found, key=abs)}")
        return found


Rule = Callable[["Net", Layer], None]


class Net(Model):
    """The ONNX model, built layer by layer."""

    def __init__(self, *, is_exact: bool) -> None:
        super().__init__(Network([], {}), b"")
        self.is_exact = is_exact
        """Whether tensors have the dimensions that the file states, and not five."""

    def held(self, shape: Sequence[int], *parts: Message) -> str:
        """Weights of a layer, together or in parts, of which the file has to hold as many as it needs.

        Those in fewer bits are expanded when they are loaded.

        Raises:
            DamagedError: it holds more or fewer.
        """
        needed, bits = math.prod(shape), _bits(parts[0])
        there, least = sum(map(_bytes, parts)), math.ceil(needed * bits / 8)
        spare = len(parts) - 1 if bits % 8 else 0
        if min(shape, default=1) < 0 or not least <= there <= least + spare:
            raise DamagedError(f"a layer of {needed:,} weights holds {there:,} bytes")
        return self._absent(f"weights/{len(self.initializers)}", shape, _FLOAT)

    def factor_list(self, values: Sequence[float]) -> str:
        made = self.onnx.helper.make_tensor(
            f"factors/{len(self.initializers)}", _FLOAT, (len(values),), values
        )
        self.initializers.append(made)
        return str(made.name)

    def declared(self, feature: Message) -> None:
        """An input of the network."""
        kind = feature.one(3)
        shape = _image(kind.one(4)) if 4 in kind else self._array(kind.one(5).packed(1, _MOST_DIMENSIONS))
        sizes = [size if 0 < size < _MOST_SIZE else None for size in shape]
        self.inputs.append(self.onnx.helper.make_tensor_value_info(feature.text(1), _FLOAT, sizes))

    def _array(self, shape: Sequence[int]) -> tuple[int, ...]:
        if self.is_exact:
            return tuple(shape)
        match len(shape):
            case 1:
                return (1, shape[0], 1, 1)
            case 3:
                return (1, *shape)
            case 5:
                return (shape[0] * shape[1], *shape[2:])
        raise DamagedError(f"an input has {len(shape)} dimensions, of which its kind has 1, 3 or 5")


def translated(network: Message, inputs: Sequence[Message], rules: dict[str, Rule]) -> bytes:
    """The ONNX model of a network; layers without a rule keep their names.

    Args:
        network: a NeuralNetwork, or a classifier or regressor, whose fields are the same.
        inputs: what the model's description says of them.
        rules: by kind of layer.

    Raises:
        DamagedError: a layer that cannot be, or none.
    """
    net = Net(is_exact=network.whole(_ARRAYS) == 1)
    for feature in inputs:
        net.declared(feature)
    written, read = list[str](), set[str]()
    for layer in map(_layer, network.each(_LAYERS)):
        _put(net, layer, rules.get(layer.kind))
        written += layer.outputs
        read.update(layer.inputs)
    ends = [name for name in dict.fromkeys(written) if name not in read]
    if not ends:
        raise DamagedError("no layer makes an output")
    net.outputs += [net.onnx.helper.make_tensor_value_info(name, _FLOAT, None) for name in ends]
    return net.finished()


def _put(net: Net, layer: Layer, rule: Rule | None) -> None:
    before = len(net.nodes)
    try:
        if rule is None:
            raise KeyError(layer.kind)
        rule(net, layer)
    except (KeyError, ValueError, IndexError, OverflowError):
        del net.nodes[before:]
        net.put(f"coreml.{layer.kind}", layer.inputs, layer.outputs)


def _layer(message: Message) -> Layer:
    number = next((n for n in sorted(message.numbers() - _OWN) if n in KINDS), 0)
    given = message.one(number)
    kind = KINDS.get(number, "layer")
    return Layer(
        f"{kind}.{given.text(10)}".rstrip(".") if kind == "custom" else kind,
        tuple(message.texts(2)),
        tuple(message.texts(3)),
        given,
    )


def _image(image: Message) -> tuple[int, ...]:
    return (1, 1 if image.whole(3) in _GRAY else 3, image.whole(2), image.whole(1))


def _bits(held: Message) -> int:
    """Of a weight, as it is stored."""
    if 2 in held:
        return 16
    return (held.one(40).whole(1) or 8) if 30 in held else 8 if 31 in held else 32


def _bytes(held: Message) -> int:
    return held.length(1, 4) + sum(held.length(number, 1) for number in (2, 30, 31))
