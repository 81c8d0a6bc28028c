from pathlib import Path
from typing import Any

import pytest

from edgewright.hardware_db import runtime_ids
from edgewright.hardware_db.errors import (
    EdgewrightError,
    InputError,
    LimitsError,
    UnknownNameError,
    UsageError,
)
from edgewright.tools import all_deployments, estimate_performance
from edgewright.tools.core.plan_files import PlanError
from edgewright.tools.sweep.expansion import MAX_EVALUATIONS, Filter, places_of, variants_of
from edgewright.tools.sweep.job import job_of
from edgewright.tools.sweep.plan import Filters, Match, SweepPlan, plan_from, read_plan
from edgewright.tools.sweep.variants import Variant


def written(folder: Path, text: str) -> Path:
    path = folder / "plan.yaml"
    path.write_text(text)
    return path


def plan(**more: Any) -> SweepPlan:
    return plan_from({"models": ["kws"], "targets": ["stm32h743zi", "nrf52840"], **more})


def test_one_entry_needs_no_brackets(tmp_path: Path) -> None:
    found = read_plan(written(tmp_path, "models: kws\ntargets: mcu\nbatches: 4\nsoft: {ram: 256KiB}\n"))
    assert (found.models, found.targets, found.batches) == (("kws",), ("mcu",), (4,))
    assert found.soft == {"ram": ("256KiB",)}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("modles: [kws]", r"plan\.yaml:1: unknown key 'modles'\. Nearest: models"),
        (
            "models: [kws]\nfilters:\n  skip:\n    - {modl: kws}",
            r"plan\.yaml:4: unknown key 'filters.skip.0.modl'",
        ),
        ("models: [kws]\nbatches: [0]", r"plan\.yaml:2: batches"),
        ("targets: [mcu]", "models is missing"),
        ("models: []", "models"),
        ("models: &a [kws]\ntargets: *a", "anchor"),
        ("models: !!python/object/apply:os.system [ls]", "tag"),
        ("models: [kws]\nmodels: [vww]", "twice"),
        ("- kws", "a plan is a mapping"),
        ("", "empty"),
        ("models: [kws", "not YAML"),
        ("headroom: 1.5\nmodels: [kws]", "headroom"),
    ],
)
def test_a_plan_that_cannot_be_read_is_refused_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(PlanError, match=told):
        read_plan(written(tmp_path, text))


def test_a_plan_that_is_missing_or_too_large_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match="cannot be read"):
        read_plan(tmp_path / "none.yaml")
    with pytest.raises(PlanError, match="larger"):
        read_plan(written(tmp_path, f"models: [{'kws,' * 400_000}]"))


@pytest.mark.parametrize(
    ("more", "error", "told"),
    [
        ({"models": ["kwss"]}, UnknownNameError, "Nearest: kws"),
        ({"models": ["none.tflite"]}, InputError, "none.tflite"),
        ({"targets": ["stm32h743zz"]}, UnknownNameError, "stm32h743zi"),
        ({"targets": ["mcus"]}, UnknownNameError, "Classes: mcu"),
        ({"runtimes": ["tflm-cmsis-n"]}, UnknownNameError, "tflm-cmsis-nn"),
        ({"transforms": ["int9"]}, UsageError, "int8"),
        ({"transforms": ["int8 + float16"]}, UsageError, "exclude each other"),
        ({"transforms": ["clock-max"]}, UsageError, "`clocks`"),
        ({"clocks": ["120%"]}, PlanError, "no share of the maximum"),
        ({"clocks": ["fast"]}, LimitsError, "80MHz"),
        ({"limits": {"latncy": "5ms"}}, LimitsError, "latency"),
        ({"limits": {"latency": "5"}}, LimitsError, "latency: '5' has no unit"),
        ({"soft": {"energy": ["1ms"]}}, LimitsError, "wrong unit"),
        ({"dtype": "int9"}, LimitsError, "dtype"),
        ({"runtimes": ["tensorrt"]}, PlanError, "none of the runtimes"),
        ({"clocks": ["9GHz"]}, PlanError, "above the target's maximum"),
        ({"filters": {"skip": [{"model": "kws"}]}}, PlanError, "leave nothing"),
        ({"filters": {"skip": [{"target": "stm32h743zx"}]}}, PlanError, "Nearest: stm32h743zi"),
    ],
)  # fmt: skip
def test_what_a_plan_names_must_exist(more: dict[str, Any], error: type[EdgewrightError], told: str) -> None:
    with pytest.raises(error) as found:
        job_of(plan(**more), Path())
    assert told in str(found.value)


def test_a_plan_of_too_many_evaluations_is_refused_with_their_number() -> None:
    shares = [f"{step / 100:g}%" for step in range(1, 10_000)]
    many = plan_from({"models": ["kws"], "clocks": shares})
    count = len(all_deployments(runtimes=runtime_ids())) * len(shares)
    assert count > MAX_EVALUATIONS
    with pytest.raises(PlanError, match=f"{count:,} evaluations"):
        places_of(many)


def test_classes_ids_and_all_name_targets_once() -> None:
    mcus = {place.target.id for place in places_of(plan(targets=["mcu", "stm32h743zi"])).table}
    assert mcus == {p.target.id for p in all_deployments(classes=["mcu"], runtimes=runtime_ids())}
    every = places_of(plan(targets=["all"]))
    assert [p.ref for p in every.table] == [p.ref for p in all_deployments(runtimes=runtime_ids())]


def test_usual_takes_the_first_runtime_of_each_target() -> None:
    places = places_of(plan(runtimes=["usual"]))
    assert [place.runtime.id for place in places.table] == [p.target.runtimes[0] for p in places.table]
    assert len(places) == 2


def test_clocks_above_the_maximum_are_left_out_and_counted_and_equal_ones_are_taken_once() -> None:
    places = places_of(plan(runtimes=["tflm-cmsis-nn"], clocks=["max", "50%", "64MHz", "100MHz"]))
    found = [(p.target.id, p.clock_mhz, text) for p, text in zip(places.table, places.clocks, strict=True)]
    assert found == [
        ("nrf52840", 64.0, "max"), ("nrf52840", 32.0, "50%"),
        ("stm32h743zi", 480.0, "max"), ("stm32h743zi", 240.0, "50%"),
        ("stm32h743zi", 64.0, "64MHz"), ("stm32h743zi", 100.0, "100MHz"),
    ]  # fmt: skip
    assert dict(places.left_out) == {"clock 100MHz is above the target's maximum": 1}


def test_filters_keep_what_matches_every_part_named() -> None:
    asked = plan(
        transforms=["none", "prune-25"], runtimes=["tflm-cmsis-nn", "tflm-reference"],
        filters={"only": [{"runtime": "tflm-c*"}, {"target": "nrf52840"}],
                 "skip": [{"transform": "prune-*", "target": "nrf52840"}]},
    )  # fmt: skip
    places = places_of(asked)
    kept = Filter(asked, places)

    def names(transform: str) -> set[tuple[str, str]]:
        flags = kept.keep(Variant("kws", transform))
        return {(p.target.id, p.runtime.id) for p, keep in zip(places.table, flags, strict=True) if keep}

    board = ("stm32h743zi", "tflm-cmsis-nn")
    assert names("none") == {board, ("nrf52840", "tflm-cmsis-nn"), ("nrf52840", "tflm-reference")}
    assert names("prune-25") == {board}


def test_a_combination_is_the_same_however_it_is_spaced() -> None:
    asked = plan(transforms=["prune-25+int8", "prune-25  +  int8", "none"])
    assert [variant.transform for variant in variants_of(asked)] == ["prune-25 + int8", "none"]


def test_compiler_flags_that_were_measured_are_an_axis_of_runtimes() -> None:
    flags = ["tflm-cmsis-nn@-Os", "tflm-cmsis-nn@-Ofast", "tflm-cmsis-nn@-O3, FPU off"]
    plan = plan_from({"models": ["ic:float32"], "targets": ["stm32l4r5zi"], "runtimes": flags})
    places = places_of(plan)
    assert [place.ref.runtime for place in places.table] == flags
    latencies = [float(estimate_performance("ic:float32", place).latency_ms) for place in places.table]
    assert latencies[1] < latencies[2] < latencies[0]
    only = plan.model_copy(update={"filters": Filters(only=(Match(runtime=("*-Os",)),))})
    assert Filter(only, places).keep(Variant("ic:float32", "none")).tolist() == [True, False, False]
    with pytest.raises(UsageError, match="-O9"):
        places_of(plan_from({"models": ["kws"], "targets": ["nrf52840"], "runtimes": ["tflm-cmsis-nn@-O9"]}))
