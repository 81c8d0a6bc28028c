"""A language model out of a folder of Hugging Face: config.json, and the headers of .safetensors files.

huggingface/safetensors README, Format: eight bytes of length, then JSON of at most 100 MB.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ....hardware_db.errors import ModelFileError
from ...core.files import file_named
from ...core.sanitize import clean_text
from ...model_zoo.language_model import LanguageModel, Stored
from ...model_zoo.weight_format import Format, weight_format
from .config import format_of, model_of

CONFIG = "config.json"
_INDEX = "model.safetensors.index.json"
_LONGEST_HEADER = 100_000_000
LONGEST_CONFIG = 1 << 24
_MOST_FILES = 1024
_ENCODERS = ("vision", "visual", "audio_tower", "multi_modal", "mm_projector", "encoder.")
_FORMATS = {"BF16": "BF16", "F16": "F16", "F32": "F32", "F8_E4M3": "FP8", "F8_E5M2": "FP8"}


def read_folder(folder: Path) -> tuple[LanguageModel, Format]:
    """The model whose config.json a folder holds, with the bytes of its weights where they lie beside it.

    Raises:
        ModelFileError: no config.json of a language model, or files that are damaged or not all there.
    """
    name = clean_text(folder.resolve().name)
    config = read_json(folder / CONFIG, LONGEST_CONFIG)
    model = model_of(config, name)
    headers = [_header(path) for path in _files(folder)]
    stored, types = _stored(headers, model.tied)
    said = format_of(config)
    named = said or _FORMATS.get(types.most_common(1)[0][0] if types else "BF16", "BF16")
    return (model.model_copy(update={"stored": stored}) if headers else model), weight_format(named)


def read_json(path: Path, longest: int) -> dict[str, Any]:
    """An object of JSON. Raises ModelFileError."""
    shown = clean_text(path.name)
    try:
        if path.stat().st_size > longest:
            raise ModelFileError(f"{shown} is larger than {longest >> 20} MiB.", hint="Download it again.")
        found = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise ModelFileError(
            f"There is no {shown} in the folder.", hint="Download the whole model."
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise ModelFileError(f"{shown} cannot be read as JSON.", hint="Download it again.") from error
    if not isinstance(found, dict):
        raise ModelFileError(f"{shown} holds no object.", hint="Download it again.")
    return found


def _files(folder: Path) -> list[Path]:
    """Those that the index names, else all there are; a name with a folder in it is refused."""
    if not (folder / _INDEX).is_file():
        return sorted(folder.glob("*.safetensors"))[:_MOST_FILES]
    names = read_json(folder / _INDEX, _LONGEST_HEADER).get("weight_map")
    if not isinstance(names, dict) or not all(isinstance(name, str) for name in names.values()):
        raise ModelFileError(f"{_INDEX} lists no files.", hint="Download it again.")
    listed = sorted(set(names.values()))
    if len(listed) > _MOST_FILES or any(Path(name).name != name or name in ("", "..") for name in listed):
        raise ModelFileError(f"{_INDEX} names files outside its folder.", hint="Download it again.")
    missing = [name for name in listed if file_named(name, folder) is None]
    if missing:
        raise ModelFileError(
            f"{clean_text(missing[0])} of {len(listed)} files is not there.", hint="Download the whole model."
        )
    return [folder / name for name in listed]


def _header(path: Path) -> dict[str, Any]:
    shown, size = clean_text(path.name), path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if not 2 <= length <= min(_LONGEST_HEADER, size - 8):
            raise ModelFileError(f"{shown} is no sound safetensors file.", hint="Download it again.")
        try:
            found = json.loads(file.read(length))
        except (ValueError, RecursionError) as error:
            raise ModelFileError(f"The header of {shown} is damaged.", hint="Download it again.") from error
    if not isinstance(found, dict):
        raise ModelFileError(f"The header of {shown} is damaged.", hint="Download it again.")
    ends = [end for _, _, end in _tensors(found, shown)]
    if 8 + length + max(ends, default=0) > size:
        raise ModelFileError(
            f"{shown} is cut short: it lists {8 + length + max(ends):,} bytes and has {size:,}.",
            hint="Download it again.",
        )
    return found


def _tensors(header: dict[str, Any], shown: str) -> Iterator[tuple[str, dict[str, Any], int]]:
    """Name, entry and end of each."""
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        offsets = entry.get("data_offsets") if isinstance(entry, dict) else None
        match offsets:
            case [int(begin), int(end)] if 0 <= begin <= end < 1 << 62:
                yield name, entry, end
            case _:
                raise ModelFileError(f"The header of {shown} is damaged.", hint="Download it again.")


def _stored(headers: list[dict[str, Any]], tied: bool) -> tuple[Stored, Counter[str]]:
    """And the bytes by type. Packed weights do not show their number: it comes from the shape."""
    size: Counter[str] = Counter()
    types: Counter[str] = Counter()
    for header in headers:
        for name, entry, end in _tensors(header, ""):
            took = end - entry["data_offsets"][0]
            size[_kind(name, tied)] += took
            types[str(entry.get("dtype"))] += took
    stored = Stored(
        always=size["always"], experts=size["experts"], head=size["head"], other=size["other"],
        parameters=0, parameters_of_experts=0, parameters_looked_up=0,
    )  # fmt: skip
    return stored, types


def _kind(name: str, tied: bool) -> str:
    if any(part in name for part in _ENCODERS):
        return "other"
    if "embed_tokens" in name or ".wte." in name:
        return "head" if tied else "other"
    if "lm_head" in name:
        return "other" if tied else "head"
    return "experts" if ".experts." in name else "always"
