"""Generated files on disk: all of them or none."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ...hardware_db.errors import EdgewrightError, UsageError
from .report import FirmwareCode


def write_firmware(
    code: FirmwareCode, folder: str | os.PathLike[str], *, force: bool = False
) -> FirmwareCode:
    """Write the files of `code` into `folder`, which is made if it is not there.

    Raises:
        UsageError: the folder is a file, or the folder above it does not exist; a file exists and `force` is
            not set; or there are no files.
        EdgewrightError: the disk is full, or the folder may not be written to. Nothing is left behind then.

    Example:
        >>> code = firmware_code("kws.tflite", deployment("stm32h743zi", "tflm-cmsis-nn"))
        >>> len(write_firmware(code, "firmware").written)
        2
    """
    target = Path(folder)
    if not code.files:
        run = f"Run: {'; '.join(code.commands)}" if code.commands else ""
        raise UsageError(f"There is no code to write: {code.why_not}", hint=run)
    if target.exists() and not target.is_dir():
        raise UsageError(f"{str(target)!r} is a file.", hint="Give a folder.")
    if not target.parent.is_dir():
        raise UsageError(f"There is no folder {str(target.parent)!r}.", hint="Make it first.")
    there = [name for name in code.files if (target / name).exists() or (target / name).is_symlink()]
    if there and not force:
        raise UsageError(
            f"{', '.join(there)} in {str(target)!r} would be overwritten.",
            hint="Say so with --force (force=True).",
        )
    _write(code.files, target)
    return code.model_copy(update={"written": tuple(str(target / name) for name in code.files)})


def _write(files: Mapping[str, str], target: Path) -> None:
    """Every file is whole before the first gets its name."""
    made = not target.exists()
    part = ""
    try:
        target.mkdir(exist_ok=True)
        part = tempfile.mkdtemp(prefix=".edgewright-", dir=target)
        for name, text in files.items():
            (Path(part) / name).write_text(text, encoding="utf-8")
        for name in files:
            os.replace(Path(part) / name, target / name)
    except OSError as error:
        if part:
            shutil.rmtree(part, ignore_errors=True)
        if made and target.is_dir() and not any(target.iterdir()):
            target.rmdir()
        raise EdgewrightError(
            f"The code could not be written to {str(target)!r}: {error.strerror}.",
            hint="Nothing was left behind. Free some space or choose another folder.",
        ) from None
    shutil.rmtree(part, ignore_errors=True)
