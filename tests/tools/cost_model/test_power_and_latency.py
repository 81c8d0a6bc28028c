"""What is known of a target's power says nothing about its time."""

from __future__ import annotations

import pytest

from edgewright.hardware_db import load_target, target_ids
from edgewright.tools import deployment
from edgewright.tools.cost_model.study import study
from edgewright.tools.model_zoo.named import build_architecture

POWER = frozenset({"power", "board_power_w"})


@pytest.mark.parametrize("name", target_ids())
def test_adding_power_to_a_target_never_changes_its_latency(name: str) -> None:
    target = load_target(name)
    fields = [field for field in type(target).model_fields if field in POWER]
    assert fields
    bare = target.model_copy(
        update={
            field: type(target).model_fields[field].get_default(call_default_factory=True) for field in fields
        }
    )
    graph = build_architecture("kws", dtype="int8")
    runtime = target.runtimes[0]
    with_power = study(graph, deployment(target, runtime)).latency_ms
    assert study(graph, deployment(bare, runtime)).latency_ms == with_power
