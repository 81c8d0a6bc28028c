"""Writes the operators of `runtimes/onnxruntime-*.yaml` from the libraries' own sources.

`python -m edgewright.hardware_db.provider_operators ONNXRUNTIME ONNX_TENSORRT NPU_COMPILER RYZEN_AI`:
checkouts of microsoft/onnxruntime, onnx/onnx-tensorrt, openvinotoolkit/npu_compiler and
amd/ryzen-ai-documentation. Under TFLite's names stands what the nodes that `runtimes/onnxruntime.yaml` names
for them have together.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import yaml

from .loader import RUNTIMES_DIR
from .registered_onnxruntime import BETWEEN_SCALES, NEWEST, TYPES, definitions_computed, write_operators

Nodes = Mapping[str, tuple[Sequence[str], Sequence[int]]]
"""By ONNX operator its types, and the opsets whose definition it computes, where a source says."""
_KERNELS = "docs/OperatorKernels.md"
_COREML = "tools/ci_build/github/apple/coreml_supported_mlprogram_ops.md"
_QNN = "onnxruntime/core/providers/qnn/builder/op_builder_factory.cc"
_OPENVINO = "onnxruntime/core/providers/openvino/ov_versions/data_ops.cc"
_TENSORRT = "docs/operators.md"
_OF_TENSORRT = {
    "FP32": "float32", "FP16": "float16", "BF16": "bfloat16", "INT32": "int32", "INT64": "int64",
    "INT8": "int8", "UINT8": "uint8", "BOOL": "bool", "FP8": "float8", "INT4": "int4",
}  # fmt: skip
_INTEL_NPU = "src/vpux_compiler/src/frontend/IE.cpp"
_RYZEN_AI = "docs/ops_support.rst"
_ON_HEXAGON = ("float16", "float32", "int16", "int8", "uint16", "uint8")
_IN_COREML = ("float16", "float32")
"""Of an ML program; int64 is for indices."""

_ON_INTEL_NPU = ("bool", "float16", "float32", "int32", "int64", "int8", "uint8")
"""What OpenVINO's page on the device names (FP32, FP16, U8), and indices and flags."""
_ON_XDNA = ("int8", "uint8")
"""Of the column XINT8, which the compiler for every generation takes; BF16 and A16W8 are of newer ones."""
_IN_OPENVINO = {
    "And": "LogicalAnd", "ArgMax": "TopK", "ArgMin": "TopK", "AveragePool": "AvgPool",
    "BatchNormalization": "BatchNormInference", "Cast": "Convert", "Ceil": "Ceiling", "Clip": "Clamp",
    "Conv": "Convolution GroupConvolution",
    "ConvTranspose": "ConvolutionBackpropData GroupConvolutionBackpropData",
    "DequantizeLinear": "Convert Subtract Multiply", "Div": "Divide", "Expand": "Broadcast",
    "Flatten": "Reshape", "GRU": "GRUSequence", "Gemm": "MatMul Add", "GlobalAveragePool": "ReduceMean",
    "GlobalMaxPool": "ReduceMax", "GreaterOrEqual": "GreaterEqual", "HardSwish": "HSwish",
    "InstanceNormalization": "MVN Multiply Add", "LSTM": "LSTMSequence",
    "LayerNormalization": "MVN Multiply Add", "LeakyRelu": "PRelu", "LessOrEqual": "LessEqual",
    "LpNormalization": "NormalizeL2", "Max": "Maximum", "Min": "Minimum", "Mul": "Multiply",
    "Neg": "Negative", "Not": "LogicalNot", "Or": "LogicalOr", "Pow": "Power",
    "QuantizeLinear": "FakeQuantize", "Reciprocal": "Power", "Resize": "Interpolate", "RoiAlign": "ROIAlign",
    "ScatterElements": "ScatterElementsUpdate", "ScatterND": "ScatterNDUpdate", "Shape": "ShapeOf",
    "Slice": "StridedSlice", "Softplus": "SoftPlus", "Split": "Split VariadicSplit", "Sub": "Subtract",
    "Sum": "Add", "Where": "Select", "Xor": "LogicalXor",
}  # fmt: skip
"""ONNX operators that OpenVINO makes something of another name of; all of it has to be there."""


def of_kernels(text: str, provider: str) -> Nodes:
    """The table of one provider: an operator, and below it a row for each range of opsets."""
    _, _, section = text.partition(f"## Operators implemented by {provider}")
    found: dict[str, tuple[list[str], list[int]]] = {}
    domain = kind = ""
    for line in section.partition("\n## ")[0].splitlines():
        if stated := re.match(r"\|\*\*Operator Domain:\*\* \*([\w.]+)\*", line):
            domain = stated[1]
        row = re.match(r"\|([\w.]*)\|(.*)\|(\d+\+|\d+|\[\d+, \d+\])\|(.*)\|", line)
        if row is None or domain not in {"ai.onnx", "com.microsoft"}:
            continue
        kind = row[1] or kind
        types, opsets = found.setdefault(kind, ([], []))
        if domain == "ai.onnx":
            opsets += definitions_computed(kind, *_range(row[3]))
        first = re.match(r"\*\*\w+\*\* = ([^<]*)", row[4])
        if not types and first is not None:
            types += [TYPES[name] for name in re.findall(r"tensor\((\w+)\)", first[1]) if name in TYPES]
    return {each: (between_scales(types), sorted({*opsets})) for each, (types, opsets) in found.items()}


def _range(text: str) -> tuple[int, int]:
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    return numbers[0], NEWEST if text.endswith("+") else numbers[-1]


def between_scales(types: Iterable[str]) -> list[str]:
    """With the types that are computed as float32 between dequantise and quantise."""
    known = {*types}
    return sorted(known.union(BETWEEN_SCALES) if "float32" in known else known)


def of_coreml(text: str) -> Nodes:
    kinds = re.findall(r"\|ai\.onnx:(\w+)\|", text.replace(":Argmax|", ":ArgMax|"))
    return dict.fromkeys(kinds, (_IN_COREML, ()))


def of_qnn(text: str) -> Nodes:
    return dict.fromkeys(re.findall(r'Create\w+OpBuilder\("(\w+)"', text), (_ON_HEXAGON, ()))


def of_openvino(text: str, device: str) -> Nodes:
    types = re.findall(rf"supported_types_{device.lower()}_\.insert\([^;]*DataType_(\w+)\)", text)
    known = sorted({name for each in types if (name := TYPES.get(each.lower()))})
    rows = re.findall(r'\{"(\w+)", V_\w+, \{([^}]*)\}\}', text)
    return {kind: (known, ()) for kind, devices in rows if f'"{device}"' in devices}


def of_tensorrt(text: str) -> Nodes:
    rows = re.findall(r"^\| (\w+) +\| Y +\| ([^|]*)\|", text, re.MULTILINE)
    named = {kind: map(_OF_TENSORRT.get, re.findall(r"\w+", types)) for kind, types in rows}
    return {kind: (between_scales(filter(None, types)), ()) for kind, types in named.items()}


def of_intel_npu(text: str, listed: Nodes) -> Nodes:
    """What the NPU's compiler imports, of the nodes that the provider knows on some device."""
    known = {*re.findall(r"MAP_ENTRY\(ov::(?:\w+::)+(\w+)\)", text)}
    taken = (kind for kind in listed if known.issuperset(_IN_OPENVINO.get(kind, kind).split()))
    return dict.fromkeys(taken, (_ON_INTEL_NPU, ()))


def of_ryzen_ai(text: str) -> Nodes:
    """Operators of the table's last column, XINT8."""
    rows = re.findall(r"^\| (\w+) +" + 3 * r"\| [Y ] +" + r"\| Y +\|", text, re.MULTILINE)
    return dict.fromkeys(rows, (_ON_XDNA, ()))


def with_tflite_names(nodes: Nodes) -> dict[str, dict[str, object]]:
    """Operators as a runtime's file lists them, each type computed by kernels written for the device."""
    table = yaml.safe_load((RUNTIMES_DIR / "onnxruntime.yaml").read_text(encoding="utf-8"))["operators"]
    made: dict[str, dict[str, object]] = {}
    for name, entry in table.items():
        there = [kind for kind in re.findall(r"\w+", entry["locator"]) if kind in nodes]
        if not name.startswith("CUSTOM:") and there:
            made[name] = _entry(sorted({t for kind in there for t in nodes[kind][0]}), (), ", ".join(there))
    made |= {f"CUSTOM:{kind}": _entry(types, opsets, kind) for kind, (types, opsets) in nodes.items()}
    return made


def _entry(types: Sequence[str], opsets: Sequence[int], locator: str) -> dict[str, object]:
    listed: dict[str, object] = {"opsets": [*opsets]} if opsets else {}
    return {"optimized": [*types], **listed, "dtypes": [*types], "source": "operators", "locator": locator}


def main(onnxruntime: str, onnx_tensorrt: str, npu_compiler: str, ryzen_ai: str) -> None:
    here, parser = Path(onnxruntime), Path(onnx_tensorrt)
    kernels = (here / _KERNELS).read_text(encoding="utf-8")
    openvino = (here / _OPENVINO).read_text(encoding="utf-8")
    read: dict[str, Nodes] = {
        "onnxruntime-cuda": of_kernels(kernels, "CUDAExecutionProvider"),
        "onnxruntime-directml": of_kernels(kernels, "DmlExecutionProvider"),
        "onnxruntime-coreml": of_coreml((here / _COREML).read_text(encoding="utf-8")),
        "onnxruntime-qnn": of_qnn((here / _QNN).read_text(encoding="utf-8")),
        "onnxruntime-openvino": of_openvino(openvino, "GPU"),
        "onnxruntime-openvino-npu": of_intel_npu(
            Path(npu_compiler, _INTEL_NPU).read_text(encoding="utf-8"),
            {**of_openvino(openvino, "CPU"), **of_openvino(openvino, "GPU")},
        ),
        "onnxruntime-vitisai": of_ryzen_ai(Path(ryzen_ai, _RYZEN_AI).read_text(encoding="utf-8")),
        "onnxruntime-tensorrt": of_tensorrt((parser / _TENSORRT).read_text(encoding="utf-8")),
    }
    for name, nodes in read.items():
        print(f"{name}: {len(nodes)} operators")
        write_operators(RUNTIMES_DIR / f"{name}.yaml", with_tflite_names(nodes))


if __name__ == "__main__":
    main(*sys.argv[1:])
