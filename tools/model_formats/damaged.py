"""One clear error for whatever the reading of a damaged file ends in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ...hardware_db.errors import ModelFileError
from .onnx.lowering import SENSELESS
from .tflite.reader import DamagedError


@contextmanager
def one_error(name: str, what: str, part: str, again: str) -> Iterator[None]:
    """Reading inside it ends in a result or in `ModelFileError`.

    Args:
        name: of the file, cleaned.
        what: the file is, such as "MNN model".
        part: of it that has no sense, where nothing says what is wrong: "an operator".
        again: what to do.
    """
    try:
        yield
    except (DamagedError, *SENSELESS) as damage:
        said = str(damage) if isinstance(damage, DamagedError) else f"{part} has not the form of one"
        raise ModelFileError(f"{name!r} is a damaged {what}: {said}.", hint=again) from damage
