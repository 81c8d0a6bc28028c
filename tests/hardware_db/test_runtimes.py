from __future__ import annotations

import pytest
import tflite

from edgewright.hardware_db import Fallback, Planner, Runtime, load_runtime, runtime_ids
from edgewright.tools.graph import DType

FIRST = ("litert-xnnpack", "pytorch", "tensorrt", "tflm-cmsis-nn", "tflm-reference", "x-cube-ai")
TYPES = {dtype.value for dtype in DType}
BUILTINS = {name for name in vars(tflite.BuiltinOperator) if name.isupper()} - {"CUSTOM", "DELEGATE"} | {
    "STABLEHLO_CASE"
}
"""Of TFLite schema 2.18, and one that LiteRT registers and that schema does not have yet."""
FEATURES = {"dsp", "mve", "neon", "pie", "rvv"}


@pytest.fixture(params=runtime_ids())
def runtime(request: pytest.FixtureRequest) -> Runtime:
    return load_runtime(request.param)


def test_the_first_six_runtimes_are_shipped() -> None:
    assert set(FIRST) <= set(runtime_ids())


def test_operators_go_by_tflites_names(runtime: Runtime) -> None:
    builtin = {name for name in runtime.operators if not name.startswith("CUSTOM:")}
    assert builtin <= BUILTINS
    assert builtin


def test_types_are_types_of_tensors(runtime: Runtime) -> None:
    for name, support in runtime.operators.items():
        pairs = [*support.weight_dtypes.values(), *support.output_dtypes.values()]
        named = {*support.dtypes, *(dtype for pair in pairs for dtype in pair)}
        assert named <= TYPES, name
        assert len(set(support.dtypes)) == len(support.dtypes), name
    assert runtime.usual_dtype.value in TYPES


def test_what_is_said_of_a_type_is_said_of_one_that_a_kernel_takes(runtime: Runtime) -> None:
    for name, support in runtime.operators.items():
        said = {*support.optimized, *support.weight_dtypes, *support.output_dtypes}
        assert said <= set(support.dtypes), name


def test_every_operator_has_a_source_that_was_read(runtime: Runtime) -> None:
    for name, support in runtime.operators.items():
        assert support.source in runtime.sources, name
        assert support.locator, name


def test_kernels_need_features_that_cores_are_described_by(runtime: Runtime) -> None:
    for name, support in runtime.operators.items():
        assert set(support.optimized_on) <= FEATURES, name
        assert bool(support.optimized) or not support.optimized_on, name


def test_a_runtime_runs_on_something(runtime: Runtime) -> None:
    assert runtime.runs_on_isas or runtime.runs_on_accelerators


def test_a_convolution_of_the_usual_type_runs(runtime: Runtime) -> None:
    assert runtime.usual_dtype.value in runtime.operators["CONV_2D"].dtypes


def test_cmsis_nn_changes_how_operators_run_and_not_which_do() -> None:
    reference, cmsis = load_runtime("tflm-reference"), load_runtime("tflm-cmsis-nn")
    assert reference.operators.keys() == cmsis.operators.keys()
    for name, support in reference.operators.items():
        there = cmsis.operators[name]
        assert set(there.dtypes) == set(support.dtypes), name
        assert there.weight_dtypes == support.weight_dtypes, name
        assert support.optimized == ()


@pytest.mark.parametrize(
    ("operator", "optimized"),
    [
        ("CONV_2D", {"int8", "int16"}),
        ("FULLY_CONNECTED", {"int8", "int16"}),
        ("TRANSPOSE_CONV", {"int8"}),
        ("SVDF", {"int8"}),
        ("LOGISTIC", set()),
    ],
)
def test_cmsis_nn_has_the_kernels_that_its_readme_lists(operator: str, optimized: set[str]) -> None:
    assert set(load_runtime("tflm-cmsis-nn").operators[operator].optimized) == optimized


@pytest.mark.parametrize(
    ("operator", "version"), [("CONV_2D", 8), ("FULLY_CONNECTED", 14), ("MUL", 8), ("RESHAPE", 1)]
)
def test_litert_registers_versions_up_to_a_highest(operator: str, version: int) -> None:
    assert load_runtime("litert-xnnpack").operators[operator].max_version == version


def test_tflm_takes_no_unsigned_convolution_and_litert_does() -> None:
    assert "uint8" not in load_runtime("tflm-cmsis-nn").operators["CONV_2D"].dtypes
    assert "uint8" in load_runtime("litert-xnnpack").operators["CONV_2D"].dtypes


def test_arenas_are_aligned_as_the_sources_say() -> None:
    aligned = {name: load_runtime(name).arena_alignment for name in ("tflm-reference", "litert-xnnpack")}
    assert {name: leaf.value for name, leaf in aligned.items() if leaf} == {
        "tflm-reference": 16,
        "litert-xnnpack": 64,
    }


def test_compilers_fold_and_interpreters_do_not() -> None:
    assert {name for name in FIRST if load_runtime(name).folds_constants} == {"tensorrt", "x-cube-ai"}


def test_a_list_that_was_read_in_part_says_so() -> None:
    assert {name for name in FIRST if not load_runtime(name).complete} == {"pytorch", "tensorrt", "x-cube-ai"}


def test_runtimes_plan_memory_in_their_own_way() -> None:
    assert load_runtime("tflm-cmsis-nn").planner is Planner.TFLM_GREEDY
    assert load_runtime("x-cube-ai").planner is Planner.IN_PLACE
    assert load_runtime("litert-xnnpack").planner is Planner.LITERT_ARENA


def test_none_of_the_first_six_falls_back_to_another_processor() -> None:
    assert {load_runtime(name).fallback for name in FIRST} == {Fallback.NONE}
