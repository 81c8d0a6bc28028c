from collections.abc import Callable
from functools import partial

import pytest

from edgewright.tools import (
    analyze_model,
    analyze_roofline,
    check_constraints,
    estimate_energy_budget,
    estimate_performance,
    get_runtime,
    get_target,
    list_runtimes,
    list_targets,
    parse_model,
    plan_memory,
    score_compatibility,
    simulate_optimizations,
    summarize_model,
    sweep_frequency,
)
from edgewright.tools.core.envelope import envelope
from edgewright.tools.core.quantity import Result
from edgewright.tools.core.render.markdown import as_text
from edgewright.tools.core.render.table import pipe_table


def summary() -> Result:
    return summarize_model(parse_model("kws:int8"))


RESULTS: list[Callable[[], Result]] = [
    summary,
    *(
        partial(function, "kws:int8", "stm32l4r5zi")
        for function in (
            analyze_model, analyze_roofline, check_constraints, estimate_performance, plan_memory,
            score_compatibility, simulate_optimizations, estimate_energy_budget, sweep_frequency,
        )
    ),
    partial(get_target, "stm32h743zi"), partial(get_target, "h100-sxm5"), partial(get_runtime, "tflm-cmsis-nn"),
    list_targets, list_runtimes,
]  # fmt: skip


@pytest.mark.parametrize("made", RESULTS, ids=lambda made: getattr(made, "func", made).__name__)
def test_every_result_has_a_text_and_a_document(made: Callable[[], Result]) -> None:
    result = made()
    assert as_text(result).strip()
    document = envelope("tool", {"model": "kws", "target": None}, result)
    assert document["inputs"] == {"model": "kws"}
    assert document["result"] == result.model_dump(mode="json", by_alias=True)


def test_numbers_stand_to_the_right_with_separators() -> None:
    assert pipe_table(("Layer", "MACs"), (("a", 1_234_567), ("b", None))) == (
        "| Layer |      MACs |\n|-------|----------:|\n| a     | 1,234,567 |\n| b     |         - |"
    )


def test_a_pipe_in_a_cell_does_not_open_a_column() -> None:
    assert "a\\|b" in pipe_table(("x",), (("a|b",),))


def test_the_h743_page_shows_its_regions_apart() -> None:
    text = as_text(get_target("stm32h743zi"))
    for size in ("64 KiB", "128 KiB", "512 KiB", "32 KiB"):
        assert size in text
    assert "RAM in one piece" in text


def test_the_analysis_has_the_five_parts_of_a_profile() -> None:
    text = as_text(analyze_model("kws:int8", "stm32h743zi"))
    parts = (
        "\nModel summary", "\nMemory analysis", "\nHardware performance", "\nPer-layer performance",
        "\nOptimization opportunities",
    )  # fmt: skip
    positions = [text.index(part) for part in parts]
    assert positions == sorted(positions)
