from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from edgewright.tools.compatibility_scorer import score_compatibility
from edgewright.tools.deployments import Deployment
from edgewright.tools.model_parser import parse_model
from edgewright.tools.verdict import Verdict

SAMPLED = 40


def test_the_verdict_is_what_tflms_interpreter_does_with_published_models(
    shared_models: Path,
    place: Callable[..., Deployment],
    tflm_accepts: Callable[[bytes], bool],
) -> None:
    files = sorted(shared_models.rglob("*.tflite"))
    where = place("tflm-reference", isa="x86-64")
    outcomes = set()
    for path in files[:: -(-len(files) // SAMPLED)]:
        runs = tflm_accepts(path.read_bytes())
        verdict = score_compatibility(parse_model(path), where).verdict
        assert (verdict in {Verdict.PASS, Verdict.MARGINAL}) is runs, f"{path.name}: {verdict}"
        outcomes.add(runs)
    assert outcomes == {True, False}
