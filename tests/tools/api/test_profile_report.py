"""The resource profiling report: five categories, issues where there are any, and steps that are steps."""

from __future__ import annotations

from pathlib import Path

import pytest

from edgewright.tools import UsageError, analyze_model, simulate_optimizations
from edgewright.tools.api.memory_analysis import MemoryStatus
from edgewright.tools.core.document import describe
from edgewright.tools.core.render.markdown import plain
from stubs.hostile_model import write_hostile_model

FIVE = [
    "Model summary", "Memory analysis", "Hardware performance", "Per-layer performance",
    "Optimization opportunities",
]  # fmt: skip


def test_the_five_categories_come_in_the_order_of_the_document() -> None:
    report = analyze_model("kws", "stm32l4r5zi")
    titles = [section.title for section in describe(report).sections]
    assert titles == [*FIVE, "Next steps"]


def test_ram_is_told_against_what_there_is_and_an_issue_only_where_there_is_one() -> None:
    memory = analyze_model("kws", "stm32l4r5zi").memory_analysis
    assert memory.status is MemoryStatus.OK
    assert memory.required_bytes is not None
    assert memory.available_bytes is not None
    assert memory.utilization == pytest.approx(memory.required_bytes / memory.available_bytes)
    assert (memory.issues, memory.recommendations, memory.missing_bytes) == ((), (), None)
    assert "Memory issues" not in plain(describe(analyze_model("kws", "stm32l4r5zi")))


def test_what_is_lacking_is_told_in_bytes_and_in_relation_with_what_would_bring_it_down() -> None:
    report = analyze_model("mobilenet_v2:float32", "max32690")
    memory = report.memory_analysis
    assert memory.status is MemoryStatus.OVER
    assert memory.missing_bytes is not None
    assert memory.available_bytes is not None
    assert memory.missing_share == pytest.approx(memory.missing_bytes / memory.available_bytes)
    ram = [lever for lever in memory.recommendations if lever.unit in ("B", "bytes")]
    assert ram
    assert all(lever.after < lever.before for lever in ram)
    words = plain(describe(report))
    assert "Urgent: it needs 4.63 MiB (411 %) more RAM than there is." in words


def test_the_steps_name_a_change_that_was_simulated() -> None:
    report = analyze_model("mobilenet_v2:float32", "max32690")
    words = plain(describe(report))
    step = words.split("--technique ")[1].split()[0]
    assert step in {option.technique for option in report.optimization.options if option.applicable}


def test_the_path_is_shown_of_a_file_and_of_nothing_else(tmp_path: Path) -> None:
    file = write_hostile_model(tmp_path / "a.tflite")
    assert analyze_model(file, "stm32l4r5zi").model_path == str(file.resolve())
    assert analyze_model("kws", "stm32l4r5zi").model_path is None


def test_the_share_from_which_a_layer_is_heavy_can_be_set() -> None:
    few = simulate_optimizations("resnet8:int8", "stm32l4r5zi", heavy_share=0.5)
    many = simulate_optimizations("resnet8:int8", "stm32l4r5zi", heavy_share=0.0)
    assert len(few.heavy_layers) < len(many.heavy_layers) == 10
    with pytest.raises(UsageError, match="share"):
        simulate_optimizations("resnet8:int8", "stm32l4r5zi", heavy_share=1.5)
