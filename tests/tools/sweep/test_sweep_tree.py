import csv
import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewright.tools.core.render.markdown import as_text
from edgewright.tools.sweep.plan import plan_from
from edgewright.tools.sweep.run import run_sweep
from edgewright.tools.sweep.tree import _split, held_out, learn_tree, predict, tree_lines

SAMPLES = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 2)), min_size=4, max_size=25
)


def gini(labels: np.ndarray) -> float:
    """Impurity × samples."""
    shares = np.bincount(labels) / len(labels)
    return float(len(labels) * (1 - (shares**2).sum()))


@given(SAMPLES)
def test_a_split_is_as_good_as_the_best_of_all(samples: list[tuple[int, int, int]]) -> None:
    features, labels = np.array(samples, dtype=np.float64)[:, :2], np.array(samples)[:, 2]
    sides = [features[:, f] <= t for f in (0, 1) for t in np.unique(features[:, f])[:-1]]
    costs = [gini(labels[s]) + gini(labels[~s]) for s in sides if min(s.sum(), (~s).sum()) >= 2]
    found = _split(features, labels, 2)
    if found is None:
        assert not costs or min(costs) >= gini(labels) - 1e-6 * len(labels)
        return
    side = features[:, found[0]] <= found[1]
    assert gini(labels[side]) + gini(labels[~side]) == pytest.approx(min(costs))


def test_a_tree_finds_the_rule_that_made_its_samples() -> None:
    grid = np.array(list(itertools.product([1.0, 10.0, 100.0, np.inf], [1e3, 1e6, 1e9])) * 3)
    labels = np.where(grid[:, 0] <= 10, 0, np.where(grid[:, 1] <= 1e6, 1, 2))
    tree = learn_tree(grid, labels)
    assert (predict(tree, grid) == labels).all()
    assert predict(tree, np.array([[5.0, 1e9], [1e5, 2e3], [1e5, 1e8]])).tolist() == [0, 1, 2]


def test_text_and_prediction_tell_the_same_rule() -> None:
    features = np.array([[1.0], [2.0], [30.0], [40.0]] * 3)
    labels = np.array([0, 0, 1, 1] * 3)
    tree = learn_tree(features, labels)
    lines = tree_lines(
        tree, lambda f, t, at_most: f"{'<=' if at_most else '>'} {t:.2f}", lambda node: f"label {node.label}"
    )
    assert list(lines) == ["<= 7.75", "  label 0", "> 7.75", "  label 1"]


def test_a_leaf_rests_on_three_samples_at_least_and_a_tree_is_five_deep_at_most() -> None:
    random = np.random.default_rng(0)
    features, labels = random.random((500, 4)), random.integers(0, 3, 500)

    def leaves(node: object, depth: int) -> list[tuple[int, int]]:
        if node.left is None:
            return [(depth, len(node.rows))]
        return leaves(node.left, depth + 1) + leaves(node.right, depth + 1)

    found = leaves(learn_tree(features, labels), 0)
    assert max(depth for depth, _ in found) <= 5
    assert min(rows for _, rows in found) >= 3
    assert sum(rows for _, rows in found) == 500


def test_what_is_held_out_is_predicted_without_its_group() -> None:
    features, groups = np.repeat(np.arange(10.0), 4)[:, None], np.repeat(np.arange(10), 4)
    only_here = (groups == 3).astype(np.int64)
    found = held_out(features, only_here, groups.tolist())
    assert found is not None
    assert (found[0][groups == 3] == 0).all()
    assert held_out(features, only_here, [0] * 40) is None


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tree") / "out"
    plan = {
        "models": ["kws:float32", "ad:float32", "vww:float32", "ic:float32"],
        "targets": ["stm32h743zi", "nrf52840", "stm32l4r5zi", "stm32n657x0", "jetson-orin-nano-4gb", "gap9"],
        "transforms": ["none", "int8", "float16"],
        "clocks": ["max", "50%"],
    }
    report = run_sweep(plan_from(plan), folder, tree=True)
    assert report.tree is not None
    (folder / "report.json").write_text(report.tree.model_dump_json())
    return folder


def test_a_guideline_is_what_most_models_choose(swept: Path) -> None:
    from edgewright.tools.sweep.sweep_report import TreeReport

    report = TreeReport.model_validate_json((swept / "report.json").read_text())
    with (swept / "results.csv").open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["accepted"] == "true" and row["latency_ms"]]
        file.seek(0)
        graphs = {row["model_sha256"] for row in csv.DictReader(file)}
    assert report.label == "class"
    assert len(report.guidelines) > 4
    for line in report.guidelines:
        choices, meeting = [], 0
        for graph in graphs:
            good = [
                row for row in rows
                if row["model_sha256"] == graph
                and float(row["latency_ms"]) <= (line.latency_limit_ms or np.inf)
                and (line.energy_limit_uj is None or float(row["energy_uj"] or "inf") <= line.energy_limit_uj)
            ]  # fmt: skip
            known = [row for row in good if row["energy_uj"]]
            meeting += len(good)
            best = min(known, key=lambda r: float(r["energy_uj"])) if known else (
                min(good, key=lambda r: float(r["latency_ms"])) if good else None
            )  # fmt: skip
            choices.append("nothing" if best is None else best["class"])
        assert line.models == len(graphs)
        assert line.evaluations == meeting
        assert choices.count(line.take) == max(map(choices.count, choices))
        assert line.share == choices.count(line.take) / len(choices)


def test_the_tree_is_told_with_its_accuracy_on_models_held_out(swept: Path) -> None:
    from edgewright.tools.sweep.sweep_report import TreeReport

    report = TreeReport.model_validate_json((swept / "report.json").read_text())
    assert report.held_out_accuracy is not None
    assert report.majority_accuracy is not None
    assert report.majority_accuracy < report.held_out_accuracy <= 1
    assert report.held_out_demands == report.demands == 12 * len(report.guidelines)
    text = as_text(report)
    assert f"is right in {100 * report.held_out_accuracy:.3g} % of" in text
    assert "latency limit" in report.text or "energy limit" in report.text
    assert (swept / "tree.txt").read_text() == f"{report.text}\n"


def test_of_one_model_nothing_can_be_held_out(tmp_path: Path) -> None:
    plan = plan_from({"models": ["kws:int8"], "targets": ["stm32h743zi", "nrf52840"]})
    report = run_sweep(plan, tmp_path / "out", tree=True)
    assert report.tree is not None
    assert report.tree.held_out_accuracy is None
    assert "nothing was held out" in as_text(report)
