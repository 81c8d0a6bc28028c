"""The lines of a .param file: a layer each, with the blobs that it reads and makes, and its parameters."""

from __future__ import annotations

from collections.abc import Iterator

from ...core.records import dataclass
from ...core.sanitize import clean_text
from ..tflite.reader import DamagedError

MAGIC = b"7767517"
_MOST_LAYERS = 100_000
_MOST_NUMBERS = 10_000
_LISTS_FROM, _LAST_LIST = -23300, -23400
"""Keys of lists, -23300 - key, followed by how many numbers there are."""
_BEFORE_INPUTS = 4


class NotReadError(Exception):
    """A layer that has no counterpart, or is written in a way that is not read."""


@dataclass(frozen=True)
class Layer:
    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    numbers: dict[int, float]
    lists: dict[int, tuple[float, ...]]

    def whole(self, key: int, default: int = 0) -> int:
        return int(self.numbers.get(key, default))


def layers_in(data: bytes) -> Iterator[Layer]:
    """The layers in order.

    Raises:
        DamagedError: no .param file, or a line that is no layer.
    """
    lines = data.decode("utf-8", "replace").splitlines()
    if len(lines) < 3 or lines[0].strip() != MAGIC.decode():
        raise DamagedError("its first line is not 7767517")
    try:
        count = int(lines[1].split()[0])
    except (ValueError, IndexError):
        raise DamagedError("its second line does not tell how many layers there are") from None
    found = [line for line in lines[2:] if line.strip() and not line.lstrip().startswith("#")]
    if not 0 < count <= min(_MOST_LAYERS, len(found)):
        raise DamagedError(f"it tells of {min(count, 10**9)} layers and holds {len(found)}")
    for number, line in enumerate(found[:count]):
        yield _layer(line.split(), number)


def _layer(words: list[str], number: int) -> Layer:
    try:
        made_from, makes = int(words[2]), int(words[3])
        at = _BEFORE_INPUTS + made_from
        inputs, outputs, given = words[_BEFORE_INPUTS:at], words[at : at + makes], words[at + makes :]
        if made_from < 0 or makes < 0 or len(inputs) != made_from or len(outputs) != makes:
            raise ValueError("too few blobs")
        numbers, lists = _parameters(given)
    except (ValueError, IndexError):
        raise DamagedError(f"layer {number} cannot be read") from None
    return Layer(clean_text(words[0], 60), tuple(inputs), tuple(outputs), numbers, lists)


def _parameters(given: list[str]) -> tuple[dict[int, float], dict[int, tuple[float, ...]]]:
    numbers: dict[int, float] = {}
    lists: dict[int, tuple[float, ...]] = {}
    for word in given:
        key, _, text = word.partition("=")
        parts = text.split(",", _MOST_NUMBERS)
        if _LAST_LIST < int(key) <= _LISTS_FROM:
            lists[_LISTS_FROM - int(key)] = tuple(map(float, parts[1 : 1 + int(parts[0])]))
        elif len(parts) > 1:
            lists[int(key)] = tuple(map(float, parts))
        elif not text.startswith('"'):
            numbers[int(key)] = float(text)
    return numbers, lists
