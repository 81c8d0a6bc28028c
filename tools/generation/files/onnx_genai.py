"""A language model out of a folder of ONNX Runtime GenAI: two configurations, and how large its files are.

Keys of genai_config.json: onnxruntime.ai/docs/genai/reference/config.html.
"""

from __future__ import annotations

import math
import os
import re
from pathlib import Path
from typing import Any

from ....hardware_db.errors import ModelFileError
from ...core.sanitize import clean_text
from ...model_zoo.language_model import LanguageModel
from ...model_zoo.weight_format import Format, weight_format
from .config import model_of
from .safetensors import CONFIG, LONGEST_CONFIG, read_json
from .shape import Figures

GENAI = "genai_config.json"
RUNTIME = "ONNX Runtime GenAI"
_NAME_IT = "the model with the precision, such as: phi-3-mini --weights int4."
_SEVERAL = ("encoder", "vision", "speech", "embedding")
_SHAPE = (
    ("layers", "num_hidden_layers"), ("hidden", "hidden_size"), ("heads", "num_attention_heads"),
    ("kv_heads", "num_key_value_heads"), ("head_size", "head_size"),
)  # fmt: skip
_WIDTHS = ("Q4_0", "Q8_0", "F16", "F32")
"""A weight in 4, 8, 16 and 32 bits, with scales as in MatMulNBits with blocks of 32."""
_LEAST_BITS, _MOST_BITS = 2.0, 40.0


def read_genai(folder: Path) -> tuple[LanguageModel, Format, tuple[str, ...]]:
    """The model, the format that its bytes are nearest to, and what was assumed.

    Raises:
        ModelFileError: configurations that are damaged, not all there or contradict each other, or files that
            are missing or cannot hold such a model.
    """
    name = clean_text(folder.resolve().name)
    whole = read_json(folder / GENAI, LONGEST_CONFIG).get("model")
    decoder = whole.get("decoder") if isinstance(whole, dict) else None
    if not isinstance(whole, dict) or not isinstance(decoder, dict):
        raise _refused(name, f"whose {GENAI} describes no decoder")
    if "pipeline" in decoder or any(key in whole for key in _SEVERAL):
        raise _refused(name, "of several networks, which are not added up here")
    if not (folder / CONFIG).is_file():
        raise _refused(
            name, f"whose {GENAI} does not state intermediate_size", f"Put its {CONFIG} beside it, or"
        )
    model = _agreed(model_of(read_json(folder / CONFIG, LONGEST_CONFIG), name), whole, decoder, name)
    files = _files(folder, decoder, name)
    size = sum(file.stat().st_size for file in files)
    bits = 8 * size / model.parameters
    if not _LEAST_BITS <= bits <= _MOST_BITS:
        raise ModelFileError(
            f"{clean_text(files[0].name)} and its data hold {size:,} bytes, {bits:.3g} bits for each of "
            f"{model.parameters:,} weights{_missing(files)}.",
            hint="Download the whole model.",
        )
    nearest = min(map(weight_format, _WIDTHS), key=lambda one: abs(math.log(bits / one.bits)))
    said = f"the files hold {bits:.3g} bits a weight: {nearest.id} is assumed, and all weights to be alike"
    return model.model_copy(update={"stored": model.shared_out(size)}), nearest, (said,)


def _refused(name: str, why: str, first: str = "") -> ModelFileError:
    hint = f"{first} name {_NAME_IT}" if first else f"Name {_NAME_IT}"
    return ModelFileError(f"{name} is a model of {RUNTIME} {why}.", hint=hint)


def _agreed(model: LanguageModel, whole: dict[str, Any], decoder: dict[str, Any], name: str) -> LanguageModel:
    """With the context that the runtime is set to."""
    what = f"The {GENAI} of {name}"
    figures, outer = Figures(decoder, what), Figures(whole, what)
    said = [(field, key, figures.whole(field, key)) for field, key in _SHAPE]
    said.append(("vocabulary", "vocab_size", outer.whole("vocabulary", "vocab_size")))
    for field, key, value in said:
        other = getattr(model, field)
        if other != value:
            raise ModelFileError(
                f"{name} contradicts itself: {key} is {value} in {GENAI} and {other} by {CONFIG}.",
                hint="Download both again.",
            )
    return model.model_copy(update={"context": outer.whole("context", "context_length")})


def _files(folder: Path, decoder: dict[str, Any], name: str) -> list[Path]:
    """The .onnx file, then what lies beside it under the names that exporters give its data."""
    options = decoder.get("session_options")
    data = options.get("external_data_file") if isinstance(options, dict) else None
    named = [decoder.get("filename"), *([] if data is None else [data])]
    for each in named:
        if not isinstance(each, str) or each in ("", "..") or Path(each).name != each:
            raise ModelFileError(
                f"The {GENAI} of {name} names no file in its folder.", hint="Download it again."
            )
        if not os.path.isfile(folder / each):
            raise ModelFileError(f"{clean_text(each)} is not there.", hint="Download the whole model.")
    first = named[0]
    is_data = re.compile(re.escape(first) + r"[._]data(_\d+)?").fullmatch
    beside = sorted(path.name for path in folder.iterdir() if is_data(path.name) and path.is_file())
    return [folder / each for each in dict.fromkeys((*named, *beside))]


def _missing(files: list[Path]) -> str:
    return "" if len(files) > 1 else f"; {clean_text(files[0].name)}.data is not there"
