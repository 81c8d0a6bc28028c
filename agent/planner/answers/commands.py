"""Commands and code that a question asks for: of the shell, in Python, in C++ for TFLite Micro."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....tools.codegen.minimal import methods_for, minimal_program
from ....tools.codegen.operators import ADD_METHODS
from ....tools.traces.messages.reading import read_message
from ..bench import Answering, ToolFailedError, call_of, needed
from ..query import LIMITS, Query, Role
from ..want import Want
from .operators import operators_in
from .phrases import assumed, joined, lines, said, subject

_CODE = re.compile(
    r"\b(?:snippets?|scripts?|code|loop\w*|functions?|programs?|examples?|lines of|write|notebooks?|"
    r"one.?liners?|how (?:do|would|can|to)|show me|give me|sketch|emit|generate)\b|main\.(?:cpp|cc)",
    re.IGNORECASE,
)
_PYTHON = re.compile(r"\b(?:python|pandas)\b(?! (?:versions?|3|releases?))", re.IGNORECASE)
_CPP = re.compile(
    r"c\+\+|\bcpp\b|\b(?:tflm|tflite micro|tensorflow lite micro)\b|main\.(?:cpp|cc)|"
    r"\b(?:sketch|firmware|arduino code)\b",
    re.IGNORECASE,
)
_SURELY = re.compile(
    r"\bin (?:python|c\+\+|cpp)(?!\w)|main\.(?:cpp|cc)|^\W*python\b|"
    r"\b(?:python|c\+\+|cpp) (?:scripts?|snippets?|code|loop|functions?|programs?|lines?|examples?|for)\b",
    re.IGNORECASE,
)
"""Words after which no want has to say that code is asked for."""
_RUNS_ONE = re.compile(
    r"\b(?:tflm|tflite|tensorflow lite|interpreter|resolver|arena|firmware|sketch)\b|main\.(?:cpp|cc)",
    re.IGNORECASE,
)
_TIMES_IT = re.compile(r"\b(?:cycle counters?|dwt|cyccnt|time|timing|measure\w*|profil\w+)\b", re.IGNORECASE)
_FOLDER = re.compile(
    r"\b(?:folders?|director(?:y|ies)|"
    r"(?:each|every|all) (?:(?:my|our|the|of) )*(?:\.?\w* )?(?:models?|files?))\b"
    r"|(?:each|every|all) \.tflite|\*\.tflite",
    re.IGNORECASE,
)
_OF_OTHER_TOOLS = re.compile(
    r"\b(?:(?:which|what) python|quanti[sz]\w*|convert\w*|train\w*|vela|tensorrt|trtexec|rknn|snpe|engine)\b",
    re.IGNORECASE,
)
_LISTS = (
    ("clock_mhz", "clocks", " MHz",
     re.compile(r"((?:\d+(?:\.\d+)?[\s,/&]*(?:MHz|and|or|to)?[\s,/&]*)+)\bMHz\b", re.I)),
    ("batch", "batches", "", re.compile(r"\bbatch(?:es|.sizes?)?\W+((?:\d{1,4}(?:\W+(?:and )?|\b))+)", re.I)),
)  # fmt: skip
"""What a script loops over: argument, its name, unit, and the figures of a row of them."""
_ASKS_COMMAND = re.compile(r"\b(?:which|what|a|the) command\b|\bcommand line\b", re.IGNORECASE)
_ANY_TARGET, _LIKELY, _SHORT, _MOST = "nrf52840", 0.3, 600, 12
_FLAGS = {
    Role.LATENCY_MS: "--max-latency", Role.RATE_HZ: "--min-rate", Role.RAM_BYTES: "--max-ram",
    Role.FLASH_BYTES: "--max-flash", Role.ENERGY_UJ: "--max-energy", Role.POWER_MW: "--max-power",
    Role.PRICE_USD: "--max-price",
}  # fmt: skip
_SHOWN = {
    "check_constraints": {"verdict": "verdict.value"},
    "plan_memory": {"arena_bytes": "arena_bytes", "fits": "fits"},
    "estimate_performance": {
        "latency_ms": "latency_ms.value", "low": "latency_ms.low", "high": "latency_ms.high",
        "energy_uj": "energy_uj.value",
    },
}  # fmt: skip
"""Columns of a script's rows and the fields that they show."""


def asks_command(query: Query) -> bool:
    """Whether a command is asked for that runs several networks or boards at once."""
    many = len(set(query.all(Role.MODEL))) > 1 or len(set(query.all(Role.TARGET))) > 1
    return many and query.has(Role.MODEL, Role.TARGET) and _ASKS_COMMAND.search(query.question) is not None


def asks_python(query: Query) -> bool:
    """Whether it wants a script of the public functions, and says of what."""
    text = query.question
    named = query.has(Role.MODEL, Role.TARGET) or query.unknown or _FOLDER.search(text)
    if not named or _OF_OTHER_TOOLS.search(text) or query.wants[:1] == (Want.OUTSIDE,):
        return False
    return bool(_PYTHON.search(text) and _CODE.search(text)) and _may_want(query, Want.CODE, Want.PRODUCT)


def asks_cpp(query: Query) -> bool:
    """Whether it wants a program that runs a network on a microcontroller."""
    text = query.question
    if not (
        _CPP.search(text) and _CODE.search(text) and _RUNS_ONE.search(text) and _may_want(query, Want.CODE)
    ):
        return False
    return bool(operators_in(text)) or not _TIMES_IT.search(text)


def _may_want(query: Query, *wants: Want) -> bool:
    likely = {want for want, chance in query.likely if chance >= _LIKELY}
    return _SURELY.search(query.question) is not None or bool(set(wants) & {*query.wants, *likely})


def command(query: Query, _wants: Sequence[Want]) -> Answering:
    """What sets one network on several boards side by side, or the plan of a sweep over what is named."""
    yield from ()
    models, targets = _named(query, Role.MODEL, "MODEL.tflite"), _named(query, Role.TARGET, "TARGET")
    if len(models) == 1:
        boards = " ".join(f"-t {target}" for target in targets)
        return f"`edgewright compare {models[0]} {boards} --csv boards.csv` sets them side by side."
    return lines(
        "`edgewright sweep plan.yaml -o results` computes each on each and writes `results/results.csv`: a "
        "row for each pair with latency, RAM, flash and energy. The plan:",
        f"```yaml\nmodels: [{', '.join(models)}]\ntargets: [{', '.join(targets)}]\n```",
        "From docs/sweep.md.",
    )


def check(query: Query) -> str:
    """The command that judges the limits of the question, and how it ends."""
    limits = [(role, flag) for role, flag in _FLAGS.items() if query.has(role)]
    flags = " ".join(f"{flag} {said(query, role).replace(' ', '')}" for role, flag in limits)
    models, targets = _named(query, Role.MODEL, "MODEL"), _named(query, Role.TARGET, "TARGET")
    in_words = joined((said(query, role) for role, _ in limits), "or") or "a limit"
    board = said(query, Role.TARGET) if query.says(Role.TARGET) else ""
    called = f" on {board}" if limits and board and [board] != targets and len(targets) == 1 else ""
    ends = f"ends with exit code 10 where {in_words}{called} fails, 11 where one cannot be known."
    if models == ["MODEL"] and _FOLDER.search(query.question):
        check = f'edgewright check "$model" -t {targets[0]} {flags}; echo "$model: $?"'
        return f"Each {ends}\n```sh\nfor model in *.tflite; do {check}; done\n```"
    each = [f"edgewright check {model} -t {target} {flags}" for model in models for target in targets]
    if len(each) == 1:
        return f"`{each[0]}` {ends}"
    return "\n".join([f"Each {ends}", "```sh", "set -e", *each, "```"])


def _named(query: Query, role: Role, instead: str) -> list[str]:
    return list(dict.fromkeys(query.all(role))) or [instead]


def python(query: Query, wants: Sequence[Want]) -> Answering:
    """A script with the names, clocks, batches and limits of the question; it runs as it stands."""
    yield from ()
    of_folder = _FOLDER.search(query.question) is not None and not query.has(Role.MODEL)
    models = _named(query, Role.MODEL, "model.tflite")
    listed = 'sorted(Path().glob("*.tflite"))' if of_folder else repr(models)
    loops = {name: _figures(rows, query.question) for name, _, _, rows in _LISTS}
    over = [
        f", at {len(loops[n])} {each}, {joined(map(str, loops[n]))}{unit}"
        for n, each, unit, _ in _LISTS
        if loops[n]
    ]
    files = [f"`{name}`" for name in models if name.endswith((".tflite", ".onnx")) and not of_folder]
    return lines(
        f"In Python{''.join(over)}:",
        f"```python\n{_script(query, wants, listed, {n: v for n, v in loops.items() if v})}\n```",
        f"{joined(files)} is read from the folder that it runs in." if files else "",
        f"Put your board in place of `{_ANY_TARGET}`." if not query.has(Role.TARGET) else "",
        "From docs/python.md.",
    )


def _figures(rows: re.Pattern[str], text: str) -> list[float]:
    """Every figure of a row such as `64, 100, 168 MHz` or `batch 1, 8 and 32`."""
    found = [float(number) for row in rows.findall(text) for number in re.findall(r"\d+(?:\.\d+)?", row)]
    return [int(number) if number == int(number) else number for number in dict.fromkeys(found) if number]


def _script(query: Query, wants: Sequence[Want], models: str, settings: dict[str, list[float]]) -> str:
    limits = {
        "rate_hz" if role is Role.RATE_HZ else role.value: said(query, role)
        for role in LIMITS
        if query.says(role)
    }
    memory = {Want.RAM, Want.FLASH, Want.FITS} & set(wants) and Want.LATENCY not in wants
    function = "check_constraints" if limits else "plan_memory" if memory else "estimate_performance"
    names, given = ["model", "target", *settings], [f"{name}={name}" for name in settings]
    given += [f"runtime={query.text(Role.RUNTIME)!r}"] if query.has(Role.RUNTIME) else []
    values = [models, repr(_named(query, Role.TARGET, _ANY_TARGET)), *map(repr, settings.values())]
    fields = [*names, *(f"found.{field}" for field in _SHOWN[function].values())]
    text = [
        "import csv", "import sys", "from itertools import product",
        *(["from pathlib import Path"] if "Path" in models else []), "",
        f"from edgewright.tools import {', '.join(sorted(('deployment', function)))}", "",
        "rows = csv.writer(sys.stdout)", f"rows.writerow({[*names, *_SHOWN[function]]!r})",
        f"for {', '.join(names)} in product({', '.join(values)}):",
        f"    board = deployment({', '.join(['target', *given])})",
        f"    found = {function}(model, board{f', {limits!r}' if limits else ''})",
        f"    rows.writerow([{', '.join(fields)}])",
    ]  # fmt: skip
    return "\n".join(text).replace("'", '"')


def cpp(query: Query, _wants: Sequence[Want]) -> Answering:
    """A program with the operators that are named, else with those of the model."""
    named, arena, planned = operators_in(query.question), read_message(query.question).arena_bytes, ""
    methods, lacking = methods_for(named), [name for name in named if name not in ADD_METHODS]
    if query.has(Role.MODEL) and query.has(Role.TARGET):
        record = yield call_of("firmware_code", query)
        if record.result is not None and not methods:
            if record["why_not"] or not record["operators"]:
                raise ToolFailedError(str(record["why_not"] or record.error))
            methods, arena = tuple(record["operators"]), arena or record["arena_bytes"]
            planned = f"The arena is {record.ref('arena_bytes', 'B')}, as planned for that model."
    beginning = "The arena of 64 KiB is a beginning: print `arena_used_bytes()` and shrink it."
    sized = next((slot.text for slot in query.slots if slot.value == arena and slot.text), "")
    return lines(
        f"For TFLite Micro (TFLM), in int8{f', with an arena of {sized}' if sized else ''}:",
        f"```cpp\n{minimal_program(methods, arena)}\n```",
        f"TFLite Micro has no kernel for {joined(lacking)}." if lacking else "",
        "" if methods else "Name the operators, or the model, and they are registered here.",
        planned or ("" if arena else beginning),
        f"`{_writes_code(query)}` writes it for a model: operators, arena, array and a project to build.",
    )  # fmt: skip


def _writes_code(query: Query) -> str:
    return f"edgewright code {query.text(Role.MODEL) or 'MODEL'} -t {query.text(Role.TARGET) or 'TARGET'}"


def code(query: Query) -> Answering:
    """The command that writes the code, the size of the arena and the operators to register."""
    record = needed((yield call_of("firmware_code", query)))
    commands = [f"```\n{each}\n```" for each in record["commands"][:2] if len(each) < _SHORT]
    if record["why_not"]:
        told = [record.ref("why_not")]
    elif not record["files"]:
        told = [f"This makes it, for {subject(query, record)}:"]
    else:
        files = joined(f"`{name}`" for name in record["files"])
        told = [
            f"`{_writes_code(query)}` writes {files}: {subject(query, record)}.",
            f"The arena is {record.ref('arena_bytes', 'B')}; "
            f"it registers {joined(record['operators'][:_MOST])}.",
        ]
    return lines(*told, *commands, assumed(query, record))
