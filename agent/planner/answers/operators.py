"""Operators that a question names, `LSTM`, `depthwise conv`, `LayerNorm`, and what has kernels for them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from ....tools.model_formats.tflite.schema import enumeration
from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from ..words import entries
from .phrases import joined, lines, sentence

_ALSO, _LIKE, _PARTS = entries("operators"), entries("operator_names"), entries("operator_parts")
_ENGLISH = frozenset(entries("operator_english")["words"])
_SEPARATOR = r"[\s_-]?"
_MOST, _LIBRARIES, _LISTED = 4, 4, 12
_OF_SUPPORT = (Want.COMPATIBILITY, Want.RUNTIME_FACTS)
_LIST = re.compile(
    r"\b(?:which|what|list|all)\b.{0,30}\b(?:ops?|operators?|operations?|layers?)\b", re.IGNORECASE
)
_YES_OR_NO = re.compile(
    r"(?:^|[.!?,;] *)(?:and |so |but )?(?:does|do|is|are|can|could|will|would)\b|"
    r"\b(?:possible|supported|ok)\?",
    re.IGNORECASE,
)
_POSSIBLE, _TWO = 0.1, 2


def operators_in(text: str) -> tuple[str, ...]:
    """Names of operators, however they are written: `Conv2D`, `depthwise conv`, `avg pool`."""
    found = list[tuple[int, str]]()
    for pattern, name in _patterns():
        for match in pattern.finditer(text):
            found.append((match.start(), name))
        text = pattern.sub(lambda match: " " * len(match[0]), text)
    return tuple(dict.fromkeys(name for _, name in sorted(found)))


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    """The longest names first."""
    builtin = (name for name in enumeration("BuiltinOperator").values() if not name.startswith(_NOT_ASKED))
    names = {**{name: name for name in builtin}, **_ALSO}
    names |= {"lstm": "UNIDIRECTIONAL_SEQUENCE_LSTM", "rnn": "UNIDIRECTIONAL_SEQUENCE_RNN"}
    return tuple((_pattern(name), names[name]) for name in sorted(names, key=len, reverse=True))


_NOT_ASKED = ("PLACEHOLDER", "STABLEHLO", "CONCAT_EMBEDDINGS", "LSTM", "RNN")


def _pattern(name: str) -> re.Pattern[str]:
    if name in _ENGLISH:
        return re.compile(rf"(?<![\w+]){name}(?!\w)")
    words = re.split(r"[_ ]", name.casefold())
    words = words[:-1] if words[-1] == "2d" and len(words) > 1 else words
    body = _SEPARATOR.join("av(?:era)?ge?" if word == "average" else re.escape(word) for word in words)
    ends = rf"(?:{_SEPARATOR}2d)?(?:s|ing|olutions?|ali[sz]ation)?(?!\w)"
    return re.compile(rf"(?<![\w+])(?:add{_SEPARATOR})?{body}{ends}", re.IGNORECASE)


def asks(query: Query, wants: Sequence[Want]) -> bool:
    """Whether it is about operators by name, or all that there are, on hardware or with a library."""
    if query.has(Role.MODEL) or not query.says(Role.TARGET, Role.RUNTIME):
        return False
    if not set(wants[:1]) & set(_OF_SUPPORT) and not _likely(query):
        return False
    return bool(operators_in(query.question)) or bool(_LIST.search(query.question) and query.has(Role.TARGET))


def _likely(query: Query) -> bool:
    return any(want in _OF_SUPPORT and chance >= _POSSIBLE for want, chance in query.likely[:2])


def supported(query: Query, _wants: Sequence[Want]) -> Answering:
    """Of each target that is named, or of a kernel library: what it has kernels for, in which types."""
    asked, parts, firsts = operators_in(query.question)[:_MOST], list[str](), list[tuple[Record, str]]()
    named = tuple(dict.fromkeys(query.all(Role.RUNTIME)))
    boards = {str(slot.value): slot.text for slot in query.slots if slot.role is Role.TARGET} or {"": ""}
    for target, text in boards.items():
        known = query.targets[target].runtimes if target in query.targets else ()
        libraries = tuple(name for name in named if name in known) or known or named
        if not libraries:
            continue
        first = needed((yield call_of("get_runtime", query, runtime=libraries[0])))
        on = f" on {text or target}" if target else ""
        firsts.append((first, on))
        if asked:
            parts.append((yield from _of_asked(query, first, on, libraries[1:_LIBRARIES], asked)))
        else:
            parts.append(_all(first, on))
    apart = _apart(*firsts) if len(firsts) == _TWO and not asked else ()
    return lines(*(apart or parts))


def _of_asked(
    query: Query, record: Record, on: str, others: Sequence[str], asked: Sequence[str]
) -> Answering:
    """By its usual library; what that lacks, by the first of the others that has it."""
    held = [name for name in asked if _rows(record, name)]
    lacking = [name for name in asked if name not in held]
    said = [f"{_kernels(record, held)}{on}"] if held else []
    if lacking and record["complete"]:
        said.append(f"{record.ref('id')} has no kernel for {joined(lacking, 'or')}{'' if held else on}")
    elif lacking:
        are = "are" if len(lacking) > 1 else "is"
        read = f"not among the {record.ref('operators')} kinds of operators that I read of {record.ref('id')}"
        said.append(f"{joined(lacking)} {are} {read}{'' if held else on}")
    more = [_of_parts(record, name) for name in lacking]
    for other in others if lacking else ():
        found = needed((yield call_of("get_runtime", query, runtime=other)))
        if able := [name for name in lacking if _rows(found, name)]:
            more.append(sentence(_kernels(found, able)))
            break
    if lacking and record["fallback"] == "cpu":
        more.append("What it does not take runs on the CPU.")
    word = ""
    if _YES_OR_NO.search(query.question):
        word = (
            "Yes, "
            if not lacking
            else "Not known: "
            if not record["complete"]
            else "No: "
            if not held
            else ""
        )
    return " ".join([f"{word}{'; '.join(said)}.", *filter(None, more)])


def _all(record: Record, on: str) -> str:
    count = min(_LISTED, len(record["operators"]))
    names = ", ".join(record.ref(f"operators[#{i}].op") for i in range(count))
    more = " and others" if len(record["operators"]) > count else ""
    whole = "has kernels for" if record["complete"] else "takes, as far as I read of it,"
    rest = " The rest runs on the CPU." if record["fallback"] == "cpu" else ""
    show = f"`edgewright runtimes show {record['id']}` lists them with their types."
    kinds = f"{record.ref('operators')} kinds of operators"
    return f"{record.ref('id')}{on} {whole} {kinds}: {names}{more}.{rest} {show}"


def _apart(one: tuple[Record, str], other: tuple[Record, str]) -> Sequence[str]:
    """What each of two has and the other has not."""
    return [
        f"Only {mine.ref('id')}{on}: {joined([mine.ref(f'operators[#{i}].op') for i in alone])}."
        for (mine, on), (theirs, _) in ((one, other), (other, one))
        if (alone := [i for i, row in enumerate(mine["operators"]) if not _rows(theirs, str(row["op"]))])
    ]


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


def _of_parts(record: Record, name: str) -> str:
    """What an operator is made of, where there are kernels for all of that."""
    parts = _PARTS.get(name, ())
    if not parts or not all(_rows(record, part) for part in parts):
        return ""
    return f"{name} can be written as {joined(parts)}, for which it has kernels."


def _rows(record: Record, name: str) -> list[int]:
    keys = {_key(one) for one in (name, *_LIKE.get(name, ()))}
    return [i for i, row in enumerate(record["operators"]) if _key(str(row["op"])) in keys]


def _key(name: str) -> str:
    """One spelling of `CONV_2D` and ONNX's `Conv`."""
    return name.removeprefix("CUSTOM:").casefold().replace("_", "").removesuffix("2d").removesuffix("v2")
