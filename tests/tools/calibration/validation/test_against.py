import csv
import random
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from edgewright.hardware_db.errors import InputError, UsageError
from edgewright.hardware_db.measurements import rows
from edgewright.tools import Settings, deployment, estimate_performance, validate
from edgewright.tools.calibration.validation.validation_report import Measured
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.model_zoo.named import build_architecture

GOOD = {
    "id": "mine-1", "local_model": "models/kws.tflite", "device": "STM32L4R5ZI", "core": "Cortex-M4",
    "runtime": "TFLM+CMSIS-NN", "dtype": "int8", "clock_mhz": "120", "latency_ms": "60", "energy_uj": "2000",
}  # fmt: skip


def table(folder: Path, lines: Iterable[Mapping[str, str]], columns: Iterable[str] = GOOD) -> Path:
    (folder / "models").mkdir(exist_ok=True)
    (folder / "models" / "kws.tflite").write_bytes(write_tflite(build_architecture("kws", dtype="int8")))
    file = folder / "mine.csv"
    with file.open("w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, list(columns))
        writer.writeheader()
        writer.writerows(lines)
    return file


def test_a_row_is_predicted_as_the_product_estimates_it(tmp_path: Path) -> None:
    report = validate(table(tmp_path, [GOOD]), output=tmp_path / "out.csv")
    estimate = estimate_performance(
        str(tmp_path / "models" / "kws.tflite"),
        deployment("stm32l4r5zi", "tflm-cmsis-nn", clock_mhz=120, settings=Settings(measured_first=False)),
    )
    with (tmp_path / "out.csv").open(encoding="utf-8") as file:
        told = {line["quantity"]: line for line in csv.DictReader(file)}
    assert float(told["latency_ms"]["predicted"]) == pytest.approx(estimate.latency_ms.value, rel=1e-4)
    assert float(told["energy_uj"]["predicted"]) == pytest.approx(estimate.energy_uj.value, rel=1e-4)
    latency = next(g for g in report.groups if g.quantity is Measured.LATENCY)
    assert latency.median_ape == pytest.approx(abs(estimate.latency_ms.value / 60 - 1), abs=1e-4)
    assert report.unpredicted == ()


@pytest.mark.parametrize("name", ["rknn-yolov6m", "shufflenet_v2_x1.5"])
def test_a_network_that_the_zoo_lacks_is_reported_and_the_rest_is_scored(tmp_path: Path, name: str) -> None:
    unknown = GOOD | {"id": "mine-2", "local_model": "", "model_name": name}
    report = validate(table(tmp_path, [unknown, GOOD], [*GOOD, "model_name"]))
    assert [left.n for left in report.unpredicted] == [1]
    assert report.groups[0].n == 1


def test_models_may_lie_beside_the_folder_of_the_table(tmp_path: Path) -> None:
    table(tmp_path, [])
    (tmp_path / "figures").mkdir()
    file = (tmp_path / "mine.csv").rename(tmp_path / "figures" / "mine.csv")
    file.write_text(file.read_text(encoding="utf-8") + ",".join(GOOD.values()) + "\n", encoding="utf-8")
    assert validate(file).groups[0].n == 1


def test_a_board_that_the_database_lacks_is_predicted_by_its_core(tmp_path: Path) -> None:
    unknown = GOOD | {"device": "My own board", "clock_mhz": "100"}
    report = validate(table(tmp_path, [unknown]))
    assert [g.quantity for g in report.groups] == [Measured.LATENCY] * 2
    assert report.unpredicted == ()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"latency_ms": "fast"}, "latency_ms is no figure above zero"),
        ({"latency_ms": "nan"}, "latency_ms is no figure above zero"),
        ({"latency_ms": "-3"}, "latency_ms is no figure above zero"),
        ({"clock_mhz": "inf"}, "clock_mhz is no figure above zero"),
        ({"local_model": "models/none.tflite"}, "its model file is not there"),
        ({"local_model": "", "id": ""}, "its network is none that we can build, and it names no model file"),
        ({"dtype": "", "device": "?"}, "its type is not stated"),
    ],
)  # fmt: skip
def test_a_row_without_prediction_says_why(tmp_path: Path, change: dict[str, str], reason: str) -> None:
    report = validate(table(tmp_path, [GOOD | change, GOOD]))
    assert [(left.reason, left.n) for left in report.unpredicted] == [(reason, 1)]
    assert report.groups[0].n == 1


def test_a_measurement_that_physics_forbids_is_refused(tmp_path: Path) -> None:
    report = validate(table(tmp_path, [GOOD | {"latency_ms": "2"}]))
    assert report.groups == ()
    assert report.refused[0].ids == ("mine-1",)
    assert "MACs a cycle" in report.refused[0].reason


def test_odd_rows_never_crash_it(tmp_path: Path) -> None:
    chance = random.Random(7)
    oddities = [
        "",
        "0",
        "-1",
        "1e400",
        "NaN",
        "x",
        "*",
        "a*b",
        "\x00",
        "ü" * 300,
        "../../etc/passwd",
        "1 x9",
        "{}",
        "é,\"'",
    ]
    lines = [
        {name: chance.choice([value, *oddities]) for name, value in GOOD.items()} | {"batch": chance.choice(oddities)}
        for _ in range(150)
    ]  # fmt: skip
    file = table(tmp_path, lines, [*GOOD, "batch"])
    report = validate(file)
    compared = {g.quantity: g.n for g in report.groups if g.runtime == "all"}
    left = sum(x.n for x in (*report.unpredicted, *report.refused))
    assert left + compared.get(Measured.LATENCY, 0) >= len(lines)


def test_our_own_columns_are_read_too(tmp_path: Path) -> None:
    chosen = [row for row in rows() if row["target"] == "rx65n" and row["latency_ms"] and row["network"]][:5]
    report = validate(table(tmp_path, chosen, chosen[0]))
    assert sum(g.n for g in report.groups if g.runtime == "all") + sum(x.n for x in report.unpredicted) >= 5


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", "latency_ms,runtime\n3,TFLM\n"])
def test_a_table_of_something_else_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "x.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="has no measurements"):
        validate(file)


def test_a_missing_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        validate(tmp_path / "none.csv")


def test_the_plot_shows_every_prediction(tmp_path: Path) -> None:
    file = table(
        tmp_path, [GOOD | {"energy_uj": ""}, GOOD | {"id": "<&>", "latency_ms": "70", "energy_uj": ""}]
    )
    for name in ("p.svg", "p.html"):
        validate(file, plot=tmp_path / name)
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert text.count("<circle") == 3, "two measurements and the legend"
        assert "&lt;&amp;&gt;" in text
    with pytest.raises(UsageError, match="png"):
        validate(file, plot=tmp_path / "p.png")
