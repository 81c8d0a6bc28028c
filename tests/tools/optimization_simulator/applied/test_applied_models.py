import importlib.util
from pathlib import Path

import numpy as np
import pytest
from corpora.tflm_networks import recurrent
from corpora.tflm_oracle import outcomes

from edgewright.hardware_db.errors import EdgewrightError, InputError, ModelFileError, UsageError
from edgewright.tools import apply_optimization, deployment, parse_model
from edgewright.tools.core import isolated
from edgewright.tools.core.paths import resolve
from edgewright.tools.graph import DType
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.optimization_simulator.applied import process

needs_quantizer = pytest.mark.skipif(
    importlib.util.find_spec("ai_edge_quantizer") is None, reason="ai-edge-quantizer is not installed"
)


@pytest.fixture(autouse=True)
def without_timing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "MEASURE_SECONDS", 0.0)


def small() -> bytes:
    b = GraphBuilder("small")
    x = b.input((1, 16, 16, 3))
    x = b.conv2d(x, 16, 3, stride=2, activation="RELU")
    x = b.depthwise_conv2d(x, 3, activation="RELU6")
    x = b.concat([b.conv2d(x, 32, 1, activation="RELU"), x])
    x = b.flatten(b.average_pool2d(x, 8))
    return write_tflite(b.build([b.softmax(b.fully_connected(x, 10))]))


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "small.tflite"
    path.write_bytes(small())
    return path


@pytest.fixture(scope="module")
def halves(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model with its weights in half precision."""
    folder = tmp_path_factory.mktemp("halves")
    (folder / "small.tflite").write_bytes(small())
    apply_optimization(folder / "small.tflite", "float16", folder / "half.tflite")
    return folder / "half.tflite"


@needs_quantizer
@pytest.mark.parametrize("technique", ["int8", "dynamic-range", "float16"])
def test_what_is_obtained_is_what_was_predicted(model: Path, tmp_path: Path, technique: str) -> None:
    made = apply_optimization(model, technique, tmp_path / "out.tflite", deployment="stm32h743zi")
    assert abs(made.errors["file_bytes"]) < 0.02
    assert abs(made.errors.get("arena_bytes", 0.0)) < 0.01
    assert made.predicted.macs == made.obtained.macs
    assert made.obtained.file_bytes == (tmp_path / "out.tflite").stat().st_size < made.before.file_bytes
    assert made.drift is not None
    assert made.drift.cosine is not None
    assert made.drift.cosine > 0.98
    assert "synthetic" in made.data


@needs_quantizer
@pytest.mark.parametrize("technique", ["int8", "dynamic-range", "weights-int4", "weights-int8"])
def test_weights_kept_in_half_precision_are_quantised_like_those_in_single(
    model: Path, halves: Path, tmp_path: Path, technique: str
) -> None:
    out, plain = (tmp_path / name for name in ("out.tflite", "plain.tflite"))
    made = apply_optimization(halves, technique, out)
    direct = apply_optimization(model, technique, plain)
    stored = [
        sorted((t.dtype, t.stored_bytes) for t in parse_model(file).parameters) for file in (out, plain)
    ]
    assert stored[0] == stored[1]
    assert made.obtained.file_bytes == pytest.approx(direct.obtained.file_bytes, abs=200)
    assert made.predicted.file_bytes == pytest.approx(made.obtained.file_bytes, abs=200)


@needs_quantizer
def test_int8_is_calibrated_with_the_user_s_samples_and_not_overwritten(model: Path, tmp_path: Path) -> None:
    samples = np.random.default_rng(1).uniform(0, 1, (5, 16, 16, 3)).astype(np.float32)
    np.save(tmp_path / "samples.npy", samples)
    out = tmp_path / "out.tflite"
    made = apply_optimization(model, "int8", out, data=tmp_path / "samples.npy")
    scale = parse_model(out).inputs[0].quantization
    assert scale is not None
    assert scale.scales[0] == pytest.approx(1 / 255, rel=0.02)
    assert made.data == "5 samples of samples.npy"
    assert made.drift is not None
    assert made.drift.samples == 5
    before = out.read_bytes()
    with pytest.raises(UsageError, match="force"):
        apply_optimization(model, "int8", out)
    assert out.read_bytes() == before


@needs_quantizer
def test_weights_that_are_no_numbers_are_told_and_a_cut_file_is_refused(model: Path, tmp_path: Path) -> None:
    content = bytearray(model.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 64] = b"\xff" * 64
    model.write_bytes(content)
    made = apply_optimization(model, "float16", tmp_path / "out.tflite")
    assert made.drift is None
    assert any("not finite" in warning for warning in made.warnings)
    model.write_bytes(content[:middle])
    with pytest.raises(ModelFileError):
        apply_optimization(model, "int8", tmp_path / "other.tflite")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.tflite", "small.tflite"]


@needs_quantizer
def test_a_quantiser_that_crashes_leaves_no_file(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "worker_tflite.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n")
    monkeypatch.setattr(process, "_HERE", broken)
    with pytest.raises(InputError, match="signal 11"):
        apply_optimization(model, "int8", tmp_path / "out.tflite")
    assert not (tmp_path / "out.tflite").exists()


@needs_quantizer
def test_an_interrupt_leaves_nothing_behind(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(isolated.time, "sleep", interrupted)
    monkeypatch.setattr(isolated.tempfile, "tempdir", str(tmp_path))
    with pytest.raises(KeyboardInterrupt):
        apply_optimization(model, "int8", tmp_path / "out.tflite")
    assert [p.name for p in tmp_path.iterdir()] == ["small.tflite"]


@needs_quantizer
def test_a_full_disk_is_told_in_one_line(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(process.np, "savez", full)
    with pytest.raises(EdgewrightError, match="No space left"):
        apply_optimization(model, "int8", tmp_path / "out.tflite")
    assert not (tmp_path / "out.tflite").exists()


def test_a_model_without_a_file_a_strange_technique_and_another_suffix_are_refused(
    model: Path, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="models write"):
        apply_optimization("kws", "int8", tmp_path / "out.tflite")
    with pytest.raises(UsageError, match="int8"):
        apply_optimization(model, "int88", tmp_path / "out.tflite")
    with pytest.raises(UsageError, match=r"\.tflite"):
        apply_optimization(model, "int8", tmp_path / "out.onnx")


def test_without_the_extra_one_line_says_what_to_install(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(process._PACKAGES, ".tflite", ("no-such-package",))
    process.quantizer.cache_clear()
    with pytest.raises(UsageError, match=r"\.\[apply\]"):
        apply_optimization(model, "int8", tmp_path / "out.tflite")
    process.quantizer.cache_clear()


@needs_quantizer
def test_an_integer_model_has_nothing_to_quantise(model: Path, tmp_path: Path) -> None:
    from edgewright.tools.graph.requantize import to_int8

    path = tmp_path / "int8.tflite"
    path.write_bytes(write_tflite(to_int8(parse_model(model))))
    assert parse_model(path).dtype is DType.INT8
    with pytest.raises(UsageError, match="already"):
        apply_optimization(path, "int8", tmp_path / "out.tflite")


@needs_quantizer
@pytest.mark.parametrize("technique", ["int8", "dynamic-range", "float16"])
def test_a_published_float_model_becomes_what_was_predicted(
    shared_models: Path, tmp_path: Path, technique: str
) -> None:
    source = shared_models / "mlperf-tiny" / "vww_96_float.tflite"
    made = apply_optimization(source, technique, tmp_path / "out.tflite", deployment="stm32h743zi")
    assert abs(made.errors["file_bytes"]) < 0.01
    assert made.errors["arena_bytes"] == 0
    assert made.errors["macs"] == 0


@needs_quantizer
def test_the_arena_is_right_where_an_input_and_an_output_belong_to_what_stays_in_float(
    tmp_path: Path,
) -> None:
    b = GraphBuilder("ends")
    x, beside = b.input((1, 8, 8, 4)), b.input((1, 20))
    x = b.unary("FLOOR", b.conv2d(b.unary("FLOOR", x), 8, 3))
    (tmp_path / "ends.tflite").write_bytes(write_tflite(b.build([x, b.fully_connected(beside, 5)])))
    made = apply_optimization(
        tmp_path / "ends.tflite", "int8", tmp_path / "out.tflite",
        deployment="stm32h743zi",
    )  # fmt: skip
    written = parse_model(tmp_path / "out.tflite")
    assert {t.dtype for t in (*written.inputs, *written.outputs)} == {DType.INT8}
    assert made.predicted.arena_bytes == made.obtained.arena_bytes
    assert resolve("errors.file_bytes", made).unit == "fraction"


@needs_quantizer
def test_the_arena_of_a_recurrent_model_is_what_tflm_takes_for_the_file_obtained(tmp_path: Path) -> None:
    pytest.importorskip("tflite_micro")
    (tmp_path / "recurrent.tflite").write_bytes(write_tflite(recurrent(steps=16, features=13, units=24)))
    out = tmp_path / "out.tflite"
    host = deployment("host-x86-64", "tflm-reference")
    made = apply_optimization(tmp_path / "recurrent.tflite", "int8", out, deployment=host)
    told = outcomes([out])[out]
    assert told.accepted
    assert made.predicted.arena_bytes == made.obtained.arena_bytes == (told.head or 0) + (told.tail or 0)
