"""Which networks are of one family, and which of them a size means."""

import pytest

from edgewright.tools.model_zoo.members import beside, member, members


@pytest.mark.parametrize(
    ("network", "size", "meant"),
    [
        ("yolov5l", "nano", "yolov5n"),
        ("yolo11s_seg", "Medium", "yolo11m_seg"),
        ("yolo_v3", "tiny", "yolo_v3_tiny"),
        ("resnet34", "152", "resnet152"),
        ("efficientnet_b4", "B1", "efficientnet_b1"),
        ("swin_small_patch4_window7", "base", "swin_base_patch4_window7"),
        ("whisper_base_encoder", "large", "whisper_large_v3_encoder"),
        ("gemma-3-4b", "27 B", "gemma-3-27b"),
        ("models/yolov8x.onnx", "s", "yolov8s"),
        ("mobilenet_v1:0.25", "0.75", "mobilenet_v1:0.75"),
        ("resnet50", "0.5", ""),
        ("resnet50", "51", ""),
        ("bert_base", "tiny", ""),
        ("kws.tflite", "nano", ""),
        ("", "s", ""),
        ("yolov8n", "", ""),
        ("no such network", "large", ""),
    ],
)
def test_a_size_means_a_member_of_the_family(network: str, size: str, meant: str) -> None:
    assert member(network, size) == meant


def test_members_stand_by_their_size() -> None:
    assert members("whisper-small") == (
        "whisper-tiny", "whisper-base", "whisper-small", "whisper-medium", "whisper-large-v3",
    )  # fmt: skip
    assert beside("vgg16", larger=True) == "vgg19"
    assert beside("vgg11", larger=False) == ""
    assert members("alexnet") == ()
