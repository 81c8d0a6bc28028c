"""An Agent Skill: how a coding agent drives the command line, as a folder in the open format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..prompts import load_prompt
from ..tools.core.files import made_folder, save_all
from .registry import TOOLS, Tool

NAME = "edgewright"
DESCRIPTION = (
    "Predicts whether a neural network (.tflite, .onnx, or one known by name) fits a microcontroller, NPU, "
    "single-board computer or GPU, how long and how much energy an inference takes, what bounds it and what "
    "to change. Use it for questions on RAM, flash, arena, latency, fps, battery life, operator support, "
    "quantisation or choice of hardware of embedded and edge AI, before guessing a figure."
)


def write_skill(folder: Path, *, force: bool = False) -> tuple[Path, ...]:
    """Write `edgewright/SKILL.md` and its list of options into `folder`.

    Raises:
        UsageError: the files are there already and `force` is not given, or cannot be written.
    """
    texts = {"SKILL.md": skill_page(), "references/options.md": options_page()}
    return tuple(map(Path, save_all(texts, made_folder(folder) / NAME, force=force)))


def skill_page() -> str:
    """Front matter, when to use what, and the rules; the commands are those of the tools."""
    head = f"---\nname: {NAME}\ndescription: {DESCRIPTION}\n---\n"
    rows = "\n".join(f"| `edgewright {tool.command}` | {_first(tool.help)} |" for tool in _commands())
    table = f"| command | what it tells |\n|---|---|\n{rows}"
    return f"{head}\n{load_prompt('skill.md').replace('COMMANDS', table)}\n"


def options_page() -> str:
    """Every option of every command, as the commands have them."""
    return "\n".join(["# Options", *(part for tool in _commands() for part in _options(tool))]) + "\n"


def _commands() -> Iterator[Tool]:
    return (tool for tool in TOOLS if tool.command)


def _options(tool: Tool) -> Iterator[str]:
    options = tool.arguments.options().values()
    positions = " ".join(option.names[0].upper() for option in options if option.is_position)
    yield f"\n## edgewright {tool.command} {positions}".rstrip()
    yield ""
    yield from (f"- `{' '.join(option.names)}` {option.help}" for option in options)


def _first(text: str) -> str:
    return " ".join(text.split("\n\n", maxsplit=1)[0].split()).replace("|", "\\|")
