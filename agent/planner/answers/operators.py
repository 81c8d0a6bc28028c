"""Operators that a question names, `LSTM`, `depthwise conv`, `LayerNorm`, and what has kernels for them."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import cache

from ....tools.model_formats.tflite.operator_words import OperatorPattern, named_operators, operator_patterns
from ..bench import Answering, Call, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from ..words import entries
from .phrases import joined, lines

_ALSO, _LIKE = entries("operators"), entries("operator_names")
_ENGLISH = frozenset(entries("operator_english")["words"])
_MOST, _LIBRARIES = 4, 4
_OF_SUPPORT = (Want.COMPATIBILITY, Want.RUNTIME_FACTS)
_POSSIBLE = 0.1


def operators_in(text: str) -> tuple[str, ...]:
    """Names of operators, however they are written: `Conv2D`, `depthwise conv`, `avg pool`."""
    return named_operators(text, _patterns())


@cache
def _patterns() -> tuple[OperatorPattern, ...]:
    return operator_patterns(_ALSO, _ENGLISH)


def asks(query: Query, wants: Sequence[Want]) -> bool:
    """Whether it is about operators by name, on hardware or with a library."""
    if query.has(Role.MODEL) or not query.says(Role.TARGET, Role.RUNTIME):
        return False
    likely = {want for want, chance in query.likely[:2] if chance >= _POSSIBLE}
    return bool(set(_OF_SUPPORT) & {*wants[:1], *likely}) and bool(operators_in(query.question))


def supported(query: Query, _wants: Sequence[Want]) -> Answering:
    """Of each target that is named, or of a kernel library: what it has kernels for, in which types."""
    parts, named = list[str](), tuple(dict.fromkeys(query.all(Role.RUNTIME)))
    boards = {str(slot.value): slot.text for slot in query.slots if slot.role is Role.TARGET} or {"": ""}
    for target, text in boards.items():
        known = query.targets[target].runtimes if target in query.targets else ()
        if libraries := tuple(name for name in named if name in known) or known or named:
            parts.append((yield from _of(query, libraries, f" on {text or target}" if target else "")))
    return lines(*parts)


def _of(query: Query, libraries: Sequence[str], on: str) -> Generator[Call, Record, str]:
    """By its usual library; what that lacks, by the first of the others that has it."""
    asked = operators_in(query.question)[:_MOST]
    usual = needed((yield call_of("get_runtime", query, runtime=libraries[0])))
    held = [name for name in asked if _rows(usual, name)]
    lacking = [name for name in asked if name not in held]
    said, whole = [f"{_kernels(usual, held)}{on}"] if held else [], usual["complete"]
    if lacking:
        none = f"{usual.ref('id')} has no kernel for {joined(lacking, 'or')}"
        read = f"{joined(lacking)}: not among the operators that I read of {usual.ref('id')}"
        said.append(f"{none if whole else read}{'' if held else on}")
    for other in libraries[1:_LIBRARIES] if lacking else ():
        found = needed((yield call_of("get_runtime", query, runtime=other)))
        if able := [name for name in lacking if _rows(found, name)]:
            said.append(_kernels(found, able))
            break
    word = "Yes, " if not lacking else "Not known: " if not whole else "No: " if not held else ""
    cpu = " What it does not take runs on the CPU." if lacking and usual["fallback"] == "cpu" else ""
    return f"{word}{'; '.join(said)}.{cpu}"


def _kernels(record: Record, names: Sequence[str]) -> str:
    """`tflm-cmsis-nn has kernels for SOFTMAX in float32, int8 and int16, optimized in int8`."""
    rows = record["operators"]
    some_plain = any(row["optimized"] for row in rows) and any(r["optimized"] != r["dtypes"] for r in rows)
    texts = []
    for i in (_rows(record, name)[0] for name in names):
        types, fast = joined(rows[i]["dtypes"]), joined(rows[i]["optimized"])
        optimized = f", {f'optimized in {fast}' if fast else 'none optimized'}" if some_plain else ""
        texts.append(f"{record.ref(f'operators[#{i}].op')} in {types}{optimized}")
    return f"{record.ref('id')} has kernels for {'; '.join(texts)}"


def _rows(record: Record, name: str) -> list[int]:
    keys = {_key(one) for one in (name, *_LIKE.get(name, ()))}
    return [i for i, row in enumerate(record["operators"]) if _key(str(row["op"])) in keys]


def _key(name: str) -> str:
    """One spelling of `CONV_2D` and ONNX's `Conv`."""
    return name.removeprefix("CUSTOM:").casefold().replace("_", "").removesuffix("2d").removesuffix("v2")
