import itertools
import math
import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from edgewright.tools import (
    Basis,
    Limits,
    UnknownNameError,
    UsageError,
    Verdict,
    check_constraints,
    compare_deployments,
    deployment,
    recommend_hardware,
)
from edgewright.tools.core.deployment_table import all_deployments
from edgewright.tools.hardware_selector.hardware_ranking import RankedDeployment
from edgewright.tools.hardware_selector.ranking import Scores, ranks
from edgewright.tools.hardware_selector.recommend import Field
from edgewright.tools.hardware_selector.templates import TEMPLATES, with_template
from edgewright.tools.verdicts.judge import MARGINAL, VERDICTS
from edgewright.tools.verdicts.pareto import pareto

FAST = Limits(latency_ms=50, power_mw=200)


@pytest.fixture(scope="module")
def kws() -> object:
    return recommend_hardware("kws", FAST)


def test_one_ranking_holds_every_deployment_from_microcontroller_to_data_centre(kws: object) -> None:
    assert len(kws.ranking) == len(all_deployments()) == kws.passing + kws.unknown + kws.failing
    assert {"mcu", "gpu", "mpu"} <= {row.target_class for row in kws.ranking}


@pytest.mark.parametrize(
    ("word", "id_of"),
    [
        ("nvidia", "jetson"),
        ("ST", "stm32"),
        ("linux", "raspberry-pi-5"),
        ("linux", "hailo-8"),
        ("linux", "rtx-3060"),
        ("jetson", "jetson"),
    ],
)
def test_what_is_not_wanted_is_not_ranked(kws: object, word: str, id_of: str) -> None:
    left = recommend_hardware("kws", FAST, without=[word])
    assert not any(row.target.startswith(id_of) for row in left.ranking)
    assert 0 < len(left.ranking) < len(kws.ranking)


def test_a_word_that_rules_out_nothing_is_an_error_and_not_ignored() -> None:
    with pytest.raises(UnknownNameError, match="maker, class, target or runtime"):
        recommend_hardware("kws", FAST, without=["acme"])


def test_all_that_do_not_pass_say_why(kws: object) -> None:
    for row in kws.ranking:
        assert bool(row.reasons) == (row.verdict is not Verdict.PASS)
        assert (row.rank is None) == (row.verdict in {Verdict.FAIL, Verdict.UNKNOWN})


def without_guesses(ranking: Sequence[RankedDeployment]) -> list[RankedDeployment]:
    """Without what stands after what is known.

    A guess is an interval more than 25 times as high as low, or kernels that nobody measured where others of the
    same target are known.
    """
    rows = [r for r in ranking if r.latency_ms.value is None or r.latency_ms.high <= 25 * r.latency_ms.low]
    passing = [row for row in rows if row.verdict in (Verdict.PASS, Verdict.MARGINAL)]
    known = {row.target for row in passing if row.latency_ms.basis is not Basis.ASSUMED}
    return [row for row in rows if row.latency_ms.basis is not Basis.ASSUMED or row.target not in known]


def test_verdicts_come_in_order_and_ranks_never_fall(kws: object) -> None:
    known = without_guesses(kws.ranking)
    order = [VERDICTS.index(row.verdict) for row in known]
    assert order == sorted(order)
    given_ranks = [row.rank for row in kws.ranking if row.rank]
    assert given_ranks == sorted(given_ranks)
    assert given_ranks[0] == 1


@pytest.mark.parametrize(
    ("model", "limits"),
    [
        ("kws", FAST),
        ("mobilenet_v2:0.35:96", Limits(ram_bytes=200_000, flash_bytes=1_000_000, energy_uj=5_000)),
        ("resnet50", Limits(rate_hz=10, dtype="int8", price_usd=50, reserve_bytes=65536)),
    ],
)
def test_verdicts_are_those_of_a_check_of_each_deployment_alone(model: str, limits: Limits) -> None:
    places = all_deployments()
    field = Field.of(model, places, limits)
    for row in random.Random(5).sample(range(len(places)), 4):
        report = check_constraints(model, places[row], limits, remedies=False)
        assert {c.name: (c.verdict, c.statement) for c in report.checks} == {
            part.name: (VERDICTS[part.verdict[row]], part.sentence(row)) for part in field.parts
        }
        assert report.verdict is VERDICTS[field.verdict[row]]


def test_no_deployment_on_the_front_is_beaten_in_all_three_figures(kws: object) -> None:
    def figures(row: object) -> list[float]:
        values = (row.latency_ms.value, row.energy_uj.value, row.power_mw.value)
        return [float("inf") if value is None else value for value in values]

    passing = [row for row in kws.ranking if row.rank]
    for row, other in itertools.product([r for r in passing if r.pareto], passing):
        mine, theirs = figures(row), figures(other)
        assert not (all(t <= m for t, m in zip(theirs, mine, strict=True)) and theirs != mine)


@given(st.lists(st.tuples(st.floats(0.1, 9), st.floats(0.1, 9)), min_size=1, max_size=20))
@settings(deadline=None, max_examples=60)
def test_every_point_off_the_front_has_one_that_dominates_it(points: list[tuple[float, float]]) -> None:
    costs = np.array(points)
    front = pareto(costs, np.ones(len(points), dtype=bool))
    assert front.any()
    for row in np.flatnonzero(~front):
        assert ((costs <= costs[row]).all(axis=1) & (costs < costs[row]).any(axis=1)).any()


def test_overlapping_scores_share_a_rank_and_the_next_counts_them() -> None:
    value = np.array([0.9, 0.85, 0.3, np.nan, 0.28])
    place, tied = ranks(Scores(value, value - 0.1, value + 0.1))
    assert place.tolist() == [1, 1, 3, 0, 3]
    assert tied.tolist() == [True, True, True, False, True]


def test_a_weight_moves_what_it_weighs_to_the_front() -> None:
    fastest = recommend_hardware("kws", weights={"latency": 1, "energy": 0, "power": 0}).ranking[0]
    frugal = recommend_hardware("kws", weights={"latency": 0, "energy": 0, "power": 1}).ranking[0]
    known = without_guesses(recommend_hardware("kws").ranking)
    passing = [row for row in known if row.verdict is Verdict.PASS]
    assert fastest.latency_ms.value == min(row.latency_ms.value for row in passing)
    assert frugal.power_mw.value == min(row.power_mw.value for row in passing if row.power_mw.value)


def passing(limits: Limits) -> set[str]:
    """Targets on which kws meets the limits."""
    field = Field.of("kws", all_deployments(), limits)
    return {field.places[row].target.id for row in np.flatnonzero(field.verdict <= MARGINAL).tolist()}


def test_where_nothing_passes_the_smallest_step_of_one_limit_lets_something_pass() -> None:
    limits = Limits(latency_ms=0.05, power_mw=60)
    report = recommend_hardware("kws", limits)
    assert report.passing == 0
    found = {relaxation.limit: relaxation for relaxation in report.relaxations}
    assert found
    for name, relaxation in found.items():
        field = {"latency": "latency_ms", "power": "power_mw"}[name]
        wider = limits.model_copy(update={field: relaxation.needed * 1.0001})
        narrower = limits.model_copy(update={field: relaxation.needed * 0.999})
        assert not passing(narrower)
        assert passing(wider) >= set(relaxation.admits) > set()


def test_a_change_that_is_named_admits_what_it_says() -> None:
    limits = Limits(ram_bytes=100_000, latency_ms=400)
    asked = {"targets": ["stm32h743zi", "stm32f746ng", "stm32l4r5zi"]}
    report = recommend_hardware("mobilenet_v2:0.35:96:int8", limits, **asked)
    assert report.passing == 0
    assert report.changes
    from edgewright.tools import parse_model
    from edgewright.tools.optimization_simulator.techniques.catalogue import techniques

    change = report.changes[0]
    place = deployment("host-x86-64")
    (technique,) = [t for t in techniques(place) if t.name == change.technique]
    changed, _ = technique.apply(parse_model("mobilenet_v2:0.35:96:int8"), place)
    after = recommend_hardware(changed, limits, **asked)
    assert after.passing == change.count
    assert {row.target for row in after.ranking if row.rank} == set(change.admits)


def test_a_template_gives_way_to_limits_of_the_user() -> None:
    limits = with_template(Limits(power_mw=7), TEMPLATES["drone"])
    assert (limits.power_mw, limits.rate_hz) == (7, 30)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"template": "dron"}, "'dron'.*drone"),
        ({"weights": {"latencey": 1}}, "'latencey'.*latency"),
        ({"weights": {"latency": -1}}, "-1 is none"),
        ({"weights": {"latency": 0, "energy": 0, "power": 0}}, "Every weight is 0"),
        ({"classes": ["fpga9"]}, "no class 'fpga9'"),
        ({"targets": ["a100-sxm4-80gb"], "runtimes": ["tflm-cmsis-nn"]}, "No deployment is left"),
    ],
)
def test_what_cannot_be_meant_is_refused(asked: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        recommend_hardware("kws", **asked)


def test_an_unknown_target_gets_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="stm32h743zi"):
        recommend_hardware("kws", targets=["stm32h743zj"])


def test_compared_deployments_win_by_their_own_figures_and_slowness_is_explained_whole() -> None:
    report = compare_deployments("kws", ["stm32h743zi", "esp32-s3", "stm32l4r5zi"])
    latency = next(line for line in report.differences if line.figure == "latency")
    values = [value.value for value in latency.values]
    assert values[latency.winner] == min(values)
    for cause in report.causes:
        assert cause.slower_by == pytest.approx(math.prod(each.factor for each in cause.factors))
        assert cause.slower_by == pytest.approx(values[cause.deployment] / min(values))
    for at in latency.tied_with:
        assert latency.values[at].low <= latency.values[latency.winner].high


def test_one_deployment_compares_with_nothing() -> None:
    with pytest.raises(UsageError, match="Name two or more"):
        compare_deployments("kws", ["stm32h743zi"])


def test_two_limits_give_together_where_no_single_one_admits_a_board() -> None:
    limits = Limits(latency_ms=0.001, ram_bytes=1_000)
    report = recommend_hardware("kws:int8", limits, classes=["mcu"])
    assert report.passing == 0
    assert report.relaxations == ()
    pair = report.relaxed_pairs[0]
    needed = {each.limit: each.needed for each in pair.relaxations}
    wider = Limits(latency_ms=needed["latency"] * 1.0001, ram_bytes=int(needed["ram"]) + 1)
    again = recommend_hardware("kws:int8", wider, classes=["mcu"])
    assert set(pair.admits) <= {row.target for row in again.ranking if row.rank}


def test_no_limit_is_relaxed_beyond_what_a_board_has() -> None:
    report = recommend_hardware("mobilenet_v2:int8", Limits(ram_bytes=10_000), targets=["stm32l4r5zi"])
    assert report.passing == 0
    assert report.relaxations == ()
    assert report.relaxed_pairs == ()


@pytest.mark.parametrize("model", ["resnet50:float32", "mobilenet_v2:int8"])
def test_kernels_that_nobody_measured_are_not_the_best_of_a_target_whose_others_are_known(model: str) -> None:
    ranking = recommend_hardware(model).ranking
    passing = [row for row in ranking if row.verdict in (Verdict.PASS, Verdict.MARGINAL)]
    known = {row.target for row in passing if row.latency_ms.basis not in (Basis.ASSUMED, Basis.UNKNOWN)}
    assumed = {row.target for row in passing if row.latency_ms.basis is Basis.ASSUMED}
    best = {row.target: row.latency_ms.basis for row in ranking if row.best_of_target}
    assert len(known & assumed) > 20
    assert not [target for target in known if best[target] is Basis.ASSUMED]
