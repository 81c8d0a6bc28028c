"""The guide says what the estimates say: nothing in it stands beside them."""

import hashlib
import math
from pathlib import Path

import numpy as np
import pytest

from edgewright.tools import Guide, UsageError, estimate_performance, hardware_guide, write_guide
from edgewright.tools.core.document import describe
from edgewright.tools.core.render.markdown import markdown
from edgewright.tools.reports.guide.demands import Demand, demands


@pytest.fixture(scope="module")
def guide() -> Guide:
    return hardware_guide(["kws", "vww", "mobilenet_v2"])


def test_each_figure_of_the_appendix_is_that_of_the_estimate_made_alone(guide: Guide) -> None:
    rows = [row for row in guide.data if row.target in ("stm32h743zi", "raspberry-pi-4b", "t4")]
    assert len(rows) == 9
    for row in rows:
        latency = estimate_performance(row.model, row.target).latency_ms.value
        assert row.latency_ms == pytest.approx(latency, rel=1e-6)


def test_typical_use_is_the_median_of_those_that_can_run_it(guide: Guide) -> None:
    mcu = next(one for one in guide.classes if one.target_class == "mcu")
    kws = next(rate for rate in mcu.typical_use if rate.model == "kws")
    can = [
        row.latency_ms for row in guide.data if (row.model, row.target_class) == ("kws", "mcu") and row.runs
    ]
    assert kws.inferences_per_second == pytest.approx(1e3 / float(np.median([ms for ms in can if ms])))


def test_a_model_that_most_of_a_class_cannot_hold_is_one_to_avoid_there(guide: Guide) -> None:
    mcu = next(one for one in guide.classes if one.target_class == "mcu")
    avoided = {share.model: share for share in mcu.avoid_when}
    assert set(avoided) == {"mobilenet_v2"}
    assert avoided["mobilenet_v2"].why == "does not fit"
    assert avoided["mobilenet_v2"].count * 2 > avoided["mobilenet_v2"].of == mcu.targets


def test_the_winner_of_a_case_needs_the_least_energy_of_all_that_keep_its_limits(guide: Guide) -> None:
    case = next(case for case in guide.cases if case.model == "kws")
    meets = [
        row for row in guide.data
        if row.model == "kws" and row.runs and (row.latency_ms or math.inf) <= case.latency_ms
        and (row.energy_uj or math.inf) <= (case.energy_uj or math.inf)
    ]  # fmt: skip
    assert case.rows[0].target == min(meets, key=lambda row: row.energy_uj or math.inf).target
    assert sum(row.meets for row in case.rows) == len(meets)


def test_a_tree_is_better_than_always_the_commonest_class_on_models_left_out(guide: Guide) -> None:
    energy = guide.trees[0]
    assert energy.held_out_accuracy is not None
    assert energy.majority_accuracy is not None
    assert energy.held_out_accuracy > energy.majority_accuracy


def test_no_choice_breaks_the_limits_of_its_demand() -> None:
    from edgewright.tools.core.deployment_table import DeploymentTable, deployment
    from edgewright.tools.cost_model.table import estimate_many
    from edgewright.tools.reports.guide.demands import Estimates

    places = DeploymentTable([deployment(name) for name in ("stm32h743zi", "raspberry-pi-4b", "max78000")])
    model = Estimates("kws", estimate_many("kws", places), np.full(3, np.nan))
    found: list[Demand] = list(demands([model], ("energy",)))
    assert any(demand.chosen[0] >= 0 for demand in found)
    for demand in found:
        if demand.chosen[0] >= 0:
            assert model.table.latency_ms.value[demand.chosen[0]] <= demand.features[0]
            assert not model.table.energy_uj.value[demand.chosen[0]] > demand.features[1]


@pytest.mark.parametrize("name", ["guide.md", "guide.html"])
def test_a_written_guide_holds_every_estimate_and_loads_nothing(
    guide: Guide, name: str, tmp_path: Path
) -> None:
    size = write_guide(guide, tmp_path / name)
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert size == len(text.encode())
    assert text.count("raspberry-pi-4b") >= len(guide.models)
    assert "<script src" not in text
    assert "Limits of validity" in text


def test_the_hash_is_of_the_figures(guide: Guide) -> None:
    lines = "\n".join(row.model_dump_json() for row in guide.data)
    assert guide.data_sha256 == hashlib.sha256(lines.encode()).hexdigest()
    assert guide.data_sha256 in markdown(describe(guide))


def test_progress_is_reported_for_each_model() -> None:
    said: list[tuple[str, int, int]] = []
    hardware_guide(["kws", "ad"], progress=lambda *step: said.append(step))
    assert said == [("estimating", 0, 2), ("estimating", 1, 2)]


def test_one_model_makes_no_guide() -> None:
    with pytest.raises(UsageError, match="models to tell apart"):
        hardware_guide(["kws"])


def test_another_ending_is_refused_before_anything_is_written(guide: Guide, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.html or \.md"):
        write_guide(guide, tmp_path / "guide.pdf")
    assert not list(tmp_path.iterdir())
