"""One path leads to the same figure in a result and in its JSON, and one function writes it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewright.tools import analyze_roofline, check_constraints, deployment, plan_memory
from edgewright.tools.constraint_checker.constraint_report import ConstraintReport
from edgewright.tools.core.numbers import written
from edgewright.tools.core.paths import Named, PathError, Value, keys_of, resolve
from edgewright.tools.core.units import show
from edgewright.tools.roofline.roofline_report import RooflineReport


@pytest.fixture(scope="module")
def roofline() -> RooflineReport:
    return analyze_roofline("kws:int8", deployment("stm32h743zi"))


@pytest.fixture(scope="module")
def checks() -> ConstraintReport:
    return check_constraints("kws:int8", deployment("stm32h743zi"))


PATHS = [
    "latency_ms", "latency_ms.high", "layers[3].latency_ms", "layers[3].op", "layers", "bound",
    "bound_shares.compute", "deployment.clock_mhz", "assumptions[#0]", "arithmetic_intensity",
]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_a_result_and_its_json_hold_the_same_figure_at_a_path(path: str, roofline: RooflineReport) -> None:
    assert resolve(path, roofline) == resolve(path, roofline.model_dump(mode="json", by_alias=True))


def test_a_quantity_comes_with_unit_interval_and_basis(roofline: RooflineReport) -> None:
    latency = roofline.latency_ms
    assert resolve("latency_ms", roofline) == Value(
        latency.value, "ms", latency.low, latency.high, latency.basis.value
    )


def test_a_check_is_entered_by_its_name_and_takes_unit_and_interval_from_beside(
    checks: ConstraintReport,
) -> None:
    ram = next(check for check in checks.checks if check.name == "ram")
    found = resolve("checks[ram].demand", checks)
    assert (found.value, found.low, found.high) == (ram.demand, ram.demand_low, ram.demand_high)
    assert (found.unit, found.basis) == (ram.unit, ram.basis)


@pytest.mark.parametrize(
    ("path", "unit"),
    [("compute_utilization", "fraction"), ("peak_gops", "GOP/s"), ("ridge_point", "FLOP/byte"),
     ("bound_shares.memory", "fraction"), ("layers[0].compute_ms", "ms"), ("deployment.batch", "")],
)  # fmt: skip
def test_a_fields_name_tells_its_unit(path: str, unit: str, roofline: RooflineReport) -> None:
    assert resolve(path, roofline).unit == unit


@pytest.mark.parametrize(
    ("path", "says"),
    [("latenc_ms", "latency_ms"), ("layers[99].op", "12"), ("layers.op", "in brackets"), ("deployment", "target"),
     ("a..b", "not a path"), ("", "not a path"), ("__class__", "No '__class__'"), ("latency_ms[0]", "no rows"),
     ("assumptions[#77]", "No row")],
)  # fmt: skip
def test_a_path_that_leads_nowhere_says_what_there_is(path: str, says: str, roofline: RooflineReport) -> None:
    with pytest.raises(PathError) as refused:
        resolve(path, roofline)
    assert says in str(refused.value)


def test_words_of_a_model_file_are_out_of_reach() -> None:
    plan = plan_memory("kws:int8", deployment("stm32h743zi"))
    assert plan.peak_tensors[0].name_untrusted
    for result in (plan, plan.model_dump(mode="json")):
        with pytest.raises(PathError) as refused:
            resolve("peak_tensors[#0].name_untrusted", result)
        assert plan.peak_tensors[0].name_untrusted not in str(refused.value)


@given(st.lists(st.sampled_from(["ram", "flash", "a b", "x[0]", "", "7"]), max_size=6))
def test_the_key_of_each_row_leads_back_to_it(names: list[str]) -> None:
    rows = [{"name": name, "value": at} for at, name in enumerate(names)]
    for at, key in enumerate(keys_of(rows)):
        assert resolve(f"rows[{key}].value", {"rows": rows}).value == at


@given(st.lists(st.sampled_from(["ram", "flash", "a b", "7", "1"]), min_size=1, max_size=6))
def test_rows_that_are_named_once_for_many_paths_are_those_that_each_path_finds_alone(
    names: list[str],
) -> None:
    rows = [{"name": name, "op": f"{name} of {at}", "value": at} for at, name in enumerate(names)]
    named: Named = {}
    for key in [*names, *(row["op"] for row in rows), "#0"]:
        path = f"rows[{key}].value"
        assert resolve(path, {"rows": rows}, named) == resolve(path, {"rows": rows})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Value(13.9548, "ms", 9.0089, 21.616, "fitted"), "14 ms (9.01–21.6 ms, fitted)"),
        (Value(2.17, "ms", 0.612, 7.67, "fitted"), "2.17 ms (0.612–7.67 ms, fitted)"),
        (Value(22_832, "bytes", 22_820, 22_844, "derived"), "22.3 KiB (derived)"),
        (Value(22_832, "bytes", 22_620, 22_844, "derived"), "22.3 KiB (22.1–22.3 KiB, derived)"),
        (Value(22_820, "bytes", 22_820, 22_820, "derived"), "22.3 KiB (derived)"),
        (Value(0.725, "ms", 0.046, 11.426, "assumed"), "725 µs (46 µs–11.4 ms, assumed)"),
        (Value(8.529e-06, "ms"), "8.53 ns"),
        (Value(0.9997, "ms"), "1 ms"),
        (Value(1023.9 * 1024, "bytes"), "1 MiB"),
        (Value(351_733_699), "351,733,699"),
        (Value(10_200.0, "GOP/s"), "10.2 TOP/s"),
        (Value(1800.0, "MHz"), "1800 MHz"),
        (Value(0.199, "fraction"), "19.9 %"),
        (Value(1.5e-7, "fraction"), "<0.01 %"),
        (Value(0, "fraction"), "0 %"),
        (Value(0, "ms"), "0 ms"),
        (Value(None, "ms"), "unknown"),
        (Value(True), "yes"),
    ],
)
def test_a_figure_is_written_as_people_read_it(value: Value, text: str) -> None:
    assert written(value, interval=True, basis=True) == text


def test_a_unit_may_be_asked_for_where_it_measures_the_same() -> None:
    assert written(Value(1500.0, "ms"), "s") == "1.5 s"
    assert written(Value(0.5, "fraction"), "x") == "0.5x"
    assert written(Value(2048, "bytes"), "KiB") == "2 KiB"
    assert written(Value(2000, "bytes"), "kB") == "2 kB"
    with pytest.raises(PathError, match="cannot be given in"):
        written(Value(1500.0, "ms"), "KiB")


@given(st.floats(min_value=1e-9, max_value=1e12), st.sampled_from(["ms", "bytes", "uJ", "mW", "1/s", "GB/s"]))
def test_no_figure_is_in_scientific_notation_and_three_digits_hold_it(value: float, unit: str) -> None:
    text = show(value, unit)
    assert "e" not in text.split()[0]
    assert written(Value(value, unit)) == text
