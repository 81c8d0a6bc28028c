"""What holds a network in a form that is not read: told by its content, with what to give in its place."""

import io
import struct
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from edgewright.hardware_db.errors import ModelFileError
from edgewright.tools import estimate_generation, parse_model, summarize_model
from edgewright.tools.generation.files.reading import read_language_model

from .mutations import mutated


def archive(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return made.getvalue()


def refusal(path: Path) -> str:
    """Why a file is not read; empty for one that is."""
    try:
        parse_model(path)
    except ModelFileError as error:
        return str(error)
    return ""


TORCH = archive({"net/data.pkl": b"\x80\x02", "net/version": b"3"})
SCRIPT = archive({"net/data.pkl": b"\x80\x02", "net/code/__torch__.py": b""})
KERAS = archive({"config.json": b"{}", "metadata.json": b"{}", "model.weights.h5": b""})
SAFETENSORS = struct.pack("<Q", 40) + b'{"weight":{"dtype":"F16"}}'.ljust(40)


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("net.pt", TORCH, "a PyTorch model.* not run here.*torch.export.save"),
        ("old.pth", b"\x80\x02\x8a\nl\xfcF\x9c", "a PyTorch model.*torch.export.save"),
        ("net.pt", SCRIPT, "a TorchScript model.*torch.onnx.export"),
        (
            "net.pt2",
            archive({"net/data/a.so": b""}),
            "an exported PyTorch program without its graph.*torch.export",
        ),
        ("net.keras", KERAS, "a Keras model.*edgewright convert FILE"),
        ("net.h5", b"\x89HDF\r\n\x1a\n" + bytes(20), "a Keras model.*edgewright convert FILE"),
        (
            "net.xml",
            b'<?xml version="1.0"?><!DOCTYPE net><net name="a"/>',
            r"document type \(DTD\).*ovc MODEL",
        ),
        ("net.xml", b'<net name="a" version="7"/>', "an OpenVINO model that states no version.*ovc MODEL"),
        ("net.xml", b'<?xml version="1.0"?><PMML/>', "an XML file, and no OpenVINO model"),
        ("net.rknn", b"RKNN" + bytes(20), "Rockchip.*RKNN-Toolkit2"),
        ("net.hef", b"\x01HEF" + bytes(20), "Hailo.*Dataflow Compiler"),
        ("net.engine", b"ftrt" + bytes(20), "TensorRT engine.*one GPU.*onnx"),
        ("net.nb", bytes(24), "VeriSilicon.*onnx"),
        ("net.espdl", b"EDL2" + bytes(20), "ESP-DL.*ESP-PPQ"),
        ("net.eim", b"\x7fELF" + bytes(20), "Edge Impulse.*not run here"),
        ("net.mlmodel", b"\x08\x04\x12\x10" + bytes(20), "Core ML"),
        ("net.mnn", b"\x20\0\0\0" + bytes(20), "MNN.*MNNConvert"),
        ("net.tosa", b"\x20\0\0\0TOSA" + bytes(20), "TOSA"),
        ("net.mlir", b"module @jit_f { stablehlo.add }", "MLIR module, such as StableHLO"),
        ("net.mlirbc", b"ML\xefR\x0dStableHLO_v1" + bytes(20), "MLIR module, such as StableHLO"),
        ("net.safetensors", SAFETENSORS, "weights in safetensors.*edgewright generation"),
    ],
)
def test_other_formats_are_told_with_what_to_give_instead(
    tmp_path: Path, name: str, content: bytes, what: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ModelFileError, match=what) as caught:
        parse_model(tmp_path / name)
    assert "\n" not in str(caught.value)
    assert "although" not in str(caught.value)


@pytest.mark.parametrize("wrong", ["net.tflite", "net.onnx", "net.keras"])
def test_content_decides_and_a_wrong_ending_is_told(tmp_path: Path, wrong: str) -> None:
    (tmp_path / wrong).write_bytes(b"\x01HEF" + bytes(20))
    with pytest.raises(ModelFileError, match=rf"Hailo accelerator, although its name ends in \.{wrong[4:]}"):
        parse_model(tmp_path / wrong)


def test_a_readable_model_under_a_wrong_ending_is_read_and_told(tmp_path: Path, small_model: bytes) -> None:
    (tmp_path / "net.onnx").write_bytes(small_model)
    summary = summarize_model(parse_model(tmp_path / "net.onnx"))
    assert summary.format == "tflite"
    assert "the content is tflite, although the name ends in .onnx" in summary.assumptions


def test_a_model_in_an_archive_is_read_without_unpacking(tmp_path: Path, small_model: bytes) -> None:
    """As Edge Impulse's downloads and MediaPipe's tasks have it."""
    packed = archive({"README.txt": b"", "tflite-model/trained.tflite": small_model})
    (tmp_path / "project.zip").write_bytes(packed)
    read, alone = parse_model(tmp_path / "project.zip"), parse_model(small_model)
    assert (read.ops, read.tensors, read.sha256) == (alone.ops, alone.tensors, alone.sha256)
    assert read.name == "trained.tflite"
    assert parse_model(packed).ops == alone.ops
    assert sorted(path.name for path in tmp_path.iterdir()) == ["project.zip"]


def test_several_models_in_an_archive_are_named(tmp_path: Path, small_model: bytes) -> None:
    (tmp_path / "two.task").write_bytes(archive({"a.tflite": small_model, "b.tflite": small_model}))
    with pytest.raises(ModelFileError, match=r"2 models.*'a\.tflite', 'b\.tflite'"):
        parse_model(tmp_path / "two.task")


def test_a_member_that_points_outside_is_read_and_written_nowhere(tmp_path: Path, small_model: bytes) -> None:
    folder = tmp_path / "inner"
    folder.mkdir()
    (folder / "net.zip").write_bytes(archive({"../../escaped.tflite": small_model}))
    assert parse_model(folder / "net.zip").name == "escaped.tflite"
    assert not list(tmp_path.glob("**/escaped.tflite"))


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    (tmp_path / "bomb.zip").write_bytes(archive({"net.tflite": bytes(64 << 20)}))
    tracemalloc.start()
    with pytest.raises(ModelFileError, match="unpacks to 67,108,864 bytes"):
        parse_model(tmp_path / "bomb.zip")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 << 20


def test_an_absurd_number_of_files_is_refused_before_they_are_listed(tmp_path: Path) -> None:
    packed = bytearray(archive({"net.tflite": b"TFL3"}))
    at = packed.rfind(b"PK\x05\x06")
    packed[at + 8 : at + 16] = struct.pack("<HHI", 0xFFFF, 0xFFFF, 0xFFFFFFF0)
    (tmp_path / "many.zip").write_bytes(packed)
    with pytest.raises(ModelFileError, match="more than 20,000 files"):
        parse_model(tmp_path / "many.zip")


def test_a_folder_of_a_saved_model_is_told_as_such(tmp_path: Path) -> None:
    (tmp_path / "saved_model.pb").write_bytes(b"\x08\x01")
    with pytest.raises(ModelFileError, match=r"a TensorFlow model.*edgewright convert FOLDER"):
        parse_model(tmp_path)


@pytest.mark.parametrize(("name", "content"), [("net.zip", None), ("net.pt", TORCH), ("net.keras", KERAS)])
def test_a_thousand_damaged_archives_are_each_one_line(
    name: str, content: bytes | None, small_model: bytes, tmp_path: Path
) -> None:
    path = tmp_path / name
    for changed in mutated(content or archive({"a.tflite": small_model}), 1000, seed=18):
        path.write_bytes(changed)
        assert "\n" not in refusal(path)


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("gemma.litertlm", b"LITERTLM" + bytes(100), "a bundle of LiteRT-LM"),
        (
            "gemma.task", archive({"TF_LITE_PREFILL_DECODE": bytes(64), "TOKENIZER_MODEL": b"x"}),
            "a bundle of MediaPipe's LLM inference",
        ),
    ],
)  # fmt: skip
def test_a_bundle_of_a_language_model_is_answered_by_the_model_s_name(
    name: str, content: bytes, what: str, tmp_path: Path
) -> None:
    """By every command alike: its weights are not read, and what the named model needs is told."""
    (tmp_path / name).write_bytes(content)
    for read in (parse_model, read_language_model):
        with pytest.raises(ModelFileError, match=what) as refused:
            read(tmp_path / name)
        assert "gemma-3-1b" in str(refused.value)
        assert "-r litert-lm" in str(refused.value)
    assert estimate_generation("gemma-3-1b", "rpi5", runtime="litert-lm").verdict.value


def test_a_folder_of_onnx_genai_without_a_decoder_is_answered_by_a_name_and_its_file_by_one_step(
    tmp_path: Path,
) -> None:
    onnx = pytest.importorskip("onnx")
    values = [onnx.helper.make_tensor_value_info(name, 1, [1, 4]) for name in "xy"]
    graph = onnx.helper.make_graph([onnx.helper.make_node("Relu", ["x"], ["y"])], "g", values[:1], values[1:])
    onnx.save(onnx.helper.make_model(graph), tmp_path / "model.onnx")
    (tmp_path / "genai_config.json").write_text('{"model": {"type": "phi3"}}')
    for read in (parse_model, read_language_model):
        with pytest.raises(ModelFileError) as refused:
            read(tmp_path)
        assert "phi-3-mini --weights int4" in str(refused.value)
    with pytest.raises(ModelFileError, match="edgewright generation FOLDER -t TARGET"):
        parse_model(tmp_path)
    assert [op.kind for op in parse_model(tmp_path / "model.onnx").ops] == ["RELU"]
    assert estimate_generation("phi-3-mini", "rtx-4090", weights="int4").decode_tokens_per_s.known
