"""The GPU of the machine at hand, where a language model is asked for on `host`."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from edgewright.tools import estimate_generation, rank_generation
from edgewright.tools.api import generation
from edgewright.tools.generation import own_gpu
from edgewright.tools.generation.own_gpu import OwnGpu

MODEL = "llama-3.2-1b"


def has(monkeypatch: pytest.MonkeyPatch, gpu: OwnGpu | None) -> None:
    monkeypatch.setattr(generation, "own_gpu", lambda: gpu)


def test_host_is_the_gpu_that_the_machine_has(monkeypatch: pytest.MonkeyPatch) -> None:
    has(monkeypatch, OwnGpu("NVIDIA GeForce RTX 4090", 24_564 << 20))
    found = estimate_generation(MODEL, "host")
    assert (found.target, found.processor, found.ram_bytes) == ("rtx-4090", "gpu", 24_564 << 20)
    assert found.assumptions[0] == "this machine has NVIDIA GeForce RTX 4090: took rtx-4090"
    assert rank_generation(deployment="this machine").target == "rtx-4090"
    assert estimate_generation(MODEL, "jetson-orin-nano-8gb").target == "jetson-orin-nano-8gb"


def test_a_name_that_two_cards_have_is_told_apart_by_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    has(monkeypatch, OwnGpu("NVIDIA GeForce RTX 4060 Ti", 16_380 << 20))
    assert estimate_generation(MODEL, "host").target == "rtx-4060-ti-16gb"


def test_without_a_known_gpu_the_cores_are_taken_and_why_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    has(monkeypatch, None)
    plain = estimate_generation(MODEL, "host")
    assert (plain.target, plain.processor) == ("host-x86-64", "cpu")
    has(monkeypatch, OwnGpu("NVIDIA Quadro Imaginary 9000", None))
    found = estimate_generation(MODEL, "host")
    assert found.target == "host-x86-64"
    assert "Imaginary 9000 is no target" in found.assumptions[0]
    assert found.decode_tokens_per_s == plain.decode_tokens_per_s


def test_what_the_driver_prints_is_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def said(lines: Sequence[str]) -> None:
        monkeypatch.setattr(own_gpu, "_said", lambda _: list(lines))

    monkeypatch.setattr(own_gpu.platform, "system", lambda: "Linux")
    monkeypatch.setattr(own_gpu, "_DRIVER", tmp_path)
    said(["NVIDIA H200, 143771", "NVIDIA H200, 143771"])
    assert own_gpu.own_gpu() == OwnGpu("NVIDIA H200", 143_771 << 20)
    said([])
    assert own_gpu.own_gpu() is None
    (tmp_path / "0000:01:00.0").mkdir()
    (tmp_path / "0000:01:00.0" / "information").write_text("Model: \t\t NVIDIA L4\nIRQ: 1\n")
    assert own_gpu.own_gpu() == OwnGpu("NVIDIA L4", None)
    monkeypatch.setattr(own_gpu.platform, "system", lambda: "Darwin")
    said(["Apple M2 Pro", "17179869184"])
    assert own_gpu.own_gpu() == OwnGpu("Apple M2 Pro", 1 << 34)
    said(["Intel(R) Core(TM) i7-9750H CPU @ 2.60GHz", "17179869184"])
    assert own_gpu.own_gpu() is None
