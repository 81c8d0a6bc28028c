"""What a symbol is for: weights, arena, kernels, the runtime, libraries, stack and heap, or the rest."""

from __future__ import annotations

import re
from enum import StrEnum

from ..names import kinds_of
from .image import Symbol


class Role(StrEnum):
    WEIGHTS = "weights"
    ARENA = "arena"
    KERNELS = "kernels"
    RUNTIME = "runtime"
    LIBRARY = "C library"
    STACK = "stack and heap"
    REST = "rest"


_FLATBUFFER = b"TFL3"
"""A TFLite file's identifier, at byte 4: schema.fbs, file_identifier."""
_WEIGHTS = re.compile(
    r"tflite_?(?:model|data|file)|model_?(?:data|tflite|binary|array)|_tflite$|(?:^|_)model$|weights|"
    r"network_(?:data|params)|^g_model",
    re.IGNORECASE,
)
_ARENA = re.compile(
    r"arena|activations|(?<![a-z])nn_?(?:pool|buffer|scratch)|(?:ethosu|kernel)_?scratch|tensor_?pool",
    re.IGNORECASE,
)
_KERNEL = re.compile(
    r"^arm_(?:nn|convolve|depthwise|fully|softmax|max_pool|avgpool|elementwise|add|mul|relu|reshape|svdf|lstm|"
    r"concatenation|transpose|batch_matmul|minimum|maximum|pad|q7_|s8_)|^esp_nn_|^xnn_|^forward_|^mli_|"
    r"^riscv_(?:nn|convolve)|^(?:conv|dense|pool|sm_|nl_|eltwise)\w*_is8",
    re.IGNORECASE,
)
_KERNEL_PLACE = re.compile(r"(?:^|[/(])kernels/|cmsis[-_]?nn|esp[-_]nn|NetworkRuntime|libxnn", re.IGNORECASE)
_RUNTIME = re.compile(
    r"^tflite|^flatbuffers|tensorflow|micro_(?:interpreter|allocator|graph|op_resolver|log|context)|ethosu_|"
    r"^ai_(?:network|core|platform|buffer|log)|^tvmgen|^TVM|^stai_",
    re.IGNORECASE,
)
_RUNTIME_PLACE = re.compile(r"tflm|tflite|tensorflow|X-CUBE-AI|ethos[-_]?u|/tvm", re.IGNORECASE)
_LIBRARY = re.compile(
    r"lib(?:c|m|g|gcc|stdc\+\+|supc\+\+|nosys|atomic|rdimon)(?:_nano)?\.a|(?:^|/)(?:c|m|fz|h|mc|mf)_\w+\.l\(|"
    r"(?:^|/)(?:(?:dlpp|dl|rt|m)\d\w?_\w{1,6}|shb_\w{1,3})\.a\(",
    re.IGNORECASE,
)
_STACK = re.compile(r"stack|heap", re.IGNORECASE)
_OBJECT = re.compile(r"([\w+-]+)\.(?:cc|cpp|c|o|obj)\b")
_SPLIT = re.compile(r"::|\(|\)|/|\.")


def role_of(symbol: Symbol) -> Role:
    """By what its bytes are where they are known, else by its name, its section and where it comes from."""
    name, place = symbol.name, f"{symbol.object} {symbol.part}"
    if symbol.begins[4:8] == _FLATBUFFER:
        return Role.WEIGHTS
    if symbol.is_code:
        return _of_code(symbol, name, place)
    if symbol.in_ram and _STACK.search(f"{symbol.section} {symbol.part} {name}"):
        return Role.STACK
    if not symbol.in_flash and (_ARENA.search(name) or _ARENA.search(symbol.part)):
        return Role.ARENA
    if symbol.in_ram and _ARENA.search(name):
        return Role.ARENA
    if symbol.in_flash and (_WEIGHTS.search(name) or (not name and _WEIGHTS.search(symbol.part))):
        return Role.WEIGHTS
    return _of_code(symbol, name, place)


def _of_code(symbol: Symbol, name: str, place: str) -> Role:
    if _LIBRARY.search(place):
        return Role.LIBRARY
    if _KERNEL.search(name) or _KERNEL_PLACE.search(place):
        return Role.KERNELS
    if name.startswith("tflite::") and _COMPUTES.search(name) and "Micro" not in name:
        return Role.KERNELS
    if _RUNTIME_PLACE.search(place):
        return Role.KERNELS if kernel_kinds(symbol._replace(name="")) else Role.RUNTIME
    return Role.RUNTIME if _RUNTIME.search(name) else Role.REST


_COMPUTES = re.compile(r"Eval|Prepare|_ops::|optimized|Register_|kernel_util|Conv|Pool|Softmax|Connected")
_DRESS = re.compile(
    r"^(?:Register_|arm_|esp_nn_|forward_|riscv_|_?tflite_|elementwise_)|(?:_(?:s8|s16|s4|u8|f32|ansi|fast|opt|"
    r"wrapper|common|esp32s3|float|int8|if32|is8\w*|1x1|1_x_n|get_buffer_size))+$|(?:Eval|Prepare|Init)\w*$",
    re.IGNORECASE,
)
_WORDS = {"convolve": "conv"}
"""Kernels' own words for operators."""


def kernel_kinds(symbol: Symbol) -> tuple[str, ...]:
    """Operators that a kernel's object file or symbol is named after; none where it names none."""
    found = _OBJECT.search(symbol.object)
    words = [found[1]] if found is not None else []
    for word in (*words, *_SPLIT.split(symbol.name)):
        plain = _DRESS.sub("", _DRESS.sub("", word)).casefold()
        if meant := kinds_of(_WORDS.get(plain, plain)):
            return meant
    return ()
