"""What macOS and iOS leave a model of a memory that processor and GPU share."""

import functools
from pathlib import Path

from ...hardware_db.cited import Closed, Source
from ...hardware_db.kept import yaml_in

FILE = Path(__file__).with_name("shared_memory.yaml")


class _Share(Closed):
    up_to_gib: int | None
    share: float
    sources: tuple[str, ...]


class _Shared(Closed):
    sources: dict[str, Source]
    gpu_of_a_mac: tuple[_Share, ...]
    any_app_of_an_iphone_bytes: float
    app_of_an_iphone: tuple[_Share, ...]


def share_of_macos(ram: int) -> float:
    """Of a Mac's memory, what its GPU gets by default."""
    return _share_of(ram, _shared().gpu_of_a_mac)


def of_an_app(ram: int) -> tuple[int, int]:
    """Bytes that any app of an iPhone gets, and one with the entitlement for more."""
    most = round(_share_of(ram, _shared().app_of_an_iphone) * ram)
    return min(round(_shared().any_app_of_an_iphone_bytes), most), most


def _share_of(ram: int, rows: tuple[_Share, ...]) -> float:
    return next(row.share for row in rows if row.up_to_gib is None or ram <= row.up_to_gib * 2**30)


@functools.cache
def _shared() -> _Shared:
    return _Shared.model_validate(yaml_in(FILE))
