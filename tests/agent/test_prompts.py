from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

from edgewright.agent.references.syntax import parsed
from edgewright.agent.views import VIEWS
from edgewright.prompts import load_prompt, tool_description

PROMPTS = sorted(Path(str(files("edgewright.prompts"))).glob("*.md"))


@pytest.mark.parametrize("path", PROMPTS, ids=lambda path: path.name)
def test_no_number_stands_in_a_prompt(path: Path) -> None:
    """A model repeats what it has seen. References hold none that could be mistaken for a result's."""
    text = re.sub(r"\{\{.*?\}\}|\br1\b|ResNet-50|int8", "", path.read_text(encoding="utf-8"))
    assert re.findall(r"\d", text) == []


def test_the_references_that_the_prompt_teaches_can_be_read() -> None:
    taught = re.findall(r"\{\{(.*?)\}\}", load_prompt("system.md"))
    assert len(taught) >= 8
    for reference in taught:
        parsed(reference.partition("|")[0])


def test_no_number_stands_in_what_is_said_of_a_view_or_its_arguments() -> None:
    types = re.compile(r"int8|int4|float16|float32|fp16|fp8|f16|Q4_K_M|q8_0|q4_0")
    for view in VIEWS:
        said = json.dumps({"about": view.description, **view.schema}, ensure_ascii=False)
        assert not re.search(r"\d", types.sub("", said)), view.name


def test_every_tool_is_described_in_the_prompts() -> None:
    assert all(len(tool_description(tool.name)) > 20 for tool in VIEWS)


def test_the_system_prompt_names_the_rules_that_answers_are_checked_by() -> None:
    prompt = load_prompt("system.md")
    for rule in ("unknown", "verdict", "_untrusted", "interval", "unit converts"):
        assert rule in prompt


def test_schemas_are_closed_and_in_their_plainest_form() -> None:
    for view in VIEWS:
        assert view.schema["additionalProperties"] is False
        assert not {"$ref", "anyOf", "null", "title"} & set(json.dumps(view.schema).split('"'))
