"""What a user measured on a board makes estimates for it better, and what means nothing changes nothing."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path

import pytest
import yaml

from edgewright.hardware_db.coefficients.offsets import load_offsets
from edgewright.hardware_db.errors import InputError, UnknownNameError, UsageError
from edgewright.hardware_db.measurements.contributed import contributed_files, problems
from edgewright.tools import (
    Basis,
    Calibration,
    Quantity,
    Settings,
    calibrate_target,
    calibration_anchors,
    check_constraints,
    deployment,
    estimate_many,
    estimate_performance,
    list_calibrations,
    remove_calibration,
    simulate_optimizations,
    validate,
)
from edgewright.tools.core.calibrations import Learned, Standing
from edgewright.tools.cost_model.own_offset import Asked, offset

HEAD = "model,target,runtime,dtype,batch,threads,clock_mhz,latency_ms"
BOARD, RUNTIME = "stm32f746ng", "tflm-cmsis-nn"


def latency(model: str, settings: Settings | None = None) -> Quantity:
    return estimate_performance(model, deployment(BOARD, RUNTIME, settings=settings)).latency_ms


def row(model: str, times: float) -> str:
    """A measurement that is `times` as long as what is estimated without."""
    ms = float(latency(model, Settings())) * times
    return f"{model},{BOARD},{RUNTIME},int8,1,1,,{ms:.6g}"


def calibrated(folder: Path, lines: Sequence[str]) -> Calibration:
    file = folder / "mine.csv"
    file.write_text("\n".join([HEAD, *lines]) + "\n", encoding="utf-8")
    return calibrate_target(file)


def test_a_slow_board_makes_every_estimate_for_it_slower(tmp_path: Path) -> None:
    before = latency("vww")
    calibrated(tmp_path, [row("kws", 1.6)])
    after = latency("vww")
    assert before.value is not None
    assert 1.1 * before.value < after.value < 1.6 * before.value
    assert after.basis is Basis.SCALED


def test_what_is_foretold_without_keeping_is_what_is_estimated_once_it_is_kept(tmp_path: Path) -> None:
    where = deployment(BOARD, RUNTIME, settings=Settings())
    measured_ms = 1.6 * float(latency("kws", Settings()))
    told = calibrate_target(model="kws", deployment=where, latency_ms=measured_ms, keep=False, then=["vww"])
    assert told.file == ""
    assert latency("vww") == told.then[0].estimated_ms
    calibrated(tmp_path, [row("kws", 1.6)])
    assert float(latency("vww")) == pytest.approx(float(told.then[0].latency_ms), rel=1e-4)


def test_the_model_that_was_measured_takes_what_was_measured(tmp_path: Path) -> None:
    calibrated(tmp_path, [row("kws", 1.6)])
    own = latency("kws")
    assert own.basis is Basis.MEASURED
    assert own.value == pytest.approx(1.6 * float(latency("kws", Settings())), rel=1e-4)
    assert own.high / own.low <= 1.5


def test_one_measurement_counts_by_its_share_of_the_board_and_more_count_more() -> None:
    """k / (k + σ²/τ²) of the mean (Henderson 1975); a measurement is no surer than it repeats."""
    spread, repeat = load_offsets().new_boards["cpu"], load_offsets().repeat
    noise = math.log(repeat.get("cpu", repeat["any"])) / 1.645
    ratio = max(spread.network, noise) ** 2 / spread.board**2

    def learned(count: int) -> list[Learned]:
        return [
            Learned(
                model="m", signature=f"{n:016x}", model_sha256="", runtime="ncnn", processor="cortex-a53",
                dtype="int8", clock_mhz=1000, latency_ms=2.0, estimated_ms=1.0, standing=Standing.NEW,
            )
            for n in range(count)
        ]  # fmt: skip

    for count in (1, 2, 5):
        found = offset(learned(count), Asked("other", "int8", Standing.NEW), "cpu")
        assert found is not None
        assert found.log_ratio / math.log(2) == pytest.approx(count / (count + ratio), abs=0.01)


def test_every_answer_that_goes_by_it_names_it(tmp_path: Path) -> None:
    file = calibrated(tmp_path, [row("kws", 1.3)]).file
    where = deployment(BOARD, RUNTIME)
    for assumptions in (
        estimate_performance("vww", where).assumptions,
        check_constraints("vww", where, {"latency_ms": 500}, remedies=False).assumptions,
    ):
        assert any(file in note for note in assumptions)


def test_a_table_holds_the_same_as_each_estimate_alone(tmp_path: Path) -> None:
    calibrated(tmp_path, [row("kws", 1.3)])
    places = [deployment(BOARD, RUNTIME), deployment("nrf52840"), deployment(BOARD, "tflm-reference")]
    for model in ("kws", "vww"):
        table = estimate_many(model, places)
        for at, place in enumerate(places):
            assert table.latency_ms[at] == estimate_performance(model, place).latency_ms


def test_other_boards_and_other_libraries_stay_as_they_are(tmp_path: Path) -> None:
    others = [deployment("nrf52840"), deployment(BOARD, "tflm-reference")]
    before = [estimate_performance("vww", place).latency_ms for place in others]
    calibrated(tmp_path, [row("kws", 2)])
    again = [deployment("nrf52840"), deployment(BOARD, "tflm-reference")]
    assert [estimate_performance("vww", place).latency_ms for place in again] == before


def test_settings_without_it_answer_as_if_there_were_none(tmp_path: Path) -> None:
    before = latency("vww", Settings())
    calibrated(tmp_path, [row("kws", 2)])
    assert latency("vww", Settings()) == before


def test_a_gain_stays_what_it_was_on_a_calibrated_board(tmp_path: Path) -> None:
    def gain() -> float:
        where = deployment(BOARD, RUNTIME)
        return simulate_optimizations("vww", where, technique="prune-30").options[0].gain["latency"]

    before = gain()
    calibrated(tmp_path, [row("kws", 1.5)])
    assert gain() == pytest.approx(before)


def test_errors_are_those_without_and_by_the_other_models(tmp_path: Path) -> None:
    found = calibrated(tmp_path, [row("kws", 1.5), row("vww", 1.5), row("ic", 1.5)])
    assert found.error_before == pytest.approx(1 - 1 / 1.5, rel=1e-3)
    assert found.error_after is not None
    assert found.error_after < 0.2
    assert calibrated(tmp_path, [row("kws", 1.5)]).error_after is None


def test_what_was_learned_is_listed_and_removed(tmp_path: Path) -> None:
    before = latency("vww")
    file = calibrated(tmp_path, [row("kws", 1.5)]).file
    assert [(b.target, b.runtime, b.file) for b in list_calibrations().boards] == [(BOARD, RUNTIME, file)]
    assert remove_calibration(BOARD).removed == file
    assert list_calibrations().boards == ()
    assert latency("vww") == before
    with pytest.raises(UnknownNameError):
        remove_calibration(BOARD)


def test_it_is_kept_beside_the_users_hardware_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    boards = tmp_path / "boards"
    boards.mkdir()
    settings = Settings(hardware_directories=(boards,))
    file = tmp_path / "mine.csv"
    file.write_text(f"{HEAD}\n{row('kws', 1.5)}\n", encoding="utf-8")
    assert Path(calibrate_target(file, settings=settings).file).parent.parent == boards


BAD = {
    "in microseconds": (f"kws,{BOARD},{RUNTIME},int8,1,1,,150000", "microseconds"),
    "faster than its core can multiply": (f"kws,{BOARD},{RUNTIME},int8,1,1,,0.05", "physics forbids"),
    "of a board that there is not": (f"kws,stm32x,{RUNTIME},int8,1,1,,40", "Unknown target"),
    "with a library that does not run there": (f"kws,{BOARD},ncnn,int8,1,1,,40", "does not run"),
    "of a model that cannot be built": (f"nope.tflite,{BOARD},{RUNTIME},int8,1,1,,40", "nope.tflite"),
    "in another type than the model's": (f"kws:int8,{BOARD},{RUNTIME},float32,1,1,,40", "float32"),
    "of no time": (f"kws,{BOARD},{RUNTIME},int8,1,1,,", "no latency_ms"),
    "of a negative time": (f"kws,{BOARD},{RUNTIME},int8,1,1,,-4", "above zero"),
    "of no number": (f"kws,{BOARD},{RUNTIME},int8,1,1,,fast", "fast"),
    "at a clock that the board lacks": (f"kws,{BOARD},{RUNTIME},int8,1,1,9000,40", "9000 MHz"),
    "with half a batch": (f"kws,{BOARD},{RUNTIME},int8,0.5,1,,40", "no count"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_measurement_is_refused_with_its_reason_and_what_was_kept_stays(case: str, tmp_path: Path) -> None:
    kept = calibrated(tmp_path, [row("kws", 1.5)])
    before = Path(kept.file).read_bytes()
    line, why = BAD[case]
    found = calibrated(tmp_path, [line])
    assert [(r.line, r.used) for r in found.rows] == [(2, False)]
    assert why in found.rows[0].reason
    assert found.file == ""
    assert found.warnings
    assert Path(kept.file).read_bytes() == before


def test_good_rows_are_used_where_others_are_refused(tmp_path: Path) -> None:
    found = calibrated(tmp_path, [BAD["in microseconds"][0], row("kws", 1.5), row("vww", 1.4)])
    assert [r.used for r in found.rows] == [False, True, True]
    assert found.boards[0].measurements == 2


def test_a_row_that_stands_twice_counts_once(tmp_path: Path) -> None:
    twice = [row("kws", 1.5), row("kws", 1.5)]
    found = calibrated(tmp_path, twice)
    assert [r.used for r in found.rows] == [True, False]
    assert found.rows[1].reason == "the same as line 2"


def test_repeated_measurements_of_one_model_tell_of_one_network(tmp_path: Path) -> None:
    found = calibrated(tmp_path, [row("kws", 1.5), row("kws", 1.52)])
    assert (found.boards[0].measurements, found.boards[0].networks) == (2, 1)


def test_fifty_rows_are_learned_from_like_five(tmp_path: Path) -> None:
    found = calibrated(tmp_path, [row("kws", 1.5 + 0.001 * n) for n in range(50)])
    assert sum(r.used for r in found.rows) == 50
    factor = found.boards[0].factor
    assert 1.1 < factor.value < 1.55


def test_a_later_file_takes_the_place_of_a_former_one_of_the_same_board(tmp_path: Path) -> None:
    calibrated(tmp_path, [row("kws", 1.5), row("vww", 1.5)])
    remove_calibration(BOARD)
    calibrated(tmp_path, [row("ic", 0.8)])
    kept = list_calibrations().boards
    assert [(b.measurements, b.error_before is not None) for b in kept] == [(1, True)]


def test_a_single_measurement_is_added_to_what_is_kept() -> None:
    where = deployment(BOARD, RUNTIME)
    for model in ("kws", "vww", "kws"):
        ms = 1.4 * float(latency(model, Settings()))
        found = calibrate_target(model=model, deployment=where, latency_ms=ms)
    assert (found.boards[0].measurements, found.boards[0].networks) == (2, 2)


@pytest.mark.parametrize("text", ["model,board,ms\nkws,x,1\n", "", "latency_us,model,target\n1,kws,x\n"])
def test_a_table_without_the_columns_names_them(text: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="latency_ms"):
        calibrate_target(file)


def test_nothing_to_learn_from_is_said() -> None:
    with pytest.raises(UsageError, match="nothing to learn"):
        calibrate_target(model="kws")


def test_a_file_that_is_no_calibration_is_named(tmp_path: Path) -> None:
    kept = Path(calibrated(tmp_path, [row("kws", 1.5)]).file)
    kept.with_name("x.json").write_text("{}", encoding="utf-8")
    with pytest.raises(UsageError, match=r"x\.json is no calibration"):
        deployment(BOARD, RUNTIME)


def test_what_is_shared_is_as_the_project_takes_it(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(f"{HEAD}\n{row('kws', 1.5)}\n", encoding="utf-8")
    calibrate_target(file, share=tmp_path / "out.yaml")
    shared = yaml.safe_load((tmp_path / "out.yaml").read_text(encoding="utf-8"))
    assert problems(shared) == []
    assert shared["measurements"][0]["target"] == BOARD
    assert "weights" not in json.dumps(shared)


def test_contributed_files_are_without_fault() -> None:
    for file in contributed_files():
        assert problems(yaml.safe_load(file.read_text(encoding="utf-8"))) == []
    assert problems({"measurements": [{"target": "x"}]})
    assert problems([])


def test_three_models_are_named_for_every_class_and_can_be_written() -> None:
    for target in (BOARD, "raspberry-pi-4b", "a100-sxm4-80gb", "hailo-8"):
        found = calibration_anchors(target)
        assert len(found.models) == 3
        for each in found.models:
            estimate_performance(each.model, target)
            assert each.line.count(",") == HEAD.count(",")


def test_the_table_that_calibrates_is_one_that_validates(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text("\n".join([HEAD, row("kws", 1.2), BAD["of a model that cannot be built"][0]]) + "\n")
    report = validate(file)
    assert [group.n for group in report.groups] == [1, 1]
    assert [left.n for left in report.unpredicted] == [1]


def reasons(folder: Path, table: str) -> list[tuple[bool, str]]:
    file = folder / "table.csv"
    file.write_text(table, encoding="utf-8")
    return [(row.used, row.reason) for row in calibrate_target(file).rows]


@pytest.mark.parametrize("cell", ['"40,5"', "40,5"])
def test_a_decimal_comma_is_never_cut_off(tmp_path: Path, cell: str) -> None:
    ((used, reason),) = reasons(tmp_path, f"model,target,latency_ms\nkws,{BOARD},{cell}\n")
    assert not used
    assert "point: 12.5" in reason
    assert list_calibrations().boards == ()


@pytest.mark.parametrize(("mark", "name"), [(";", "semicolons"), ("\t", "tabs")])
def test_a_table_with_other_marks_between_its_cells_is_named_as_such(
    tmp_path: Path, mark: str, name: str
) -> None:
    table = f"model,target,latency_ms\nkws,{BOARD},40\n".replace(",", mark)
    with pytest.raises(InputError, match=name):
        reasons(tmp_path, table)


def test_a_table_in_utf_16_is_read(tmp_path: Path) -> None:
    file = tmp_path / "excel.csv"
    file.write_text(f"model,target,latency_ms\nkws,{BOARD},40\n", encoding="utf-16")
    assert calibrate_target(file).rows[0].used


def test_seconds_that_physics_forbids_are_asked_after(tmp_path: Path) -> None:
    ((used, reason),) = reasons(tmp_path, f"model,target,latency_ms\nkws,{BOARD},0.04\n")
    assert not used
    assert "physics forbids it" in reason
    assert "are these seconds?" in reason


def test_measurements_of_one_case_that_contradict_each_other_name_each_other(tmp_path: Path) -> None:
    table = f"model,target,latency_ms\nkws,{BOARD},40\nkws,{BOARD},42\nkws,{BOARD},90\n"
    (_, first), (_, near), (_, far) = reasons(tmp_path, table)
    assert "line" not in first + near
    assert "line 2 has 40 ms of the same" in far


def test_a_board_far_off_is_learned_from_and_asked_after(tmp_path: Path) -> None:
    ms = 10 * float(latency("kws", Settings()))
    ((used, reason),) = reasons(tmp_path, f"model,target,latency_ms\nkws,{BOARD},{ms}\n")
    assert used
    assert "is it this board" in reason


def test_a_damaged_calibration_is_removed_by_the_command_that_its_error_names(tmp_path: Path) -> None:
    file = Path(calibrated(tmp_path, [row("kws", 1.5)]).file)
    file.write_text("{", encoding="utf-8")
    with pytest.raises(UsageError, match=f"calibrate --remove {BOARD}"):
        latency("vww")
    assert remove_calibration(BOARD).removed == str(file)
    assert latency("vww") == latency("vww", Settings())
