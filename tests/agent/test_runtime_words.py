import pytest

from edgewright.agent.names import Kind, find_names


def runtimes(text: str) -> list[str]:
    return [name.ids[0] for name in find_names(text, ()) if name.kind is Kind.RUNTIME]


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("kws with x-cube-ai@10.2 on an L4R5", ["x-cube-ai@10.2"]),
        ("kws with X-CUBE-AI 7.1, and with X-CUBE-AI v10.2", ["x-cube-ai@7.1", "x-cube-ai@10.2"]),
        ("ncnn 4.5 ms on a Pi 4", ["ncnn"]),
        ("with ncnn 2.4 GHz on a Pi 5", ["ncnn"]),
    ],
)
def test_a_release_behind_a_kernel_library_goes_with_it(text: str, meant: list[str]) -> None:
    assert runtimes(text) == meant


def test_pytorch_computes_where_something_runs_with_it_and_is_a_format_elsewhere() -> None:
    assert runtimes("How fast is YOLOv8n with PyTorch on a Pi 4?") == ["pytorch"]
    assert runtimes("a network trained with PyTorch") == []
    assert runtimes("convert a PyTorch checkpoint") == []


@pytest.mark.parametrize(
    "text",
    [
        "RTX 4090, resnet50 batch 1 with plain PyTorch, ~6 ms",
        "resnet50, pytorch, RTX 3080, batch size 1: I get ~160 img/s",
        "resnet50 on an rtx 4090 in PyTorch takes 6 ms, is that ok?",
    ],
)
def test_what_is_timed_on_a_gpu_in_pytorch_runs_with_it(text: str) -> None:
    assert runtimes(text) == ["pytorch"]


@pytest.mark.parametrize(
    "text",
    [
        "I trained it in PyTorch on an RTX 4090, on the Pi it takes 60 ms",
        "a PyTorch file of 12 MB, 30 fps on a Jetson Orin wanted",
        "my PyTorch model should do 10 fps on a Cortex-M7",
        "exported from PyTorch to ONNX it takes 6 ms on my GPU",
    ],
)
def test_what_was_made_in_pytorch_does_not_run_with_it(text: str) -> None:
    assert runtimes(text) == []
