"""Generated files on disk: all of them or none."""

from __future__ import annotations

import os

from ...hardware_db.errors import UsageError
from ..core.files import save_all
from .firmware_code import FirmwareCode


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
    if not code.files:
        run = f"Run: {'; '.join(code.commands)}" if code.commands else ""
        raise UsageError(f"There is no code to write: {code.why_not}", hint=run)
    return code.model_copy(update={"written": save_all(code.files, folder, force=force)})
