import pytest

from edgewright.tools import all_deployments, analyze_roofline, deployment, plan_memory


def test_where_still_names_the_deployment_and_says_that_it_goes() -> None:
    with pytest.warns(DeprecationWarning, match="where= of plan_memory .* say deployment="):
        plan = plan_memory("kws", where="stm32h743zi")  # type: ignore[call-arg]
    assert plan == plan_memory("kws", deployment="stm32h743zi")


def test_a_deployment_named_twice_is_refused() -> None:
    with pytest.warns(DeprecationWarning, match="analyze_roofline"), pytest.raises(TypeError):
        analyze_roofline("kws", deployment("stm32h743zi"), where="stm32h743zi")  # type: ignore[call-arg]


def test_a_table_keeps_its_method_of_before_and_says_that_it_goes() -> None:
    table = all_deployments(targets=["nrf52840"])
    with pytest.warns(DeprecationWarning, match="say memoized"):
        assert table.kept("ids", lambda: 1) == 1
    assert table.memoized("ids", lambda: 2) == 1
