"""A language model out of GGUF headers: its shape from the metadata, its bytes from the tensors."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ....hardware_db.errors import ModelFileError
from ...core.sanitize import clean_text
from ...model_zoo.language_model import LanguageModel, Stored
from ...model_zoo.weight_format import Format, load_formats
from .gguf import Array, Header, Tensor, read_header
from .shape import Figures

FILE_TYPES = {
    0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1", 10: "Q2_K", 11: "Q3_K_S",
    12: "Q3_K_M", 13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S", 17: "Q5_K_M", 18: "Q6_K",
    19: "IQ2_XXS", 20: "IQ2_XS", 21: "Q2_K_S", 22: "IQ3_XS", 23: "IQ3_XXS", 24: "IQ1_S", 25: "IQ4_NL",
    26: "IQ3_S", 27: "IQ3_M", 28: "IQ2_S", 29: "IQ2_M", 30: "IQ4_XS", 31: "IQ1_M", 32: "BF16", 36: "TQ1_0",
    37: "TQ2_0", 38: "MXFP4", 39: "NVFP4",
}  # fmt: skip
"""general.file_type: LlamaFileType of ggml-org/llama.cpp gguf-py/gguf/constants.py @0024aa74."""
_PERIOD = {"gemma2": 2, "gemma3": 6, "gpt-oss": 2, "gptoss": 2, "cohere2": 4}
"""Every how many layers one looks back at everything, of architectures whose files do not say it."""
_SHARD = re.compile(r"-(\d{5})-of-(\d{5})\.gguf$", re.IGNORECASE)
_ARCHITECTURE = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
_MOST_SHARDS = 512


def read_gguf(path: Path) -> tuple[LanguageModel, Format]:
    """The model in a file, or in it and those that it continues in, and the format of its weights.

    Raises:
        ModelFileError: as `read_header`, no language model, or a part of it that is not there.
    """
    headers = [read_header(part) for part in _parts(path)]
    name = clean_text(path.name)
    metadata = headers[0].metadata
    architecture = metadata.get("general.architecture")
    if not isinstance(architecture, str) or not _ARCHITECTURE.fullmatch(architecture):
        raise ModelFileError(f"{name} does not say which architecture it is.", hint="Convert it again.")
    if architecture in ("clip", "mmproj") or metadata.get("general.type") in ("adapter", "mmproj", "imatrix"):
        raise ModelFileError(
            f"{name} goes beside a language model and is none.", hint="Name the file of the language model."
        )
    own = {k.removeprefix(f"{architecture}."): v for k, v in metadata.items()}
    tensors = [tensor for header in headers for tensor in header.tensors]
    model = _model(name, architecture, own, headers[0], tensors)
    return model, _format(metadata, tensors)


def _parts(path: Path) -> list[Path]:
    match = _SHARD.search(path.name)
    if match is None:
        return [path]
    count = int(match[2])
    if not 1 <= count <= _MOST_SHARDS:
        raise ModelFileError(f"{clean_text(path.name)} claims {count} parts.", hint="Name a whole file.")
    begin = path.name[: match.start()]
    parts = [path.with_name(f"{begin}-{n:05d}-of-{match[2]}.gguf") for n in range(1, count + 1)]
    missing = [part.name for part in parts if not part.is_file()]
    if missing:
        raise ModelFileError(
            f"Of {count} parts {clean_text(missing[0])} is not beside it.",
            hint="Put all parts into one folder.",
        )
    return parts


def _model(
    name: str, architecture: str, own: dict[str, Any], header: Header, tensors: Sequence[Tensor]
) -> LanguageModel:
    figures = Figures({key: _number(value) for key, value in own.items()}, name)
    layers = figures.whole("layers", "block_count")
    hidden = figures.whole("hidden", "embedding_length")
    heads = figures.whole("heads", "attention.head_count", default=0, least=0)
    kv_heads = figures.whole("kv_heads", "attention.head_count_kv", default=heads, least=0)
    head_size = figures.whole("head_size", "attention.key_length", default=max(1, hidden // max(1, heads)))
    without_cache = _without_cache(own, layers)
    if not kv_heads and without_cache < layers:
        raise ModelFileError(
            f"{name} does not say attention.head_count, and {layers - without_cache} of its layers attend.",
            hint="Name the model instead.",
        )
    experts = figures.whole("experts", "expert_count", default=0, least=0)
    windowed = _windowed(architecture, own, layers)
    rope = figures.whole("rope", "rope.dimension_count", default=head_size)
    wide = figures.whole("intermediate", "feed_forward_length", "expert_feed_forward_length", default=1)
    return LanguageModel(
        id=name, name=name, source="", layers=layers, hidden=hidden, heads=heads, kv_heads=kv_heads,
        head_size=head_size, vocabulary=_vocabulary(header, figures), tied=not _has(tensors, "output."),
        intermediate=figures.whole("intermediate", "expert_feed_forward_length", default=wide),
        context=figures.whole("context", "context_length", default=1 << 40),
        experts=max(1, experts),
        active_experts=figures.whole("experts", "expert_used_count", default=1) if experts else 1,
        window=figures.whole("window", "attention.sliding_window", default=0, least=0) if windowed else 0,
        windowed_layers=windowed, convolution_layers=without_cache,
        latent=figures.latent("attention.kv_lora_rank", "rope.dimension_count", max(1, head_size - rope),
                              figures.whole("value", "attention.value_length", default=head_size),
                              "attention.q_lora_rank"),
        stored=_stored(tensors),
    )  # fmt: skip


def _number(value: Any) -> Any:
    """Of figures by layer the largest: what a layer has at most."""
    return max(value.numbers, default=None) if isinstance(value, Array) else value


def _vocabulary(header: Header, figures: Figures) -> int:
    tokens = header.metadata.get("tokenizer.ggml.tokens")
    listed = tokens.length if isinstance(tokens, Array) and tokens.length else None
    return figures.whole("vocabulary", "vocab_size", default=listed)


def _windowed(architecture: str, own: dict[str, Any], layers: int) -> int:
    """Layers that look back no further than the window."""
    if not own.get("attention.sliding_window"):
        return 0
    pattern = own.get("attention.sliding_window_pattern", _PERIOD.get(architecture))
    if isinstance(pattern, Array):
        return min(layers, sum(map(bool, pattern.numbers)))
    return layers - layers // pattern if isinstance(pattern, int) and pattern > 1 else 0


def _without_cache(own: dict[str, Any], layers: int) -> int:
    """Layers that keep a state of one size in place of keys and values."""
    kv_heads, period = own.get("attention.head_count_kv"), own.get("full_attention_interval")
    if isinstance(kv_heads, Array):
        return min(layers, sum(number == 0 for number in kv_heads.numbers))
    if isinstance(period, int) and period > 1:
        return layers - layers // period
    return layers if own.get("attention.head_count", 1) == 0 else 0


def _stored(tensors: Sequence[Tensor]) -> Stored:
    size: Counter[str] = Counter()
    weights: Counter[str] = Counter()
    tied = not _has(tensors, "output.")
    for tensor in tensors:
        kind = _kind(tensor.name, tied)
        size[kind] += tensor.bytes
        weights[kind] += tensor.weights
    return Stored(
        always=size["always"], experts=size["experts"], head=size["head"], other=size["other"],
        parameters=weights.total(), parameters_of_experts=weights["experts"],
        parameters_looked_up=weights["other"],
    )  # fmt: skip


def _kind(name: str, tied: bool) -> str:
    if name.startswith("token_embd."):
        return "head" if tied else "other"
    if name.startswith("output."):
        return "head"
    if "_exps." in name:
        return "experts"
    return "other" if name.startswith(("v.", "mm.", "a.", "per_layer_token_embd.", "enc.")) else "always"


def _has(tensors: Sequence[Tensor], begin: str) -> bool:
    return any(tensor.name.startswith(begin) for tensor in tensors)


def _format(metadata: dict[str, Any], tensors: Sequence[Tensor]) -> Format:
    """As the file says; else the type that most of its bytes have."""
    by_id = {entry.id: entry for entry in load_formats().weights}
    said = metadata.get("general.file_type")
    named = FILE_TYPES.get(said) if isinstance(said, int) else None
    if named in by_id:
        return by_id[named]
    bytes_of: Counter[str] = Counter()
    for tensor in tensors:
        bytes_of[tensor.type] += tensor.bytes
    common = bytes_of.most_common(1)
    bits = 8 * sum(bytes_of.values()) / max(1, sum(tensor.weights for tensor in tensors))
    return by_id.get(common[0][0] if common else "F16") or Format(id=common[0][0], bits=bits, source="blocks")
