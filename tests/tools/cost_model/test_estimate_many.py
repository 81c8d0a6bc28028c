from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgewright.hardware_db.errors import UnknownNameError, UsageError
from edgewright.tools import (
    DeploymentTable,
    EstimateTable,
    ModelGraph,
    all_deployments,
    analyze_roofline,
    deployment,
    estimate_many,
    estimate_performance,
    list_runtimes,
)
from edgewright.tools.core.deployment_table import Machine
from edgewright.tools.cost_model.bounds import BOUNDS
from edgewright.tools.cost_model.estimate_table import Lack
from edgewright.tools.cost_model.study import study
from edgewright.tools.cost_model.table import table_of
from edgewright.tools.memory_planner.reporting import plan
from edgewright.tools.model_zoo.named import build_architecture
from edgewright.tools.placement.operators import place_operators

STATES = {True: 1, False: 0, None: -1}


def differing() -> list[int]:
    """Rows of all deployments with the first of each runtime, core and kind of accelerator."""
    first: dict[object, int] = {}
    for row, place in enumerate(all_deployments()):
        kind = place.accelerator.family or place.accelerator.kind if place.accelerator else ""
        first.setdefault((place.runtime.id, place.core.isa.value, kind), row)
    return list(first.values())


def assert_as_alone(table: EstimateTable, row: int, graph: ModelGraph) -> None:
    """Every figure of a row, from a graph that remembers nothing of the table's."""
    place = table.deployments[row]
    alone, planned, placed = (
        estimate_performance(graph, place),
        plan(graph, place),
        place_operators(graph, place),
    )
    assert table.ref(row) == alone.deployment
    assert table.latency_ms[row] == alone.latency_ms
    assert table.energy_uj[row] == alone.energy_uj
    assert table.power_mw[row] == alone.power_mw
    assert table.arena_bytes[row] == planned.arena
    assert table.flash_bytes[row] == planned.flash
    assert table.fits[row] == STATES[planned.fits]
    assert table.placements[row].why_not == planned.why_not
    assert table.accelerated_layers[row] == alone.accelerated_layers
    assert table.flags[row].supported == tuple(p.supported for p in placed)
    assert table.flags[row].runs == tuple(p.runs for p in placed)
    assert BOUNDS[table.bound[row]] == analyze_roofline(graph, place).bound


def test_one_study_as_a_table_is_the_row_of_many() -> None:
    graph, place = build_architecture("kws:int8"), deployment("ethos-u55-128")
    one, many = table_of(study(graph, place)), estimate_many(graph, [place, deployment("stm32h743zi")])
    for name in ("latency_ms", "energy_uj", "power_mw", "arena_bytes", "flash_bytes", "model_bytes"):
        assert getattr(one, name)[0] == getattr(many, name)[0]
    for name in ("fits", "runs", "accelerated_layers", "accelerated_share", "bound"):
        assert getattr(one, name)[0] == getattr(many, name)[0]


@pytest.mark.parametrize(
    ("name", "every"),
    [("kws:int8", 2), ("mobilenet_v3_small:float32", 12), ("resnet8:float16", 8), ("ad:int8", 6)],
)
def test_a_row_is_the_estimate_alone(name: str, every: int) -> None:
    graph = build_architecture(name)
    table = estimate_many(build_architecture(name), all_deployments())
    for row in differing()[::every]:
        assert_as_alone(table, row, graph)


@settings(max_examples=12, deadline=None)
@given(
    rows=st.lists(st.sampled_from(range(len(all_deployments()))), min_size=1, max_size=6),
    share=st.floats(0.1, 1.0),
    batch=st.sampled_from([1, 2, 7]),
)
def test_clock_and_batch_of_a_row_count_as_they_do_alone(rows: list[int], share: float, batch: int) -> None:
    every = all_deployments()
    places = [every[row].at(clock_mhz=every[row].clock_mhz * share, batch=batch) for row in rows]
    graph = build_architecture("kws:int8")
    table = estimate_many(graph, [*(every[row] for row in rows), *places])
    for row in range(len(table)):
        assert_as_alone(table, row, build_architecture("kws:int8"))


def test_a_named_architecture_is_taken_in_each_runtimes_usual_precision() -> None:
    places = [deployment("stm32h743zi"), deployment("a100-sxm4-80gb"), deployment("esp32s3")]
    table = estimate_many("kws", places)
    for row, place in enumerate(places):
        assert table.models[row].dtype == place.runtime.usual_dtype.value
        assert table.latency_ms[row] == estimate_performance("kws", place).latency_ms
    assert len({model.dtype for model in table.models}) > 1


def test_reasons_name_what_does_not_run_and_what_does_not_fit() -> None:
    graph = build_architecture("resnet50:float32")
    table = estimate_many(graph, [deployment("rp2040", "tflm-reference"), deployment("a100-sxm4-80gb")])
    lacks = {reason.lack: reason.stated for reason in table.reasons(0)}
    assert "KiB too little" in lacks[Lack.DOES_NOT_FIT]
    refused = estimate_many(build_architecture("resnet50:float16"), [deployment("rp2040", "tflm-reference")])
    assert refused.runs[0] == 0
    stated = next(r.stated for r in refused.reasons(0) if r.lack is Lack.UNSUPPORTED_OPERATORS)
    assert "CONV_2D" in stated
    assert "tflm-reference" in stated
    assert {reason.lack for reason in table.reasons(1)} <= {Lack.FIT_UNKNOWN, Lack.UNKNOWN_OPERATORS}


def test_no_deployment_is_an_empty_table() -> None:
    table = estimate_many(build_architecture("kws:int8"), [])
    assert len(table) == len(table.latency_ms) == 0


def test_all_deployments_are_every_target_with_each_of_its_runtimes() -> None:
    places = all_deployments()
    can_be_had = {entry.id for entry in list_runtimes().runtimes if entry.availability != "submission"}
    assert len(places) == sum(
        len(can_be_had & set(target.runtimes)) for target in {p.target.id: p.target for p in places}.values()
    )
    assert len({(place.target.id, place.runtime.id) for place in places}) == len(places)


def test_deployments_are_chosen_by_class_runtime_and_target() -> None:
    chosen = all_deployments(classes=["mcu"], runtimes=["tflm-cmsis-nn"])
    assert {place.target.target_class.value for place in chosen} == {"mcu"}
    assert {place.runtime.id for place in chosen} == {"tflm-cmsis-nn"}
    assert {place.target.id for place in all_deployments(targets=["Nucleo H743"])} == {"stm32h743zi"}


def test_a_choice_that_names_nothing_is_told() -> None:
    with pytest.raises(UnknownNameError, match="tflm-cmsys"):
        all_deployments(runtimes=["tflm-cmsys"])
    with pytest.raises(UsageError, match="microcontroller"):
        all_deployments(classes=["microcontroller"])


def test_facts_of_a_machine_are_worked_out_once() -> None:
    board = deployment("stm32h743zi", "tflm-cmsis-nn")
    asked: list[float] = []
    table = DeploymentTable([board, deployment("stm32h743zi", "tinyengine"), board.at(clock_mhz=100)])

    def clock(machine: Machine) -> float:
        asked.append(machine.clock_mhz)
        return machine.clock_mhz

    assert table.each_machine(clock) == [480.0, 480.0, 100.0]
    assert table.each_machine(clock) == [480.0, 480.0, 100.0]
    assert asked == [480.0, 100.0]
