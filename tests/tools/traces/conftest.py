from pathlib import Path

import pytest

from edgewright.tools import Deployment, MeasuredProfile, ModelGraph, deployment, import_profile, parse_model
from stubs.traces import Import


@pytest.fixture(scope="session")
def kws() -> ModelGraph:
    return parse_model("kws:int8")


@pytest.fixture(scope="session")
def board() -> Deployment:
    return deployment("stm32l4r5zi", "tflm-cmsis-nn", clock_mhz=120)


@pytest.fixture
def imported(tmp_path: Path, kws: ModelGraph, board: Deployment) -> Import:
    """Imports a text as a trace of kws on a board."""

    def run(
        text: str | bytes, deployment: Deployment = board, *, unit: str | None = None, name: str = "trace.log"
    ) -> MeasuredProfile:
        file = tmp_path / name
        file.write_bytes(text.encode() if isinstance(text, str) else text)
        return import_profile(file, kws, deployment, unit=unit)

    return run
