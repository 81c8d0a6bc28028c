"""A converter's own environment: where it lies, whether it is whole, and how it is made."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

from ...hardware_db.configuration import configuration_file
from ...hardware_db.errors import EdgewrightError, UsageError
from ..core.files import made_folder, save_whole
from ..core.mending import Damage
from ..core.platform import alone, end_group
from ..core.sanitize import clean_bytes
from .converted_model import ConverterSetup
from .converters import GPU_GB, Converter, converter_named

FOLDER = "converters"
_MADE = "edgewright.json"
"""Written last: an environment without it is not whole."""
_TOLD = ("Collecting", "Downloading", "Installing", "Successfully")


def folder_of(converter: Converter) -> Path:
    """
    Raises:
        UsageError: no home directory, and none named.
    """
    file = configuration_file()
    if file is None:
        raise UsageError("There is no place for converters.", hint="Name one in EDGEWRIGHT_CONFIG_DIR.")
    return file.parent / FOLDER / converter.id


def python_of(converter: Converter) -> Path:
    """The interpreter that has the converter.

    Raises:
        UsageError: it is not set up, or of other versions.
    """
    folder = folder_of(converter)
    if _packages_in(folder) != list(converter.packages):
        raise UsageError(
            f"{converter.label()} is not set up; it takes {converter.installed_gb:g} GB.",
            hint=f"Set it up: edgewright convert --setup {converter.id}.",
        )
    return _python(folder)


def set_up_converter(
    name: str,
    *,
    agree: Callable[[str], None] | None = None,
    progress: Callable[[str], None] | None = None,
) -> ConverterSetup:
    """Make the environment of a converter with pip, from the index that pip is configured for.

    Args:
        name: pytorch or tensorflow.
        agree: called with a sentence on the size before anything is installed; it raises to prevent that.
        progress: called with a line of text for each step.

    Raises:
        UsageError: no such converter, or another process sets it up.
        EdgewrightError: pip fails; nothing is left behind.

    Example:
        >>> set_up_converter("keras")
        Traceback (most recent call last):
        edgewright.hardware_db.errors.UsageError: There is no converter 'keras'. ...
    """
    converter = converter_named(name)
    folder = folder_of(converter)
    told = progress or (lambda _: None)
    if _packages_in(folder) != list(converter.packages):
        if agree is not None:
            agree(_room(converter))
        made_folder(folder.parent)
        try:
            with alone(folder.parent / f"{converter.id}.lock"):
                _install(converter, folder, told)
        except BlockingIOError:
            raise UsageError(f"Another process sets up {converter.label()}.", hint="Wait for it.") from None
    return ConverterSetup(
        converter=converter.id, packages=converter.packages, folder=str(folder), installed_bytes=_size(folder)
    )


def damaged_converters() -> Iterator[Damage]:
    """Environments that are not whole and that no process is making."""
    file = configuration_file()
    root = None if file is None else file.parent / FOLDER
    if root is None or not root.is_dir():
        return
    for folder in sorted(path for path in root.iterdir() if path.is_dir()):
        if _packages_in(folder):
            continue
        with suppress(BlockingIOError), alone(root / f"{folder.name}.lock"):
            yield Damage(folder, "a converter that was not installed to its end", partial(_removed, folder))


def _removed(folder: Path) -> str:
    shutil.rmtree(folder)
    return f"removed; edgewright convert --setup {folder.name} installs it"


def _install(converter: Converter, folder: Path, told: Callable[[str], None]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    try:
        told(f"making {folder}")
        _run([sys.executable, "-m", "venv", str(folder)], told)
        _run([str(_python(folder)), "-m", "pip", "install", "--no-input", *converter.packages], told)
        save_whole(json.dumps(list(converter.packages)), folder / _MADE, force=True)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _room(converter: Converter) -> str:
    gpus = sys.platform == "linux" and converter.id == "pytorch"
    more = f", some {GPU_GB:g} GB more where pip takes PyTorch's build for GPUs" if gpus else ""
    return (
        f"{converter.label()} and what it needs take {converter.installed_gb:g} GB{more}. "
        f"They go to {folder_of(converter)}, apart from edgewright."
    )


def _run(command: list[str], told: Callable[[str], None]) -> None:
    """Line by line; with Ctrl-C the command and all that it started end."""
    last = ""
    with subprocess.Popen(  # noqa: S603
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True
    ) as process:
        try:
            for line in process.stdout or ():
                last = clean_bytes(line, 160) or last
                if last.startswith(_TOLD):
                    told(last)
        except BaseException:
            end_group(process)
            raise
    if process.returncode:
        raise EdgewrightError(f"The converter could not be installed: {last}.")


def _python(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def _packages_in(folder: Path) -> list[str]:
    try:
        return list(json.loads((folder / _MADE).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return []


def _size(folder: Path) -> int:
    sizes = (os.lstat(Path(at, name)).st_size for at, _, names in os.walk(folder) for name in names)
    return sum(sizes)
