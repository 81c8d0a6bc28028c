"""An ML program: the block of its main function, with shapes, constants, and its operations as calls.

Fields by number are those of mlmodel/format/MIL.proto in apple/coremltools.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator, Mapping

from ...core.records import dataclass
from ...graph import DType
from ..aten import Argument, Name
from ..onnx.document import Constant, Value
from ..tflite.reader import DamagedError
from .wire import Message

_MOST_DIMENSIONS = 16
_MOST_VALUES = 4096
"""Of a list that is kept; longer ones are weights."""
_DTYPES = {
    1: DType.BOOL, 2: DType.STRING, 10: DType.FLOAT16, 11: DType.FLOAT32, 12: DType.FLOAT64,
    13: DType.BFLOAT16, 21: DType.INT8, 22: DType.INT16, 23: DType.INT32, 24: DType.INT64, 25: DType.INT4,
    31: DType.UINT8, 32: DType.UINT16, 33: DType.UINT32, 34: DType.UINT64, 35: DType.UINT4, 36: DType.UINT2,
    37: DType.UINT2, 38: DType.UINT8, 39: DType.UINT4, 40: DType.FLOAT8, 41: DType.FLOAT8,
}  # fmt: skip
"""Of fewer bits, the next that is known."""
_CONST = "const"
_DEEPEST = 8


@dataclass(frozen=True)
class Operation:
    """One operation: arguments by name, of which constants are known by their content, too."""

    kind: str
    arguments: Mapping[str, Argument]
    outputs: tuple[str, ...]
    known: Mapping[str, Argument]

    def tensor(self, name: str) -> str:
        """Empty where it is absent, or written into the operation itself."""
        found = self.arguments.get(name)
        return found if isinstance(found, Name) else ""

    def tensors(self, name: str) -> tuple[Name, ...]:
        found = self.arguments.get(name)
        listed = found if isinstance(found, tuple) else (found,)
        return tuple(each for each in listed if isinstance(each, Name))

    def value(self, name: str) -> Argument:
        """None where it is absent or computed."""
        found = self.arguments.get(name)
        return self.known.get(found) if isinstance(found, Name) else found

    def given(self, name: str) -> Argument:
        """A tensor by its name; what is a number, as that."""
        value = self.value(name)
        return value if isinstance(value, (int, float)) else self.arguments.get(name)

    def integers(self, name: str) -> tuple[int, ...]:
        found = self.value(name)
        listed = found if isinstance(found, tuple) else (found,)
        return tuple(int(each) for each in listed if isinstance(each, (int, float)))

    def flag(self, name: str) -> bool:
        return bool(self.value(name))

    def text(self, name: str) -> str:
        found = self.value(name)
        return found if isinstance(found, str) and not isinstance(found, Name) else ""


class Block:
    """What a function computes, read once from front to back."""

    def __init__(self, function: Message, stored_bytes: int) -> None:
        self._stored_bytes = stored_bytes
        self.values: dict[str, Value] = {}
        self.constants: dict[str, Constant] = {}
        self.known: dict[str, Argument] = {}
        """Content of small constants, which say how and not with what something is computed."""
        body = _specialized(function)
        self.inputs = [self._declared(each) for each in function.each(1)]
        self.operations = list(self._operations(body))
        self.outputs = body.texts(2)

    def _declared(self, named: Message) -> str:
        name = named.text(1)
        self.values[name] = _value(named.one(2))
        return name

    def _operations(self, body: Message) -> Iterator[Operation]:
        for each in body.each(3):
            kind = each.text(1)
            outputs = tuple(self._declared(made) for made in each.each(3))
            if kind == _CONST and len(outputs) == 1:
                self._hold(outputs[0], _entry(each, 5, "val"))
                continue
            captured = {"": tuple(dict.fromkeys(self._captured(each, _DEEPEST)))} if 4 in each else {}
            yield Operation(kind, {**dict(self._arguments(each)), **captured}, outputs, self.known)

    def _captured(self, operation: Message, deep: int) -> Iterator[Name]:
        """What the blocks of a loop or a branch read of the block around."""
        if deep == 0:
            raise DamagedError(f"its blocks lie more than {_DEEPEST} deep in each other")
        for inner in (each for block in operation.each(4) for each in block.each(3)):
            for binding in (b for entry in inner.each(2) for b in entry.one(2).each(1)):
                if (name := binding.text(1)) in self.values:
                    yield Name(name)
            yield from self._captured(inner, deep - 1)

    def _arguments(self, operation: Message) -> Iterator[tuple[str, Argument]]:
        """Attributes are constants within the operation; a list of several bindings is one of tensors."""
        for entry in operation.each(5):
            yield entry.text(1), _content(entry.one(2))
        for entry in operation.each(2):
            bound = tuple(self._bound(each) for each in entry.one(2).each(1))
            yield entry.text(1), bound[0] if len(bound) == 1 else bound

    def _bound(self, binding: Message) -> Argument:
        if 1 not in binding:
            return _content(binding.one(2))
        name = binding.text(1)
        if name not in self.values:
            raise DamagedError("an operation reads what nothing computes")
        return Name(name)

    def _hold(self, name: str, value: Message) -> None:
        shape, dtype = self.values[name].shape, self.values[name].dtype
        content = _content(value)
        if content is not None:
            self.known[name] = content
        if shape is None or dtype is DType.STRING:
            return
        if -1 in shape or (dtype.storage_bytes(math.prod(shape)) or 0) > self._stored_bytes:
            raise DamagedError("a constant is larger than the files")
        numbers = content if isinstance(content, tuple) else (content,)
        kept = tuple(float(v) for v in numbers if isinstance(v, (int, float)))
        is_kept = len(kept) == math.prod(shape) and (len(kept) == 1 or not dtype.is_float)
        self.constants[name] = Constant(shape, dtype, kept if is_kept else None)


def _specialized(function: Message) -> Message:
    """The block of the function's own operator set, else the first there is."""
    blocks = {entry.text(1): entry.one(2) for entry in function.each(3)}
    if not blocks:
        raise DamagedError("its main function has no block")
    return blocks.get(function.text(2)) or next(iter(blocks.values()))


def _entry(holder: Message, field: int, key: str) -> Message:
    """Of a map."""
    for entry in holder.each(field):
        if entry.text(1) == key:
            return entry.one(2)
    return holder.one(0)


def _value(kind: Message) -> Value:
    """Of a tensor; a list or a state is taken for what it holds."""
    for wrapper in (2, 5):
        if wrapper in kind:
            return _value(kind.one(wrapper).one(1))
    tensor = kind.one(1)
    shape = tuple(_dimension(each) for each in tensor.each(3))
    if len(shape) > _MOST_DIMENSIONS:
        raise DamagedError(f"a tensor has {len(shape)} dimensions")
    known = tensor.whole(2) >= 0 and len(shape) == tensor.whole(2)
    return Value(shape if known else None, _DTYPES.get(tensor.whole(1), DType.FLOAT32))


def _dimension(dimension: Message) -> int:
    if 1 not in dimension:
        return -1
    size = dimension.one(1).whole(1)
    if not 0 <= size < 1 << 40:
        raise DamagedError(f"a tensor has a dimension of {size}")
    return size


_READ: dict[int, Callable[[Message], tuple[Argument, ...]]] = {
    1: lambda m: m.floats(1, "f", _MOST_VALUES),
    2: lambda m: m.packed(1, _MOST_VALUES),
    3: lambda m: tuple(bool(v) for v in m.packed(1, _MOST_VALUES)),
    4: lambda m: tuple(m.texts(1)),
    5: lambda m: m.packed(1, _MOST_VALUES),
    6: lambda m: m.floats(1, "d", _MOST_VALUES),
}


_RAW = {
    DType.FLOAT16: "e", DType.INT8: "b", DType.UINT8: "B", DType.INT16: "h", DType.UINT16: "H",
}  # fmt: skip
"""Types whose numbers lie as bytes, one behind the other."""


def _raw(content: memoryview, dtype: DType) -> tuple[Argument, ...]:
    code = _RAW.get(dtype)
    width = struct.calcsize(f"<{code or 'b'}")
    if code is None or len(content) > _MOST_VALUES * width or len(content) % width:
        return ()
    return struct.unpack(f"<{len(content) // width}{code}", content)


def _content(value: Message) -> Argument:
    """A number, a text, or a list of them, where the file has it at hand; None for weights."""
    if 3 not in value:
        return None
    tensor, kind = value.one(3).one(1), _value(value.one(2))
    found = next((read(tensor.one(field)) for field, read in _READ.items() if field in tensor), ())
    if 7 in tensor:
        found = _raw(tensor.one(7).content(1), kind.dtype)
    if not found:
        return () if kind.shape == (0,) else None
    return found[0] if kind.shape == () else found
