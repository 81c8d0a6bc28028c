"""What stands before a command holds for what it runs, and for nothing beside it."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from edgewright.agent import check_grounding
from edgewright.agent.mcp_server import build_server
from edgewright.agent.opening import open_assistant
from edgewright.cli import whole_app
from edgewright.tools import validate
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

    monkeypatch.setattr("edgewright.hardware_db.user_files.set_default", refuse)
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


def test_no_command_sets_a_default_of_the_process() -> None:
    root = Path(whole_app.__code__.co_filename).parent
    sources = [root / "cli.py", *(root / "commands").glob("*.py"), *(root / "agent").rglob("*.py")]
    assert not [path.name for path in sources if "set_default" in path.read_text(encoding="utf-8")]


def asked(question: str, settings: Settings, folder: Path) -> str:
    return open_assistant(llm="offline", directory=folder, settings=settings).ask(question).answer


def test_two_conversations_of_one_process_know_each_its_own_board(own: Path, tmp_path: Path) -> None:
    mine, plain = Settings(hardware_directories=(own,)), Settings()
    for _ in range(2):
        known, unknown = (
            asked("How fast is kws on the drone-board?", each, tmp_path) for each in (mine, plain)
        )
        assert "drone-board" in known
        assert "ms" in known
        assert "drone-board" not in unknown


@pytest.mark.parametrize("question", ["How fast is kws on the drone-board?"])
def test_a_question_on_the_command_line_knows_the_users_board(own: Path, question: str) -> None:
    result = run(own, "ask", "--llm", "offline", "--no-save", question)
    assert result.exit_code == 0, result.output
    assert "on drone-board" in result.output


def test_a_table_of_measurements_may_name_the_users_board(own: Path, tmp_path: Path) -> None:
    table = tmp_path / "mine.csv"
    table.write_text("model,target,runtime,latency_ms\nkws:int8,drone-board,tflm-cmsis-nn,15\n")
    result = run(own, "validate", "--against", str(table), "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["result"]["groups"]
    refused = validate(table, settings=Settings())
    assert not refused.groups


def test_numbers_of_a_name_are_no_figures_where_the_name_is_the_users(tmp_path: Path) -> None:
    add_target("cam-7731", like="stm32h743zi", directory=tmp_path / "own", source="schematic")
    text, mine = "On cam-7731 it runs.", Settings(hardware_directories=(tmp_path / "own",))
    assert check_grounding(text, [], settings=mine).grounded
