"""What is meant by a language model: a name, a file, or a folder."""

from __future__ import annotations

import contextlib
import os
import zipfile
from pathlib import Path

from ....hardware_db.errors import ModelFileError
from ...core.records import dataclass
from ...core.sanitize import clean_text
from ...model_zoo.language_model import LanguageModel, language_model
from ...model_zoo.weight_format import Format
from . import gguf
from .gguf_model import read_gguf
from .onnx_genai import GENAI, RUNTIME, read_genai
from .safetensors import CONFIG, read_folder

SUFFIXES = (".gguf", ".safetensors", ".litertlm", ".task", ".json")
_BUNDLE = "Name the model in it, such as gemma-3-1b, with -r litert-lm."
_KNOWN = {
    b"LITERTLM": ("a bundle of LiteRT-LM", _BUNDLE),
    b"lmgg": ("a model of whisper.cpp", "Name it, such as whisper-small."),
    b"\x89HDF": ("an HDF5 file", "Give the GGUF file or the folder with config.json."),
    b"\x80\x02": ("a pickle, which is never opened", "Give the .safetensors files with their config.json."),
}


@dataclass(frozen=True)
class Read:
    """A model, and what files say of it."""

    model: LanguageModel
    weights: Format | None = None
    """None of a name."""
    runtime: str | None = None
    """That the file is for; None where it is for several."""
    unmeasured: str = ""
    """The runtime that it is for, where nothing was measured of that one."""
    assumed: tuple[str, ...] = ()

    def said(self, speed_of: str) -> tuple[str, ...]:
        """What was assumed of files, of their speed too."""
        speed = f"speed as with {speed_of}: of {self.unmeasured} nothing was measured here"
        return (*self.assumed, speed) if self.unmeasured else self.assumed


def read_language_model(source: str | os.PathLike[str]) -> Read:
    """The model, with the format of its weights where it is a file.

    Args:
        source: a name such as llama-3-8b, a .gguf file, a folder with config.json, that config.json, a
            .safetensors file beside it, or a folder of ONNX Runtime GenAI. A file goes before a name.

    Raises:
        UnknownNameError: neither a file nor a known name, with the nearest.
        ModelFileError: a file that is damaged, cut short, or holds no language model that is read here.
    """
    path = Path(source)
    try:
        folder = path if path.is_dir() else path.parent
        if (path.is_dir() or path.name == GENAI) and (folder / GENAI).is_file():
            model, weights, assumed = read_genai(folder)
            return Read(model, weights, unmeasured=RUNTIME, assumed=assumed)
        if path.is_dir() and ((path / CONFIG).is_file() or os.sep in os.fspath(source)):
            return Read(*read_folder(path))
        if path.is_file():
            return _file(path)
    except OSError as error:
        raise ModelFileError(
            f"{clean_text(path.name)} cannot be read: {error.strerror or error}.", hint="Check the path."
        ) from error
    if path.suffix.lower() in SUFFIXES:
        raise ModelFileError(f"There is no file {clean_text(str(path), 200)!r}.", hint="Check the path.")
    return Read(language_model(os.fspath(source)))


def _file(path: Path) -> Read:
    """By what it begins with, whatever it is called."""
    shown = clean_text(path.name)
    with path.open("rb") as file:
        begin = file.read(16)
    if begin.startswith(gguf.MAGIC):
        return Read(*read_gguf(path), "llama.cpp")
    if path.name == CONFIG or path.suffix.lower() == ".safetensors":
        return Read(*read_folder(path.parent))
    if not begin:
        raise ModelFileError(f"{shown} is empty.", hint="Download it again.")
    for magic, (kind, hint) in _KNOWN.items():
        if begin.startswith(magic):
            raise ModelFileError(f"{shown} is {kind}.", hint=hint)
    if _is_task(path):
        raise ModelFileError(f"{shown} is a bundle of MediaPipe's LLM inference.", hint=_BUNDLE)
    raise ModelFileError(
        f"{shown} is no language model that is read here.",
        hint="Give a .gguf file, a folder with config.json, or a name such as llama-3-8b.",
    )


def _is_task(path: Path) -> bool:
    """A zip of a TFLite model with its tokenizer."""
    with (
        contextlib.suppress(zipfile.BadZipFile, OSError, NotImplementedError),
        zipfile.ZipFile(path) as bundle,
    ):
        return any(name.startswith(("TF_LITE", "TOKENIZER", "METADATA")) for name in bundle.namelist())
    return False
