"""Code that a question asks for: Python of the public functions, C++ for TFLite Micro."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....tools.codegen.minimal import methods_for, minimal_program
from ....tools.codegen.operators import ADD_METHODS
from ....tools.traces.messages.reading import read_message
from ..bench import Answering, ToolFailedError, call_of
from ..query import LIMITS, Query, Role
from ..want import Want
from .operators import operators_in
from .phrases import joined, lines, said

_WANTED = (
    r"(?:snippets?|scripts?|code|loop\w*|functions?|programs?|examples?|lines of|write|"
    r"notebooks?|one.?liners?|"
    r"how (?:do|would|can|to)|show me|give me|main\.(?:cpp|cc)|sketch|emit|generate)"
)
_PYTHON = re.compile(
    rf"\b(?:{_WANTED}\b.*\bpython|python\b.*\b{_WANTED}|pandas)\b", re.IGNORECASE | re.DOTALL
)
_ABOUT_PYTHON = re.compile(r"\bpython (?:versions?|3|releases?)\b|\b(?:which|what) python\b", re.IGNORECASE)
_CPP = re.compile(
    rf"\b(?:{_WANTED}\b.*(?:\bc\+\+|\bcpp\b|\btflm\b|tflite micro|tensorflow lite micro)|"
    rf"(?:c\+\+|cpp)(?!\w).*\b{_WANTED}\b|main\.(?:cpp|cc)\b|"
    r"\b(?:write|emit|generate|give|show)\b.{0,40}\b(?:sketch|firmware|arduino code))",
    re.IGNORECASE | re.DOTALL,
)
_RUNS_ONE = re.compile(
    r"\b(?:tflm|tflite|tensorflow lite|interpreter|resolver|arena|main\.(?:cpp|cc)|firmware|sketch)\b",
    re.IGNORECASE,
)
_TIMES_IT = re.compile(r"\b(?:cycle counters?|dwt|cyccnt|time|timing|measure\w*|profil\w+)\b", re.IGNORECASE)
_FOLDER = re.compile(
    r"\b(?:folders?|directory|directories|each \.?\w* ?(?:model|file)|every \.?\w* ?(?:model|file)|"
    r"all (?:\w+ ){0,2}models)\b|"
    r"(?:each|every|all) \.tflite|\*\.tflite",
    re.IGNORECASE,
)
_IN_PYTHON = re.compile(
    r"^\W*python\b|\bin python\b|"
    r"\bpython (?:scripts?|snippets?|code|loop|functions?|programs?|lines?|examples?)\b",
    re.IGNORECASE,
)
_IN_CPP = re.compile(
    r"\bmain\.(?:cpp|cc)\b|\b(?:c\+\+|cpp) (?:snippet|code|lines?|program|for)|\bin (?:c\+\+|cpp)(?!\w)",
    re.IGNORECASE,
)
_BATCHES = re.compile(r"\bbatch(?:es|.sizes?)?\W+((?:\d{1,4}(?:\W+(?:and )?|\b))+)", re.IGNORECASE)
_OF_OTHER_TOOLS = re.compile(
    r"\b(?:quanti[sz]\w*|convert\w*|train\w*|vela|tensorrt|trtexec|rknn|snpe|engine)\b", re.IGNORECASE
)
_MHZ = re.compile(r"((?:\d+(?:\.\d+)?[\s,/&]*(?:MHz)?[\s,/&]*(?:and|or|to)?[\s,/&]*)+)\bMHz\b", re.IGNORECASE)
_ARENA = re.compile(
    r"\barena\D{0,12}(\d[\d,.]*\s*[kKmM]?i?[bB]?)\b|\b(\d[\d,.]*\s*[kKmM]i?[bB]?) (?:tensor )?arena",
    re.IGNORECASE,
)
_AS_LIMIT = {Role.RATE_HZ: "rate_hz"}
_ANY_TARGET = "nrf52840"
_ASKS_MEMORY = frozenset((Want.RAM, Want.FLASH, Want.FITS))


def asks_python(query: Query) -> bool:
    """Whether it wants a script of the public functions, and says of what."""
    text = query.question
    named = query.has(Role.MODEL, Role.TARGET) or query.unknown or _FOLDER.search(text)
    other = _ABOUT_PYTHON.search(text) or _OF_OTHER_TOOLS.search(text)
    if not named or other or not _PYTHON.search(text) or query.wants[:1] == (Want.OUTSIDE,):
        return False
    return bool(_IN_PYTHON.search(text)) or _may_want(query, Want.CODE, Want.PRODUCT)


def asks_cpp(query: Query) -> bool:
    """Whether it wants a program that runs a network on a microcontroller."""
    text = query.question
    wanted = _IN_CPP.search(text) or _may_want(query, Want.CODE)
    if not (_CPP.search(text) and _RUNS_ONE.search(text) and wanted):
        return False
    return bool(operators_in(text)) or not _TIMES_IT.search(text)


def _may_want(query: Query, *wants: Want) -> bool:
    likely = {want for want, chance in query.likely if chance >= _LIKELY}
    return bool(set(wants) & {*query.wants, *likely})


def python(query: Query, wants: Sequence[Want]) -> Answering:
    """A script with the names, clocks, batches and limits of the question; it runs as it stands."""
    yield from ()
    models = list(dict.fromkeys(query.all(Role.MODEL))) or ["model.tflite"]
    listed = repr(models).replace("'", '"')
    if of_folder := _FOLDER.search(query.question) is not None and not query.has(Role.MODEL):
        listed = 'sorted(Path().glob("*.tflite"))'
    loops: dict[str, Sequence[object]] = {
        "target": list(dict.fromkeys(query.all(Role.TARGET))) or [_ANY_TARGET],
        "clock_mhz": _listed(_MHZ, query.question), "batch": _listed(_BATCHES, query.question),
    }  # fmt: skip
    listed_by = (("clocks", loops["clock_mhz"], " MHz"), ("batches", loops["batch"], ""))
    files = [name for name in models if name.endswith((".tflite", ".onnx")) and not of_folder]
    return lines(
        f"In Python{''.join(f', at {len(v)} {n}, {joined(map(str, v))}{u}' for n, v, u in listed_by if v)}:",
        f"```python\n{_script(query, wants, listed, {n: v for n, v in loops.items() if v})}\n```",
        f"{joined(f'`{name}`' for name in files)} is read from the folder that it runs in." if files else "",
        f"Put your board in place of `{_ANY_TARGET}`." if not query.has(Role.TARGET) else "",
        "From docs/python.md.",
    )


def _listed(rows: re.Pattern[str], text: str) -> list[int | float]:
    """Every figure of a row such as `64, 100, 168 MHz` or `batch 1, 8 and 32`."""
    found = [float(number) for row in rows.findall(text) for number in re.findall(r"\d+(?:\.\d+)?", row)]
    return [int(number) if number == int(number) else number for number in dict.fromkeys(found) if number]


def _script(query: Query, wants: Sequence[Want], models: str, loops: dict[str, Sequence[object]]) -> str:
    limits = {_AS_LIMIT.get(role, role.value): said(query, role) for role in LIMITS if query.says(role)}
    function, shown = "estimate_performance", _ESTIMATED
    if limits:
        function, shown = "check_constraints", {"verdict": "verdict.value"}
    elif set(wants) & _ASKS_MEMORY and Want.LATENCY not in wants:
        function, shown = "plan_memory", {"arena_bytes": "arena_bytes", "fits": "fits"}
    names = ["model", *loops]
    settings = [f"{name}={name}" for name in loops if name != "target"]
    settings += [f'runtime="{query.text(Role.RUNTIME)}"'] if query.has(Role.RUNTIME) else []
    text = [
        "import csv", "import sys", "from itertools import product",
        *(["from pathlib import Path"] if "Path" in models else []), "",
        f"from edgewright.tools import {', '.join(sorted(('deployment', function)))}", "",
        "rows = csv.writer(sys.stdout)", f"rows.writerow({[*names, *shown]!r})",
        f"for {', '.join(names)} in product({', '.join([models, *map(repr, loops.values())])}):",
        f"    board = deployment({', '.join(['target', *settings])})",
        f"    found = {function}(model, board{f', {limits!r}' if limits else ''})",
        f"    rows.writerow([{', '.join([*names, *(f'found.{field}' for field in shown.values())])}])",
    ]  # fmt: skip
    return "\n".join(text).replace("'", '"')


_ESTIMATED = {
    "latency_ms": "latency_ms.value", "low": "latency_ms.low", "high": "latency_ms.high",
    "energy_uj": "energy_uj.value",
}  # fmt: skip


def cpp(query: Query, _wants: Sequence[Want]) -> Answering:
    """A program with the operators that are named, else with those of the model."""
    named = operators_in(query.question)
    arena = read_message(query.question).arena_bytes
    methods, command, board = methods_for(named), "edgewright code MODEL -t TARGET", ""
    lacking = [name for name in named if name not in ADD_METHODS]
    if query.has(Role.MODEL) and query.has(Role.TARGET):
        command = f"edgewright code {query.text(Role.MODEL)} -t {query.text(Role.TARGET)}"
        record = yield call_of("firmware_code", query)
        if record.result is not None and not methods:
            if record["why_not"] or not record["operators"]:
                raise ToolFailedError(str(record["why_not"] or record.error))
            methods, arena = tuple(record["operators"]), arena or record["arena_bytes"]
            board = f"The arena is {record.ref('arena_bytes', 'B')}, as planned for that model."
    guessed = "" if methods else "Name the operators, or the model, and they are registered here."
    sized = (
        ""
        if arena or board
        else "The arena of 64 KiB is a beginning: print `arena_used_bytes()` and shrink it."
    )
    arena_said = _ARENA.search(query.question)
    with_arena = f", with an arena of {arena_said[1] or arena_said[2]}" if arena_said else ""
    return lines(
        f"For TFLite Micro (TFLM), in int8{with_arena}:",
        f"```cpp\n{minimal_program(methods, arena)}\n```",
        f"TFLite Micro has no kernel for {joined(lacking)}." if lacking else "",
        guessed, board or sized,
        f"`{command}` writes it for a model: its operators, its arena, its array and a project to build.",
    )  # fmt: skip


_LIKELY = 0.3
