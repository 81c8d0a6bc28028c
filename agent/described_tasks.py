"""A job in the user's words, without a network: `spot weeds with a camera` is object detection."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .name_types import Kind, Name
from .patterns import compiled

_CAMERA = (
    r"cam(?:era)?s?|web ?cams?|cctv|photos?|pictures?|images?|videos?|frames?|footage|film(?:s|ed|ing)?"
    r"|drones?|microscopes?"
)
_SOUND = r"microphones?|mics?|audio|sounds?|noises?|listen\w*|hear(?:s|ing)?|acoustic\w*|songs?|calls?|barks?"
_SHAKING = r"vibrat\w+|accelerometers?|imus?|bearings?|motors?|pumps?|gear ?box\w*|spindles?|compressors?"
_SMALL = (
    r"(?:all|the|any|an?|my|our|your|some|if|when|whether|how|many|out|for|to|at|which|that|this|different)"
)
_THING = rf" (?:{_SMALL} ){{0,3}}(?!{_SMALL}\b)[a-z]{{3,}}"
_SEES = (
    r"(?:detect|spot|count|track|locat|notic|recogni[sz]|identif|monitor|watch|look|find|see|catch|check|read)"
    r"(?:e|es|s|ing|ion|y|ies|ting)?"
)
_HEARS = r"(?:listen|hear)(?:s|ing)?"
_SORTS = r"(?:classif|tell|sort|grad|inspect|distinguish)(?:e|es|s|ing|ication|y|ies)?"
_FAILS = r"predict\w*|fail\w*|wear\w*|worn|fault\w*|broken|anomal\w+|abnormal\w*|condition|monitor\w*"
_JOBS = (
    ("ad", _SHAKING, rf"(?:{_FAILS})"),
    ("kws", _SOUND, rf"(?:{_SEES}|{_HEARS}|{_SORTS}){_THING}"),
    ("mobilenet_v2", _CAMERA, rf"{_SORTS}{_THING}"),
    ("yolov8n", _CAMERA, rf"{_SEES}{_THING}"),
)
_DESCRIBED = tuple(
    (network, compiled(rf"\b(?:{sense})\b", re.IGNORECASE), compiled(rf"\b{deed}\b", re.IGNORECASE))
    for network, sense, deed in _JOBS
)
"""The network that usually stands for a job, what it is sensed by, and the deed with what it is done to."""
_OF_A_NETWORK = compiled(
    r"\b(?:models?|networks?|nets?|layers?|macs|parameters?|operators?|llms?|weights|arena|tensors?|onnx|tflite"
    r"|int8|float\d*|convert\w*|quanti[sz]\w*|calibrat\w*|latency)\b",
    re.IGNORECASE,
)
"""Speaks of a network that is there already, not of a job."""


def described_tasks(text: str) -> Iterator[Name]:
    """The first job that a text describes by what it is sensed with and what is to be done."""
    if _OF_A_NETWORK.search(text):
        return
    for network, sense, deed in _DESCRIBED:
        if sense.search(text) and (found := deed.search(text)):
            yield Name(found.start(), found.end(), found[0], Kind.TASK, (network,), exact=False)
            return
