"""Two measured runs: what differs, and what makes the difference up."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from edgewright.tools import InputError, RunComparison, UsageError, compare_runs

Compare = Callable[..., RunComparison]
KINDS = ("conv1", "dw1", "conv2", "dw2", "conv3", "dw3", "fc")
TIMES = (10.0, 4.0, 20.0, 5.0, 15.0, 6.0, 2.0)


def table(names: Sequence[str], times: Sequence[float], head: str = "") -> str:
    return (
        head + "layer,time_ms\n" + "".join(f"{n},{float(t)!r}\n" for n, t in zip(names, times, strict=True))
    )


@pytest.fixture
def compare(tmp_path: Path) -> Compare:
    def run(before: str, after: str, **more: float) -> RunComparison:
        for name, text in (("before.csv", before), ("after.csv", after)):
            (tmp_path / name).write_text(text)
        return compare_runs(tmp_path / "before.csv", tmp_path / "after.csv", **more)

    return run


def causes(found: RunComparison) -> dict[str, float]:
    return {part.cause: part.share for part in found.by_structure}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40, deadline=None)
@given(
    st.lists(st.floats(0.01, 100), min_size=7, max_size=7),
    st.lists(st.floats(0.01, 100), min_size=7, max_size=7),
    st.integers(0, 6), st.integers(0, 6),
)  # fmt: skip
def test_the_parts_of_a_difference_sum_to_it_whatever_the_runs_are(
    compare: Compare, one: list[float], other: list[float], gone: int, new: int
) -> None:
    before = [(name, time) for at, (name, time) in enumerate(zip(KINDS, one, strict=True)) if at != new]
    after = [(name, time) for at, (name, time) in enumerate(zip(KINDS, other, strict=True)) if at != gone]
    found = compare(*(table(*zip(*rows, strict=True)) for rows in (before, after)))
    change = sum(time for _, time in after) - sum(time for _, time in before)
    scale = sum(one) + sum(other)
    assert sum(part.change for part in found.by_structure) == pytest.approx(change, abs=1e-9 * scale)
    assert sum(row.change for row in found.layers) == pytest.approx(change, abs=1e-9 * scale)


def test_a_faster_clock_is_what_all_layers_have_in_common(compare: Compare) -> None:
    noise = np.random.default_rng(1).uniform(0.97, 1.03, len(TIMES))
    found = compare(table(KINDS, TIMES), table(KINDS, [t / 2 * n for t, n in zip(TIMES, noise, strict=True)]))
    assert causes(found)["all layers alike"] == pytest.approx(1, abs=0.06)


def test_a_clock_that_both_files_state_is_named_and_what_does_not_follow_it_stands_apart(
    compare: Compare,
) -> None:
    slow = [time / 2 if name[0] != "f" else time for name, time in zip(KINDS, TIMES, strict=True)]
    found = compare(table(KINDS, TIMES, "# clock: 80 MHz\n"), table(KINDS, slow, "# clock: 160000 kHz\n"))
    parts = {part.cause: part.change for part in found.by_structure}
    assert parts == pytest.approx({"clock": -31.0, "one layer": 1.0})
    assert found.by_structure[1].layers_untrusted == ("fc",)


def test_a_better_kernel_is_the_factor_of_its_kind_alone(compare: Compare) -> None:
    quick = [time / 3 if name.startswith("conv") else time for name, time in zip(KINDS, TIMES, strict=True)]
    found = compare(table(KINDS, TIMES), table(KINDS, quick))
    assert causes(found) == pytest.approx({"CONV_2D layers": 1.0})


def test_layers_of_one_kind_alone_do_not_tell_a_clock_from_a_kernel(compare: Compare) -> None:
    names = ("conv1", "conv2", "conv3")
    found = compare(table(names, (4, 6, 8)), table(names, (2, 3, 4)))
    assert "a clock cannot be told from a kernel" in found.by_structure[0].why


def test_one_layer_that_became_slow_is_named(compare: Compare) -> None:
    slow = [*TIMES]
    slow[2] *= 4
    found = compare(table(KINDS, TIMES), table(KINDS, slow))
    assert [(part.cause, part.layers_untrusted) for part in found.by_structure] == [("one layer", ("conv2",))]


def test_quantised_layers_gain_and_their_conversions_cost(compare: Compare) -> None:
    names = ("QUANTIZE", "CONV_2D", "CONV_2D", "DEQUANTIZE")
    found = compare(table(("CONV_2D", "CONV_2D"), (8, 9)), table(names, (0.5, 2, 2.2, 0.3)))
    parts = {part.cause: part for part in found.by_structure}
    assert parts["CONV_2D layers"].change == pytest.approx(-12.8)
    assert parts["layers new"].change == pytest.approx(0.8)
    assert "convert" in parts["layers new"].why
    assert {row.matched_by for row in found.layers} == {"kind", "only after"}


def test_fused_layers_are_matched_with_those_that_they_join(compare: Compare) -> None:
    found = compare(
        table(("conv1", "relu1", "conv2", "relu2"), (8, 1, 6, 1)),
        table(("conv1 + relu1", "conv2 + relu2"), (8, 6)),
    )
    rows = {row.name_untrusted: (row.matched_by, row.before, row.after) for row in found.layers}
    assert rows == {"conv1 + relu1": ("joined", 9, 8), "conv2 + relu2": ("joined", 7, 6)}


def test_layers_that_vanish_are_said_to(compare: Compare) -> None:
    found = compare(table((*KINDS, "relu9"), (*TIMES, 3)), table(KINDS, TIMES))
    assert [(p.cause, p.layers_untrusted, p.change) for p in found.by_structure] == [
        ("layers gone", ("relu9",), -3.0)
    ]


COUNTED = "layer,time_ms,cycles,instructions,l1_misses\n"


def test_counters_divide_the_difference_into_clock_instructions_misses_and_what_is_unexplained(
    compare: Compare,
) -> None:
    """A tile that fits: half of the misses, the same instructions; at 10 cycles a miss 200,000 of them go."""
    before = COUNTED + "conv1,10,1000000,400000,40000\n"
    after = COUNTED + "conv1,8,800000,400000,20000\n"
    parts = {part.cause: part for part in compare(before, after).by_counter}
    assert parts["cache misses"].share == pytest.approx(1)
    assert parts["instructions"].change == parts["unexplained"].change == pytest.approx(0)
    faster = COUNTED + "conv1,4,800000,400000,20000\n"
    found = {part.cause: part.share for part in compare(before, faster).by_counter}
    assert sum(found.values()) == pytest.approx(1)
    assert found["clock"] == pytest.approx(1e6 * (1 / 200e3 - 1 / 100e3) / (4 - 10))


def test_a_change_within_the_scatter_of_runs_is_said_to_be_none(compare: Compare) -> None:
    """Of 200 pairs of runs without a difference about one in ten is called one: it is a 90 % interval."""
    source = np.random.default_rng(7)
    called = 0
    for _ in range(200):
        texts = []
        for _ in range(2):
            times = source.normal(20, 1, 8)
            texts.append("cycles,instructions,time_ms\n" + "".join(f"1000,900,{t:.6f}\n" for t in times))
        called += bool(compare(*texts).differs)
    assert 8 <= called <= 34
    steady = "cycles,instructions,time_ms\n" + "".join(f"1000,900,{20 + n / 100}\n" for n in range(8))
    slower = "cycles,instructions,time_ms\n" + "".join(f"1000,900,{21 + n / 100}\n" for n in range(8))
    assert compare(steady, slower).differs


def test_cycles_and_milliseconds_need_a_clock_to_be_compared(compare: Compare) -> None:
    cycles = "layer,cycles\nconv1,1000\nconv2,3000\n"
    timed = table(("conv1", "conv2"), (1, 3))
    with pytest.raises(UsageError, match="counts in cycles"):
        compare(cycles, timed)
    found = compare(cycles, timed, clock_mhz=1)
    assert found.figures[0].ratio == pytest.approx(1)


def test_builds_of_two_compilers_are_told_by_what_the_files_state(compare: Compare) -> None:
    before = table(KINDS, TIMES, "# compiler: GCC 12.3\n# flags: -O3\n# board: L4R5\n")
    after = table(KINDS, [0.8 * time for time in TIMES], "# compiler: armclang 6.19\n# flags: -O3\n")
    notes = compare(before, after).assumptions
    assert "compiler, as the files state it: GCC 12.3 before, armclang 6.19 after" in notes
    assert not any("flags" in note or "board" in note for note in notes)


def test_energy_by_layer_is_compared_where_both_have_it(compare: Compare) -> None:
    head = "layer,time_ms,cycles,instructions,energy_mj\n"
    found = compare(
        head + "conv1,10,1000,900,2\nfc,1,100,90,0.5\n", head + "conv1,5,500,400,1\nfc,1,100,90,0.5\n"
    )
    energy = next(figure for figure in found.figures if figure.name == "energy")
    assert (energy.before, energy.after, energy.unit) == (2500, 1500, "uJ")
    assert {row.name_untrusted: row.energy_change_uj for row in found.layers} == {"conv1": -1000, "fc": 0}


def test_two_models_are_noticed(compare: Compare) -> None:
    found = compare(table(KINDS, TIMES), table([f"x{n}y" for n in range(7)], TIMES))
    assert "two models" in " ".join(found.warnings)


def test_a_file_without_times_is_refused_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "m.mlir").write_text(
        'module {\nfunc.func @m() {\n %0 = "tosa.conv2d"() : () -> i1 loc("x":1:1)\n}\n'
    )
    (tmp_path / "a.csv").write_text(table(KINDS, TIMES))
    with pytest.raises(InputError):
        compare_runs(tmp_path / "m.mlir", tmp_path / "a.csv")
