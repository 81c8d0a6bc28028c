from __future__ import annotations

import pytest

from edgewright.agent.repl.commands import command_in, find_command
from edgewright.agent.repl.general import help_text
from edgewright.agent.repl.limits import read_limits
from edgewright.agent.repl.table import COMMANDS
from edgewright.hardware_db.errors import LimitsError, UsageError

WANTED = [
    "help",
    "model",
    "target",
    "runtime",
    "llm",
    "tools",
    "trace",
    "audit",
    "json",
    "save",
    "usage",
    "clear",
    "exit",
    "inspect",
    "roofline",
    "memory",
    "check",
    "compat",
    "estimate",
]


def test_the_table_holds_every_command_once() -> None:
    names = [name for command in COMMANDS for name in command.names]
    assert len(names) == len(set(names))
    assert {f"/{name}" for name in WANTED} <= set(names)


def test_help_lists_every_command_with_its_argument() -> None:
    text = help_text(COMMANDS, "")
    for command in COMMANDS:
        assert f"{command.usage}  " in text
        assert command.help in text


@pytest.mark.parametrize("name", ["check", "/check", "/che"])
def test_help_explains_one_command(name: str) -> None:
    assert help_text(COMMANDS, name).startswith("/check [LIMITS]")


@pytest.mark.parametrize(
    ("line", "name", "argument"),
    [
        ("/check 50ms 256KiB", "/check", "50ms 256KiB"),
        ("  /ROOFLINE  ", "/roofline", ""),
        ("/ro", "/roofline", ""),
        ("/tar nucleo h743", "/target", "nucleo h743"),
        ("/quit", "/exit", ""),
        (":q", "/exit", ""),
        ("quit", "/exit", ""),
        ("exit", "/exit", ""),
        ("/?", "/help", ""),
    ],
)
def test_a_line_is_the_command_that_it_starts_with(line: str, name: str, argument: str) -> None:
    found = command_in(line, COMMANDS)
    assert found is not None
    assert (found.command.name, found.argument) == (name, argument)


@pytest.mark.parametrize(
    "line", ["Does it fit?", "exit code of the model", "/home/me/kws.tflite on h743?", "quit it", "50 / 2"]
)
def test_any_other_line_is_a_question(line: str) -> None:
    assert command_in(line, COMMANDS) is None


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("/rofline", "Did you mean /roofline"),
        ("/xyzzy", "/help lists"),
        ("/", "/help lists"),
        ("/c", "could be /compat, /check, /compare, /clear"),
        ("/usage now", "takes no argument"),
        ("/save", "/save FILE"),
    ],
)
def test_a_command_that_cannot_be_meant_says_what_can(line: str, told: str) -> None:
    with pytest.raises(UsageError, match=told):
        command_in(line, COMMANDS)


def test_an_unknown_command_cannot_write_to_the_terminal() -> None:
    with pytest.raises(UsageError) as caught:
        find_command("/\x1b[2J" + "x" * 500, COMMANDS)
    assert "\x1b" not in str(caught.value)
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("", {}),
        ("\n", {}),
        ("50ms 256KiB", {"latency_ms": 50.0, "ram_bytes": 262_144}),
        ("0.05 s, 20 fps", {"latency_ms": 50.0, "rate_hz": 20.0}),
        ("ram=64k flash=1MiB", {"ram_bytes": 65_536, "flash_bytes": 1_048_576}),
        ("1mJ 0.5W", {"energy_uj": 1000.0, "power_mw": 500.0}),
        ("latency < 10ms", {"latency_ms": 10.0}),
    ],
)
def test_the_unit_of_a_figure_says_what_it_limits(text: str, limits: dict[str, float]) -> None:
    assert read_limits(text) == pytest.approx(limits)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("50", "no unit"),
        ("50 bananas", "bananas"),
        ("fast", "'fast' is no limit"),
        ("64KiB 1MiB", "Two limits on ram"),
        ("speed=50ms", "no limit 'speed'"),
        ("ram=50ms", "wrong unit"),
        ("80MHz", "no unit of a limit"),
    ],
)
def test_a_limit_that_cannot_be_meant_says_why(text: str, told: str) -> None:
    with pytest.raises(LimitsError, match=told):
        read_limits(text)
