"""The command that was asked for is built without the others, and nothing of that shows."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from edgewright import cli

NAMES = [cli._name(command) for family in cli._FAMILIES for command in family.app.registered_commands]


@pytest.mark.parametrize("words", [(name, "--help") for name in NAMES] + [("ask", "--nonsense"), ("check",)])
def test_a_command_alone_says_what_it_says_among_all(words: tuple[str, ...]) -> None:
    alone = CliRunner().invoke(cli._app_for(words), words, prog_name="edgewright")
    among_all = CliRunner().invoke(cli.whole_app(), words, prog_name="edgewright")
    assert cli._app_for(words) is not cli.app
    assert (alone.exit_code, alone.output) == (among_all.exit_code, among_all.output)


@pytest.mark.parametrize("words", [(), ("--help",), ("rooflin", "kws"), ("targets", "list"), ("--version",)])
def test_where_no_command_comes_first_all_are_built(words: tuple[str, ...]) -> None:
    assert cli._app_for(words) is cli.app
