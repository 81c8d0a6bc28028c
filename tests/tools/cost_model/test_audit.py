import pytest
from pydantic import ValidationError

from edgewright.tools import deployment, estimate_performance
from edgewright.tools.constraint_checker.constraint_report import Check
from edgewright.tools.core.quantity import Basis
from edgewright.tools.cost_model import audit as audit_module
from edgewright.tools.cost_model.audit import audit, audit_estimate
from edgewright.tools.cost_model.estimate import estimate_of
from edgewright.tools.cost_model.study import study
from edgewright.tools.model_zoo.named import build_architecture

PLACES = [
    ("stm32l4r5zi", None), ("stm32h743zi", "x-cube-ai"), ("nrf52840", None), ("rx65n", None),
    ("raspberry-pi-4b", None), ("a100-sxm4-80gb", None), ("rk3588", None), ("stm32n657", None),
]  # fmt: skip


@pytest.mark.parametrize(("target", "runtime"), PLACES)
@pytest.mark.parametrize("name", ["kws", "vww", "ic", "ad", "mobilenet_v2:0.35:96"])
def test_estimates_keep_to_physics_and_to_themselves(target: str, runtime: str | None, name: str) -> None:
    place = deployment(target, runtime)
    assert audit(build_architecture(name, dtype=place.runtime.usual_dtype.value), place) == ()


def test_a_batch_keeps_to_physics_too() -> None:
    place = deployment("a100-sxm4-80gb", batch=32)
    assert audit(build_architecture("resnet50", dtype="float16"), place) == ()


def test_contradictions_are_found() -> None:
    case = study(build_architecture("kws", dtype="int8"), deployment("stm32l4r5zi"))
    estimate = estimate_of(case)
    assert audit_estimate(case, estimate) == ()
    impossible = estimate.latency_ms.scaled(1e-3, "ms")
    broken = audit_estimate(case, estimate.model_copy(update={"latency_ms": impossible}))
    assert {violation.rule for violation in broken} == {
        "latency is never below the least MACs over peak",
        "layers add up to the whole",
        "energy is power times time",
    }


def test_an_estimate_that_contradicts_itself_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def slower(case: audit_module.Study) -> audit_module.PerformanceEstimate:
        estimate = estimate_of(case)
        return estimate.model_copy(update={"latency_ms": estimate.latency_ms.scaled(2, "ms")})

    monkeypatch.setattr(audit_module, "estimate_of", slower)
    warnings = estimate_performance("kws", "stm32l4r5zi").warnings
    assert sum("contradicts itself (layers add up" in warning for warning in warnings) == 1


def test_no_result_holds_a_number_that_is_none_or_passes_on_what_is_unknown() -> None:
    fields = {
        "name": "latency", "statement": "It fits.", "demand_low": None, "demand_high": None, "bound": 1.0, "gap": None,
        "unit": "ms", "basis": Basis.FITTED,
    }  # fmt: skip
    assert Check(verdict="FAIL", demand=2.0, **fields).demand == 2
    with pytest.raises(ValidationError, match="finite number"):
        Check(verdict="FAIL", demand=float("inf"), **fields)
    with pytest.raises(ValidationError, match="latency passes, but what it needs is unknown"):
        Check(verdict="PASS", demand=None, **fields)
