"""Claims about hardware and the sources that they stand on: a leaf is a claim with its source."""

import datetime as dt
from enum import StrEnum
from typing import Generic, TypeVar

from pydantic import BaseModel, ConfigDict, field_validator

T = TypeVar("T")


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True, allow_inf_nan=False)

    def __repr__(self) -> str:
        """One line for what has an id: <Target stm32h743zi: STM32H743ZI>."""
        known_as = [str(getattr(self, field)) for field in ("id", "name") if hasattr(self, field)]
        return f"<{type(self).__name__} {': '.join(known_as)}>" if hasattr(self, "id") else super().__repr__()


class ClaimKind(StrEnum):
    """What kind of source a claim stands on."""

    DATASHEET = "datasheet"
    BOARD_FILE = "board-file"
    VENDOR_PAGE = "vendor-page"
    MEASURED = "measured"
    THIRD_PARTY = "third-party"
    """Somebody else's account: a registry, a compiler's model of a core, a tutorial."""
    MARKETING = "marketing"
    ASSUMED = "assumed"


class Source(Closed):
    """Something that was read."""

    title: str
    """What it is called."""
    where: str
    """Repository and path, or address, precise enough to find it again."""
    version: str = ""
    """Commit, release or revision that was read."""
    date: dt.date
    """Of the revision, else the day it was read."""
    kind: ClaimKind


class Claim(Closed, Generic[T]):
    """One source's figure."""

    value: T
    unit: str
    """`1` for pure numbers, names and truth values."""
    source: str
    """Key of the file's `sources`."""
    locator: str
    """Where in the source: line, table, key."""
    kind: ClaimKind | None = None
    """Where it differs from its source's."""
    note: str = ""

    @field_validator("value")
    @classmethod
    def _not_negative(cls, value: T) -> T:
        if isinstance(value, int | float) and value < 0:
            raise ValueError("nothing here can be negative")
        return value


class Leaf(Claim[T], Generic[T]):
    """The claim that is used, and those that disagree with it."""

    others: tuple[Claim[T], ...] = ()
    """Claims of other sources that disagree; kept and shown."""
    chosen_because: str = ""
    """Why this one is used; required where others disagree."""
