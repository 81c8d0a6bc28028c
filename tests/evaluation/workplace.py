"""The folder that questions are asked in: the model files that they speak of."""

from __future__ import annotations

import shutil
from pathlib import Path

from edgewright.hardware_db.errors import InputError
from edgewright.tools import parse_model

from .cases import Case, Renamed

_KNOWN = {
    "kws_int8.tflite": ("kws:int8", "kws_ref_model.tflite"),
    "vww_int8.tflite": ("vww:int8", "vww_96_int8.tflite"),
    "ic_int8.tflite": ("ic:int8", "pretrainedResnet_quant.tflite"),
    "ic_float.tflite": ("ic:float32", "pretrainedResnet.tflite"),
    "ad_int8.tflite": ("ad:int8", "ad01_int8.tflite"),
}
"""File → the architecture that it is written of, and the name of MLPerf Tiny's own file."""


def prepare(case: Case, directory: Path, models: Path | None = None) -> None:
    """Put the files of a case into `directory`, as far as they are not there.

    `models` is a folder with the real files; without, the known ones are written with random weights.

    Raises:
        InputError: a model file that is neither known nor in `models`.
    """
    if case.context.renamed:
        _rename(case.context.renamed, directory, models)
    named = [case.context.model] if case.context.model and "." in case.context.model else []
    for name in [*named, *(name for name, text in case.context.files.items() if not text)]:
        _model(name, directory, models)
    for name, text in case.context.files.items():
        if text:
            (directory / name).write_text(text, encoding="utf-8")


def put_known(directory: Path) -> None:
    """Put every file there that can be written."""
    for name in _KNOWN:
        _model(name, directory, None)


def _model(name: str, directory: Path, models: Path | None) -> None:
    path = directory / name
    if path.exists():
        return
    architecture, published = _KNOWN.get(name, ("", ""))
    for known in (name, published):
        if models is not None and known and (models / known).is_file():
            shutil.copyfile(models / known, path)
            return
    if not architecture:
        raise InputError(f"There is no model file {name!r}.", hint="Name the folder that has it: --models.")
    from edgewright.tools.model_formats.writer.save import save_tflite

    save_tflite(parse_model(architecture), path)


def _rename(renamed: Renamed, directory: Path, models: Path | None) -> None:
    """Overwrite names of tensors in place, padded with blanks."""
    if (directory / renamed.file).exists() and renamed.file != renamed.of:
        return
    _model(renamed.of, directory, models)
    data = (directory / renamed.of).read_bytes()
    tensors = parse_model(str(directory / renamed.of)).tensors
    for index, name in renamed.tensors.items():
        old = tensors[index].name_untrusted.encode() if index < len(tensors) else b""
        if old:
            data = data.replace(old, name.encode()[: len(old)].ljust(len(old)), 1)
    (directory / renamed.file).write_bytes(data)
