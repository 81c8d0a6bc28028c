from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from edgewright.hardware_db import load_runtime, load_target
from edgewright.hardware_db.errors import HardwareFileError
from edgewright.hardware_db.lint import LintReport, checked_target, lint
from edgewright.hardware_db.loader import RUNTIMES_DIR, TARGETS_DIR

H743, A100 = "stm32h743zi.yaml", "a100-sxm4-80gb.yaml"
DTCM = "size_bytes: {value: 131072, unit: B, source: stm32-data, locator: memory DTCM}"
FPU = """fpu: {value: dp, unit: "1", source: h7-pack, locator: 'subFamily STM32H743: Dfpu DP_FPU'}"""

DATA = "where: github.com/embassy-rs/stm32-data-generated data/chips/STM32H743ZI.json"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Of the shipped targets those that the tests edit and the one whose name they take, and their runtimes."""
    targets, runtimes = tmp_path / "targets", tmp_path / "runtimes"
    targets.mkdir(), runtimes.mkdir()
    for target in (H743, A100, "stm32l4r5zi.yaml"):
        shutil.copy(TARGETS_DIR / target, targets)
        for runtime in load_target(target.removesuffix(".yaml")).runtimes:
            for each in (runtime, *load_runtime(runtime).fallback_runtimes):
                shutil.copy(RUNTIMES_DIR / f"{each}.yaml", runtimes)
    return tmp_path


def _edited(database: Path, old: str, new: str, file: str = H743) -> LintReport:
    path = database / "targets" / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    return lint(database / "targets", database / "runtimes")


def test_the_shipped_database_has_no_problem_and_no_uncited_leaf() -> None:
    report = lint()
    assert report.problems == (), str(report)
    assert report.uncited == 0
    assert report.targets >= 15
    assert report.runtimes >= 6
    assert report.leaves > 200
    assert report.conflicts > 10
    assert f"{report.targets} targets, {report.runtimes} runtimes, {report.leaves} leaves" in str(report)


@pytest.mark.parametrize(
    ("old", "new", "says", "remedy"),
    [
        (DTCM, DTCM.replace("unit: B", "unit: KiB"), "unit 'KiB'", "'B'"),
        (DTCM, DTCM.replace("131072", "128"), "not plausible", "check the unit"),
        (DTCM, DTCM.replace("131072", "131072000"), "not plausible", "check the unit"),
        (DTCM, DTCM.replace("131072", "9" * 400), "not plausible", "check the unit"),
        (DTCM, DTCM.replace("stm32-data", "rumour"), "no source 'rumour'", "Sources here"),
        (DTCM, DTCM.replace("locator: memory DTCM", "locator: ' '"), "no locator", "Say where"),
        (DATA, "where: public texts, searched for DTCM", "no address: 'public texts", "Give its address"),
        (DATA, "where: www.st.com", "no address: 'www.st.com'", "Give its address"),
        (DATA, "where: 'www.st.com, the data sheet'", "no address", "the page or table"),
        (FPU, FPU.replace("value: dp", "value: double"), "'double' is not known", "none, sp"),
        ("contiguous_with: [sram2]", "contiguous_with: [sram9]", "no other region 'sram9'", "Regions"),
        ("contiguous_with: [sram3]", "contiguous_with: [sram2]", "no other region 'sram2'", "Regions"),
        ("value: 480\n", "value: 480000000\n", "not plausible", "MHz"),
        ("- id: itcm\n", "- id: dtcm\n", "'dtcm' twice", "another id"),
        ("- H743\n", "- zebra\n", "not in alphabetical order", "Sort"),
        ("- H743\n", "- h-743-zi\n", "known already", "Remove"),
        ("- Nucleo H743\n", "- Nucleo L4R5\n", "is a name of 'stm32h743zi' too", "Let one"),
        ("runtimes: [tflm-cmsis-nn", "runtimes: [tflm-magic", "no runtime 'tflm-magic'", "Runtimes:"),
        ("runtimes: [tflm-cmsis-nn", "runtimes: [tensorrt", "'tensorrt' drives no core", "Remove it"),
        (
            "    chosen_because: the highest clock that the part is rated for; the board file states a default\n",
            "",
            "without chosen_because",
            "Say why",
        ),
        ("value: 400, unit: MHz", "value: 480, unit: MHz", "agrees with the chosen", "Remove"),
        (
            "kind: board-file\n",
            "kind: board-file\n  zzz:\n    title: t\n    where: w\n    date: 2026-01-01\n    kind: assumed\n",
            "nothing cites",
            "Cite or remove",
        ),
        ("class: mcu", "class: mcu\npeak_ops: 5", "unknown field", "Fields here"),
    ],
)
def test_the_lint_finds_it(database: Path, old: str, new: str, says: str, remedy: str) -> None:
    report = _edited(database, old, new)
    found = [problem for problem in report.problems if says in problem.what]
    assert found, str(report)
    assert remedy in found[0].remedy
    assert found[0].line >= 1
    assert found[0].field
    assert f"{found[0].file}:{found[0].line}" in str(report)


def test_a_figure_that_follows_from_another_is_not_stored_too(database: Path) -> None:
    report = _edited(
        database,
        "  bandwidth_bytes_per_s:\n",
        "  bytes_per_cycle: {value: 4, unit: B/cycle, source: embodied, locator: x}\n  bandwidth_bytes_per_s:\n",
        A100,
    )
    assert [p.what for p in report.problems] == ["follows from bandwidth_bytes_per_s"]


@pytest.mark.parametrize(
    "where",
    ["www.st.com, DS12110, table 23", "github.com/a/b docs/c d.md", "https://arxiv.org/abs/2409.16808"],
)
def test_what_can_be_opened_is_a_source(database: Path, where: str) -> None:
    assert not _edited(database, DATA, f"where: '{where}'").problems


def test_an_uncited_leaf_is_counted(database: Path) -> None:
    report = _edited(database, DTCM, DTCM.replace("stm32-data", "rumour"))
    assert report.uncited == 1


def test_a_user_file_has_to_keep_the_same_rules(database: Path) -> None:
    path = database / "targets" / H743
    path.write_text(path.read_text().replace(DTCM, DTCM.replace("unit: B", "unit: kB")))
    with pytest.raises(HardwareFileError) as caught:
        checked_target(path)
    assert caught.value.field == "memories.0.size_bytes.unit"
    assert caught.value.line
    assert "'B'" in caught.value.hint


def test_what_computes_the_rest_of_a_model_has_to_be_a_runtime(tmp_path: Path) -> None:
    text = (RUNTIMES_DIR / "hailort.yaml").read_text() + "\nfallback_runtimes: [onnx-magic]\n"
    (tmp_path / "hailort.yaml").write_text(text)
    (problem,) = lint(tmp_path / "none", tmp_path).problems
    assert (problem.field, problem.what) == ("fallback_runtimes.0", "no runtime 'onnx-magic'")
