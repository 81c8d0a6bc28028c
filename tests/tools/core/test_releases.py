import pytest

from edgewright.hardware_db.errors import UsageError
from edgewright.tools import deployment, estimate_performance
from edgewright.tools.core.releases import measured_releases, newest_first
from edgewright.tools.core.settings import Settings

ALONE = Settings(measured_first=False)


def test_the_newest_release_comes_first_and_a_way_to_build_last() -> None:
    assert newest_first({"9.0", "10.2", "-Ofast", "10.0"}) == ["10.2", "10.0", "9.0", "-Ofast"]
    numbered = [name for name in measured_releases("x-cube-ai") if name[0].isdigit()]
    assert numbered[0].startswith("10.")


def test_a_release_is_named_behind_the_runtime_and_changes_the_estimate() -> None:
    old, new = (deployment("stm32l4r5zi", f"x-cube-ai@{name}", settings=ALONE) for name in ("7.3", "10.2"))
    assert new.runtime.id == old.runtime.id == "x-cube-ai"
    assert str(new.ref).startswith("stm32l4r5zi/x-cube-ai@10.2")
    assert estimate_performance("kws", new).latency_ms != estimate_performance("kws", old).latency_ms


def test_a_release_that_nobody_measured_is_refused_with_those_that_were() -> None:
    with pytest.raises(UsageError, match=r"No release '99' of x-cube-ai") as told:
        deployment("stm32l4r5zi", "x-cube-ai@99")
    assert "10.2" in told.value.hint


def test_measurements_of_another_release_are_not_of_this_very_case() -> None:
    named = estimate_performance("vww", deployment("stm32l4r5zi", "x-cube-ai@10.2")).measured
    assert named is None or named.differs_in == "release" or set(named.releases) == {"10.2"}
