"""Every family of convolutional networks that is drawn from a table."""

from __future__ import annotations

from . import (
    densenet,
    efficientnet,
    lcnet,
    mixnet,
    mobilenet_v1,
    mobilenet_v3,
    mobilenet_v4,
    regnet,
    resnets,
    shufflenet_v2,
    squeezenet,
    vgg,
)

CONVOLUTIONAL = (
    *mobilenet_v1.MEMBERS,
    *mobilenet_v3.MEMBERS,
    *mobilenet_v4.MEMBERS,
    *efficientnet.MEMBERS,
    *mixnet.MEMBERS,
    *lcnet.MEMBERS,
    *resnets.MEMBERS,
    *regnet.MEMBERS,
    *densenet.MEMBERS,
    *shufflenet_v2.MEMBERS,
    *squeezenet.MEMBERS,
    *vgg.MEMBERS,
)
