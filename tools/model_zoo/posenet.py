"""PoseNet on MobileNetV1 (Papandreou et al., 2018): people's joints in an image of 513 × 257 pixels."""

from __future__ import annotations

from ..graph.builder import GraphBuilder
from .blocks import conv
from .mobilenet_v1 import BLOCKS
from .shape import InputShape

POSE_HEIGHT, POSE_WIDTH = 513, 257


def posenet_mobilenet_v1(b: GraphBuilder, shape: InputShape) -> tuple[int, ...]:
    """Maps at 1/16: joints, their offsets, and ways between them, and each joint's greatest neighbour.

    The last stride of MobileNetV1 is a dilation.
    """
    x = b.input((shape.batch, POSE_HEIGHT, POSE_WIDTH, 3))
    x = conv(b, x, 32, 3, stride=2, activation="RELU6")
    reached, rate = 2, 1
    for channels, stride in BLOCKS:
        step = 1 if reached == 16 else stride
        x = b.depthwise_conv2d(x, 3, stride=step, dilation=rate, activation="RELU6")
        rate *= stride if reached == 16 else 1
        reached *= step
        x = conv(b, x, channels, 1, activation="RELU6")
    joints = b.unary("LOGISTIC", b.conv2d(x, 17, 1))
    maps = [b.conv2d(x, channels, 1) for channels in (34, 32, 32)]
    return (joints, *maps, b.max_pool2d(joints, 3, stride=1, padding="SAME"))
