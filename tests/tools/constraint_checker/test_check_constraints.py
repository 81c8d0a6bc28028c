import pytest

from edgewright.tools import Limits, Verdict, check_constraints, deployment
from edgewright.tools.constraint_checker.constraint_report import Check, ConstraintReport
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.graph.model import ModelGraph
from edgewright.tools.graph.requantize import to_int8
from edgewright.tools.model_zoo.named import build_architecture


def named(report: ConstraintReport, name: str) -> Check:
    return next(check for check in report.checks if check.name == name)


@pytest.fixture(scope="module")
def kws() -> ModelGraph:
    return build_architecture("kws", dtype="int8")


def test_kws_fits_an_h743_with_room_to_spare(kws: ModelGraph) -> None:
    report = check_constraints(kws, "stm32h743zi")
    assert named(report, "ram").verdict is Verdict.PASS
    assert named(report, "operators").verdict is Verdict.PASS
    assert named(report, "ram").bound == 524_288


def test_a_600_kib_arena_does_not_fit_an_h743_though_its_ram_adds_up_to_more() -> None:
    b = GraphBuilder("wide")
    x = b.input((1, 320, 320, 3))
    wide = to_int8(b.build(outputs=[b.conv2d(x, 3, (1, 1))]))
    report = check_constraints(wide, "stm32h743zi")
    ram = named(report, "ram")
    assert ram.verdict is Verdict.FAIL
    assert ram.gap == pytest.approx((ram.demand or 0) - 524_288)
    assert report.verdict is Verdict.FAIL


def test_demand_bound_and_gap_agree(kws: ModelGraph) -> None:
    limits = Limits(latency_ms=1.0, ram_bytes=100 * 1024, flash_bytes=1024)
    for check in check_constraints(kws, "stm32l4r5zi", limits).checks:
        if check.demand is not None and check.bound is not None:
            assert check.gap == pytest.approx(check.demand - check.bound)
            assert (check.verdict is Verdict.FAIL) == (check.gap > 0)


def test_a_failed_latency_names_levers_that_were_simulated(kws: ModelGraph) -> None:
    report = check_constraints(kws, "stm32l4r5zi", Limits(latency_ms=20))
    latency = named(report, "latency")
    assert latency.verdict is Verdict.FAIL
    assert latency.levers
    for lever in latency.levers:
        assert lever.before == pytest.approx(latency.demand)
        assert lever.after < lever.before
        assert lever.closes_gap == (lever.after <= 20)


def test_a_limit_inside_the_interval_is_marginal(kws: ModelGraph) -> None:
    free = check_constraints(kws, "stm32l4r5zi", Limits(latency_ms=10_000))
    demand = named(free, "latency")
    inside = ((demand.demand or 0) + (demand.demand_high or 0)) / 2
    report = check_constraints(kws, "stm32l4r5zi", Limits(latency_ms=inside))
    assert named(report, "latency").verdict is Verdict.MARGINAL
    assert named(free, "latency").verdict is Verdict.PASS


def test_a_soft_limit_is_reported_and_fails_nothing(kws: ModelGraph) -> None:
    hard = check_constraints(kws, "stm32h743zi", Limits(latency_ms=0.001))
    soft = check_constraints(kws, "stm32h743zi", Limits(latency_ms=0.001, soft=frozenset({"latency"})))
    assert hard.verdict is Verdict.FAIL
    assert named(soft, "latency").verdict is Verdict.FAIL
    assert soft.verdict is not Verdict.FAIL


@pytest.mark.parametrize(("name", "field"), [("ram", "ram_bytes"), ("flash", "flash_bytes")])
def test_beside_a_soft_memory_limit_the_memory_of_the_target_stays_hard(name: str, field: str) -> None:
    limits = Limits(**{field: 1000, "soft": frozenset({name})})
    large = check_constraints("resnet50:int8", "stm32f103c8", limits)
    small = check_constraints("kws", "stm32h743zi", limits)
    assert [(c.soft, c.verdict) for c in large.checks if c.name == name] == [
        (False, Verdict.FAIL),
        (True, Verdict.FAIL),
    ]
    assert large.verdict is Verdict.FAIL
    assert [(c.soft, c.verdict) for c in small.checks if c.name == name] == [
        (False, Verdict.PASS),
        (True, Verdict.FAIL),
    ]
    assert small.verdict is not Verdict.FAIL


def test_a_frame_rate_is_held_against_the_period(kws: ModelGraph) -> None:
    report = check_constraints(kws, "stm32l4r5zi", Limits(rate_hz=1000))
    assert named(report, "rate").bound == pytest.approx(1.0)
    assert named(report, "rate").verdict is Verdict.FAIL


def test_a_deadline_is_for_the_whole_batch_and_a_rate_for_each_inference(kws: ModelGraph) -> None:
    where = deployment("jetson-orin-nano-8gb", batch=64)
    one = check_constraints(kws, "jetson-orin-nano-8gb", Limits(latency_ms=1e3))
    whole = check_constraints(kws, where, Limits(latency_ms=1e3, rate_hz=1.0))
    latency, rate = named(whole, "latency"), named(whole, "rate")
    assert latency.demand == pytest.approx(64 * (rate.demand or 0))
    assert (latency.demand or 0) > (named(one, "latency").demand or 0)
    assert "a batch of 64" in latency.statement


def test_a_type_that_is_not_the_demanded_one_fails() -> None:
    report = check_constraints(
        build_architecture("kws", dtype="float32"), "stm32h743zi", Limits(dtype="int8")
    )
    assert named(report, "dtype").verdict is Verdict.FAIL


def test_a_target_without_a_power_figure_leaves_energy_unknown(kws: ModelGraph) -> None:
    place = deployment("host-x86-64")
    report = check_constraints(kws, place, Limits(energy_uj=1.0))
    assert named(report, "energy").verdict is Verdict.UNKNOWN
    assert named(report, "energy").demand is None


def test_a_custom_operator_fails_on_a_microcontroller() -> None:
    b = GraphBuilder("odd")
    x = b.input((1, 16))
    graph = b.build(outputs=[b.op("CUSTOM", [x], (1, 16), custom_code="Mystery")])
    report = check_constraints(graph, "stm32h743zi")
    assert named(report, "operators").verdict is not Verdict.PASS
    assert report.verdict in (Verdict.FAIL, Verdict.UNKNOWN)


def test_the_reserve_is_taken_from_the_limit_and_from_the_largest_region() -> None:
    graph = build_architecture("kws", dtype="int8")
    budget = Limits(ram_bytes=80 * 1024, reserve_bytes=64 * 1024)
    tight = named(check_constraints(graph, "stm32h743zi", budget), "ram")
    assert tight.verdict is Verdict.FAIL
    assert tight.bound == 16 * 1024
    assert "the limit less 64 KiB reserved is 16 KiB" in tight.statement
    beside = named(check_constraints(graph, "stm32l4r5zi", Limits(reserve_bytes=620 * 1024)), "ram")
    assert beside.verdict is Verdict.FAIL
    assert beside.bound == 20 * 1024
    assert "beside 620 KiB reserved" in beside.statement


def test_two_arenas_close_the_gap_where_the_kept_part_finds_room_elsewhere() -> None:
    graph = build_architecture("mobilenet_v2:0.35:176", dtype="int8")
    check = named(check_constraints(graph, "stm32h743zi"), "ram")
    assert check.verdict is Verdict.FAIL
    first = check.levers[0]
    assert first.change == "two arenas: planned tensors in axi-sram, the interpreter's data in dtcm"
    assert first.closes_gap
    assert first.after < (check.bound or 0) < first.before
