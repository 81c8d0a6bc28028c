import pytest

from edgewright.tools import analyze_roofline, deployment, plan_memory


def test_where_still_names_the_deployment_and_says_that_it_goes() -> None:
    with pytest.warns(DeprecationWarning, match="where= of plan_memory .* say deployment="):
        plan = plan_memory("kws", where="stm32h743zi")  # type: ignore[call-arg]
    assert plan == plan_memory("kws", deployment="stm32h743zi")


def test_a_deployment_named_twice_is_refused() -> None:
    with pytest.warns(DeprecationWarning, match="analyze_roofline"), pytest.raises(TypeError):
        analyze_roofline("kws", deployment("stm32h743zi"), where="stm32h743zi")  # type: ignore[call-arg]
