"""The operators of an MNN file in execution order, and the ONNX model that they are put into."""

from __future__ import annotations

import math
from typing import Any

from ...core.records import dataclass
from ...core.sanitize import clean_text
from ..openvino.network import Network
from ..openvino.proto import Model
from ..tflite.reader import DamagedError, Reader, TableKind
from .schema import BLOB, INPUT, NET, OP

_MOST_DIMENSIONS, _MOST_CONTENT = 16, 1024
_TYPES = {1: 1, 2: 11, 3: 6, 4: 2, 5: 5, 6: 3, 9: 7, 10: 9, 19: 10}
"""DataType of MNN's Type.fbs by TensorProto's number."""
_FLOAT, _INT32, _INT64 = 1, 6, 7
_INPUT, _CONSTANTS = 34, frozenset({11, 266})
"""OpType of inputs, and of constants and trained parameters."""


@dataclass(frozen=True)
class Operator:
    type: int
    main: int
    """Where its table lies; 0 for none."""
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


class Net(Model):
    """Built as the file is read: inputs and constants at once, operators by the rules."""

    def __init__(self, reader: Reader) -> None:
        super().__init__(Network([], {}), b"")
        self.reader = reader
        self.operators: list[Operator] = []
        self.lists: dict[str, list[int]] = {}
        """Content of small constants of integers."""
        self.of_ranks: set[str] = set()
        """Those of `lists` that follow from a rank that is not known, and tell an axis only."""
        self.ranks: dict[str, int] = {}
        """Of constants and inputs."""
        self.outputs_named = False

    def fields(self, kind: TableKind, op: Operator) -> list[Any]:
        if not op.main:
            return list(kind.defaults)
        return self.reader.read(kind, op.main)

    def integers_at(self, at: int) -> tuple[int, ...]:
        found: tuple[int, ...] = self.reader.numbers(at, "i")
        return found

    def known(self, op: Operator, place: int) -> list[int]:
        """Content of an input. Raises KeyError where it is computed."""
        return self.given(op.inputs[place])

    def given(self, name: str) -> list[int]:
        if name in self.of_ranks:
            raise KeyError(name)
        return self.lists[name]

    def absent(self, shape: tuple[int, ...], number: int = _FLOAT) -> str:
        if min(shape, default=1) < 0 or math.prod(shape) > 1 << 40:
            raise DamagedError("weights of a size that cannot be")
        return self._absent(f"weights/{len(self.initializers)}", shape, number)

    def input(self, op: int, name: str) -> None:
        dims_at, dtype = self.reader.read(INPUT, op) if op else INPUT.defaults
        shape = self._shape(self.integers_at(dims_at))
        self.ranks[name] = len(shape)
        sizes = [None if size < 0 else size for size in shape]
        number = _TYPES.get(dtype, _FLOAT)
        self.inputs.append(self.onnx.helper.make_tensor_value_info(name, number, sizes))

    def constant_at(self, at: int, name: str) -> None:
        dims_at, dtype, uint8s, int8s, int32s, int64s, floats, external = self.reader.read(BLOB, at)
        shape = self._shape(self.integers_at(dims_at))
        count = math.prod(shape)
        held = {"B": uint8s, "b": int8s, "i": int32s, "q": int64s, "f": floats}
        code, place = next(((c, p) for c, p in held.items() if p), ("f", 0))
        there = self.reader.vector(place, {"B": 1, "b": 1, "i": 4, "q": 8, "f": 4}[code])[1] if place else 0
        if count > there and not external and place:
            raise DamagedError(f"a constant of {count:,} numbers has {there:,}")
        self.ranks[name] = len(shape)
        number = _TYPES.get(dtype, _FLOAT)
        if code not in "iq" or not 0 < count <= _MOST_CONTENT:
            self._absent(name, shape, number)
            return
        values = list(self.reader.numbers(place, code)[:count])
        self.lists[name] = values
        tensor = self.onnx.helper.make_tensor(name, _INT64, shape, values)
        self.initializers.append(tensor)

    def hold_list(self, name: str, values: list[int], *, is_scalar: bool = False) -> None:
        """A list of integers that is known after all."""
        self.lists[name] = values
        shape = () if is_scalar else (len(values),)
        self.initializers.append(self.onnx.helper.make_tensor(name, _INT64, shape, values))

    def _shape(self, dims: tuple[int, ...]) -> tuple[int, ...]:
        if len(dims) > _MOST_DIMENSIONS or any(not -1 <= size < 1 << 40 for size in dims):
            raise DamagedError("a tensor has no shape that a tensor has")
        return dims


def read_net(reader: Reader) -> Net:
    net = Net(reader)
    oplists, outputs_at, names_at = reader.read(NET, reader.root())
    names = _texts(reader, names_at)
    written: dict[str, str] = {}
    for at in reader.tables(OP, oplists):
        inputs_at, main, _, made_at, kind = reader.read(OP, at)
        made = [_named(names, i) for i in reader.numbers(made_at, "i")]
        if kind == _INPUT and made:
            net.input(main, made[0])
        elif kind in _CONSTANTS and made and main:
            net.constant_at(main, made[0])
        else:
            given = tuple(_named(names, i) for i in reader.numbers(inputs_at, "i"))
            net.operators.append(Operator(kind, main, given, tuple(made)))
        written.update({label.partition("/")[2]: label for label in made})
    wanted = [written[name] for name in _texts(reader, outputs_at) if name in written]
    read = {name for op in net.operators for name in op.inputs}
    ends = wanted or [name for op in net.operators for name in op.outputs if name not in read]
    net.outputs += [net.onnx.helper.make_tensor_value_info(name, _FLOAT, None) for name in ends]
    net.outputs_named = bool(ends)
    return net


def _texts(reader: Reader, at: int) -> list[str]:
    if not at:
        return []
    start, count = reader.vector(at, 4)
    reader.spend(4 * count)
    offsets = [start + 4 * i + int.from_bytes(bytes(reader.data[start + 4 * i : start + 4 * i + 4]), "little")
               for i in range(count)]  # fmt: skip
    return [reader.text(offset) for offset in offsets]


def _named(names: list[str], index: int) -> str:
    """By number and name: names need not differ."""
    if not 0 <= index < len(names):
        raise DamagedError(f"an operator names tensor {index}, of {len(names)}")
    return f"{index}/{clean_text(names[index])}"
