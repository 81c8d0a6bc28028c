from collections.abc import Callable

import pytest

from edgewright.tools import Basis, Quantity, UnknownFigureError, UsageError

LATENCY = Quantity(value=14.0, low=9.0, high=21.6, unit="ms", basis=Basis.FITTED)
UNKNOWN = Quantity.unknown("ms")


def test_a_quantity_reads_as_value_interval_and_basis() -> None:
    assert str(LATENCY) == "14 ms [9–21.6] fitted"
    assert repr(LATENCY) == "<Quantity 14 ms [9–21.6]>"
    assert str(Quantity.exact(22820, "B")) == "22.3 KiB derived"
    assert str(UNKNOWN) == "unknown"


def test_a_number_format_is_for_the_value_and_keeps_the_unit() -> None:
    assert f"{LATENCY:.1f}" == "14.0 ms"
    assert f"{LATENCY:.3g}" == "14 ms"
    assert f"{Quantity.exact(22820, 'B'):,}" == "22,820.0 B"
    assert f"{LATENCY}" == str(LATENCY)
    assert f"{LATENCY:>30}" == str(LATENCY).rjust(30)


def test_an_unknown_quantity_prints_as_unknown_in_any_format() -> None:
    assert f"{UNKNOWN:.1f}" == f"{UNKNOWN:,}" == f"{UNKNOWN}" == "unknown"


def test_numbers_compare_in_the_unit_of_the_quantity() -> None:
    assert LATENCY < 50
    assert LATENCY <= 14
    assert LATENCY > 13.9
    assert 13 < LATENCY < 15
    assert not LATENCY >= 15


def test_quantities_compare_across_units_of_one_dimension() -> None:
    assert Quantity.exact(0.05, "s") > LATENCY
    assert Quantity.exact(20, "KiB") > Quantity.exact(20_000, "bytes")
    with pytest.raises(UsageError, match="does not convert"):
        assert Quantity.exact(1, "KiB") > LATENCY


def test_the_slower_of_two_is_the_maximum() -> None:
    slower = Quantity.exact(1, "s")
    assert max(LATENCY, slower) is slower


def test_the_interval_holds_its_ends_and_nothing_outside() -> None:
    assert 9 in LATENCY
    assert Quantity.exact(0.02, "s") in LATENCY
    assert 22 not in LATENCY


@pytest.mark.parametrize(
    "ask", [float, lambda q: q < 50, lambda q: q >= 50, lambda q: 5 in q, lambda q: q > LATENCY]
)
def test_an_unknown_quantity_is_no_number_and_has_no_order(
    ask: Callable[[Quantity], object],
) -> None:
    assert not UNKNOWN.known
    with pytest.raises(UnknownFigureError, match="unknown"):
        ask(UNKNOWN)
    with pytest.raises(ValueError, match="known"):
        ask(UNKNOWN)


def test_conversion_keeps_interval_and_basis() -> None:
    seconds = LATENCY.to("s")
    assert (seconds.value, seconds.unit, seconds.basis) == (pytest.approx(0.014), "s", Basis.FITTED)
    assert seconds.high == pytest.approx(0.0216)
    assert UNKNOWN.to("us") == Quantity.unknown("us")
    assert Quantity.exact(1, "kB").to("B").value == 1000
    assert Quantity.exact(1, "KiB").to("bytes").value == 1024


def test_a_unit_that_does_not_exist_is_answered_with_those_that_do() -> None:
    with pytest.raises(UsageError, match=r"Units for it: ns, us, .*ms, s, min, h, days"):
        LATENCY.to("fortnights")


def test_a_figure_scaled_from_a_near_one_is_weaker_than_published_and_stronger_than_fitted() -> None:
    order = list(Basis)
    assert order.index(Basis.PUBLISHED) < order.index(Basis.SCALED) < order.index(Basis.FITTED)
