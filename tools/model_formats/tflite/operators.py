"""Operators: which they are, with what options, over which tensors."""

from __future__ import annotations

from collections.abc import Sequence

from ...core.records import dataclass
from ...graph import Op, OptionValue
from .buffers import outside_extent
from .options import read_options
from .reader import DamagedError, Reader
from .schema import OPERATOR, OPERATOR_CODE, enumeration

_MOST_STEPS = 1 << 16
_AT_LEAST_ONE = frozenset(
    {
        "stride_d", "stride_h", "stride_w", "dilation_d_factor", "dilation_h_factor", "dilation_w_factor",
        "filter_height", "filter_width", "block_size",
    }
)  # fmt: skip


@dataclass(frozen=True)
class OpCode:
    """What the operators that name this code have in common."""

    kind: str
    version: int
    custom_code: str | None


def read_op_codes(reader: Reader, at: int) -> list[OpCode]:
    return [_op_code(reader, table) for table in reader.tables(OPERATOR_CODE, at)]


def _op_code(reader: Reader, at: int) -> OpCode:
    deprecated, custom, version, builtin = reader.read(OPERATOR_CODE, at)
    code = max(deprecated, builtin)  # codes above 127 do not fit the deprecated byte
    if code < 0:
        raise DamagedError(f"operator code {code} is negative")
    kind = enumeration("BuiltinOperator").get(code, f"UNKNOWN_BUILTIN_{code}")
    return OpCode(kind, version, reader.text(custom) if kind == "CUSTOM" else None)


def read_ops(reader: Reader, at: int, codes: Sequence[OpCode], tensor_count: int) -> tuple[Op, ...]:
    return tuple(
        _op(reader, table, i, codes, tensor_count) for i, table in enumerate(reader.tables(OPERATOR, at))
    )


def _op(reader: Reader, at: int, index: int, codes: Sequence[OpCode], tensor_count: int) -> Op:
    (
        code_index, inputs_at, outputs_at, union, options_at, custom_at, intermediates_at,
        custom_offset, custom_size, union_2, options_2_at,
    ) = reader.read(OPERATOR, at)  # fmt: skip
    if code_index >= len(codes):
        raise DamagedError(f"operator {index} names code {code_index}, of {len(codes)}")
    code = codes[code_index]
    options = read_options(reader, "BuiltinOptions", union, options_at)
    if options_2_at:
        options |= read_options(reader, "BuiltinOptions2", union_2, options_2_at)
    _check_steps(options, index)
    custom = (
        reader.vector(custom_at, 1)[1]
        if custom_at
        else outside_extent(reader, custom_offset, custom_size).length
    )
    if custom:
        options["custom_options_bytes"] = custom
    outputs = _tensors(reader, outputs_at, index, tensor_count)
    return Op(
        index=index,
        kind=code.kind,
        inputs=_tensors(reader, inputs_at, index, tensor_count),
        outputs=tuple(t for t in outputs if t >= 0) if -1 in outputs else outputs,
        version=code.version,
        options=options,
        intermediates=_tensors(reader, intermediates_at, index, tensor_count),
        custom_code_untrusted=code.custom_code,
    )


def _tensors(reader: Reader, at: int, op: int, tensor_count: int) -> tuple[int, ...]:
    indices = reader.numbers(at, "i")
    if indices and not -1 <= min(indices) <= max(indices) < tensor_count:
        raise DamagedError(
            f"operator {op} names a tensor that is not there, of {tensor_count}: {indices[:8]}"
        )
    return indices


def _check_steps(options: dict[str, OptionValue], op: int) -> None:
    for name in _AT_LEAST_ONE.intersection(options):
        value = options[name]
        if not isinstance(value, int) or not 1 <= value <= _MOST_STEPS:
            raise DamagedError(f"operator {op} has {name} {value}, which no kernel can step by")
