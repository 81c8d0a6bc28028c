"""OpenVINO models, written without OpenVINO: layers with their ports, and a .bin of zeros and small lists.

`network()` is the network of `pytorch_files`, its norm folded: 221,264 MACs.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

Shape = Sequence[int]
_BYTES = {"f32": 4, "f16": 2, "i64": 8, "i8": 1, "i32": 4}
_PRECISIONS = {"f32": "FP32", "f16": "FP16", "i64": "I64", "i8": "I8", "i32": "I32"}


class Net:
    """Layers by number; each makes one output unless told otherwise."""

    def __init__(self) -> None:
        self.layers: list[str] = []
        self.edges: list[str] = []
        self.bin = bytearray()
        self._shapes: list[Shape] = []

    def parameter(self, shape: Shape, name: str = "x") -> int:
        listed = ",".join("?" if size < 0 else str(size) for size in shape)
        return self._put("Parameter", f'shape="{listed}" element_type="f32"', (), [shape], names=name)

    def constant(self, shape: Shape, element: str = "f32", content: Sequence[int] = ()) -> int:
        count = 1
        for size in shape:
            count *= size
        at, size = len(self.bin), count * _BYTES[element]
        self.bin += struct.pack(f"<{len(content)}q", *content) if content else bytes(size)
        listed = ", ".join(map(str, shape))
        data = f'element_type="{element}" shape="{listed}" offset="{at}" size="{size}"'
        return self._put("Const", data, (), [shape], _PRECISIONS[element])

    def integers(self, *numbers: int) -> int:
        return self.constant([len(numbers)], "i64", numbers)

    def layer(self, kind: str, made: Shape, *inputs: int, **data: object) -> int:
        listed = " ".join(
            f'{name.replace("exclude_pad", "exclude-pad")}="{value}"' for name, value in data.items()
        )
        return self._put(kind, listed, inputs, [made])

    def result(self, source: int) -> None:
        self._put("Result", "", (source,), [])

    def _put(
        self, kind: str, data: str, inputs: Sequence[int], made: Sequence[Shape], precision: str = "FP32",
        names: str = "",
    ) -> int:  # fmt: skip
        number = len(self.layers)
        read = "".join(_port(at, self._shapes[source]) for at, source in enumerate(inputs))
        wrote = "".join(_port(len(inputs) + at, shape, precision, names) for at, shape in enumerate(made))
        self.layers.append(
            f'<layer id="{number}" name="{kind}_{number}" type="{kind}" version="opset1"><data {data}/>'
            f"<input>{read}</input><output>{wrote}</output></layer>"
        )
        for at, source in enumerate(inputs):
            port = self.layers[source].count("<port") - 1
            self.edges.append(
                f'<edge from-layer="{source}" from-port="{port}" to-layer="{number}" to-port="{at}"/>'
            )
        self._shapes.append(made[0] if made else ())
        return number

    def xml(self) -> bytes:
        text = f'<net name="net" version="11"><layers>{"".join(self.layers)}</layers><edges>{"".join(self.edges)}</edges></net>'
        return f'<?xml version="1.0"?>\n{text}'.encode()

    def save(self, folder: Path, name: str = "net") -> Path:
        (folder / f"{name}.bin").write_bytes(bytes(self.bin))
        (folder / f"{name}.xml").write_bytes(self.xml())
        return folder / f"{name}.xml"


def _port(number: int, shape: Shape, precision: str = "FP32", names: str = "") -> str:
    dims = "".join(f"<dim>{size}</dim>" for size in shape)
    named = f' names="{names}"' if names else ""
    return f'<port id="{number}" precision="{precision}"{named}>{dims}</port>'


def network(side: int = 32) -> Net:
    """With a side of -1 the size of its images is open."""
    net, image = Net(), [1, 8, side, side]
    x = net.parameter([1, 3, side, side])
    conv = net.layer(
        "Convolution", image, x, net.constant([8, 3, 3, 3]), strides="1,1", dilations="1,1", pads_begin="1,1",
        pads_end="1,1", auto_pad="explicit",
    )  # fmt: skip
    shifted = net.layer("Add", image, conv, net.constant([1, 8, 1, 1]), auto_broadcast="numpy")
    clipped = net.layer("Clamp", image, shifted, min="0", max="6")
    pooled = net.layer("ReduceMean", [1, 8], clipped, net.integers(2, 3), keep_dims="false")
    product = net.layer(
        "MatMul", [1, 10], pooled, net.constant([10, 8]), transpose_a="false", transpose_b="true"
    )
    net.result(net.layer("Add", [1, 10], product, net.constant([1, 10]), auto_broadcast="numpy"))
    return net
