"""Which release of a runtime a published measurement was taken with."""

from __future__ import annotations

import re

_STATED = (
    re.compile(r"STM32Cube\.AI (\d+\.\d+)"),
    re.compile(r"TensorRT[ -]v?(\d+\.\d+)"),
    re.compile(r"TFLite v?(\d+\.\d+)|tflite: (\d+\.\d+)|qairt: (\d+\.\d+)"),
    re.compile(r"(?:PyTorch|TensorFlow|ArmNN|SDK|DFC|OpenVINO|Onnxruntime|ONNX Runtime)[ -]v?(\d+\.\d+)"),
    re.compile(r"v(\d+\.\d+) submission"),
    re.compile(r"^v?(\d+\.\d+)"),
)
"""In order: the runtime's own number; that of a suite it came in (JetPack, X-LINUX-AI) says another."""
_COMMIT = re.compile(r"\b(?=[0-9]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,40}\b")
_BUILD = re.compile(r"-O\w+(?:, FPU o\w+)?")
_THREADS = re.compile(r"^(\d+) threads?\b")


def release_of(runtime: str, version: str) -> str:
    """Major and minor number, a commit, or the compiler's options, as a table states them.

    >>> release_of("X-CUBE-AI", "2.0.0 (STM32Cube.AI 10.0.0)"), release_of("TFLite v2.7.1 (ruy)", "")
    ('10.0', '2.7')
    >>> release_of("TFLM+CMSIS-NN", "-O3, FPU off"), release_of("ncnn", "repo README (unknown)")
    ('-O3, FPU off', '')
    """
    if _BUILD.fullmatch(version):
        return version
    for text in (version, runtime):
        for pattern in _STATED:
            if found := pattern.search(text):
                return next(number for number in found.groups() if number)
    commit = _COMMIT.search(version)
    return commit.group()[:8] if commit else ""


def threads_said(version: str) -> str:
    """Threads that a table states in its column of versions.

    >>> threads_said("4 threads"), threads_said("1 thread (presumed)"), threads_said("2.10.0")
    ('4', '1', '')
    """
    found = _THREADS.match(version)
    return found.group(1) if found else ""
