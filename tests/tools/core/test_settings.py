from pathlib import Path

import pytest

from edgewright.hardware_db import use_directories
from edgewright.hardware_db.errors import UnknownNameError, UsageError
from edgewright.hardware_db.user_files import set_default
from edgewright.tools import (
    all_deployments,
    deployment,
    estimate_performance,
    get_target,
    list_targets,
    recommend_hardware,
    run_sweep,
    simulate_optimizations,
)
from edgewright.tools.core.settings import Settings, Vela
from edgewright.tools.ethos_u.asked import by_rules
from edgewright.tools.model_zoo.named import build_architecture

BOARD = """\
extends: stm32h743zi
id: {id}
name: Drone board
sources:
  schematic: {{title: Drone board schematic, where: boards/drone.pdf, date: 2026-01-01, kind: board-file}}
cores:
- id: cm7
  clock_max_mhz: {{value: {mhz}, unit: MHz, source: schematic, locator: clock tree}}
"""


def directory(folder: Path, target: str, mhz: int) -> Settings:
    folder.mkdir()
    (folder / f"{target}.yaml").write_text(BOARD.format(id=target, mhz=mhz))
    return Settings(hardware_directories=(folder,))


def test_two_users_files_give_two_answers_side_by_side(tmp_path: Path) -> None:
    slow = directory(tmp_path / "slow", "drone-board", 200)
    fast = directory(tmp_path / "fast", "drone-board", 400)
    first, second, again = (deployment("drone-board", settings=given) for given in (slow, fast, slow))
    assert (first.clock_mhz, second.clock_mhz) == (200, 400)
    assert first == again
    assert estimate_performance("kws", first) == estimate_performance("kws", again)


def test_a_users_file_goes_before_the_shipped_one_only_where_it_is_given(tmp_path: Path) -> None:
    own = directory(tmp_path / "own", "stm32h743zi", 300)
    assert deployment("stm32h743zi", settings=own).clock_mhz == 300
    assert deployment("stm32h743zi", settings=Settings()).clock_mhz == 480
    assert next(iter(all_deployments(targets=["stm32h743zi"], settings=own))).clock_mhz == 300


def test_the_answer_says_that_a_users_own_file_describes_the_board(tmp_path: Path) -> None:
    found = deployment("drone-board", settings=directory(tmp_path / "own", "drone-board", 400))
    told = estimate_performance("kws", found).assumptions
    assert "drone-board as your own hardware files describe it" in told
    assert not any("your own" in line for line in deployment("stm32h743zi").assumptions)


def test_boards_of_given_directories_are_ranked_with_the_others(tmp_path: Path) -> None:
    own = directory(tmp_path / "own", "drone-board", 400)
    ranking = recommend_hardware("kws:int8", targets=["drone-board", "nrf52840"], settings=own).ranking
    assert {row.target for row in ranking} == {"drone-board", "nrf52840"}
    with pytest.raises(UnknownNameError):
        recommend_hardware("kws:int8", targets=["drone-board"], settings=Settings())


def test_a_default_changes_no_call_that_is_given_settings(tmp_path: Path) -> None:
    own = directory(tmp_path / "own", "stm32h743zi", 300)
    with pytest.deprecated_call():
        use_directories(own.hardware_directories)
    try:
        assert deployment("stm32h743zi").clock_mhz == 300
        assert deployment("stm32h743zi", settings=Settings()).clock_mhz == 480
    finally:
        set_default(None)


def test_a_directory_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match="no directory"):
        Settings(hardware_directories=(Path("/nowhere/at/all/boards"),))


def test_the_environment_is_read_when_a_deployment_is_made_and_not_after(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("EDGEWRIGHT_VELA", "off")
    found = deployment("ethos-u55-128")
    monkeypatch.delenv("EDGEWRIGHT_VELA")
    assert found.settings.vela is Vela.OFF
    assert deployment("ethos-u55-128").settings.vela is Vela.COMPILER
    assert deployment("ethos-u55-128", settings=Settings(vela=Vela.OFF)) == found


def test_changes_of_a_model_are_compared_by_rules_and_the_answer_says_so() -> None:
    place = deployment("ethos-u55-128", settings=Settings())
    assert by_rules(place).settings.vela is Vela.RULES
    assert by_rules(place).target is place.target
    told = simulate_optimizations(build_architecture("kws:int8"), place, technique="width-50").assumptions
    assert any("changed models are compared" in line for line in told)
    assert place.settings.vela is Vela.COMPILER


def test_lists_and_sweeps_take_the_hardware_of_their_settings_alone(tmp_path: Path) -> None:
    own = directory(tmp_path / "own", "drone-board", 400)
    assert get_target("drone-board", settings=own).clock_max_mhz == 400
    assert "drone-board" in {entry.id for entry in list_targets("mcu", settings=own).targets}
    assert "drone-board" not in {entry.id for entry in list_targets("mcu", settings=Settings()).targets}
    plan = tmp_path / "plan.yaml"
    plan.write_text("models: [kws]\ntargets: [drone-board]\nruntimes: [usual]\n")
    assert run_sweep(plan, tmp_path / "out", settings=own).evaluations == 1
    with pytest.raises(UnknownNameError):
        run_sweep(plan, tmp_path / "other", settings=Settings())
