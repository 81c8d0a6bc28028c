"""What published measurements call a runtime → our name for it, by the processor that it ran on."""

from __future__ import annotations

import re

from .names import named

_MICRO = re.compile(r"TFLM|tflmicro|tflite[- ]micro|TensorFlow ?Lite[- ](?:for )?Micro", re.IGNORECASE)
_MICRO_KERNELS: tuple[tuple[str, str], ...] = (
    (r"(?i)Ethos-U|Vela", "ethos-u"),
    (r"(?i)ESP-NN|esp-tflite-micro", "tflm-esp-nn"),
    (r"MVP", "tflm-mvp"),
    (r"Andes", "tflm-andes"),
    (r"(?i)reference", "tflm-reference"),
    (r"(?i)CMSIS", "tflm-cmsis-nn"),
    (r"tiny FC", "tflm-any"),
)
"""Kernels that a build of TensorFlow Lite Micro names."""
_VENDOR_BUILDS = re.compile(r"^(?:TFLM|TFLM \(MCUXpresso.*\)|TFlite-micro)$")
"""Builds that take CMSIS-NN on Arm without saying so: those of NXP's and Arm's own SDKs."""

_TFLITE = re.compile(r"TFLite|TensorFlow[- ]?Lite|LiteRT", re.IGNORECASE)
_TFLITE_ON: tuple[tuple[str, str], ...] = (
    (r"(?i)Ethos-U", "ethos-u"),
    (r"NNAPI", "litert-nnapi"),
    (r"(?i)QNN|Hexagon|HTP", "qnn"),
    (r"(?i)VX delegate|TIM-VX|VeriSilicon|VIP", "openvx"),
    (r"(?i)Edge ?TPU", "edgetpu"),
    (r"(?i)ArmNN.*OpenCL", "armnn-gpu"),
    (r"(?i)ArmNN|Arm NN", "armnn"),
    (r"(?i)\bGPU\b|OpenCL|Adreno|Mali|Metal", "tflite-gpu"),
    (r"(?i)ruy|built-?in|without XNNPACK", "litert-builtin"),
)
"""What LiteRT gave its operators to, by its own name or the accelerator's; else XNNPACK."""

RUNTIMES: tuple[tuple[str, str], ...] = (
    (r"RUHMI.*CMSIS|MERA C code", "ruhmi"),
    (r"X-CUBE-AI|ST Edge AI|STM32Cube AI", "x-cube-ai"),
    (r"(?i)TinyEngine", "tinyengine"),
    (r"TinyMaix", "tinymaix"),
    (r"Plumerai", "plumerai"),
    (r"Bosch HALE", "bosch-hale"),
    (r"(?i)microTVM\+CMSIS", "microtvm-cmsis-nn"),
    (r"(?i)microTVM", "microtvm"),
    (r"Edge Impulse", "edge-impulse-eon"),
    (r"MicroFlow", "microflow"),
    (r"ESP-DL", "esp-dl"),
    (r"ESP-NN", "tflm-esp-nn"),
    (r"Renesas e-AI Translator \(CC-RX\)", "renesas-eai-ccrx"),
    (r"Renesas e-AI", "renesas-eai"),
    (r"ONNC", "onnc"),
    (r"GapFlow", "gapflow"),
    (r"Syntiant", "syntiant-tdk"),
    (r"HailoRT", "hailort"),
    (r"RKNN", "rknn"),
    (r"QNN|Qualcomm AI Stack", "qnn"),
    (r"Ethos-U", "ethos-u"),
    (r"VX delegate|OpenVX", "openvx"),
    (r"Edge TPU", "edgetpu"),
    (r"OpenVINO \(ARM", "openvino-arm"),
    (r"OpenVINO", "openvino"),
    (r"DRP-AI", "drp-ai"),
    (r"Vitis AI", "vitis-ai"),
    (r"ArmNN.*OpenCL", "armnn-gpu"),
    (r"ArmNN", "armnn"),
    (r"ncnn Vulkan", "ncnn-vulkan"),
    (r"ncnn", "ncnn"),
    (r"OpenCV DNN \(CUDA", "opencv-dnn-cuda"),
    (r"TensorRT|^CUDA", "tensorrt"),
    (r"PyTorch", "pytorch"),
    (r"XNNPACK", "litert-xnnpack"),
    (r"TensorFlow", "tensorflow"),
    (r"O[Nn][Nn][Xx] ?[Rr]untime", "onnxruntime"),
    (r"Cloud AI SDK", "cloud-ai"),
    (r"Sophon", "sophon"),
    (r"Axera Pulsar", "pulsar"),
    (r"OpenExplorer|hbDNN", "openexplorer"),
    (r"Voyager", "voyager"),
    (r"Neuron SDK", "neuron"),
)
"""Tried in order."""

ON_UNITS = {
    "hailort": "", "rknn": "rknpu", "tensorrt": "nvidia-gpu", "edgetpu": "edgetpu", "ncnn-vulkan": "",
    "gapflow": "gap8-cluster", "armnn-gpu": "mali", "tflite-gpu": "", "litert-nnapi": "nnapi",
    "drp-ai": "drp-ai", "vitis-ai": "dpu", "openvx": "vip", "tidl": "c7x-mma", "sophon": "sophgo-tpu",
    "pulsar": "axera-npu", "openexplorer": "bpu", "voyager": "metis", "neuron": "neuroncore",
}  # fmt: skip
"""Runtimes that drive an accelerator even where a table names none, and which family where there is one."""

SPECIAL_UNITS: tuple[tuple[str, str], ...] = (
    (r"Neutron", "neutron"),
    (r"Neural-ART", "neural-art"),
    (r"Ethos-U", "ethos-u"),
    (r"Edge ?TPU", "edgetpu"),
)
"""Accelerators that one runtime alone drives, whatever the application around it is called."""


BEFORE_XNNPACK = (
    "tensorflow/tensorflow",
    "tensorflow/models",
    "tensorflow/tpu",
    "coral.ai/docs/edgetpu/benchmarks",
    "aallan/benchmarking-ml-on-the-edge",
)
"""Where tables of 2018 and 2019 stand: TensorFlow Lite first took XNNPACK by default in 2.3, of July 2020."""


def runtime_named(text: str, core: str = "", accelerator: str = "", repository: str = "") -> str:
    """Our name for what a table calls a runtime; empty where we have none.

    Args:
        core: instruction set by our name: CMSIS-NN has kernels for Arm's alone.
        accelerator: as the table calls it; empty for a run on the cores.
        repository: where the table stands, for what it leaves unsaid.
    """
    own = named(accelerator, SPECIAL_UNITS)
    if own:
        return own
    if _MICRO.search(text):
        return _micro(text, core)
    if _TFLITE.search(text) and "XNNPACK" not in text:
        return _tflite(text, accelerator, repository)
    return named(text, RUNTIMES)


def _tflite(text: str, accelerator: str, repository: str) -> str:
    given_to = named(accelerator, _TFLITE_ON) or named(text, _TFLITE_ON)
    if given_to and (accelerator or given_to != "qnn"):
        return given_to
    old = any(repository.endswith(source) for source in BEFORE_XNNPACK)
    return "litert-builtin" if old else "litert-xnnpack"


def _micro(text: str, core: str) -> str:
    kernels = named(text, _MICRO_KERNELS)
    if kernels:
        return kernels
    return "tflm-cmsis-nn" if _VENDOR_BUILDS.match(text) and core.startswith("cortex-m") else "tflm-reference"
