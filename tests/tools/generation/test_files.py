from __future__ import annotations

import json
import random
import zipfile
from pathlib import Path
from typing import Any

import pytest

from edgewright.hardware_db.errors import EdgewrightError, ModelFileError, UnknownNameError
from edgewright.tools import estimate_generation, parse_model
from edgewright.tools.generation.files.gguf import read_header
from edgewright.tools.generation.files.reading import read_language_model
from edgewright.tools.model_zoo.weight_format import kv_format
from stubs.gguf_writer import LLAMA, TENSORS, gguf_bytes, tensor_bytes, write_folder

MUTATIONS = 1000


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    path = tmp_path / "small-Q4_K_M.gguf"
    path.write_bytes(gguf_bytes())
    return path


def test_a_gguf_file_takes_the_bytes_that_it_lists(gguf: Path) -> None:
    found = estimate_generation(gguf, "raspberry-pi-5")
    assert (found.weights_bytes, found.weights, found.runtime) == (tensor_bytes(), "Q4_K_M", "llama.cpp")
    assert (
        found.kv_cache_bytes == 4096 * 2 * 2 * 2 * 64 * 2
    )  # tokens × layers × K and V × heads × size × bytes


def test_an_embedding_beside_a_head_is_in_memory_and_not_read(gguf: Path) -> None:
    read = read_language_model(gguf)
    assert read.weights is not None
    looked_up = tensor_bytes("token_embd")
    assert read.model.weights_bytes(read.weights) - read.model.read_bytes(read.weights) == looked_up
    assert read.model.parameters - read.model.active_parameters == 256 * 32


def test_another_format_than_the_files_is_estimated_from_its_shape(gguf: Path) -> None:
    own, wider = (estimate_generation(gguf, "raspberry-pi-5", weights=w) for w in (None, "Q8_0"))
    assert wider.weights == "Q8_0"
    assert wider.weights_bytes > 1.5 * own.weights_bytes


def test_a_file_in_parts_is_read_whole_and_a_missing_part_is_named(tmp_path: Path) -> None:
    for part, tensors in ((1, TENSORS[:5]), (2, TENSORS[5:])):
        metadata = LLAMA if part == 1 else {"split.no": 1}
        (tmp_path / f"m-{part:05d}-of-00002.gguf").write_bytes(gguf_bytes(metadata, tensors))
    first = tmp_path / "m-00001-of-00002.gguf"
    assert estimate_generation(first, "raspberry-pi-5").weights_bytes == tensor_bytes()
    (tmp_path / "m-00002-of-00002.gguf").unlink()
    with pytest.raises(ModelFileError, match=r"00002-of-00002\.gguf is not beside it"):
        estimate_generation(first, "raspberry-pi-5")


def test_layers_without_keys_and_experts_that_rest_come_from_the_header(tmp_path: Path) -> None:
    metadata = {
        **{key: value for key, value in LLAMA.items() if not key.startswith("llama.")},
        "general.architecture": "lfm2moe", "lfm2moe.block_count": 4, "lfm2moe.embedding_length": 256,
        "lfm2moe.attention.head_count": 4, "lfm2moe.attention.head_count_kv": [0, 0, 2, 0],
        "lfm2moe.feed_forward_length": 512, "lfm2moe.expert_count": 8, "lfm2moe.expert_used_count": 2,
        "lfm2moe.expert_feed_forward_length": 256, "lfm2moe.context_length": 4096,
    }  # fmt: skip
    path = tmp_path / "moe.gguf"
    path.write_bytes(
        gguf_bytes(metadata, [*TENSORS[:3], ("blk.0.ffn_up_exps.weight", (256, 256, 8), "Q4_K")])
    )
    model = read_language_model(path).model
    assert model.kv_bytes(kv_format("f16"), 1) == 2 * 2 * 64 * 2
    assert (model.experts, model.active_experts) == (8, 2)
    assert model.stored is not None
    assert model.stored.experts == 256 * 256 * 8 * 4.5 / 8


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (gguf_bytes()[:-1000], "cut short: it lists"),
        (gguf_bytes()[:1000], "cut short"),
        (b"GGUF\x03\0\0\0" + b"\xff" * 16, "claims"),
        (b"GGUF\0\0\0\x03" + b"\0" * 16, "big-endian"),
        (b"GGUF\x01\0\0\0" + b"\0" * 16, "version 1"),
        (gguf_bytes({"general.architecture": "llama"}), "does not say block_count"),
        (gguf_bytes({**LLAMA, "llama.block_count": 4_000_000_000}), "block_count is 4000000000"),
        (gguf_bytes({**LLAMA, "llama.block_count": "two"}), "no whole number"),
        (gguf_bytes({**LLAMA, "general.architecture": "../x"}), "which architecture"),
        (
            gguf_bytes({key: each for key, each in LLAMA.items() if ".head_count" not in key}),
            "does not say attention.head_count, and 2 of its layers attend",
        ),
        (gguf_bytes({**LLAMA, "general.architecture": "clip"}), "beside a language model"),
        (b"LITERTLM" + b"\0" * 30, "bundle of LiteRT-LM"),
        (b"lmgg" + b"\0" * 30, "whisper.cpp"),
        (b"\x80\x02}q\0.", "pickle, which is never opened"),
        (b"", "is empty"),
    ],
)
def test_what_is_no_sound_language_model_is_one_clear_line(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    with pytest.raises(EdgewrightError, match=says) as told:
        estimate_generation(path, "raspberry-pi-5")
    assert "\n" not in str(told.value)


def test_a_model_without_attention_keeps_as_many_tokens_as_it_was_made_for(tmp_path: Path) -> None:
    """Of state-space models a GGUF says that they have no heads; no cache of theirs grows."""
    path = tmp_path / "mamba.gguf"
    path.write_bytes(
        gguf_bytes({**LLAMA, "llama.attention.head_count": 0, "llama.attention.head_count_kv": 0})
    )
    found = estimate_generation(path, "rpi5", context=1024)
    assert found.max_context == 2048
    assert found.kv_cache_bytes == 0


def test_an_array_of_arrays_is_refused_before_it_is_followed(tmp_path: Path) -> None:
    key = b"\x01\0\0\0\0\0\0\0x"
    nested = b"\x09\0\0\0" + b"\x09\0\0\0\x01\0\0\0\0\0\0\0" * 10_000
    path = tmp_path / "deep.gguf"
    path.write_bytes(b"GGUF\x03\0\0\0" + b"\0" * 8 + b"\x01" + b"\0" * 7 + key + nested)
    with pytest.raises(ModelFileError, match="array of arrays"):
        read_header(path)


def test_a_bundle_of_mediapipe_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "gemma.task"
    with zipfile.ZipFile(path, "w") as bundle:
        bundle.writestr("TF_LITE_PREFILL_DECODE", b"x")
    with pytest.raises(ModelFileError, match=r"MediaPipe.*gemma-3-1b"):
        estimate_generation(path, "raspberry-pi-5")


CONFIG: dict[str, Any] = {
    "model_type": "llama", "num_hidden_layers": 2, "hidden_size": 256, "num_attention_heads": 4,
    "num_key_value_heads": 2, "intermediate_size": 512, "vocab_size": 32, "tie_word_embeddings": False,
    "max_position_embeddings": 2048, "torch_dtype": "bfloat16",
}  # fmt: skip
WEIGHTS: dict[str, tuple[str, list[int], int]] = {
    "model.embed_tokens.weight": ("BF16", [32, 256], 16384),
    "lm_head.weight": ("BF16", [32, 256], 16384),
    "model.layers.0.mlp.up_proj.weight": ("BF16", [512, 256], 262144),
}


def test_a_folder_of_safetensors_takes_the_bytes_of_its_headers(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "m", CONFIG, WEIGHTS)
    for source in (folder, folder / "config.json", folder / "model.safetensors"):
        found = estimate_generation(source, "rtx-4090")
        assert (found.weights, found.weights_bytes) == ("BF16", 16384 * 2 + 262144)


def test_a_config_alone_gives_the_shape(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(CONFIG))
    found = estimate_generation(tmp_path, "rtx-4090", weights="Q8_0")
    assert found.parameters == 2 * (2 * 256 * 64 * 6 + 3 * 256 * 512) + 2 * 32 * 256


@pytest.mark.parametrize(
    ("changes", "window", "latent"),
    [
        ({"sliding_window": 128, "layer_types": ["sliding_attention", "full_attention"]}, 1, False),
        ({"sliding_window": 128, "use_sliding_window": False}, 0, False),
        ({"kv_lora_rank": 64, "qk_rope_head_dim": 32, "qk_nope_head_dim": 64, "v_head_dim": 64}, 0, True),
        ({"text_config": {**CONFIG, "sliding_window": 64, "sliding_window_pattern": 2}}, 1, False),
    ],
)
def test_windows_and_compressed_attention_are_read_from_a_config(
    tmp_path: Path, changes: dict[str, Any], window: int, latent: bool
) -> None:
    (tmp_path / "config.json").write_text(json.dumps({**CONFIG, **changes}))
    model = read_language_model(tmp_path).model
    assert (model.windowed_layers, model.latent is not None) == (window, latent)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("config.json", "[" * 100_000, "cannot be read as JSON"),
        ("config.json", "[]", "holds no object"),
        ("config.json", "{}", "does not say num_hidden_layers"),
        (
            "model.safetensors.index.json",
            '{"weight_map": {"a": "../../x.safetensors"}}',
            "outside its folder",
        ),
        ("model.safetensors.index.json", '{"weight_map": {"a": "b.safetensors"}}', "is not there"),
        ("model.safetensors", "x" * 100, "no sound safetensors"),
    ],
)
def test_a_damaged_folder_is_one_clear_line(tmp_path: Path, name: str, content: str, says: str) -> None:
    folder = write_folder(tmp_path / "m", CONFIG, WEIGHTS)
    (folder / name).write_text(content)
    with pytest.raises(ModelFileError, match=says):
        estimate_generation(folder, "rtx-4090")


def test_a_name_that_is_no_file_is_still_a_name() -> None:
    with pytest.raises(UnknownNameError):
        estimate_generation("llama-9", "rtx-4090")
    with pytest.raises(ModelFileError, match="There is no file"):
        estimate_generation("nowhere.gguf", "rtx-4090")


def test_other_commands_say_what_a_language_model_is_for(gguf: Path) -> None:
    with pytest.raises(ModelFileError, match="edgewright generation"):
        parse_model(gguf)


def test_a_thousand_mutated_gguf_files_are_read_or_refused_and_nothing_else(tmp_path: Path) -> None:
    whole, chance, refused = gguf_bytes(), random.Random(18), 0
    header = whole.index(b"blk.1.ffn_down") + 60
    path = tmp_path / "mutated.gguf"
    for _ in range(MUTATIONS):
        path.write_bytes(_mutated(whole, header, chance))
        try:
            estimate_generation(path, "raspberry-pi-5")
        except EdgewrightError as error:
            refused += "\n" not in str(error)
    assert refused > MUTATIONS // 3


def _mutated(whole: bytes, header: int, chance: random.Random) -> bytes:
    """Bytes of the header flipped, integers made absurd, or the file cut or lengthened."""
    data = bytearray(whole)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(header)
        match chance.randrange(5):
            case 0:
                data[at] = chance.randrange(256)
            case 1:
                data[at : at + 8] = chance.choice((b"\xff" * 8, b"\0" * 8, b"\xff" * 7 + b"\x7f"))
            case 2:
                del data[at : at + chance.randrange(1, 64)]
            case 3:
                data[at:at] = chance.randbytes(chance.randrange(1, 64))
            case _:
                data = data[: chance.randrange(4, len(data))]
                header = min(header, len(data))
    return bytes(data)


@pytest.mark.parametrize("beside", [(), ("config.json",)])
def test_a_folder_of_onnx_genai_is_not_taken_for_one_of_16_bits(
    tmp_path: Path, beside: tuple[str, ...]
) -> None:
    for name in ("genai_config.json", *beside):
        (tmp_path / name).write_text("{}")
    for source in (tmp_path, tmp_path / "genai_config.json"):
        with pytest.raises(ModelFileError, match="ONNX Runtime GenAI"):
            read_language_model(source)
