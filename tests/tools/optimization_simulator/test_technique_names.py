import pytest

from edgewright.hardware_db.errors import EdgewrightError, UnknownNameError, UsageError
from edgewright.tools import deployment, estimate_performance
from edgewright.tools.core.deployment import Deployment
from edgewright.tools.model_zoo.named import build_architecture
from edgewright.tools.optimization_simulator.techniques.catalogue import techniques
from edgewright.tools.optimization_simulator.techniques.deployment_techniques import operating_points
from edgewright.tools.optimization_simulator.techniques.names import Form, forms, listed, technique

BOARD = deployment("stm32h743zi", "tflm-cmsis-nn")


@pytest.mark.parametrize("form", forms(), ids=lambda form: form.head)
def test_the_example_of_a_form_is_a_technique_of_that_name(form: Form) -> None:
    assert technique(form.example, BOARD).name == form.example


def test_all_that_is_worth_trying_goes_by_its_name() -> None:
    names = [each.name for each in techniques(BOARD)]
    assert len(set(names)) == len(names)
    assert [technique(name, BOARD).name for name in names] == names


def test_the_list_names_every_form_and_every_technique_without_a_parameter_once() -> None:
    names = [name for name, _, _ in listed()]
    assert len(set(names)) == len(names)
    assert {form.written for form in forms()} <= set(names)
    assert {"int8", "integer-io", "fewer-casts"} <= set(names)


@pytest.mark.parametrize(
    ("name", "known_as"),
    [
        ("prune-0.3", "prune-30"), ("prune-30%@4-6", "prune-30@4,5,6"), ("runtime x-cube-ai", "runtime-x-cube-ai"),
        ("clock-80 MHz", "clock-80MHz"), ("clock-0.1GHz", "clock-100MHz"), ("low-rank-25@3,3", "low-rank-25@3"),
    ],
)  # fmt: skip
def test_a_parameter_may_be_written_in_other_ways(name: str, known_as: str) -> None:
    assert technique(name, BOARD).name == known_as


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("pruen-30", "prune-30"), ("seperable", "separable"), ("prune", "prune-25"), ("in8", "int8"),
        ("prune-130", "outside 1 to 99 %; the nearest is 99"), ("prune-nan", "outside"), ("prune--5", "nearest is 1"),
        ("prune-x", "no percentage"), ("prune-30@", "no layer"), ("prune-30@9-4", "no range"),
        ("prune-30@1-99999", "no range"), ("width-75@3", "takes no layers"), ("groups-1", "2 or more"),
        ("align-0", "2 or more"), ("batch-0", "1 or more"), ("threads-1.5", "no whole number"),
        ("input-64x", "input-64x64"), ("clock-fast", "no clock"), ("fuse-all", "bn, activations, pad"),
        ("accelerator-maybe", "neither on nor off"), ("relu6-3", "does not have"), ("", "Forms: .*prune-P"),
        ("x" * 5000, "Names are short"),
    ],
)  # fmt: skip
def test_a_name_that_is_none_is_refused_with_what_comes_near(name: str, told: str) -> None:
    with pytest.raises(UsageError, match=told) as refused:
        technique(name, BOARD)
    assert len(str(refused.value)) < 600


@pytest.mark.parametrize("name", ["runtime-x-cube", "student-mobilenetv22"])
def test_unknown_runtimes_and_networks_are_named_with_the_nearest(name: str) -> None:
    with pytest.raises(UnknownNameError):
        technique(name, BOARD)


def moved(name: str, deployment: Deployment = BOARD) -> Deployment:
    return technique(name, deployment).apply(build_architecture("kws"), deployment)[1]


def test_changes_of_the_deployment_leave_all_else_as_it_is() -> None:
    slow = moved("clock-80MHz")
    assert (slow.clock_mhz, slow.runtime, slow.target) == (80, BOARD.runtime, BOARD.target)
    assert moved("runtime-x-cube-ai", slow).clock_mhz == 80
    assert moved("batch-8").batch == 8
    quad = deployment("raspberry-pi-4b")
    assert moved("threads-4", quad).threads == 4
    assert moved("clock-max", slow).clock_mhz == BOARD.clock_mhz


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("clock-9GHz", "Its maximum is 480 MHz"), ("threads-2", "It has 1 cortex-m7"), ("batch-1", "already"),
        ("runtime-tensorrt", "Runtimes for it"), ("accelerator-off", "runs on the core already"),
        ("accelerator-on", "no runtime of stm32h743zi drives an accelerator"), ("clock-480MHz", "already"),
    ],
)  # fmt: skip
def test_a_place_that_does_not_exist_is_refused_with_the_reason(name: str, why: str) -> None:
    with pytest.raises(EdgewrightError, match=why):
        moved(name)


def test_the_accelerator_can_be_taken_and_left() -> None:
    npu = deployment("alif-e7", "ethos-u")
    assert npu.accelerator is not None
    core = moved("accelerator-off", npu)
    assert core.accelerator is None
    back = moved("accelerator-on", core)
    assert back.accelerator is not None


def test_operating_points_are_clocks_of_the_targets_power_modes() -> None:
    board = deployment("stm32l4r5zi")
    points = operating_points(board)
    assert points == tuple(sorted(points, reverse=True))
    assert all(0 < clock <= board.core.clock_max_mhz.value for clock in points)


def test_compiler_flags_and_the_fpu_are_changes_where_they_were_measured() -> None:
    place = deployment("stm32l4r5zi", "tflm-cmsis-nn", clock_mhz=80)
    graph = build_architecture("kws:float32")
    for name, release in (("fpu-off", "-O3, FPU off"), ("build-Os", "-Os"), ("build-Ofast", "-Ofast")):
        same, moved = technique(name, place).apply(graph, place)
        assert same is graph
        assert (moved.release, moved.clock_mhz) == (release, 80)
    slow = technique("fpu-off", place).apply(graph, place)[1]
    as_it_is, without = (estimate_performance("kws:float32", each).latency_ms for each in (place, slow))
    assert float(without) > 2 * float(as_it_is)
    with pytest.raises(UsageError, match="already"):
        technique("fpu-off", slow).apply(graph, slow)


def test_without_simd_a_core_takes_what_one_of_its_make_without_takes() -> None:
    """The SMLAD of a Cortex-M4 does two multiply-adds at once; CMSIS-NN's plain C does one."""
    graph = build_architecture("kws:int8")
    for target in ("stm32l4r5zi", "esp32-s3"):
        place = deployment(target)
        same, moved = technique("simd-off", place).apply(graph, place)
        assert same is graph
        assert (moved.clock_mhz, moved.runtime.id) == (place.clock_mhz, place.runtime.id)
        assert any(note.startswith("without SIMD") for note in moved.assumptions)
        as_it_is, without = (estimate_performance("kws:int8", each) for each in (place, moved))
        assert 1.2 < float(without.latency_ms) / float(as_it_is.latency_ms) < 6
        assert without.latency_ms.basis in ("assumed", "fitted")


@pytest.mark.parametrize(
    ("target", "model", "told"),
    [
        ("rp2040", "kws:int8", "no SIMD"),
        ("stm32l4r5zi", "kws:float32", "float32 without SIMD already"),
        ("raspberry-pi-4b", "kws:int8", "was not measured"),
    ],
)
def test_what_no_simd_would_take_is_unknown_where_nothing_tells_it(
    target: str, model: str, told: str
) -> None:
    place = deployment(target)
    with pytest.raises(UsageError, match=told):
        technique("simd-off", place).apply(build_architecture(model), place)


@pytest.mark.parametrize(
    ("name", "target", "told"),
    [
        ("build-O9", "stm32l4r5zi", "nobody measured"), ("fpu-off", "rp2040", "no floating-point unit"),
        ("build-Os", "esp32-s3", "nobody measured"),
    ],
)  # fmt: skip
def test_flags_that_nobody_measured_are_refused(name: str, target: str, told: str) -> None:
    place = deployment(target)
    with pytest.raises(UsageError, match=told):
        technique(name, place).apply(build_architecture("kws:int8"), place)
