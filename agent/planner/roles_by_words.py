"""Which role the words right beside a figure name, whatever the classifier makes of it."""

from __future__ import annotations

from collections.abc import Sequence

from ..quantities import Family, Figure

FLASH, RAM = frozenset(("flash", "rom")), frozenset(("ram", "sram", "arena"))
OTHER_ROOM = {
    "ram_limit": "flash_limit", "flash_limit": "ram_limit",
    "ram_reserved": "flash_reserved", "flash_reserved": "ram_reserved",
}  # fmt: skip
"""Which of the two it is, the words beside it say."""
_MADE = frozenset(("cards", "card", "gpus", "boxes", "modules", "accelerators", "sticks", "slices"))
_NAMED = {
    "batch": "batch", "batchsize": "batch", "bs": "batch", "sequence": "sequence", "seq": "sequence",
    "seqlen": "sequence", "context": "context", "prompt": "prompt",
}  # fmt: skip
_OTHERS = frozenset(
    ("stack", "stacks", "ble", "bluetooth", "wifi", "wi-fi", "firmware", "bootloader", "rtos", "freertos",
     "zephyr", "os", "app", "application", "lwip", "zigbee", "lorawan", "tls", "gui", "framebuffer", "linux")
)  # fmt: skip
"""What else lies in a memory."""
_TAKES = frozenset(("takes", "take", "taking", "needs", "need", "uses", "use", "eats", "eat", "occupies"))
_MEASURED, _LINKS = (
    frozenset(("length", "len", "size", "window")),
    frozenset(("of", "is", "=", "a", "at", ":")),
)
_BESIDE = frozenset(
    ("mic", "mics", "microphone", "microphones", "sensor", "sensors", "camera", "cam", "imager", "imu",
     "radar", "accelerometer", "gyro", "pir", "display", "screen", "led", "leds", "radio", "modem", "ble",
     "lora", "gps", "codec", "amplifier", "motor", "pump", "ldo", "regulator", "rest", "electronics")
)  # fmt: skip
"""What draws power beside the chip."""
_OF_THE_CHIP = frozenset(
    ("chip", "mcu", "board", "core", "cpu", "soc", "processor", "a_target", "module", "sleep", "asleep",
     "sleeping", "standby", "idle", "budget", "battery", "allowed", "harvest", "harvester", "inference")
)  # fmt: skip
_RESTS = frozenset(("asleep", "sleep", "sleeping", "standby", "hibernation", "idle", "idling"))
"""Right behind a current it is that of the chip, whatever stands before."""
_FAR = 14
_SPENT = frozenset(("a", "an", "per", "each", "every", "/"))
"""Behind watt-hours that no battery holds, but something takes."""


def named_by_words(figure: Figure, label: str, words: Sequence[str], at: int, *, sure: bool) -> str:
    """The label that the words name; empty where they name none.

    Args:
        label: the likeliest by the classifier.
        sure: whether that is likely enough to count.
    """
    match figure.family:
        case Family.BYTES if not label.endswith("_reserved") and (
            _of_others(words, at) or (label in OTHER_ROOM and _USED & set(words[at + 1 : at + 5]))
        ):
            return "flash_reserved" if "flash" in label else "ram_reserved"
        case Family.PERCENT:
            return _of_processor(label, words, at)
        case Family.ENERGY if figure.unit.casefold() in ("wh", "mwh") and not _SPENT & set(
            words[at + 1 : at + 2]
        ):
            return "battery_energy"
        case Family.CURRENT | Family.POWER if _is_of_a_sensor(words, at):
            return "sensor_current" if figure.family is Family.CURRENT else "sensor_power"
        case Family.COUNT if not figure.unit and are_those(words, at):
            return "devices"
        case Family.COUNT:
            return _named_role(words, at) or ("" if sure else _of_memory(figure, words, at))
    return ""


def _is_of_a_sensor(words: Sequence[str], at: int) -> bool:
    """`the mic takes 1.2 mA`, `0.6 mA for the camera`: what is nearest before, or right behind, draws it."""
    behind = words[at + 1 : at + 5]
    if set(behind[:3]) & _RESTS:
        return False
    if behind[:1] and behind[0] in ("for", "mic", "microphone", "sensor", "camera"):
        return bool(_BESIDE & set(behind))
    before = reversed(words[max(0, at - _FAR) : at])
    return next((word in _BESIDE for word in before if word in _BESIDE | _OF_THE_CHIP), False)


def _of_others(words: Sequence[str], at: int) -> bool:
    """`a BLE stack that takes 40 kB`, `50 KB for the RTOS`: what another piece of the program takes."""
    before, behind = words[max(0, at - 12) : at], words[at + 1 : at + 8]
    taker = next((i for i, word in enumerate(before) if word in _OTHERS), len(before))
    return bool(_TAKES & set(before[taker:])) or (behind[:1] == ["for"] and bool(_OTHERS & set(behind[:4])))


def _of_memory(figure: Figure, words: Sequence[str], at: int) -> str:
    """`120k of my own RAM usage`, `64k of SRAM`, where the tagger does not see the bytes in it."""
    near = {*words[max(0, at - 3) : at], *words[at + 1 : at + 7]}
    if figure.unit.casefold() not in ("k", "m") or not (RAM | FLASH) & near:
        return ""
    return f"{'ram' if RAM & near else 'flash'}_{'reserved' if _TAKEN & near else 'limit'}"


_TAKEN = frozenset(("own", "usage", "used", "already", "my", "our", "others", "next", "beside", "besides"))
_USED = frozenset(("used", "taken", "occupied", "reserved", "gone"))
_PROCESSOR = frozenset(("cpu", "processor", "mcu", "core", "cycles", "load", "utilisation", "utilization"))
_FREE = frozenset(("free", "leave", "leaves", "leaving", "left", "idle", "spare", "remain", "remains"))
BOUNDING = frozenset(("most", "max", "maximum", "only", "under", "below", "limit", "budget", "up", "than"))


def _of_processor(label: str, words: Sequence[str], at: int) -> str:
    """`Leave 90 % of the CPU free`, `at most 10 % CPU`: what a network may take of it, or must not."""
    near = {*words[max(0, at - 6) : at], *words[at + 1 : at + 7]}
    if label not in ("headroom", "other") or not _PROCESSOR & near or "peak" in near:
        return ""
    if label == "headroom" and _FREE & near:
        return "share_taken"
    return "share_left" if BOUNDING & near or label == "headroom" else ""


def _named_role(words: Sequence[str], at: int) -> str:
    """The role that the word before a number names: `batch 8`, `sequence length of 128`, `seq=384`."""
    before = [word for word in words[max(0, at - 3) : at] if word not in _LINKS]
    named = next((_NAMED[word] for word in reversed(before[-2:]) if word in _NAMED), "")
    return named if before and (before[-1] in _NAMED or before[-1] in _MEASURED) else ""


def are_those(words: Sequence[str], at: int) -> bool:
    """`30 of those`, `six of them`, `two 80 GB cards`, `four L40S`, `2 x T4`."""
    behind = at + 2 if words[at + 1 : at + 2] == ["x"] else at + 1
    if words[behind : behind + 1] == ["a_target"] and words[max(0, at - 1) : at] not in (["batch"], ["on"]):
        return True
    noun = next((i for i in range(at + 1, min(at + 3, len(words))) if words[i] in _MADE), 0)
    if noun and all(word.startswith(("fig_", "a_")) for word in words[at + 1 : noun]):
        return True
    return words[at + 1 : at + 2] == ["of"] and bool(set(words[at + 2 : at + 3]) & {"those", "these", "them"})
