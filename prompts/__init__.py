"""The texts that the model reads. No number stands in them: a model repeats what it has seen."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def load_prompt(name: str) -> str:
    """The text of a file of this folder, such as `system.md`."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8").strip()


@cache
def described_tools() -> frozenset[str]:
    """Names of the tools that have a text for chat models."""
    texts = files(__package__).joinpath("tools").iterdir()
    return frozenset(text.name.removesuffix(".md") for text in texts if text.name.endswith(".md"))


def tool_description(name: str) -> str:
    """What a chat model reads about a tool, as one paragraph."""
    return " ".join(load_prompt(f"tools/{name}.md").split())
