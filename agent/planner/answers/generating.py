"""The frame of language models. What answers is a dozen modules, loaded with the first such question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ....hardware_db.later import Later
from ..bench import Answering
from ..query import Query
from ..want import Want

if TYPE_CHECKING:
    from . import decoding
else:
    decoding = Later(".decoding", __package__)


def generation(query: Query, wants: Sequence[Want]) -> Answering:
    """Whether one fits, its tokens a second, its key-value cache, and where it runs."""
    return (yield from decoding.told(query, wants))
