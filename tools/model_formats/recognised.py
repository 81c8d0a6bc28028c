"""What a file is that holds a network in a form that is not read here: by its content, else by its name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...hardware_db.errors import ModelFileError
from ..core.records import dataclass
from ..core.sanitize import clean_text

SAMPLE = 4096
"""Bytes of the beginning that tell what a file is."""
_EXPECTED = "Read are .tflite, .onnx, .pt2, .pte, .mlpackage, .mnn, OpenVINO's .xml and ncnn's .param."
_IR_VERSION = 0x08
"""Tag of the first field of an ONNX ModelProto, which every exporter writes first."""
_WITHIN = Path("Data", "com.apple.CoreML")
"""Of a Core ML package."""


@dataclass(frozen=True)
class Recognised:
    what: str
    """Such as "a Keras model"."""
    instead: str
    """What to give in its place, with the one command or call that makes it."""


_TORCH = Recognised(
    "a PyTorch model, which is code and is not run here",
    "Export it: torch.export.save(torch.export.export(module.eval(), (example,)), 'model.pt2'); "
    "of Ultralytics: yolo export model=FILE format=onnx.",
)
_SCRIPT = Recognised(
    "a TorchScript model, which is code and is not run here",
    "Export it: torch.onnx.export(torch.jit.load(file), example, 'model.onnx').",
)
_EXPORTED = Recognised(
    "an exported PyTorch program without its graph",
    "Export it: torch.export.save(torch.export.export(module.eval(), (example,)), 'model.pt2').",
)
_KERAS = Recognised(
    "a Keras model",
    "Convert it: edgewright convert FILE -o model.tflite.",
)
_SAVED_MODEL = Recognised(
    "a TensorFlow model",
    "Convert its folder: edgewright convert FOLDER -o model.tflite.",
)
_CORE_ML = Recognised(
    "a Core ML model", "Unpack it and name the .mlpackage folder, whose program or network is read."
)
_RKNN = Recognised(
    "a network compiled for Rockchip's NPU",
    "Give the .onnx or .tflite that RKNN-Toolkit2 was given, with a target such as rk3588.",
)
_HEF = Recognised(
    "a network compiled for a Hailo accelerator",
    "Give the .onnx or .tflite that the Dataflow Compiler was given, with the target hailo-8.",
)
_ENGINE = Recognised(
    "a TensorRT engine, built for one GPU",
    "Give the .onnx that it was built from, with that GPU as the target.",
)
_NBG = Recognised(
    "a network compiled for a VeriSilicon NPU (NBG)",
    "Give the .onnx or .tflite that the ACUITY or ST Edge AI tools were given.",
)
_ESPDL = Recognised(
    "a quantised model for ESP-DL", "Give the .onnx that ESP-PPQ was given, with a target such as esp32-s3."
)
_EIM = Recognised(
    "a program, as Edge Impulse makes for Linux, and is not run here",
    "Download the TensorFlow Lite block of the project's dashboard, or deploy as a C++ library (.zip).",
)
_PROGRAM = Recognised("a program", "Name the .tflite or .onnx file that went into it.")
_MNN = Recognised(
    "a damaged MNN model, or one of another version", "Give the model that MNNConvert was given."
)
_TOSA = Recognised("a TOSA program", "Give the .tflite or .onnx that it was lowered from.")
_MLIR = Recognised(
    "an MLIR module, such as StableHLO",
    "Give a .tflite: litert_torch or jax2tf make one of the same program.",
)
_PTE = Recognised(
    "an ExecuTorch program",
    "Give what was exported: torch.onnx.export(module, example, 'model.onnx', dynamo=True).",
)
_PADDLE = Recognised("a Paddle model", "Convert it: paddle2onnx --model_dir DIR --save_file model.onnx.")
_IR = "Read are OpenVINO's versions 10 and 11: `ovc MODEL` writes them from an .onnx file or a SavedModel."
_OLD_IR = Recognised("an OpenVINO model that states no version, or one that is not read", _IR)
_TYPED_XML = Recognised(
    "an XML file with a document type (DTD), which no OpenVINO model has and is not followed", _IR
)
_XML = Recognised("an XML file, and no OpenVINO model", _IR)
_GZIP = Recognised("a gzip archive", "Unpack it first.")
_HDF5 = Recognised("an HDF5 file, as older Keras models are", _KERAS.instead)
_GENERATION = (
    "`edgewright generation FILE -t TARGET` tells whether it fits and how many tokens a second it writes."
)

_SAFETENSORS = Recognised(
    "weights in safetensors, most often of a language model, no network that runs once", _GENERATION
)

_NAMED = "Name the model in it: edgewright generation {} -t TARGET."
_LITERT_LM = Recognised(
    "a bundle of LiteRT-LM, no network that runs once", _NAMED.format("gemma-3-1b -r litert-lm")
)
_LLM_TASK = Recognised(
    "a bundle of MediaPipe's LLM inference, no network that runs once",
    _NAMED.format("gemma-3-1b -r litert-lm"),
)
GENAI = Recognised(
    "a model of ONNX Runtime GenAI, which runs once for each token",
    "`edgewright generation FOLDER -t TARGET` tells whether it fits where config.json lies in it too; else "
    "name the model in it: edgewright generation phi-3-mini --weights int4 -t TARGET. "
    "The .onnx file in it is one such step.",
)

_BY_CONTENT: tuple[tuple[int, bytes, Recognised], ...] = (
    (0, b"\x89HDF\r\n\x1a\n", _HDF5),
    (0, b"GGUF", Recognised("a language model for llama.cpp, no network that runs once", _GENERATION)),
    (0, b"LITERTLM", _LITERT_LM),
    (0, b"RKNN", _RKNN),
    (0, b"\x01HEF", _HEF),
    (0, b"FEH\x01", _HEF),
    (0, b"ptrt", _ENGINE),
    (0, b"ftrt", _ENGINE),
    (0, b"EDL1", _ESPDL),
    (0, b"EDL2", _ESPDL),
    (0, b"ML\xefR", _MLIR),
    (4, b"TOSA", _TOSA),
    (0, b"\x1f\x8b", _GZIP),
    (0, b"\x80\x02", _TORCH),
    (0, b"\x80\x04", _TORCH),
)
"""(offset, bytes there, what that is).

HDF5, gzip, GGUF and pickle by their specifications; ET12 of pytorch/executorch schema/program.fbs; TOSA of
its schema/tosa.fbs; the others as public readers of such files test them.
"""

_BY_NAME: dict[str, Recognised] = {
    ".pt": _TORCH, ".pth": _TORCH, ".ckpt": _TORCH, ".pt2": _EXPORTED, ".pte": _PTE,
    ".h5": _KERAS, ".hdf5": _KERAS, ".keras": _KERAS, ".pb": _SAVED_MODEL,
    ".mlmodel": _CORE_ML, ".mlpackage": _CORE_ML, ".mnn": _MNN, ".tosa": _TOSA,
    ".mlir": _MLIR, ".stablehlo": _MLIR, ".mlirbc": _MLIR,
    ".rknn": _RKNN, ".hef": _HEF, ".engine": _ENGINE, ".plan": _ENGINE, ".trt": _ENGINE, ".nb": _NBG,
    ".espdl": _ESPDL, ".eim": _EIM, ".pdmodel": _PADDLE,
    ".safetensors": _SAFETENSORS,
}  # fmt: skip
MODEL_SUFFIXES = frozenset({".tflite", ".onnx", ".param", ".xml", ".gguf", ".litertlm", *_BY_NAME})
"""How names of model files end, those that are not read among them."""

_BY_MEMBER: tuple[tuple[str, Recognised], ...] = (
    ("/data.pkl", _TORCH),
    ("data.pkl", _TORCH),
    ("model.weights.h5", _KERAS),
    ("saved_model.pb", _SAVED_MODEL),
    ("Manifest.json", _CORE_ML),
    ("TF_LITE_PREFILL_DECODE", _LLM_TASK),
    ("genai_config.json", GENAI),
)
_ELF = b"\x7fELF"
_BYTE_ORDER, _XML_STARTS = b"\xef\xbb\xbf", (b"<?xml", b"<!DOCTYPE", b"<net")


def recognise(start: bytes, suffix: str = "") -> Recognised | None:
    """What begins so, with a name that ends so; None for what nobody knows. Content goes before the name."""
    by_name = _BY_NAME.get(suffix.casefold())
    if start.startswith(_ELF):
        return _EIM if by_name is _EIM else _PROGRAM
    for offset, magic, found in _BY_CONTENT:
        if start[offset : offset + len(magic)] == magic:
            return _more_exactly(found, by_name)
    if _is_safetensors(start):
        return _SAFETENSORS
    if start.removeprefix(_BYTE_ORDER).lstrip().startswith(_XML_STARTS):
        return _TYPED_XML if b"<!DOCTYPE" in start else _OLD_IR if b"<net" in start else _XML
    if b"\x00" not in start and start.lstrip().startswith((b"module", b"#loc", b"builtin.module")):
        return _MLIR
    return by_name


def in_package(folder: Path) -> Path | None:
    """The model in an .mlpackage, which is a folder; None for another folder."""
    found = folder / _WITHIN / "model.mlmodel"
    return found if (folder / "Manifest.json").is_file() and found.is_file() else None


def _more_exactly(found: Recognised, by_name: Recognised | None) -> Recognised:
    """A name may tell what writes such files; only where it does not contradict the content."""
    return by_name if found is _HDF5 and by_name is _KERAS else found


def recognise_archive(members: Sequence[str]) -> Recognised | None:
    """What a zip archive with such members is; TorchScript keeps its code beside its data."""
    for ending, found in _BY_MEMBER:
        if any(name.endswith(ending) for name in members):
            is_script = found is _TORCH and any("/code/" in name for name in members)
            return _SCRIPT if is_script else found
    return None


def says_otherwise(found: Recognised, suffix: str) -> bool:
    """Whether a name ends as those of other files do."""
    named = _BY_NAME.get(suffix.casefold())
    return suffix.casefold() in (".tflite", ".onnx") or (named is not None and named.what != found.what)


def _is_safetensors(start: bytes) -> bool:
    """Eight bytes of the header's length, then JSON."""
    return len(start) > 9 and start[8:10] == b'{"' and 0 < int.from_bytes(start[:8], "little") < 100 << 20


def looks_like_onnx(start: bytes) -> bool:
    """Whether bytes may begin an ONNX model; the format has no signature."""
    return len(start) > 2 and start[0] == _IR_VERSION and 0 < start[1] < 0x80


def not_a_model(what: str, start: bytes, suffix: str = "") -> ModelFileError:
    """The error for bytes that begin with `start`, with how to make a .tflite of them where that is known."""
    found = recognise(start, suffix)
    if found is not None:
        although = f", although its name ends in {suffix}" if says_otherwise(found, suffix) else ""
        return ModelFileError(f"{what} is {found.what}{although}.", hint=found.instead)
    if len(start) < 8:
        return ModelFileError(f"{what} is too short for a TFLite model.", hint="Export or download it again.")
    return ModelFileError(
        f"{what} is not a TFLite model: bytes 4 to 8 are {start[4:8]!r}, not b'TFL3'.", hint=_EXPECTED
    )


def shown(path: Path) -> str:
    """A path as it may stand in a message."""
    return repr(clean_text(str(path), 200))
