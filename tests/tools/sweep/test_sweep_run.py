import csv
import functools
import statistics
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewright.hardware_db.errors import UsageError
from edgewright.tools import (
    ModelGraph,
    check_constraints,
    deployment,
    estimate_performance,
    limits_from_text,
    plan_memory,
)
from edgewright.tools.core.deployment import Deployment
from edgewright.tools.cost_model.comparing import by_cost_model
from edgewright.tools.ethos_u.asked import by_rules
from edgewright.tools.graph.requantize import to_int8
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.model_zoo.named import build_architecture
from edgewright.tools.optimization_simulator.techniques.channels import pruned
from edgewright.tools.sweep import variants as variants_module
from edgewright.tools.sweep.fronts import _undominated
from edgewright.tools.sweep.plan import plan_from
from edgewright.tools.sweep.run import run_sweep
from edgewright.tools.sweep.sweep_report import SweepReport
from edgewright.tools.sweep.variants import Transformed

PLAN: dict[str, Any] = {
    "models": ["kws:float32", "ad"],
    "targets": ["stm32h743zi", "nrf52840", "stm32l4r5zi", "jetson-orin-nano-4gb"],
    "transforms": ["none", "int8", "prune-25 + int8", "input-75"],
    "clocks": ["max", "50%"],
    "batches": [1, 2],
    "limits": {"latency": "100ms", "ram": "200KiB"},
    "soft": {"energy": ["100uJ", "1mJ"], "model": "64KiB", "flash": "128KiB", "rate": "20fps"},
}
Row = dict[str, str]


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> tuple[SweepReport, list[Row]]:
    folder = tmp_path_factory.mktemp("sweep") / "out"
    report = run_sweep(plan_from(PLAN), folder)
    return report, rows_of(folder / "results.csv")


def rows_of(path: Path) -> list[Row]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def variant(row: Row) -> ModelGraph:
    place = deployment(row["target"], row["runtime"])
    usual = None if ":" in row["model"] else place.runtime.usual_dtype.value
    return _variant(row["model"], usual, row["transform"])


@functools.cache
def _variant(model: str, dtype: str | None, transform: str) -> ModelGraph:
    graph = build_architecture(model, dtype=dtype)
    match transform:
        case "int8":
            return to_int8(graph)
        case "prune-25 + int8":
            return to_int8(pruned(graph, 0.25))
    return graph


def place_of(row: Row) -> Deployment:
    clock, batch = float(row["clock_mhz"]), int(row["batch"])
    return deployment(row["target"], row["runtime"], clock_mhz=clock, batch=batch)


def number(cell: str) -> float | None:
    return float(cell) if cell else None


def test_each_row_holds_what_the_model_alone_would_give_there(swept: tuple[SweepReport, list[Row]]) -> None:
    limits = limits_from_text(PLAN["limits"])
    chosen = [row for row in swept[1] if row["transform"] != "input-75"][::47]
    assert len(chosen) > 10
    for row in chosen:
        graph, place = variant(row), by_cost_model(by_rules(place_of(row)))
        alone, memory = estimate_performance(graph, place), plan_memory(graph, place)
        for name, figure in (
            ("latency_ms", alone.latency_ms), ("energy_uj", alone.energy_uj), ("power_mw", alone.power_mw),
            ("arena_bytes", memory.arena),
        ):  # fmt: skip
            told = [number(row[f"{name}{part}"]) for part in ("", "_low", "_high")]
            if figure.value is None:
                assert told == [None, None, None]
            else:
                assert told == pytest.approx([figure.value, figure.low, figure.high], rel=1e-6)
            assert row[f"{name}_basis"] == figure.basis
        assert row["verdict"] == check_constraints(graph, place, limits, remedies=False).verdict


def test_a_row_is_accepted_where_no_hard_limit_fails_or_is_unknown(
    swept: tuple[SweepReport, list[Row]],
) -> None:
    report, rows = swept
    assert {row["verdict"] for row in rows} >= {"PASS", "FAIL"}
    for row in rows:
        assert (row["accepted"] == "true") == (row["verdict"] in ("PASS", "MARGINAL"))
        assert bool(row["reasons"]) == (row["verdict"] != "PASS")
    assert report.evaluations == len(rows)
    assert report.accepted == sum(row["accepted"] == "true" for row in rows)
    assert report.accepted_ratio == report.accepted / len(rows)


def test_every_budget_has_a_column_that_tells_who_oversteps_it(swept: tuple[SweepReport, list[Row]]) -> None:
    report, rows = swept
    per_inference = {"latency_ms", "energy_uj"}
    budgets = {
        "violates_latency_100ms": ("latency_ms", 100), "violates_ram_200KiB": ("arena_bytes", 200 * 1024),
        "violates_energy_100uJ": ("energy_uj", 100), "violates_energy_1mJ": ("energy_uj", 1000),
        "violates_model_64KiB": ("model_bytes", 64 * 1024), "violates_rate_20fps": ("latency_ms", 50),
    }  # fmt: skip
    assert [b.budget for b in report.budgets if b.hard] == ["violates_latency_100ms", "violates_ram_200KiB"]
    assert {b.budget for b in report.budgets} == {*budgets, "violates_flash_128KiB"}
    for column, (name, bound) in budgets.items():
        for row in rows:
            figure = number(row[name])
            if figure is None:
                assert row[column] == ""
                continue
            demand = figure / int(row["batch"]) if name in per_inference else figure
            assert row[column] == ("true" if demand > bound else "false")
        counted = next(b for b in report.budgets if b.budget == column)
        assert counted.violated == sum(row[column] == "true" for row in rows)
        assert counted.unknown == sum(row[column] == "" for row in rows)


def test_a_soft_budget_rejects_nothing(tmp_path: Path) -> None:
    base = {"models": ["kws"], "targets": ["stm32h743zi"]}
    free = run_sweep(plan_from(base), tmp_path / "free")
    soft = run_sweep(
        plan_from({**base, "soft": {"ram": ["1KiB", "2KiB"], "latency": "1us"}}), tmp_path / "soft"
    )
    assert soft.verdicts == free.verdicts
    assert all(budget.violated == soft.evaluations for budget in soft.budgets if "ram" in budget.budget)


def test_transforms_that_do_not_apply_are_counted_with_their_reason(
    swept: tuple[SweepReport, list[Row]],
) -> None:
    report, rows = swept
    wrong = [each for each in report.left_out if each.reason.startswith("ad, input-75")]
    places = sum(row["model"] == "ad" and row["transform"] == "none" for row in rows)
    assert sum(each.evaluations for each in wrong) == places
    assert all("no input is an image" in each.reason for each in wrong)


def place(row: Row) -> tuple[str, ...]:
    return tuple(row[name] for name in ("model", "target", "runtime", "clock_mhz", "batch"))


def everywhere(rows: list[Row], name: str) -> set[tuple[str, ...]]:
    """Where the figure is known with every precision of which it is known for the model."""
    known = [row for row in rows if row[name]]
    of_model: dict[str, set[str]] = {}
    of_place: dict[tuple[str, ...], set[str]] = {}
    for row in known:
        of_model.setdefault(row["model"], set()).add(row["precision"])
        of_place.setdefault(place(row), set()).add(row["precision"])
    return {where for where, found in of_place.items() if found == of_model[where[0]]}


def test_precision_tradeoffs_are_means_over_deployments_known_with_every_precision(
    swept: tuple[SweepReport, list[Row]], tmp_path: Path
) -> None:
    report, rows = swept
    table = rows_of(Path(report.output) / "precision_tradeoffs.csv")
    assert list(table[0])[:6] == [
        "precision", "accuracy_mean", "latency_ms_mean", "memory_mb_mean", "energy_proxy_j_mean",
        "accepted_ratio",
    ]  # fmt: skip
    assert {row["precision"] for row in table} == {row["precision"] for row in rows}
    fair = {name: everywhere(rows, name) for name in ("latency_ms", "energy_uj")}
    for line in table:
        mine = [row for row in rows if row["precision"] == line["precision"]]
        latency, energy = (
            [float(row[name]) / int(row["batch"]) for row in mine if row[name] and place(row) in fair[name]]
            for name in ("latency_ms", "energy_uj")
        )
        memory = [int(row["parameter_bytes"]) / 1024**2 for row in mine]
        accepted = [row["accepted"] == "true" for row in mine]
        assert line["accuracy_mean"] == ""
        if latency:
            assert number(line["latency_ms_mean"]) == pytest.approx(statistics.fmean(latency), rel=1e-6)
        else:
            assert line["latency_ms_mean"] == ""
        assert number(line["memory_mb_mean"]) == pytest.approx(statistics.fmean(memory), rel=1e-6)
        assert number(line["accepted_ratio"]) == pytest.approx(statistics.fmean(accepted), rel=1e-6)
        assert (int(line["evaluations"]), int(line["energy_known"])) == (len(mine), len(energy))
        if energy:
            joules = statistics.fmean(energy) / 1e6
            assert number(line["energy_proxy_j_mean"]) == pytest.approx(joules, rel=1e-6)


def test_parquet_holds_the_same_table_with_types(swept: tuple[SweepReport, list[Row]]) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(Path(swept[0].output) / "results.parquet").to_pylist()
    flags = {"true": True, "false": False, "": None}
    assert len(table) == len(swept[1])
    for typed, row in zip(table, swept[1], strict=True):
        assert list(typed) == list(row)
        assert typed["latency_ms"] == number(row["latency_ms"])
        assert typed["energy_uj"] == number(row["energy_uj"])
        assert typed["batch"] == int(row["batch"])
        assert typed["violates_energy_1mJ"] is flags[row["violates_energy_1mJ"]]
        assert typed["reasons"] == row["reasons"]


def test_the_front_of_each_model_is_what_no_accepted_row_beats(swept: tuple[SweepReport, list[Row]]) -> None:
    report, rows = swept

    def costs(row: Row) -> tuple[float, ...]:
        figures = [number(row[name]) for name in ("latency_ms", "energy_uj", "arena_bytes", "flash_bytes")]
        shares = [int(row["batch"])] * 2 + [1] * 2
        return tuple(np.inf if f is None else f / s for f, s in zip(figures, shares, strict=True))

    accepted = [row for row in rows if row["accepted"] == "true" and row["latency_ms"]]
    front = [
        row for row in accepted
        if not any(
            other["model"] == row["model"] and costs(other) != costs(row)
            and all(a <= b for a, b in zip(costs(other), costs(row), strict=True))
            for other in accepted
        )
    ]  # fmt: skip
    assert rows_of(Path(report.output) / "pareto.csv") == front
    assert sum(each.count for each in report.fronts) == len(front)


@given(st.lists(st.tuples(*[st.sampled_from([0.0, 1.0, 2.0, np.inf])] * 3), min_size=1, max_size=30))
def test_what_strikes_out_the_dominated_agrees_with_comparing_all_pairs(
    points: list[tuple[float, ...]],
) -> None:
    costs = np.array(points)
    kept = {
        at for at, point in enumerate(points)
        if not any(all(a <= b for a, b in zip(o, point, strict=True)) and o != point for o in points)
    }  # fmt: skip
    assert set(_undominated(costs).tolist()) == kept


def test_a_model_file_lies_relative_to_the_plan(tmp_path: Path) -> None:
    (tmp_path / "nets").mkdir()
    (tmp_path / "nets" / "mine.tflite").write_bytes(write_tflite(build_architecture("kws:int8")))
    plan = tmp_path / "nets" / "plan.yaml"
    plan.write_text("models: [mine.tflite]\ntargets: [stm32h743zi]\nruntimes: usual\n")
    run_sweep(plan, tmp_path / "out")
    (row,) = rows_of(tmp_path / "out" / "results.csv")
    assert (row["model"], row["precision"], row["runs"]) == ("mine.tflite", "int8", "true")


def test_processes_write_the_same_bytes_as_one(tmp_path: Path) -> None:
    asked = plan_from({**PLAN, "soft": {}})
    run_sweep(asked, tmp_path / "one")
    run_sweep(asked, tmp_path / "two", workers=2)
    for name in ("results.csv", "pareto.csv", "precision_tradeoffs.csv", "results.parquet"):
        assert (tmp_path / "two" / name).read_bytes() == (tmp_path / "one" / name).read_bytes()


def test_a_sweep_with_nothing_applicable_is_an_empty_table(tmp_path: Path) -> None:
    plan = {"models": ["kws:int8"], "targets": ["stm32h743zi"], "transforms": ["int8"]}
    report = run_sweep(plan_from(plan), tmp_path / "out", tree=True)
    assert (report.evaluations, report.accepted_ratio) == (0, 0)
    assert rows_of(tmp_path / "out" / "results.csv") == []
    assert report.left_out[0].reason.endswith("computes in int8 already")


def test_workers_are_counted_from_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="0 workers"):
        run_sweep(plan_from(PLAN), tmp_path / "out", workers=0)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(("reads", "times"), [((), 1), (("runtime",), 2), (("target", "batch"), 4)])
def test_a_transform_is_applied_once_for_deployments_that_it_cannot_tell_apart(
    monkeypatch: pytest.MonkeyPatch, reads: tuple[str, ...], times: int
) -> None:
    applied = 0

    def apply(graph: ModelGraph, deployment: Deployment) -> tuple[ModelGraph, Deployment]:
        nonlocal applied
        applied += 1
        for name in reads:
            getattr(deployment, name)
        return graph, deployment

    real = variants_module.technique

    def technique(name: str, deployment: Deployment) -> Any:
        from dataclasses import replace

        return replace(real("int8", deployment), apply=apply)

    monkeypatch.setattr(variants_module, "technique", technique)
    graph, transformed = build_architecture("kws:float32"), Transformed(("any",))
    for target in ("stm32h743zi", "nrf52840"):
        for runtime in ("tflm-cmsis-nn", "tflm-reference"):
            for batch in (1, 2):
                assert transformed.on(graph, deployment(target, runtime, batch=batch)).graph is not None
    assert applied == times


def test_a_hard_limit_of_the_models_size_rejects_what_is_larger(tmp_path: Path) -> None:
    plan = {
        "models": "resnet8:float32", "targets": "stm32h743zi", "runtimes": "usual",
        "transforms": ["none", "int8"], "limits": {"model": "200KiB"},
    }  # fmt: skip
    report = run_sweep(plan_from(plan), tmp_path / "out")
    assert (report.evaluations, report.accepted) == (2, 1)
    assert "the limit is 200 KiB" in (tmp_path / "out" / "results.csv").read_text(encoding="utf-8")
    assert [budget.hard for budget in report.budgets if budget.budget == "violates_model_200KiB"] == [True]
