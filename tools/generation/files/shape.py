"""Figures of a model's shape out of a file: each whole, above zero and not absurd."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....hardware_db.errors import ModelFileError
from ...model_zoo.language_model import Latent

MOST = {
    "layers": 4096, "hidden": 1 << 20, "heads": 1 << 14, "kv_heads": 1 << 14, "head_size": 1 << 16,
    "intermediate": 1 << 24, "vocabulary": 1 << 28, "context": 1 << 40, "experts": 1 << 16,
}  # fmt: skip
_MOST_OTHER = 1 << 40


class Figures:
    """Reads figures by their keys and says which one is missing."""

    def __init__(self, found: Mapping[str, Any], what: str) -> None:
        self._found, self._what = found, what

    def whole(self, name: str, *keys: str, default: int | None = None, least: int = 1) -> int:
        """The first of the keys that is there. Raises ModelFileError."""
        value = next((self._found[key] for key in keys if self._found.get(key) is not None), default)
        if value is None:
            raise ModelFileError(f"{self._what} does not say {keys[0]}.", hint="Name the model instead.")
        most = MOST.get(name, _MOST_OTHER)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            shown = value if isinstance(value, int) else "no whole number"
            raise ModelFileError(
                f"{self._what} says that {keys[0]} is {shown}.", hint="Name the model instead."
            )
        return value

    def latent(self, rank: str, rope: str, nope: int, value: int, query: str) -> Latent | None:
        """Compressed attention, where a file has a rank of keys and values."""
        if self._found.get(rank) is None:
            return None
        return Latent(
            kv_rank=self.whole("rank", rank), rope=self.whole("rope", rope), nope=nope, value=value,
            query_rank=self.whole("rank", query, default=0, least=0),
        )  # fmt: skip
