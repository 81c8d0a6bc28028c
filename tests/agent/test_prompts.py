from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

from edgewright.agent.views import VIEWS
from edgewright.prompts import load_prompt, tool_description

PROMPTS = sorted(Path(str(files("edgewright.prompts"))).glob("*.md"))


@pytest.mark.parametrize("path", PROMPTS, ids=lambda path: path.name)
def test_no_number_stands_in_a_prompt(path: Path) -> None:
    assert re.findall(r"\d", path.read_text(encoding="utf-8")) == []


def test_no_number_stands_in_the_description_of_an_argument() -> None:
    for tool in VIEWS:
        for name, field in tool.arguments.model_fields.items():
            described = field.description or ""
            assert described, (tool.name, name)
            assert not re.search(r"\d", described.replace("int8, float16 or float32", "")), (tool.name, name)


def test_every_tool_is_described_in_the_prompts() -> None:
    assert all(len(tool_description(tool.name)) > 20 for tool in VIEWS)


def test_the_system_prompt_names_the_rules_that_answers_are_checked_by() -> None:
    prompt = load_prompt("system.md")
    for rule in ("tool result", "unknown", "verdict", "_untrusted", "interval"):
        assert rule in prompt


def test_schemas_are_flat_closed_and_name_their_units() -> None:
    units = {
        "latency_ms": "milliseconds",
        "energy_uj": "microjoules",
        "power_mw": "milliwatts",
        "clock_mhz": "MHz",
    }
    for tool in VIEWS:
        schema = tool.schema
        assert schema["additionalProperties"] is False
        assert not {"$ref", "anyOf", "null"} & set(json.dumps(schema).split('"'))
        for name, unit in units.items():
            if name in schema["properties"]:
                assert unit in schema["properties"][name]["description"]
