"""Results of real calls, as the records of a conversation."""

from __future__ import annotations

from typing import Any

import pytest

from edgewright.tools import analyze_roofline, check_constraints, deployment, plan_memory


@pytest.fixture(scope="session")
def records() -> list[dict[str, Any]]:
    """r1: kws on an STM32H743, r2: on an ESP32-S3, r3: failed, r4: memory, r5: checks."""
    h743, s3 = deployment("stm32h743zi"), deployment("esp32-s3")
    found = {
        "r1": analyze_roofline("kws:int8", h743),
        "r2": analyze_roofline("kws:int8", s3),
        "r3": None,
        "r4": plan_memory("kws:int8", h743),
        "r5": check_constraints("kws:int8", h743),
    }
    return [
        {"id": key, "name": "tool", "arguments": {}, "result": result and result.to_dict(), "error": None}
        for key, result in found.items()
    ]
