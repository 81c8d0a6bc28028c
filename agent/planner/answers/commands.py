"""Commands and code that a question asks for: of the shell, in Python, and what writes C++."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import replace

from ....tools.codegen.script import python_script
from ...patterns import compiled
from ..bench import Answering, call_of, needed
from ..query import LIMITS, Query, Role
from ..want import Want
from ..words import patterns, spoken
from . import facts, trust
from .packs import sized
from .phrases import joined, language_models, lines, said, subject

_SAYS = patterns("commands")

_LISTS = {Role.CLOCK_MHZ: ("clocks", " MHz"), Role.BATCH: ("batches", "")}
"""What a script loops over: its name and its unit."""
_ANY_TARGET, _SHORT, _MOST = "nrf52840", 600, 12
_OF_A_BOARD = {Role.CLOCK_MHZ: "--clock", Role.RAM_BYTES: "--ram", Role.FLASH_BYTES: "--flash",
               Role.EXTERNAL_BYTES: "--external-ram"}  # fmt: skip

_OF_A_FILE = (Role.BANDWIDTH, Role.CLAIMED_GOPS, Role.DTYPE)


def asks_python(query: Query) -> bool:
    """Whether it wants a script of the public functions, and says of what."""
    text = query.question
    named = query.has(Role.MODEL, Role.TARGET) or query.unknown or _SAYS["folder"].search(text)
    if not named or _SAYS["of_other_tools"].search(text) or query.wants[:1] == (Want.OUTSIDE,):
        return False
    return bool(_SAYS["python"].search(text) and _SAYS["code"].search(text))


def asks_own_board(query: Query) -> bool:
    """Whether a board of one's own is to be described, or one is thought to be none of the list."""
    said = set(spoken("own_board", query.question))
    one = query.says(Role.TARGET) and len(set(query.all(Role.TARGET))) == 1
    described = "describe" in said and bool(said & {"board", "missed"})
    plain = "missed" in said or ("board" in said and "known" in said)
    return one and (described or (plain and not query.says(Role.MODEL)))


def own_board(query: Query, wants: Sequence[Want]) -> Answering:
    """The command that writes its file, with the figures that are said, and the chip that it is like."""
    given = [f"{flag} {said(query, r).replace(' ', '')}" for r, flag in _OF_A_BOARD.items() if query.has(r)]
    supply = [f"--supply {query.number(Role.SUPPLY_V):g}"] if query.has(Role.SUPPLY_V) else []
    like = " ".join(["edgewright targets add my-board --like", query.text(Role.TARGET), *given, *supply])
    roles = frozenset((*_OF_A_BOARD, *_OF_A_FILE, Role.SUPPLY_V, Role.TARGET, Role.MODEL))
    yield replace(call_of("get_target", query), used=roles)
    model = query.text(Role.MODEL)
    such_as = f", such as `edgewright estimate {model} -t my-board`" if model else ""
    writes = (
        f'`{like} --source "board manual" -o boards` writes a file that says where your board differs; with '
        f"`--hardware-dir boards` every command then takes `-t my-board`{such_as}."
    )
    chip = yield from facts.chip(query.without([Role.DTYPE, Role.CLAIMED_GOPS]), (Want.CHIP_FACTS,))
    clock = "clock" in query.all(Role.VARIABLE) and not query.has(Role.CLOCK_MHZ)
    names = [slot.text for slot in query.slots if slot.role is Role.TARGET and slot.text]
    like_it = all(f"I took {name} to be {query.text(Role.TARGET)}" in query.notes for name in names)
    first = {"missed", "known"} & set(spoken("own_board", query.question)) and not like_it
    return lines(
        *(
            (f"It is known: {chip}", writes)
            if first
            else (writes, f"{'The nearest that I know' if like_it else 'Known already'}: {chip}")
        ),
        "Add `--clock` with yours, such as `--clock 400MHz`." if clock else "",
        _OF_EXTERNAL if query.has(Role.EXTERNAL_BYTES) else "",
        _OF_FIELDS if query.has(Role.BANDWIDTH, Role.CLAIMED_GOPS) else "",
        _OF_TIMES if "timed" in spoken("own_board", query.question) else "",
        (yield from trust.error(query, (Want.ERROR,))).partition("\n")[0] if Want.ERROR in wants else "",
        "From docs/cli.md, Boards of your own.",
    )


_OF_FIELDS = (
    "Cores, an accelerator and the bandwidth of memories are fields of that file; `edgewright targets lint` "
    "says what is missing."
)
_OF_TIMES = (
    "`edgewright calibrate MEASUREMENTS.csv` then learns from what was measured there: a line each with "
    "`model`, `target` and `latency_ms`."
)
_OF_EXTERNAL = (
    "`--external-bandwidth` says its MB/s; without it what lies there is counted as fitting, and its time "
    "is not known."
)


def _named(query: Query, role: Role, instead: str) -> list[str]:
    return list(dict.fromkeys(query.all(role))) or [instead]


def python(query: Query, wants: Sequence[Want]) -> Answering:
    """A script with the names, clocks, batches and limits of the question; it runs as it stands."""
    yield from ()
    of_folder = _SAYS["folder"].search(query.question) is not None and not query.has(Role.MODEL)
    models = None if of_folder else _named(query, Role.MODEL, "model.tflite")
    loops = {role: sorted({_plain(n) for n in query.numbers(role)}) for role in _LISTS if query.has(role)}
    over = [
        f", at {len(row)} {_LISTS[role][0]}, {joined(map(str, row))}{_LISTS[role][1]}"
        for role, row in loops.items()
    ]
    limits = {("rate_hz" if role is Role.RATE_HZ else role.value): said(query, role)
              for role in LIMITS if query.says(role)}  # fmt: skip
    memory = {Want.RAM, Want.FLASH, Want.FITS} & set(wants) and Want.LATENCY not in wants
    script = python_script(
        "check_constraints" if limits else "plan_memory" if memory else "estimate_performance", models,
        _named(query, Role.TARGET, _ANY_TARGET), {role.value: row for role, row in loops.items()},
        runtime=query.text(Role.RUNTIME), limits=limits,
    )  # fmt: skip
    files = [f"`{name}`" for name in models or () if name.endswith((".tflite", ".onnx"))]
    return lines(
        f"In Python{''.join(over)}:",
        f"```python\n{script}\n```",
        f"{joined(files)} is read from the folder that it runs in." if files else "",
        f"Put your board in place of `{_ANY_TARGET}`." if not query.has(Role.TARGET) else "",
        "From docs/python.md.",
    )


def _plain(number: float) -> float:
    return int(number) if number == int(number) else number


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
    return lines(*told, *commands)


_SHELL = compiled(
    r"\b(?:from|on|in|at|via|with) (?:the |my |a )?(?:command[- ]?line|cli|shell|terminal|console)\b|"
    r"\b(?:which|what(?:'s| is)?|the) (?:edgewright )?command (?:for|does|gives|prints|shows|to get)\b",
    re.IGNORECASE,
)
_LIMITS = {
    Role.LATENCY_MS: "--max-latency {:g}ms", Role.RATE_HZ: "--min-rate {:g}fps",
    Role.RAM_BYTES: "--max-ram {:.0f}B", Role.FLASH_BYTES: "--max-flash {:.0f}B",
    Role.ENERGY_UJ: "--max-energy {:g}uJ", Role.POWER_MW: "--max-power {:g}mW",
}  # fmt: skip

_HELD = {
    "--rate ": (Role.RATE_HZ,), "--streams ": (Role.DEVICES,), "--context ": (Role.CONTEXT,),
    "--weights ": (Role.WEIGHTS,),
    "--battery": (Role.BATTERY, Role.CHARGE_MAH, Role.BATTERY_V, Role.CELLS, Role.SERIES),
    **{flag.partition(" ")[0]: (role,) for role, flag in _LIMITS.items()},
}  # fmt: skip


def asks_shell(query: Query) -> bool:
    """Whether it wants the command that tells what is spoken of: that comparison, from the command line."""
    named = query.has(Role.MODEL) and query.has(Role.TARGET) and not _SAYS["python"].search(query.question)
    return named and _SHELL.search(query.question) is not None


def shell(query: Query, _wants: Sequence[Want]) -> Answering:
    """One command with the names and figures that are spoken of."""
    query, of_cells = sized(query)
    models, targets = (list(dict.fromkeys(query.all(role))) for role in (Role.MODEL, Role.TARGET))
    told = [
        f"`edgewright {_command(query, model, len(each))} {' '.join(f'-t {target}' for target in each)}`"
        for model in models
        for each in ([[target] for target in targets] if _of_tokens(query, model) else [targets])
    ]
    held = {role for flag, roles in _HELD.items() if any(flag in each for each in told) for role in roles}
    yield replace(call_of("get_target", query), used=frozenset({*held, Role.MODEL, Role.TARGET}))
    return lines(
        f"{joined(told)} print{'s' * (len(told) == 1)} it; `--json` is for scripts, `--csv FILE` a table.",
        of_cells,
        "From docs/cli.md.",
    )


def _of_tokens(query: Query, model: str) -> bool:
    return bool(language_models(query.put(Role.MODEL, model)))


def _command(query: Query, model: str, targets: int) -> str:
    """Which command, and what it is given beside the targets."""
    rate, name = query.number(Role.RATE_HZ), shlex.quote(model)
    if _of_tokens(query, model):
        given = {"weights": query.text(Role.WEIGHTS), "context": f"{query.number(Role.CONTEXT) or 0:.0f}"}
        return " ".join(
            [f"generation {name}", *(f"--{n} {v}" for n, v in given.items() if v not in ("", "0"))]
        )
    limits = [f"{flag.format(query.number(role))}" for role, flag in _LIMITS.items() if query.has(role)]
    if targets > 1:
        return " ".join([f"compare {name}", *limits])
    if query.has(Role.BATTERY, Role.CHARGE_MAH) and rate:
        charge, volts = query.number(Role.CHARGE_MAH), query.number(Role.BATTERY_V)
        name = query.text(Role.BATTERY)
        cell = [f"--battery {shlex.quote(name)}"] if name else []
        known = charge and (name or volts)
        cell += [f"--battery-mah {charge:g}"] if known else []
        cell += [f"--battery-v {volts:g}"] if known and volts else []
        return " ".join([f"energy {shlex.quote(model)}", *cell, f"--rate {rate:g}/s"])
    if rate and (query.number(Role.DEVICES) or 1.0) > 1:
        return f"workload {name} --rate {rate:g}/s --streams {query.number(Role.DEVICES):.0f}"
    return " ".join([f"check {name}", *limits]) if limits else f"estimate {name}"
