"""What stands before a command holds for what it runs, and for nothing beside it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from edgewright.agent.mcp_server import build_server
from edgewright.cli import whole_app
from edgewright.tools.core.settings import Settings
from edgewright.tools.hardware_catalog.additions import add_target


@pytest.fixture
def own(tmp_path: Path) -> Path:
    add_target("drone-board", like="stm32h743zi", directory=tmp_path / "own", source="schematic")
    return tmp_path / "own"


@pytest.fixture(autouse=True)
def _no_default_can_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a default of the whole process was set")

    monkeypatch.setattr("edgewright.commands.settings.set_default", refuse)
    monkeypatch.setattr("edgewright.tools.core.settings.set_default_redaction", refuse)


def run(own: Path, *command: str) -> Result:
    return CliRunner().invoke(whole_app(), ["--hardware-dir", str(own), "--redact-names", *command])


@pytest.mark.parametrize("command", ["targets show drone-board", "roofline kws -t drone-board"])
def test_an_analysis_knows_the_users_board_without_a_default_of_the_process(own: Path, command: str) -> None:
    result = run(own, *command.split())
    assert result.exit_code == 0, result.output
    assert "drone-board" in result.output


def test_doctor_reads_the_directories_that_stand_before_it(own: Path) -> None:
    findings = json.loads(run(own, "doctor", "--json").stdout)["result"]["findings"]
    assert any("1 files: drone-board" in finding["found"] for finding in findings)


def test_a_board_of_ones_own_can_extend_another_of_ones_own(own: Path) -> None:
    add = ("targets", "add", "second", "--like", "drone-board", "-o", str(own), "--source", "schematic")
    result = run(own, *add)
    assert result.exit_code == 0, result.output
    assert (own / "second.yaml").exists()


def test_the_mcp_server_has_the_users_boards_from_its_settings(own: Path, tmp_path: Path) -> None:
    mcp, anyio = pytest.importorskip("mcp"), pytest.importorskip("anyio")

    async def asked() -> tuple[str, list[str]]:
        settings = Settings(hardware_directories=(own,))
        async with mcp.Client(build_server(tmp_path, settings)) as client:
            page = await client.call_tool("look_up", {"kind": "targets", "names": ["drone-board"]})
            listed = await client.list_resources()
            return page.content[0].text, [resource.name for resource in listed.resources]

    page, names = anyio.run(asked)
    assert "schematic" in page or "drone-board" in page
    assert "drone-board" in names


def test_redacted_names_hold_for_one_question_and_not_for_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(whole_app(), ["models", "write", "kws", "-o", "kws.tflite"]).exit_code == 0
    asked = ["ask", "--llm", "offline", "--no-save", "Which layers of kws.tflite are heaviest?", "--json"]
    plain, hidden = (CliRunner().invoke(whole_app(), [*flag, *asked]) for flag in ([], ["--redact-names"]))
    assert hidden.exit_code == plain.exit_code == 0
    assert '"depthwise_conv2d"' in plain.stdout
    assert '"depthwise_conv2d"' not in hidden.stdout
    assert Settings.from_environment().redact_names is False


def test_only_sentences_and_rows_of_measurements_still_read_names_by_a_default_of_the_process() -> None:
    commands = Path(whole_app.__code__.co_filename).parent / "commands"
    callers = [path.stem for path in commands.glob("*.py") if ".for_this_process(" in path.read_text()]
    assert sorted(callers) == ["conversation", "generated"]
