from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path

import pytest

from edgewright.tools import deployment, estimate_performance, parse_model, plan_memory, score_compatibility
from edgewright.tools.core.quantity import Basis
from edgewright.tools.core.settings import Settings
from edgewright.tools.ethos_u.compiled import Home
from edgewright.tools.ethos_u.configurations import CONFIGURATIONS
from edgewright.tools.ethos_u.process import vela_version
from edgewright.tools.ethos_u.system import system_of
from edgewright.tools.ethos_u.vela import vela_answer
from edgewright.tools.model_formats.writer.save import save_tflite
from edgewright.tools.model_zoo.named import build_architecture

pytestmark = pytest.mark.skipif(vela_version() is None, reason="Vela (extra ethos-u) is not installed")

BUNDLED = {
    "ethos-u55-64": ("Ethos_U55_High_End_Embedded", "Shared_Sram"),
    "ethos-u65-512": ("Ethos_U65_High_End", "Dedicated_Sram_384KB"),
    "ethos-u85-128": ("Ethos_U85_SYS_DRAM_Low", "Dedicated_Sram_384KB"),
    "ethos-u85-1024": ("Ethos_U85_SYS_DRAM_High", "Dedicated_Sram_384KB"),
}


@pytest.fixture(scope="module")
def kws(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("models") / "kws.tflite"
    save_tflite(build_architecture("kws", dtype="int8"), file)
    return file


@pytest.mark.parametrize("target", BUNDLED)
def test_figures_equal_those_of_velas_own_command_line(target: str, kws: Path, tmp_path: Path) -> None:
    system, mode = BUNDLED[target]
    subprocess.run(
        [
            sys.executable, "-m", "ethosu.vela", kws, "--accelerator-config", target, "--config", "Arm/vela.ini",
            "--system-config", system, "--memory-mode", mode, "--output-dir", tmp_path,
        ],
        check=True, capture_output=True, cwd=tmp_path,
    )  # fmt: skip
    with next(tmp_path.glob("*summary*.csv")).open() as file:
        own = next(csv.DictReader(file))
    compiled = vela_answer(parse_model(kws), deployment(target)).compiled
    assert compiled is not None
    assert compiled.cycles == int(own["cycles_total"])
    assert compiled.macs == int(own["nn_macs"])
    assert compiled.sram_bytes == float(own["sram_memory_used"]) * 1024
    constants = float(own["off_chip_flash_memory_used"]) * 1024
    assert compiled.flash_bytes == constants or compiled.dram_bytes >= constants
    assert sum(operator.cycles for operator in compiled.operators) == compiled.cycles


def test_every_configuration_of_ethos_u_is_a_target_that_vela_compiles_for(kws: Path) -> None:
    graph, cycles = parse_model(kws), {}
    for name in CONFIGURATIONS:
        where = deployment(name)
        system, compiled = system_of(where), vela_answer(graph, where).compiled
        assert system is not None
        assert system.configuration.name == name
        assert compiled is not None
        assert {operator.home for operator in compiled.operators} <= {Home.NPU, Home.MERGED}
        cycles[name] = compiled.cycles
    series = [
        [c for n, c in cycles.items() if n.startswith(s)] for s in ("ethos-u55", "ethos-u65", "ethos-u85")
    ]
    assert all(s == sorted(s, reverse=True) for s in series), "more MACs take fewer cycles"


@pytest.mark.parametrize("target", ["ensemble-e3", "ensemble-e7", "ensemble-e8", "himax-we2", "imx93"])
def test_boards_are_told_to_vela_by_their_own_clock_and_memories(target: str, kws: Path) -> None:
    where = deployment(target)
    answer = vela_answer(parse_model(kws), where)
    assert answer.compiled is not None
    assert f"at {where.clock_mhz:g} MHz" in " ".join(answer.notes)
    assumed = any("not known" in told for told in answer.notes)
    assert assumed is not answer.compiled.system.rates_cited


def test_halving_the_clock_keeps_the_cycles_of_memories_that_are_counted_in_them(kws: Path) -> None:
    graph = parse_model(kws)
    fast, slow = deployment("himax-we2"), deployment("himax-we2", clock_mhz=200)
    one, other = vela_answer(graph, fast).compiled, vela_answer(graph, slow).compiled
    assert one is not None
    assert other is not None
    assert one.cycles == other.cycles
    assert estimate_performance(graph, slow).latency_ms.value == pytest.approx(
        2 * (estimate_performance(graph, fast).latency_ms.value or 0)
    )


def test_latency_is_simulated_where_no_measurement_is_nearer_and_fitted_where_one_is(kws: Path) -> None:
    simulated = estimate_performance(kws, "himax-we2")
    assert simulated.latency_ms.basis is Basis.SIMULATED
    assert any(told.startswith("Vela ") and "cycles, times" in told for told in simulated.stands_on)
    fitted = estimate_performance(kws, deployment("imx93", settings=Settings(measured_first=False)))
    assert fitted.latency_ms.basis is Basis.FITTED
    assert any("the fit is nearer to silicon" in told for told in fitted.stands_on)


def test_the_arena_is_what_the_interpreter_needs_for_the_compiled_file(kws: Path) -> None:
    where = deployment("ethos-u55-128")
    compiled, plan = vela_answer(parse_model(kws), where).compiled, plan_memory(kws, where)
    assert compiled is not None
    assert compiled.graph.file_bytes == plan.model_bytes
    assert plan.arena_nonpersistent_bytes is not None
    assert compiled.sram_bytes <= plan.arena_nonpersistent_bytes < compiled.sram_bytes + 1024
    assert 0 < (plan.arena_persistent_bytes or 0) < 2048


def test_an_answer_says_that_vela_gave_it(kws: Path) -> None:
    told = f"compiled by Vela {vela_version()}"
    for report in (plan_memory(kws, "himax-we2"), score_compatibility(kws, "himax-we2"),
                   estimate_performance(kws, "himax-we2")):  # fmt: skip
        assert report.assumptions.count(told) == 1


def test_nothing_is_written_beside_the_model(kws: Path) -> None:
    before = sorted(kws.parent.iterdir())
    vela_answer(parse_model(kws), deployment("ethos-u85-256"))
    assert sorted(kws.parent.iterdir()) == before
    assert not list(Path(os.curdir).glob("*_vela.tflite"))
