"""Operating systems and radio stacks by name: what they take of the memory, each figure with its source."""

import functools
import re
from collections.abc import Mapping
from pathlib import Path

from pydantic import Field

from ..cited import Closed, Leaf, Source
from ..errors import UnknownNameError, nearest
from ..kept import yaml_in
from ..names import folded

FILE = Path(__file__).parent / "systems.yaml"


class System(Closed):
    id: str
    name: str
    aliases: tuple[str, ...] = ()
    ram_bytes: Leaf[float] | None = None
    """The least that it takes; None where only what it leaves is known."""
    flash_bytes: Leaf[float] | None = None
    what: str
    """Of which program that is."""
    on_top: str
    """What comes on top of it."""
    leaves: Mapping[str, Leaf[float]] = Field(default_factory=dict)
    """Target → RAM that stays free beside it."""

    def left_on(self, target: str) -> Leaf[float] | None:
        """Of a board what is known of its chip."""
        known = [chip for chip in self.leaves if target == chip or target.startswith(f"{chip}-")]
        return self.leaves[max(known, key=len)] if known else None


class Systems(Closed):
    sources: dict[str, Source]
    systems: tuple[System, ...]


@functools.cache
def load_systems() -> Systems:
    return Systems.model_validate(yaml_in(FILE))


def resolve_system(name: str, target: str = "") -> System:
    """The one that a name means, of a target one that is known of it.

    Raises:
        UnknownNameError: none of that name whose figures are known.
    """
    key, known = folded(name), load_systems().systems
    spelt = [one for one in known if key in {folded(text) for text in (one.id, one.name, *one.aliases)}]
    fitting = [one for one in spelt if not one.leaves or not target or one.left_on(target)]
    if fitting:
        return fitting[0]
    names = [one.id for one in known]
    raise UnknownNameError("system", name, nearest(key, names), hint=f"Known: {', '.join(names)}.")


SPOKEN = re.compile(
    r"rtos|mbed|zephyr|soft ?device|\bs1[34]|wi-?fi|wlan|blue ?tooth|ble\b|esp-", re.IGNORECASE
)
"""What stands in every name of one: a text without it is not searched for them."""
_RADIO = re.compile(r"\b(?:ble|bluetooth)\b", re.IGNORECASE)


def systems_in(text: str, target: str) -> tuple[str, ...]:
    """Ids of the systems that a text names, the most of each; a radio stack by the maker of the chip."""
    found = []
    for one in load_systems().systems if SPOKEN.search(text) else ():
        names = "|".join(re.escape(name) for name in (one.id, one.name, *one.aliases))
        known = not one.leaves or one.left_on(target) is not None
        if known and re.search(rf"(?<![\w-])(?:{names})(?![\w-])", text, re.IGNORECASE):
            found.append(one.id)
    radio = _RADIO.search(text)
    if radio and "zephyr" in found:
        found[found.index("zephyr")] = "zephyr-bluetooth"
    elif radio and target.startswith("nrf5") and not found:
        found.append("softdevice")
    if {"esp-wifi", "esp-bluetooth"} <= set(found):
        found = [*(one for one in found if not one.startswith("esp-")), "esp-wifi-bluetooth"]
    return tuple(dict.fromkeys(found))
