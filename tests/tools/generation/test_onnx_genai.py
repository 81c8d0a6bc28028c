from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from edgewright.hardware_db.errors import EdgewrightError, ModelFileError
from edgewright.tools import estimate_generation, rank_generation
from edgewright.tools.generation.files.reading import read_language_model
from edgewright.tools.model_zoo.language_model import language_model
from edgewright.tools.model_zoo.weight_format import weight_format

MUTATIONS = 1000
CONFIG: dict[str, Any] = {
    "model_type": "llama", "num_hidden_layers": 2, "hidden_size": 256, "num_attention_heads": 4,
    "num_key_value_heads": 2, "intermediate_size": 512, "vocab_size": 32, "tie_word_embeddings": False,
    "max_position_embeddings": 2048, "torch_dtype": "bfloat16",
}  # fmt: skip
GENAI: dict[str, Any] = {
    "context_length": 1024, "vocab_size": 32, "type": "llama", "decoder": {
        "filename": "model.onnx", "head_size": 64, "hidden_size": 256, "num_attention_heads": 4,
        "num_hidden_layers": 2, "num_key_value_heads": 2, "session_options": {"provider_options": []},
    },
}  # fmt: skip
PARAMETERS = 2 * (2 * 256 * 64 * 6 + 3 * 256 * 512) + 2 * 32 * 256
STEP = 1000
"""Bytes of the .onnx file beside its data."""


def _genai_folder(folder: Path, bits: float = 4.5, model: object = GENAI) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text(json.dumps(CONFIG))
    (folder / "genai_config.json").write_text(json.dumps({"model": model, "search": {}}))
    (folder / "model.onnx").write_bytes(bytes(STEP))
    (folder / "model.onnx.data").write_bytes(bytes(round(PARAMETERS * bits / 8) - STEP))
    return folder


@pytest.mark.parametrize(("bits", "weights"), [(4.9, "Q4_0"), (8.1, "Q8_0"), (16.1, "F16"), (32, "F32")])
def test_a_folder_of_onnx_genai_takes_the_bytes_of_its_files(
    tmp_path: Path, bits: float, weights: str
) -> None:
    folder = _genai_folder(tmp_path / "m", bits)
    for source in (folder, folder / "genai_config.json"):
        found = estimate_generation(source, "rtx-4090")
        assert (found.weights, found.weights_bytes) == (weights, round(PARAMETERS * bits / 8))
        assert (found.parameters, found.max_context) == (PARAMETERS, 1024)
        assert found.kv_cache_bytes == 4096 * 2 * 2 * 2 * 64 * 2
        assert found.decode_tokens_per_s.known
        assert (
            f"speed as with {found.runtime}: of ONNX Runtime GenAI nothing was measured here"
            in found.assumptions
        )
        assert any(f"{weights} is assumed" in line for line in found.assumptions)


def test_a_table_that_is_looked_up_is_not_read_from_onnx_genai_either(tmp_path: Path) -> None:
    read = read_language_model(_genai_folder(tmp_path / "m"))
    assert read.weights is not None
    idle = read.model.weights_bytes(read.weights) - read.model.read_bytes(read.weights)
    assert idle == pytest.approx(32 * 256 * 4.5 / 8, rel=0.001)


@pytest.mark.parametrize("name", ["deepseek-v2-lite", "llama-3-8b", "gemma-3-1b"])
def test_bytes_that_nobody_lists_are_shared_out_as_if_all_weights_were_alike(name: str) -> None:
    model, half = language_model(name), weight_format("F16")
    stored = model.shared_out(model.weights_bytes(half))
    shared = model.model_copy(update={"stored": stored})
    for sessions in (1, 4):
        assert shared.read_bytes(half, sessions) == pytest.approx(model.read_bytes(half, sessions))
    assert shared.parameters == model.parameters


def test_another_format_than_that_of_onnx_genai_is_estimated_without_its_files(tmp_path: Path) -> None:
    found = estimate_generation(_genai_folder(tmp_path / "m"), "rtx-4090", weights="F16")
    assert found.weights_bytes == 2 * PARAMETERS
    assert not any("GenAI" in line for line in found.assumptions)


def test_targets_for_onnx_genai_are_ranked_in_its_own_format(tmp_path: Path) -> None:
    ranked = rank_generation(_genai_folder(tmp_path / "m"), target_class="gpu")
    assert {row.weights for row in ranked.ranking} == {"Q4_0"}
    assert any("of ONNX Runtime GenAI nothing was measured" in line for line in ranked.assumptions)


def test_data_of_onnx_genai_in_parts_and_under_a_stated_name_is_added_up(tmp_path: Path) -> None:
    folder = _genai_folder(tmp_path / "m")
    (folder / "model.onnx.data").rename(folder / "model.onnx_data")
    (folder / "model.onnx_data_1").write_bytes(bytes(500))
    (folder / "weights.bin").write_bytes(bytes(70))
    decoder = {**GENAI["decoder"], "session_options": {"external_data_file": "weights.bin"}}
    (folder / "genai_config.json").write_text(json.dumps({"model": {**GENAI, "decoder": decoder}}))
    assert estimate_generation(folder, "rtx-4090").weights_bytes == round(PARAMETERS * 4.5 / 8) + 570


@pytest.mark.parametrize(
    ("of_decoder", "of_model", "says"),
    [
        ({"num_hidden_layers": 3}, {}, "num_hidden_layers is 3 in genai_config.json and 2 by config.json"),
        ({}, {"vocab_size": 33}, "contradicts itself: vocab_size"),
        ({"head_size": None}, {}, "does not say head_size"),
        ({"hidden_size": -256}, {}, "hidden_size is -256"),
        ({"num_hidden_layers": 10**30}, {}, "num_hidden_layers is 1000"),
        ({"num_attention_heads": [4]}, {}, "no whole number"),
        ({}, {"context_length": 0}, "context_length is 0"),
        ({"filename": "../model.onnx"}, {}, "names no file in its folder"),
        ({"filename": "/etc/passwd"}, {}, "names no file in its folder"),
        ({"filename": 7}, {}, "names no file in its folder"),
        ({"filename": "other.onnx"}, {}, "other.onnx is not there"),
        ({"filename": "a\0b"}, {}, "is not there"),
        ({"session_options": {"external_data_file": "../x.bin"}}, {}, "names no file in its folder"),
        ({"session_options": {"external_data_file": "x.bin"}}, {}, "x.bin is not there"),
        ({"pipeline": []}, {}, "of several networks"),
        ({}, {"vision": {"filename": "v.onnx"}}, "of several networks"),
        ({}, {"decoder": []}, "describes no decoder"),
    ],
)
def test_a_wrong_configuration_of_onnx_genai_is_one_clear_line(
    tmp_path: Path, of_decoder: dict[str, Any], of_model: dict[str, Any], says: str
) -> None:
    decoder = {**GENAI["decoder"], **of_decoder}
    folder = _genai_folder(tmp_path / "m", model={**GENAI, "decoder": decoder, **of_model})
    with pytest.raises(ModelFileError, match=says) as told:
        estimate_generation(folder, "rtx-4090")
    assert "\n" not in str(told.value)


def test_data_of_onnx_genai_that_is_missing_or_cut_short_is_named(tmp_path: Path) -> None:
    folder = _genai_folder(tmp_path / "m", bits=1)
    with pytest.raises(ModelFileError, match="1 bits for each of"):
        estimate_generation(folder, "rtx-4090")
    (folder / "model.onnx.data").unlink()
    with pytest.raises(ModelFileError, match=r"model\.onnx\.data is not there"):
        estimate_generation(folder, "rtx-4090")


def test_onnx_genai_without_the_width_of_its_feed_forward_layers_asks_for_it(tmp_path: Path) -> None:
    folder = _genai_folder(tmp_path / "m")
    (folder / "config.json").unlink()
    with pytest.raises(ModelFileError, match=r"does not state intermediate_size.*config\.json beside it"):
        estimate_generation(folder, "rtx-4090")


_HOSTILE = (None, True, -1, 0, 1.5, 1 << 70, "", "..", "/", "\ud800", "x" * 5000, [], {}, [{}], {"model": 1})


def test_a_thousand_mutated_folders_of_onnx_genai_are_read_or_refused_and_nothing_else(
    tmp_path: Path,
) -> None:
    chance, refused = random.Random(18), 0
    folder = _genai_folder(tmp_path / "m")
    for _ in range(MUTATIONS):
        model = {**GENAI, "decoder": dict(GENAI["decoder"])}
        place = chance.choice((model, model["decoder"], model["decoder"]))
        place[chance.choice((*place, "pipeline", "vision"))] = chance.choice(_HOSTILE)
        text = json.dumps({"model": model})
        cut = chance.randrange(len(text)) if chance.random() < 0.2 else len(text)
        (folder / "genai_config.json").write_text(text[:cut])
        try:
            estimate_generation(folder, "raspberry-pi-5")
        except EdgewrightError as error:
            refused += "\n" not in str(error)
    assert MUTATIONS // 3 < refused < MUTATIONS
