"""Memory of the computer around a graphics card by its name, and what a second reads of it."""

import functools
import re
from pathlib import Path

from ...hardware_db.cited import Closed, Source
from ...hardware_db.errors import UsageError
from ...hardware_db.kept import yaml_in
from ..core.records import dataclass

FILE = Path(__file__).with_name("host_memory.yaml")
_NAME = re.compile(r"(ddr[345])[- ]?(\d{3,5})?(?:\s?[x×]\s?(\d{1,2}))?")
_SLOWEST, _FASTEST, _MOST_CHANNELS = 400, 20_000, 24


class _Usual(Closed):
    id: str
    megatransfers: int
    source: str


class _Memories(Closed):
    sources: dict[str, Source]
    unnamed: str
    channels: int
    bytes_a_transfer: int
    usual: tuple[_Usual, ...]


@dataclass(frozen=True)
class HostMemory:
    """Channels of modules of one speed."""

    kind: str
    megatransfers: int
    channels: int
    is_taken: bool = False
    """Whether nobody named it."""

    @property
    def name(self) -> str:
        return f"{self.kind.upper()}-{self.megatransfers} on {self.channels} channels"

    @property
    def bytes_per_s(self) -> float:
        """At most: transfers of 64 bits on each channel."""
        return 1e6 * self.megatransfers * self.channels * _memories().bytes_a_transfer


def names_memory(name: str) -> bool:
    """Whether it is a kind of memory, and no computer."""
    return name.strip().lower().startswith("ddr")


def host_memory(name: str | None) -> HostMemory:
    """Such as ddr4, DDR5-6000 or ddr5-4800x8, of eight channels; None is what is usual.

    Raises:
        UsageError: a name that tells no memory.
    """
    known = _memories()
    found = _NAME.fullmatch((name or known.unnamed).strip().lower())
    usual = {each.id: each.megatransfers for each in known.usual}
    speed = int(found[2]) if found and found[2] else usual.get(found[1] if found else "", 0)
    channels = int(found[3]) if found and found[3] else known.channels
    if not found or not _SLOWEST <= speed <= _FASTEST or not 1 <= channels <= _MOST_CHANNELS:
        raise UsageError(
            f"{name!r} names no memory of a computer.", hint="Such as ddr4-3200, ddr5 or ddr5-4800x8."
        )
    return HostMemory(found[1], speed, channels, is_taken=name is None)


@functools.cache
def _memories() -> _Memories:
    return _Memories.model_validate(yaml_in(FILE))
