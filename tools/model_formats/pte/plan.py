"""One method of an ExecuTorch program: its values, and its instructions as calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ....hardware_db.errors import ModelFileError
from ...core.records import dataclass
from ...graph import DType
from ..aten import Argument, Call, Name
from ..onnx.document import Constant
from ..onnx.document import Value as Known
from ..tflite.reader import DamagedError, Reader
from .schema import (
    ALLOCATION,
    BOOLEAN,
    CALL,
    CHAIN,
    DATA_REFERENCE,
    DELEGATE,
    DOUBLE,
    EXTRA,
    INLINE_DATA,
    INTEGER,
    LIST,
    MOVE,
    OPERATOR,
    PLAN,
    SCALAR_TYPES,
    TENSOR,
    TEXT,
    UNION,
    Instruction,
    Value,
)

_MOST_DIMENSIONS = 16
"""As ExecuTorch's own (kTensorDimensionLimit)."""
_IN_SEGMENT = 1
_SEVERAL = {
    "native_layer_norm": 3, "native_group_norm": 3, "_native_batch_norm_legit_no_training": 3,
    "native_batch_norm": 3, "_native_batch_norm_legit": 3, "max_pool2d_with_indices": 2, "topk": 2, "sort": 2,
    "var_mean": 2, "native_dropout": 2,
}  # fmt: skip
_SEVERAL_OF = {("max", "dim_max"): 2, ("min", "dim_min"): 2}
"""How many tensors an operator writes that writes more than one."""


@dataclass(frozen=True)
class Delegates:
    """Where the data of delegates lies."""

    inline: tuple[int, ...]
    """Positions of the tables."""
    segments: tuple[int, ...]
    """Sizes."""


class Plan:
    """Tensors are named by their place among the values; one that is written again, anew."""

    def __init__(self, reader: Reader, at: int, delegates: Delegates) -> None:
        name_at, values_at, inputs_at, outputs_at, chains_at, operators_at, delegates_at = reader.read(
            PLAN, at
        )
        self._reader = reader
        self.method = reader.text(name_at)
        self._values = [reader.read(UNION, table) for table in reader.tables(UNION, values_at)]
        self._chains = reader.tables(CHAIN, chains_at)
        self._operators = [
            tuple(map(reader.text, reader.read(OPERATOR, table)))
            for table in reader.tables(OPERATOR, operators_at)
        ]
        self._delegates = [
            self._delegate(table, delegates) for table in reader.tables(DELEGATE, delegates_at)
        ]
        self.known: dict[str, Known] = {}
        self.constants: dict[str, Constant] = {}
        self._names: dict[int, str] = {}
        """Of values that are there: the name under which each was written last."""
        self._places: dict[int, tuple[int, ...]] = {}
        """(memory, offset) of tensors."""
        self._holders: dict[tuple[int, ...], int] = {}
        """What was written last at a place."""
        self._read_tensors()
        tensors = [i for i in reader.numbers(inputs_at, "i") if self._is_tensor(i)]
        self.inputs = [self._written(i) for i in tensors if str(i) not in self.constants]
        self._outputs = [i for i in reader.numbers(outputs_at, "i") if self._is_tensor(i)]

    @property
    def outputs(self) -> list[str]:
        """Once all calls are read."""
        return [self._names.get(i, str(i)) for i in self._outputs]

    def calls(self) -> Iterator[Call]:
        for chain in self._chains:
            (instructions_at,) = self._reader.read(CHAIN, chain)
            for table in self._reader.tables(UNION, instructions_at):
                kind, at = self._reader.read(UNION, table)
                match kind:
                    case Instruction.KERNEL:
                        yield from self._kernel(at)
                    case Instruction.DELEGATE:
                        yield from self._delegated(at)
                    case Instruction.MOVE:
                        source, target = self._reader.read(MOVE, at)
                        if self._is_tensor(source) and self._is_tensor(target):
                            given = self._argument(source)
                            yield Call("alias", "", (given,), (self._written(target),))
                    case Instruction.JUMP:
                        raise ModelFileError(
                            f"Its method {self.method!r} branches, and what runs depends on the data.",
                            hint="Export the branch that is to be judged.",
                        )

    def _kernel(self, at: int) -> Iterator[Call]:
        """What it writes stands at the end of what it is given, once more as what it returns."""
        index, args_at = self._reader.read(CALL, at)
        if not 0 <= index < len(self._operators):
            raise DamagedError(f"a call names operator {index}, of {len(self._operators)}")
        name, overload = self._operators[index]
        library, _, target = name.rpartition("::")
        args = list(self._reader.numbers(args_at, "i"))
        wanted = _SEVERAL_OF.get((target, overload)) or _SEVERAL.get(target, 1)
        made = self._last_unwritten(args, wanted)
        written = list(dict.fromkeys(each for i in made for each in self._tensors_of(i)))
        ends = [at for at, i in enumerate(args) if not set(self._tensors_of(i)).isdisjoint(written)]
        read = args[: min(ends, default=len(args))]
        yield from self._views(read)
        given = tuple(map(self._argument, read))
        if not written and args and self._is_tensor(args[0]):
            written = [args[0]]
        label = target if library == "aten" else f"{library}.{target}"
        yield Call(label, overload, given, tuple(map(self._written, written)))

    def _last_unwritten(self, args: Sequence[int], most: int) -> list[int]:
        made: list[int] = []
        for i in reversed(args):
            if i not in made and self._tensors_of(i):
                if len(made) == most or not self._is_unwritten(i):
                    break
                made.append(i)
                if not self._is_tensor(i):
                    break
        return made[::-1]

    def _views(self, args: Sequence[int]) -> Iterator[Call]:
        """A view costs no instruction: a tensor that nothing has written lies where another one does."""
        for i in (each for arg in args for each in self._tensors_of(arg)):
            place = self._places.get(i)
            if i in self._names or str(i) in self.constants or place not in self._holders:
                continue
            source = Name(self._names[self._holders[place]])
            yield Call("view", "", (source,), (self._written(i),))

    def _delegated(self, at: int) -> Iterator[Call]:
        """What it reads, the data that it was compiled into, and what it writes."""
        index, args_at = self._reader.read(CALL, at)
        if not 0 <= index < len(self._delegates):
            raise DamagedError(f"a call names delegate {index}, of {len(self._delegates)}")
        name, size = self._delegates[index]
        args = self._reader.numbers(args_at, "i")
        written = [i for i in args if self._is_tensor(i) and self._is_unwritten(i)]
        given = [self._argument(i) for i in args if i not in written]
        label = f"delegate/{index}"
        if size:
            self.constants[label] = Constant((size,), DType.UINT8)
            given.append(Name(label))
        yield Call(f"delegate.{name}", "", tuple(given), tuple(map(self._written, written)))

    def _delegate(self, at: int, delegates: Delegates) -> tuple[str, int]:
        """(name, bytes)."""
        name_at, processed_at = self._reader.read(DELEGATE, at)
        location, index = self._reader.read(DATA_REFERENCE, processed_at) if processed_at else (0, 0)
        held = delegates.segments if location == _IN_SEGMENT else delegates.inline
        if processed_at and index >= len(held):
            raise DamagedError(f"a delegate's data is entry {index}, of {len(held)}")
        if not processed_at or location == _IN_SEGMENT:
            return self._reader.text(name_at), held[index] if processed_at else 0
        (data_at,) = self._reader.read(INLINE_DATA, held[index])
        return self._reader.text(name_at), self._reader.vector(data_at, 1)[1] if data_at else 0

    def _read_tensors(self) -> None:
        for i, (kind, at) in enumerate(self._values):
            if kind != Value.TENSOR:
                continue
            scalar, sizes_at, buffer, allocation, extra_at = self._reader.read(TENSOR, at)
            sizes = self._reader.numbers(sizes_at, "i")
            if len(sizes) > _MOST_DIMENSIONS or min(sizes, default=0) < 0:
                raise DamagedError(f"tensor {i} has no shape that a tensor has")
            dtype = SCALAR_TYPES.get(scalar, DType.VARIANT)
            self.known[str(i)] = Known(sizes, dtype)
            if allocation:
                self._places[i] = tuple(self._reader.read(ALLOCATION, allocation))
            _, location = self._reader.read(EXTRA, extra_at) if extra_at else (0, 0)
            if (buffer or location) and not allocation:
                self.constants[str(i)] = self._constant(sizes, dtype, is_elsewhere=bool(location))

    def _constant(self, sizes: tuple[int, ...], dtype: DType, *, is_elsewhere: bool) -> Constant:
        elements = 1
        for size in sizes:
            elements *= size
        if not is_elsewhere and (dtype.storage_bytes(elements) or 0) > self._reader.size:
            raise DamagedError("a constant is larger than the file")
        return Constant(sizes, dtype)

    def _is_tensor(self, i: int) -> bool:
        return self._kind(i) == Value.TENSOR

    def _kind(self, i: int) -> int:
        if not 0 <= i < len(self._values):
            raise DamagedError(f"a call names value {i}, of {len(self._values)}")
        kind: int = self._values[i][0]
        return kind

    def _tensors_of(self, i: int) -> list[int]:
        if self._is_tensor(i):
            return [i]
        if self._kind(i) in (Value.TENSORS, Value.OPTIONAL_TENSORS):
            return [each for each in self._items(i, "i") if each >= 0 and self._is_tensor(each)]
        return []

    def _is_unwritten(self, i: int) -> bool:
        tensors = self._tensors_of(i)
        return bool(tensors) and not any(t in self._names or str(t) in self.constants for t in tensors)

    def _written(self, i: int) -> str:
        """A name for what is written now; what held the value before keeps its own."""
        name = str(i) if i not in self._names else f"{self._names[i]}'"
        self._names[i] = name
        if i in self._places:
            self._holders[self._places[i]] = i
        self.known[name] = self.known[str(i)]
        return name

    def _items(self, i: int, code: str) -> tuple[Any, ...]:
        (items_at,) = self._reader.read(LIST, self._values[i][1])
        return self._reader.numbers(items_at, code)

    def _argument(self, i: int) -> Argument:
        kind = self._kind(i)
        at = self._values[i][1]
        match kind:
            case Value.TENSOR:
                return Name(self._names.get(i, str(i)))
            case Value.INTEGER:
                return int(self._reader.read(INTEGER, at)[0])
            case Value.BOOLEAN:
                return bool(self._reader.read(BOOLEAN, at)[0])
            case Value.DOUBLE:
                return float(self._reader.read(DOUBLE, at)[0])
            case Value.TEXT:
                return self._reader.text(self._reader.read(TEXT, at)[0])
            case Value.INTEGERS:
                return tuple(self._integer(each) for each in self._items(i, "q"))
            case Value.DOUBLES:
                return self._items(i, "d")
            case Value.BOOLEANS:
                return tuple(map(bool, self._items(i, "B")))
            case Value.TENSORS | Value.OPTIONAL_TENSORS:
                return tuple(
                    Name(self._names.get(each, str(each))) if each >= 0 and self._is_tensor(each) else None
                    for each in self._items(i, "i")
                )
        return None

    def _integer(self, i: int) -> int:
        """Lists of integers are lists of the places of values."""
        if self._kind(i) != Value.INTEGER:
            raise DamagedError(f"value {i} is no integer")
        return int(self._reader.read(INTEGER, self._values[i][1])[0])
