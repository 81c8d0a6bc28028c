"""Which role the words right beside a figure name, whatever the classifier makes of it."""

from __future__ import annotations

from collections.abc import Sequence

from ..quantities import Family, Figure
from .words import entries

SAID = {name: frozenset(words.split()) for name, words in entries("beside_a_figure").items()}
"""Words beside a figure, by what they say of it."""
OTHER_ROOM = {
    "ram_limit": "flash_limit", "flash_limit": "ram_limit",
    "ram_reserved": "flash_reserved", "flash_reserved": "ram_reserved",
}  # fmt: skip
"""Which of the two it is, the words beside it say."""
_NAMED = {word: role for role in ("batch", "sequence", "context", "prompt") for word in SAID[role]}
_FAR, _NEAR = 14, 4
_BOUNDED = {Family.TIME: "latency_limit", Family.POWER: "power_limit", Family.ENERGY: "energy_limit"}
_NO_MORE = (["no", "more"], ["or", "less"], ["at", "most"], ["or", "faster"])
_HOUR_MS, _KIB = 3.6e6, 1024.0


def named_by_words(figure: Figure, label: str, words: Sequence[str], at: int, *, sure: bool) -> str:
    """The label that the words name; empty where they name none.

    Args:
        label: the likeliest by the classifier.
        sure: whether that is likely enough to count.
    """
    match figure.family:
        case Family.BYTES:
            return _of_bytes(figure, label, words, at)
        case Family.TIME | Family.POWER | Family.ENERGY if (
            (label.startswith("claimed_") or not sure) and figure.value < _HOUR_MS and _is_bounded(words, at)
        ):
            return _BOUNDED[figure.family]
        case Family.TIME | Family.ENERGY if not sure and _is_seen(figure, words, at):
            return {Family.TIME: "claimed_time", Family.ENERGY: "claimed_energy"}[figure.family]
        case Family.RATE if _is_of_recharging(figure, words, at):
            return "life"
        case Family.RATE | Family.COUNT if label == "rate" and (
            _is_read_off(words, at) or _is_performed(words, at)
        ):
            return "claimed_rate"
        case Family.CLOCK if not sure and SAID["of_clocks"] & set(words):
            return "clock"
        case Family.POWER if SAID["panels"] & {*words[max(0, at - 3) : at + 3]}:
            return "power_limit"
        case Family.PERCENT if SAID["leaks"] & {*words[max(0, at - 4) : at + 5]} and "year" not in words:
            return "leak"
        case Family.TIME if figure.text == "a month" and SAID["leaks"] & {*words[max(0, at - 3) : at]}:
            return "leak_period"
        case Family.PERCENT:
            return _of_processor(label, words, at)
        case Family.ENERGY if figure.unit.casefold() in ("wh", "mwh"):
            return "" if SAID["spent"] & set(words[at + 1 : at + 2]) else "battery_energy"
        case Family.CURRENT | Family.POWER if _is_of_a_sensor(words, at):
            return "sensor_current" if figure.family is Family.CURRENT else "sensor_power"
        case Family.MONEY if label == "price_limit" and is_asked_by_a_seller(words, at):
            return "price"
        case Family.COUNT if not figure.unit and (
            (not sure and SAID["streams"] & set(_things(words, at)))
            or are_those(words, at)
            or figure.noun in figure.text.split()
        ):
            return "devices"
        case Family.COUNT:
            return "other" if _is_of_no_figure(label, words, at) else _named_role(words, at)
    return ""


def _of_bytes(figure: Figure, label: str, words: Sequence[str], at: int) -> str:
    """What a picture weighs, what is reported, what is left, what others take; empty where none is said."""
    if _is_of_a_picture(words, at):
        return "other"
    if SAID["reported"] & set(words[max(0, at - 6) : at]) and words[at - 1] != "of":
        return "claimed_bytes"
    if label == "ram_limit" and _is_of_its_size(words, at):
        return "flash_limit"
    if label in OTHER_ROOM and _is_left_to_us(words, at):
        return label.replace("_reserved", "_limit")
    if not label.endswith("_reserved") and not (figure.value >= _KIB and _of_others(label, words, at)):
        return ""
    of_flash = SAID["flash"] & {*words} and not SAID["ram"] & {*words}
    in_flash = "flash" in label or of_flash or SAID["in_flash"] & _behind(words, at)
    return "flash_reserved" if in_flash else "ram_reserved"


def _is_of_no_figure(label: str, words: Sequence[str], at: int) -> bool:
    """Money where nothing is said of money; 120 cows, which are no streams."""
    if label == "price_limit":
        return not SAID["of_money"] & set(words)
    return label == "devices" and bool(SAID["animals"] & set(words[at + 1 : at + 2]))


def _things(words: Sequence[str], at: int) -> Sequence[str]:
    """What is counted, behind what it is like: 6 IP cameras."""
    behind = words[at + 1 : at + _NEAR]
    return behind[1:2] if SAID["kinds_of_cameras"] & set(behind[:1]) else behind[:1]


def _is_of_recharging(figure: Figure, words: Sequence[str], at: int) -> bool:
    """`Recharged once a week`, `I swap the cells every month`: as long as a charge has to last."""
    near = {*words[max(0, at - _NEAR - 2) : at], *words[at + 1 : at + _NEAR + 2]}
    renews = SAID["recharges"] & near or (SAID["renews"] & near and SAID["cells"] & near)
    return bool(renews) and figure.value <= 1e3 / _HOUR_MS


def is_asked_by_a_seller(words: Sequence[str], at: int) -> bool:
    """`He offers it for only 90 €`, `worth 600 €`, `the 4 € one`: what something costs, and no bound."""
    before = words[max(0, at - _FAR) : at]
    if before[-1:] == ["the"] and not SAID["bounding"] & {*before[-3:], *words[at + 1 : at + 2]}:
        return True
    cheaply = before[-2:] in (["for", "only"], ["for", "just"])
    bounded = SAID["bounding"] & {*before[-3:]} and not cheaply
    return before[-1:] == ["worth"] or bool((cheaply or SAID["sells"] & {*before}) and not bounded)


def _is_read_off(words: Sequence[str], at: int) -> bool:
    """`We only get 25`, `I see 12 fps`; neither `can we get 25 fps?` nor `to reach 25 fps`."""
    near = list(reversed(words[max(0, at - _NEAR + 1) : at]))
    behind = next((count for count, word in enumerate(near, 1) if word in SAID["seen"]), 0)
    if not behind:
        return False
    seen = at - behind
    before = words[max(0, seen - _NEAR) : seen]
    return bool(SAID["readers"] & set(before[-2:])) and not SAID["not_yet"] & set(before)


def _is_performed(words: Sequence[str], at: int) -> bool:
    """`resnet50 does 55 fps`, `it only manages 3 a second`; not `which board does 30 fps`."""
    near_words = set(words[max(0, at - 4) : at])
    if {"only", "just", "merely"} & near_words and SAID["tells"] & near_words:  # it only gives me 60 fps
        return not SAID["sensors"] & set(words[max(0, at - _FAR) : at])
    near = range(min(at, len(words)) - 1, max(-1, at - 4), -1)
    behind = next((i for i in near if words[i] not in SAID["barely"]), -1)
    if SAID["limited"] & set(words[max(0, at - 3) : at]) and {"at", "to", "out"} & set(
        words[max(0, at - 2) : at]
    ):
        return True
    if behind < 1 or words[behind] not in SAID["performs"]:
        return False
    sought = (SAID["not_yet"] | SAID["sought"]) & set(words[max(0, behind - _FAR) : behind])
    return words[behind - 1] in ("a_model", "a_target", "it") and not sought


def _is_seen(figure: Figure, words: Sequence[str], at: int) -> bool:
    """`I measured 3 ms`, `time.time() around the call gives me 0.4 ms`, `the profiler says 3 ms`."""
    if SAID["seen"] & set(words[max(0, at - 3) : at]):
        return True
    tells = SAID["tells"] & set(words[max(0, at - 3) : at])
    return figure.family is Family.TIME and bool(
        tells and SAID["clocks"] & set(words[max(0, at - _FAR) : at])
    )


def _is_of_a_picture(words: Sequence[str], at: int) -> bool:
    """`One picture is 150 kB` is no room that there is; a frame buffer takes it."""
    said, behind = words[max(0, at - 5) : at], set(words[at + 1 : at + 4])
    weighs = {"is", "are", "has", "weighs"} & set(said[-2:])
    return bool(weighs and SAID["pictures"] & set(said)) and not SAID["any_memory"] & behind


def _is_of_a_sensor(words: Sequence[str], at: int) -> bool:
    """`the mic takes 1.2 mA`, `0.6 mA for the camera`: what is nearest before, or right behind, draws it."""
    behind, sensors = words[at + 1 : at + 5], SAID["sensors"]
    if set(behind[:3]) & SAID["rests"]:
        return False
    if SAID["drawing"] & set(behind[:1]):
        return bool(sensors & set(behind))
    near = words[max(0, at - _FAR) : at]
    near = [word for i, word in enumerate(near) if word != "module" or not {*near[i - 1 : i]} & sensors]
    return next((word in sensors for word in reversed(near) if word in sensors | SAID["of_the_chip"]), False)


def _of_others(label: str, words: Sequence[str], at: int) -> bool:
    """What another piece of the program takes, or what has to stay free.

    As in `a BLE stack that takes 40 kB`, `50 KB for the RTOS`, `next to a 150k stack`, `leave 100k for the
    radio`; not `the stack leaves us 64 KB`.
    """
    before, behind = words[max(0, at - 12) : at], words[at + 1 : at + 8]
    for_it = behind[1:4] if behind[:1] == ["for"] else []
    taker = next((i for i, word in enumerate(before) if word in SAID["others"]), len(before))
    if SAID["takes"] & set(before[taker:]) or SAID["others"] & set(for_it):
        return True
    if label in OTHER_ROOM and SAID["used"] & set(behind[:4]):
        return True
    if "free" in behind[:5] and SAID["stays"] & set(behind[:4]):
        return True
    keeper = max((i for i, word in enumerate(before) if word in SAID["keeps"] | SAID["beside"]), default=-1)
    near = before[keeper + 1 :]
    told = SAID["given"] & set(near) or any(word.startswith("fig_") for word in near)
    if keeper < 0 or len(near) > _NEAR or told or SAID["networks"] & {*for_it, *behind[:2]}:
        return False
    if before[keeper] in SAID["beside"]:
        return (before[keeper] != "next" or near[:1] == ["to"]) and not SAID["unused"] & set(behind[:3])
    wishes = SAID["wishes"] | (SAID["wishes_it_free"] if "free" in behind[:5] else set())
    wished = wishes & set(before[max(0, keeper - _NEAR) : keeper])
    return before[keeper] not in SAID["leaves"] or (
        bool(wished) and not SAID["others"] & set(before[:keeper])
    )


def _is_of_its_size(words: Sequence[str], at: int) -> bool:
    """`When the model gets bigger than 60 KB`: what lies in flash, where no memory is named."""
    size = SAID["sizes"] & {*words[max(0, at - 2) : at]}
    return bool(size and words[at - 1] == "than" and not SAID["any_memory"] & {*words})


def _is_left_to_us(words: Sequence[str], at: int) -> bool:
    """`The stack and the app leave me about 120 kB`, `leaves us 64 KB`."""
    before, behind = words[max(0, at - _NEAR - 1) : at], words[at + 1 : at + _NEAR]
    leaves = next((i for i, word in enumerate(before) if word in SAID["leaves"]), len(before))
    others = SAID["others"] & {*before[leaves:], *behind}
    return bool(SAID["left_to"] & {*before[leaves:]}) and not others


def _behind(words: Sequence[str], at: int) -> frozenset[str]:
    """What stands behind it, where the words beside it name no memory."""
    near = {*words[max(0, at - 3) : at], *words[at + 1 : at + 7]}
    return frozenset() if SAID["any_memory"] & near else frozenset(words[at + 1 : at + 4])


def takes_both(value: float, words: Sequence[str], at: int) -> bool:
    """Whether it is code of a stack that lies in flash as well, and nobody says which of both it takes."""
    return _KIB * 16 <= value <= _KIB**2 and "stack" in _behind(words, at)


def _is_bounded(words: Sequence[str], at: int) -> bool:
    """`the limit is now 30 ms`, `I must get to 40 ms`, `slower than 40 ms`, `7 watts, no more`."""
    before, behind = (
        list(words[max(0, at - 6) : at]),
        [word for word in words[at + 1 : at + 4] if word != ","],
    )
    forced = SAID["forced"] & set(before) and SAID["towards"] & set(before[-1:])
    bound = SAID["bounds"] & set(before[-3:]) or before[-2:] in (["slower", "than"], ["longer", "than"])
    return bool(forced or bound) or behind[:2] in _NO_MORE


def _of_processor(label: str, words: Sequence[str], at: int) -> str:
    """`Leave 90 % of the CPU free`, `at most 10 % CPU`: what a network may take of it, or must not."""
    near = {*words[max(0, at - 6) : at], *words[at + 1 : at + 7]}
    if label not in ("headroom", "other") or not SAID["processor"] & near or "peak" in near:
        return ""
    if label == "headroom" and SAID["free"] & near:
        return "share_taken"
    return "share_left" if (SAID["bounding"] | _MAY) & near or label == "headroom" else ""


_MAY = frozenset(("may", "can", "could", "allowed", "gets", "has", "have", "takes", "take"))


def _named_role(words: Sequence[str], at: int) -> str:
    """The role that the word before a number names: `batch 8`, `sequence length of 128`, `seq=384`."""
    before = [word for word in words[max(0, at - 3) : at] if word not in SAID["links"]]
    if SAID["ordered"] & set(before[-2:]):
        return "other"
    named = next((_NAMED[word] for word in reversed(before[-2:]) if word in _NAMED), "")
    return named if before and (before[-1] in _NAMED or before[-1] in SAID["measured"]) else ""


def are_those(words: Sequence[str], at: int) -> bool:
    """`30 of those`, `six of them`, `two 80 GB cards`, `four L40S`, `2 x T4`; the two cards are no count.

    So are those of which it is asked whether they are needed: `or do I need two?`
    """
    before, after = words[max(0, at - 4) : at], words[at + 1 : at + 2]
    if SAID["obliges"] & set(before) and SAID["acquires"] & set(before[-1:]) and after in ([], ["?"]):
        return True
    behind = at + 2 if words[at + 1 : at + 2] == ["x"] else at + 1
    if words[behind : behind + 1] == ["a_target"] and words[max(0, at - 1) : at] not in (["batch"], ["on"]):
        return True
    noun = next((i for i in range(at + 1, min(at + 3, len(words))) if words[i] in SAID["made"]), 0)
    if noun == at + 1 and SAID["pointed"] & set(words[max(0, at - 1) : at]):
        return False
    if noun and all(word.startswith(("fig_", "a_")) for word in words[at + 1 : noun]):
        return True
    return words[at + 1 : at + 2] == ["of"] and bool(SAID["those"] & set(words[at + 2 : at + 3]))
