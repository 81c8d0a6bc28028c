"""The texts that the model reads. No number stands in them: a model repeats what it has seen."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def load_prompt(name: str) -> str:
    """The text of a file of this folder, such as `system.md`."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8").strip()


@cache
def _tool_descriptions() -> dict[str, str]:
    sections = load_prompt("tools.md").split("\n## ")[1:]
    return {name.strip(): " ".join(text.split()) for name, _, text in (s.partition("\n") for s in sections)}


def tool_description(name: str) -> str:
    """What `tools.md` tells the model about a tool."""
    return _tool_descriptions()[name]
