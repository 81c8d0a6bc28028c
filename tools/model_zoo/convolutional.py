"""Every family of convolutional networks that is drawn from a table."""

from __future__ import annotations

from . import (
    densenet,
    efficientnet,
    hardnet,
    inception_v1,
    inception_v3,
    inception_v4,
    lcnet,
    mixnet,
    mobilenet_v1,
    mobilenet_v3,
    mobilenet_v4,
    nasnet,
    regnet,
    repghost,
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
    *inception_v1.MEMBERS,
    *inception_v3.MEMBERS,
    *inception_v4.MEMBERS,
    *nasnet.MEMBERS,
    *repghost.MEMBERS,
    *hardnet.MEMBERS,
)
