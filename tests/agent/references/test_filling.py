"""What a reference prints, and what it refuses to."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edgewright.agent.references import UNRESOLVED, fill, results_of
from edgewright.agent.references.grounding import render_answer
from edgewright.tools.core.numbers import written
from edgewright.tools.core.paths import PathError, keys_of, resolve
from stubs.work import TWELVE, times_as_long

Records = list[dict[str, Any]]


def text_of(written_text: str, records: Records) -> str:
    rendered = render_answer(written_text, records)
    assert not rendered.marked, rendered.marked
    return rendered.text


def why(written_text: str, records: Records) -> str:
    (error,) = fill(written_text, results_of(records)).errors
    return error.why


def figure(record: str, path: str, records: Records) -> float:
    value = resolve(path, next(r["result"] for r in records if r["id"] == record)).value
    assert isinstance(value, float | int)
    return value


def leaves(node: Any, path: str = "") -> list[str]:
    """Every path of a result, however deep."""
    if isinstance(node, dict):
        own = [path] if "value" in node and "unit" in node else []
        fields = {k: v for k, v in node.items() if k.isidentifier()}
        return own + [p for k, v in fields.items() for p in leaves(v, f"{path}.{k}".lstrip("."))]
    if isinstance(node, list):
        return [
            p for key, row in zip(keys_of(node), node, strict=True) for p in leaves(row, f"{path}[{key}]")
        ]
    return [path]


def test_every_figure_of_every_result_prints_as_its_field_reads(records: Records) -> None:
    """Exhaustive: each path of each result, alone and with its interval."""
    shown = 0
    for record in (r for r in records if r["result"]):
        for path in leaves(record["result"]):
            try:
                value = resolve(path, record["result"])
            except PathError:
                assert "_untrusted" in path, path
                continue
            if isinstance(value.value, str) and len(value.value) > 400:
                continue
            reference = f"{record['id']}.{path}"
            assert fill(f"{{{{{reference}}}}}", results_of(records)).text == written(value), reference
            assert fill(f"{{{{{reference}|~}}}}", results_of(records)).text == written(value, interval=True)
            shown += 1
    assert shown > 500


@given(number=st.floats(1e-6, 1e9), unit=st.sampled_from(["us", "µs", "s", "min", "h"]))
def test_the_unit_that_is_asked_for_changes_the_figure_and_nothing_else(number: float, unit: str) -> None:
    result = {"latency_ms": {"value": number, "low": None, "high": None, "unit": "ms", "basis": "fitted"}}
    filled = fill(f"{{{{r1.latency_ms|{unit}}}}}", {"r1": result})
    (hole,) = filled.holes
    back = (
        float(filled.text.split()[0].replace(",", ""))
        * {"us": 1e-3, "µs": 1e-3, "s": 1e3, "min": 6e4, "h": 3.6e6}[unit]
    )
    assert filled.text.split()[1] == unit
    assert back == pytest.approx(number, rel=0.006)
    assert (hole.value.value, hole.value.unit) == (number, "ms")


@given(value=st.floats(1e-3, 1e6), width=st.floats(1.01, 50))
def test_a_reciprocal_swaps_the_ends_of_its_interval(value: float, width: float) -> None:
    result = {
        "latency_ms": {
            "value": value,
            "low": value / width,
            "high": value * width,
            "unit": "ms",
            "basis": "fitted",
        }
    }
    (hole,) = fill("{{1/r1.latency_ms|fps~}}", {"r1": result}).holes
    found = hole.value
    assert found.unit == "1/s"
    assert [found.low, found.value, found.high] == pytest.approx(
        [1e3 / (value * width), 1e3 / value, 1e3 * width / value]
    )


quantities = st.tuples(st.floats(1, 1e6), st.floats(1, 10), st.floats(1, 10)).map(
    lambda q: {"value": q[0], "low": q[0] / q[1], "high": q[0] * q[2], "unit": "ms", "basis": "fitted"}
)


@given(
    one=quantities, other=quantities, at=st.floats(0, 1), and_at=st.floats(0, 1), sign=st.sampled_from("+-*/")
)
def test_the_interval_of_a_relation_holds_every_pair_of_its_parts(
    one: dict[str, Any], other: dict[str, Any], at: float, and_at: float, sign: str
) -> None:
    a = one["low"] + at * (one["high"] - one["low"])
    b = other["low"] + and_at * (other["high"] - other["low"])
    unit, scale = {"+": ("ms", 1.0), "-": ("ms", 1.0), "/": ("x", 1.0), "*": ("x", 1.0)}[sign]
    text = f"{{{{r1.a_ms{sign}r1.b_ms|{unit}~}}}}" if sign != "*" else "{{r1.a_ms*r1.rate|x~}}"
    rate = {
        **other,
        "unit": "1/s",
        "value": other["value"] * 1e3,
        "low": other["low"] * 1e3,
        "high": other["high"] * 1e3,
    }
    (hole,) = fill(text, {"r1": {"a_ms": one, "b_ms": other, "rate": rate}}).holes
    truth = {"+": a + b, "-": a - b, "/": a / b, "*": a * b}[sign]
    low, high = hole.value.low, hole.value.high
    if low is None or high is None:
        assert one["low"] == one["high"]
        assert other["low"] == other["high"]
        return
    assert low - 1e-9 * abs(low) - 1e-9 <= truth * scale <= high + 1e-9 * abs(high) + 1e-9


@pytest.mark.parametrize(
    "relation", ["r1.a_ms+r1.b_ms", "r1.a_ms/r1.b_ms", "1/r1.b_ms", "max(r1.a_ms, r1.b_ms)", "-r1.b_ms"]
)
def test_what_is_calculated_with_something_unknown_is_unknown(relation: str) -> None:
    assert fill(f"{{{{{relation}}}}}", {"r1": {"a_ms": 3.0, "b_ms": None}}).text == "unknown"


class TestRelations:
    def test_a_ratio_a_share_a_rate_and_a_count(self, records: Records) -> None:
        slow, fast = (figure(r, "latency_ms", records) for r in ("r2", "r1"))
        assert text_of("{{r2.latency_ms/r1.latency_ms|x}}", records) == f"{slow / fast:.3g}x"
        assert (
            text_of("{{(r2.latency_ms-r1.latency_ms)/r2.latency_ms|%}}", records)
            == f"{100 * (1 - fast / slow):.3g} %"
        )
        assert text_of("{{1/r1.latency_ms|fps}}", records) == f"{1e3 / fast:.3g} fps"
        assert text_of("{{3600*1000/r1.latency_ms|count}}", records) == f"{3.6e6 / fast:,.0f}"
        assert text_of("{{1h/r1.latency_ms|count}}", records) == f"{3.6e6 / fast:,.0f}"

    def test_rows_are_summed_and_compared_by_name_or_all_at_once(self, records: Records) -> None:
        layers = [figure("r1", f"layers[{n}].latency_ms", records) for n in range(13)]
        assert (
            text_of("{{sum(r1.layers[0,2,4].latency_ms)|ms}}", records)
            == f"{layers[0] + layers[2] + layers[4]:.3g} ms"
        )
        assert text_of("{{max(r1.layers[*].latency_ms)|ms}}", records) == f"{max(layers):.3g} ms"
        assert text_of("{{count(r1.layers)}} layers", records) == "13 layers"
        assert text_of("{{count(r1.layers[0,2])}}", records) == "2"

    def test_a_plain_number_is_rounded_to_a_whole_one(self, records: Records) -> None:
        ratio = figure("r2", "latency_ms", records) / figure("r1", "latency_ms", records)
        up, down = math.ceil(ratio), math.floor(ratio)
        assert text_of("{{ceil(r2.latency_ms/r1.latency_ms)|count}}", records) == f"{up}"
        assert text_of("{{floor(r2.latency_ms/r1.latency_ms)|count}}", records) == f"{down}"
        assert render_answer("{{ceil(r1.latency_ms)|ms}}", records).marked

    def test_numbers_carry_their_expression_value_and_unit(self, records: Records) -> None:
        rendered = render_answer("It takes {{r1.latency_ms|us~}}, {{r1.bound}}-bound.", records)
        (number,) = rendered.numbers
        assert (number.path, number.unit) == ("r1.latency_ms", "ms")
        assert number.value == figure("r1", "latency_ms", records)
        assert number.text in rendered.text

    @pytest.mark.parametrize(
        ("reference", "reason"),
        [
            ("r1.latency_ms + r4.arena_bytes", "cannot be added"),
            ("r1.latency_ms|KiB", "cannot be given"),
            ("r1.latency_ms*r1.latency_ms", "Nothing is measured"),
            ("r1.latency_ms/(r1.latency_ms-r1.latency_ms)", "divides by zero"),
            ("1000/r1.latency_ms|fps", "convert twice"),
            ("60/r1.latency_ms|/min", "convert twice"),
            ("r1.latency_ms/1000|s", "convert twice"),
            ("100*r1.latency_ms/r2.latency_ms|%", "convert twice"),
            ("3600/r1.latency_ms|count", "no count"),
            ("r1.latency_ms|count", "no count"),
            ("r1.deployment.clock_mhz|fps", "cannot be given"),
            ("r1.bound*2", "is a word"),
            ("r1.latency_ms|parsec", "no unit"),
            ("42|ms", "names no field"),
            ("1h|min", "names no field"),
            ("latency_ms", "cannot be read"),
            ("r1.latency_ms r2.latency_ms", "cannot be read"),
            ("r3.latency_ms", "failed"),
            ("r9.latency_ms", "no result r9"),
            ("r1.layers[99].latency_ms", "No row"),
            ("r1.layers[0,1].latency_ms", "several figures"),
            ("r1.layers[0].name_untrusted", "No 'name_untrusted'"),
            ("r1.__class__", "No '__class__'"),
            ("r1.deployment", "several figures"),
        ],
    )  # fmt: skip
    def test_what_cannot_be_is_refused_with_the_reason(
        self, reference: str, reason: str, records: Records
    ) -> None:
        assert reason in why(f"{{{{{reference}}}}}", records)
        rendered = render_answer(f"It is {{{{{reference}}}}}.", records)
        assert rendered.text == f"It is {UNRESOLVED}."
        assert rendered.marked == (f"{{{{{reference}}}}}",)
        assert rendered.numbers == ()


class TestAround:
    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("{{r1.layers}} layers", "13 layers"),
            ("{{r1.deployment.clock_mhz|MHz}} MHz", "480 MHz"),
            ("{{r1.deployment.clock_mhz}}MHz", "480 MHz"),
            ("{{r1.deployment.clock_mhz}} in a row", "480 MHz in a row"),
            ("({{r1.layers}}–{{r1.layers}})", "(13–13)"),
            ("{r1.layers}", "13"),
        ],
    )  # fmt: skip
    def test_a_unit_is_not_said_twice(self, text: str, shown: str, records: Records) -> None:
        assert text_of(text, records) == shown

    @pytest.mark.parametrize(
        "text",
        [
            "1{{r1.layers}}", "0.{{r1.layers}}", "{{r1.layers}}0", "{{r1.layers}}.5", "{{r1.layers}} million",
            "{{r1.layers}}k", "{{r1.layers}} × 10^3", "-{{r1.latency_ms}}", "{{r1.latency_ms}} KiB",
            "{{r1.latency_ms|ms}} s", "{{r1.latency_ms|ms}} µs",
        ],
    )  # fmt: skip
    def test_what_would_be_read_as_another_figure_is_refused(self, text: str, records: Records) -> None:
        assert why(text, records)
        assert render_answer(text, records).marked


class TestHostileInput:
    @pytest.mark.parametrize(
        "code", ["{{0}}", "{{1, 2}, {3, 4}}", "int a[2] = {{1}};", "{}", "{{}}", "{{ }}", "}}{{", "{"]
    )
    def test_braces_that_refer_to_nothing_are_text(self, code: str, records: Records) -> None:
        assert text_of(code, records) == code

    def test_what_is_filled_in_is_not_read_again(self) -> None:
        result = {"name": "{{r1.secret}}", "secret": 5, "rows": [{"name": "x}} {{r1.secret", "n": 1}]}
        assert fill("{{r1.name}}", {"r1": result}).text == "{{r1.secret}}"

    def test_escapes_of_a_result_do_not_reach_the_terminal(self) -> None:
        assert "\x1b" not in fill("{{r1.name}}", {"r1": {"name": "\x1b[2J"}}).text

    @pytest.mark.parametrize("cut", ["It takes {{r1.latency", "It takes {{r1.latency_ms}", "It takes {{"])
    def test_a_reference_that_the_end_cuts_off_is_never_shown(self, cut: str, records: Records) -> None:
        assert "latency" not in render_answer(cut, records).text

    @pytest.mark.parametrize(
        "expression",
        ["(" * 290, "-" * 290 + "1", "sum(" * 60, "r1.a" + "[0]" * 90, "9" * 290, "1e99*1e99*1e99*1e99*r1.layers", "r1." + "a" * 900],
    )  # fmt: skip
    def test_deep_long_and_huge_expressions_are_refused(self, expression: str, records: Records) -> None:
        assert "[?]" in render_answer(f"{{{{{expression}}}}} and {{{{r1.x}}}}", records).text

    @pytest.mark.parametrize(
        ("begins", "goes_on"),
        [("", "{{"), ("", "}}"), ("", "{{a"), ("", "{{r1.latency_ms}}"), ("", "{r1."), ("{{r1.", "(")],
        ids=["opening", "closing", "begun", "references", "single", "brackets"],
    )
    def test_a_megabyte_of_braces_takes_linear_time(
        self, begins: str, goes_on: str, records: Records
    ) -> None:
        def rendering(characters: int) -> Callable[[], object]:
            text = begins + goes_on * (characters // len(goes_on))
            return lambda: render_answer(text, records)

        assert times_as_long(rendering, 1_000_000) <= TWELVE

    @given(st.text(alphabet="{}|r1.[]()+-*/ ~latency_ms0", max_size=80))
    def test_any_text_is_rendered(self, text: str) -> None:
        render_answer(text, [{"id": "r1", "name": "t", "arguments": {}, "result": {"latency_ms": 3.5}}])
