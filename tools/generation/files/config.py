"""The shape of a language model out of its config.json, as Hugging Face's transformers write it."""

from __future__ import annotations

from typing import Any

from ....hardware_db.errors import ModelFileError
from ...model_zoo.language_model import LanguageModel
from .shape import Figures

_INSIDE = ("text_config", "language_config", "llm_config")
_UNGATED = ("gpt2", "gpt_neox", "falcon", "phi", "opt", "bloom", "gptj", "gpt_bigcode", "starcoder2", "mpt")
"""model_type of those whose feed-forward layer has no gate."""
_EXPERTS = ("num_local_experts", "num_experts", "n_routed_experts")
_QUANTISED = {"awq": "AWQ", "gptq": "W4A16", "fp8": "FP8", "mxfp4": "MXFP4", "modelopt": "FP8"}
_TYPES = {"bfloat16": "BF16", "float16": "F16", "float32": "F32"}


def model_of(config: dict[str, Any], name: str) -> LanguageModel:
    """The decoder's shape, of a model that sees or hears that of its text.

    Raises:
        ModelFileError: what a decoder has is not there or cannot be.
    """
    text = next((config[key] for key in _INSIDE if isinstance(config.get(key), dict)), config)
    figures = Figures(text, f"The config.json of {name}")
    layers = figures.whole("layers", "num_hidden_layers", "n_layer", "n_layers", "num_layers")
    hidden = figures.whole("hidden", "hidden_size", "n_embd", "d_model")
    heads = figures.whole("heads", "num_attention_heads", "n_head", "n_heads")
    experts = figures.whole("experts", *_EXPERTS, default=0, least=0)
    wide = figures.whole("intermediate", "intermediate_size", "ffn_dim", "n_inner", default=4 * hidden)
    one = figures.whole("intermediate", "moe_intermediate_size", default=wide)
    kinds = [kind for kind in _layer_types(text) if isinstance(kind, str)][:layers]
    windowed = _windowed(text, layers, kinds)
    nope = figures.whole("nope", "qk_nope_head_dim", default=0, least=0)
    dense = figures.whole("dense", "first_k_dense_replace", default=0, least=0)
    return LanguageModel(
        id=name, name=name, source="", layers=layers, hidden=hidden, heads=heads,
        kv_heads=figures.whole("kv_heads", "num_key_value_heads", "num_kv_heads", default=heads),
        head_size=figures.whole("head_size", "head_dim", default=max(1, hidden // heads)),
        intermediate=one if experts else wide, gated=text.get("model_type") not in _UNGATED,
        vocabulary=figures.whole("vocabulary", "vocab_size"), tied=_tied(config, text),
        context=figures.whole("context", "max_position_embeddings", "n_positions", default=1 << 40),
        experts=max(1, experts),
        active_experts=figures.whole("active", "num_experts_per_tok", default=1) if experts else 1,
        shared_intermediate=_shared(figures, one) if experts else 0,
        dense_layers=min(dense, layers) if experts else 0, dense_intermediate=wide if experts else 0,
        window=figures.whole("window", "sliding_window", default=0) if windowed else 0,
        windowed_layers=windowed,
        convolution_layers=sum(kind in ("conv", "linear_attention", "mamba") for kind in kinds),
        latent=figures.latent("kv_lora_rank", "qk_rope_head_dim", nope,
                              figures.whole("value", "v_head_dim", default=max(1, hidden // heads)),
                              "q_lora_rank"),
    )  # fmt: skip


def format_of(config: dict[str, Any]) -> str | None:
    """Id of the format that a config.json says its weights are in; None where it does not."""
    quantised = config.get("quantization_config")
    if isinstance(quantised, dict):
        method = quantised.get("quant_method")
        if isinstance(method, str) and method in _QUANTISED:
            return _QUANTISED[method]
        if method == "compressed-tensors":
            return "FP8" if quantised.get("format") == "float-quantized" else "W4A16"
    kind = config.get("torch_dtype", config.get("dtype"))
    return _TYPES.get(kind) if isinstance(kind, str) else None


def _layer_types(text: dict[str, Any]) -> list[Any]:
    kinds = text.get("layer_types")
    return kinds if isinstance(kinds, list) else []


def _windowed(text: dict[str, Any], layers: int, kinds: list[str]) -> int:
    if text.get("use_sliding_window") is False or not isinstance(text.get("sliding_window"), int):
        return 0
    if kinds:
        return sum(kind == "sliding_attention" for kind in kinds)
    period = text.get("sliding_window_pattern")
    return layers - layers // period if isinstance(period, int) and period > 1 else 0


def _shared(figures: Figures, one: int) -> int:
    """Width of the experts that compute every token."""
    count = figures.whole("experts", "n_shared_experts", default=0, least=0)
    return figures.whole("intermediate", "shared_expert_intermediate_size", default=count * one, least=0)


def _tied(config: dict[str, Any], text: dict[str, Any]) -> bool:
    """What neither says is as transformers have it: tied."""
    found = text.get("tie_word_embeddings", config.get("tie_word_embeddings", True))
    if not isinstance(found, bool):
        raise ModelFileError("tie_word_embeddings is neither true nor false.", hint="Download it again.")
    return found
