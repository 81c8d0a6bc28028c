"""Every family of convolutional networks that is drawn from a table."""

from __future__ import annotations

from . import efficientnet, lcnet, mixnet, mobilenet_v1, mobilenet_v3, mobilenet_v4

CONVOLUTIONAL = (
    *mobilenet_v1.MEMBERS,
    *mobilenet_v3.MEMBERS,
    *mobilenet_v4.MEMBERS,
    *efficientnet.MEMBERS,
    *mixnet.MEMBERS,
    *lcnet.MEMBERS,
)
