from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from edgewright.agent.registry import TOOLS
from edgewright.agent.skill import options_page, skill_page, write_skill
from edgewright.hardware_db.errors import UsageError


def test_the_front_matter_is_that_of_the_open_format() -> None:
    _, head, body = skill_page().split("---\n", 2)
    told = yaml.safe_load(head)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", told["name"])
    assert 0 < len(told["description"]) <= 1024
    assert len(body.splitlines()) < 500


def test_every_command_is_named_with_every_option() -> None:
    page, options = skill_page(), options_page()
    for tool in TOOLS:
        if tool.command:
            assert f"`edgewright {tool.command}`" in page
            assert f"## edgewright {tool.command}" in options
            for option in tool.arguments.options().values():
                assert f"`{' '.join(option.names)}`" in options


def test_it_is_written_as_a_folder_and_overwrites_nothing_unasked(tmp_path: Path) -> None:
    written = write_skill(tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in written] == [
        "edgewright/SKILL.md", "edgewright/references/options.md",
    ]  # fmt: skip
    with pytest.raises(UsageError):
        write_skill(tmp_path)
    write_skill(tmp_path, force=True)
