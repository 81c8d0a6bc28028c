from __future__ import annotations

from pathlib import Path

import pytest
from corpora.ethos_u_operators import cases
from corpora.vela_agreement import judge_all, published, written

from edgewright.tools.ethos_u.process import vela_version

pytestmark = pytest.mark.skipif(vela_version() is None, reason="Vela (extra ethos-u) is not installed")


@pytest.mark.parametrize("configuration", ["ethos-u55-128", "ethos-u85-256"])
def test_rules_judge_every_operator_as_vela_does(configuration: str) -> None:
    found = judge_all(written(dict(cases())), [configuration])
    assert [str(operator) for operator in found.unequal] == []
    assert len(found.failed) < 10, found.failed
    assert len({operator.kind for operator in found.judged if operator.by_rules}) > 5
    assert len({operator.kind for operator in found.judged if not operator.by_rules}) > 15


@pytest.mark.parametrize(
    ("configuration", "every"), [("ethos-u55-64", 24), ("ethos-u65-512", 27), ("ethos-u85-512", 21)]
)
def test_rules_judge_published_models_as_vela_does(
    configuration: str, every: int, shared_models: Path
) -> None:
    found = judge_all(published(every), [configuration])
    assert [str(operator) for operator in found.unequal] == []
    assert len(found.judged) > 300
    assert any(operator.by_rules for operator in found.judged)
