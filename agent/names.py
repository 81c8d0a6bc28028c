"""Which hardware, kernels, networks, files and types a text names, known or not, and where."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from itertools import islice, pairwise
from pathlib import Path

from ..hardware_db.index import Names, read_index
from ..hardware_db.name_tokens import TokenNames
from ..hardware_db.names import closest, folded, folded_each
from ..hardware_db.near_names import NearNames
from ..hardware_db.resolver import package_lookup, part_lookup, target_words
from ..hardware_db.user_files import Directories, directories
from ..tools.core.records import dataclass
from ..tools.model_zoo.language_model import spoken_names
from ..tools.model_zoo.named import architecture_aliases, architecture_names, is_architecture
from .described_tasks import described_tasks
from .name_runs import by_pattern, files_in, names_of_words
from .name_siblings import siblings
from .name_types import Kind, Name
from .name_widening import Books, widened
from .name_words import (
    A_SUM,
    BATTERIES,
    BRANDED,
    BRANDS_ALONE,
    CARD,
    CARD_BRAND,
    DTYPES,
    MISSPELT_TASKS,
    MODEL_BRANDS,
    MODEL_WORDS,
    NO_NAMES,
    NOT_PARTS,
    NUMBER_OF_A_BRAND,
    NUMBERED,
    ORDINARY,
    SIZE_TAG,
    SMALL_WORDS,
    STRANGE_RUNTIMES,
    TASKS,
    UNITS_BEHIND,
    USUAL_NETWORKS,
    VARIANT,
    apple_chips,
)
from .patterns import compiled
from .runtime_words import names_a_format, released, weighed_formats

__all__ = ("Kind", "Name", "find_names")

_WORD = compiled(r"[A-Za-z0-9+@]+")
_DIGIT, _PRICE, _GAP = map(compiled, (r"\d", r"(?<= )\d+(?=[.,]\d)", r"[ ]?[-_./ +(:]?[ ]?"))
_FIELDS = compiled(
    r"(?::[a-z]+\d+(?!\w)|[:_-](?:\d{1,3}\.\d+|\d{2,5})(?![\w%])|[ ](?:0\.\d{1,2}|1\.0)(?![\w%.]))+"
)
_FIELD = compiled(r"[:_ -](?=\w)")
_CORE = compiled(
    r"(?<![\w-])(?:cortex[- ]?)?(?P<core>(?:M(?:0\+?|[347]|23|33|52|55|85)(?:F(?!\w))?|A\d{1,2}(?:AE)?))"
    r"(?![\w-])"
    r"(?! (?:gpu|pro|max|ultra|air))",
    re.I,
)
_ENGINE = compiled(r"(?<![\w-])U(?P<number>55|65|85)(?![\w-])", re.IGNORECASE)
_BRAND = compiled(rf"(?:{MODEL_BRANDS})")
"""A network's family in full is spelt as it is meant: EfficientDet is no EfficientNet."""
_PART = compiled(r"(?<![\w./:-])(?=[\w+-]*\d)(?=[\w+-]*[A-Za-z])[A-Za-z][\w+]*(?:-[A-Za-z0-9]+)*(?![\w/])")
_ENDING = compiled(r"(?:net|det|seg|pose|former|gan|bert|ssd|nas)$")
_NETWORK = compiled(
    r"(?<![\w./-])[A-Z]\w*(?:Net|Det|Seg|Pose|Former|GAN|NAS|BERT|ViT|CNN)(?:[-_]?[A-Za-z]?\d\w*)?(?![\w./])"
)
"""A word that is written as networks are."""
_SPOKEN_NETWORK = compiled(r"[a-z_]+(?:net|bert|former|cnn|lm)", re.I)
_BEHIND_A_NUMBER = compiled(r"\d ?$")
"""A letter is a unit there: 24 V 100 Wh."""
_MOST_STRANGERS = 30
_LONGEST, _LONG, _VERY_LONG, _LONGEST_KEY = 7, 7, 9, 40
_MOST_TEXT = 12_000


def find_names(text: str, own: Directories | None = None) -> tuple[Name, ...]:
    """Every name in its order, none overlapping another; `own`: the user's hardware, None: as configured."""
    text = NO_NAMES.sub(lambda match: " " * len(match[0]), text[:_MOST_TEXT])
    text = SIZE_TAG.sub(" ", text)
    summed = A_SUM.sub("with", text)
    found = _found(summed, directories() if own is None else own)
    return found if summed == text else tuple(replace(n, text=text[n.start : n.end]) for n in found)


@lru_cache(maxsize=64)
def _found(text: str, where: tuple[Path, ...]) -> tuple[Name, ...]:
    index = read_index(where)
    lexicon = _lexicon(where)
    taken = bytearray(len(text))
    found: list[Name] = []

    def take(names: Iterator[Name]) -> None:
        for name in names:
            if not any(taken[name.start : name.end]):
                taken[name.start : name.end] = b"\1" * (name.end - name.start)
                found.append(name)

    take(files_in(text))
    take(by_pattern(text, Kind.BATTERY, BATTERIES))
    take(by_pattern(text, Kind.TASK, TASKS))
    take(Name(a, b, text[a:b], Kind.RUNTIME, (known,)) for a, b, known in released(text, lexicon.exact))
    take(_apple(text, index.target_names))
    take(_spelt(text, lexicon, index.target_names, taken))
    take(by_pattern(text, Kind.DTYPE, DTYPES))
    take(_misspelt(text, lexicon, taken))
    take(weighed_formats(text, found, lexicon.exact))
    take(_cores(text, index.target_names))
    take(_numbered(text, index.target_names))
    take(_cards(text, lexicon))
    take(_strange_runtimes(text))
    if not any(name.kind in (Kind.FILE, Kind.MODEL) for name in found):
        take(_usual_networks(text))
    if not any(name.kind in (Kind.FILE, Kind.MODEL, Kind.TASK) for name in found):
        take(described_tasks(text))
    take(_unknown(text, lexicon, taken))
    books = _books(where)
    whole = widened(text, found, books)
    whole += names_of_words(text, whole, books)
    others = list(siblings(text, whole, lexicon.exact, lexicon.families))
    apart = (n for n in whole if n.known or not any(o.start < n.end and n.start < o.end for o in others))
    return tuple(sorted([*apart, *others], key=lambda name: name.start))


@cache
def _books(where: tuple[Path, ...]) -> Books:
    index = read_index(where)
    networks = {name: name for name in architecture_names()} | dict(architecture_aliases())
    return Books(
        targets=target_words(where),
        models=TokenNames(networks, MODEL_WORDS),
        language_models=spoken_names,
        summaries={summary.id: summary for summary in index.targets},
        stranger=_lexicon(where).stranger,
    )


@dataclass(frozen=True, eq=False)
class _Lexicon:
    """Folded spelling → what goes by it."""

    exact: dict[str, tuple[Kind, str]]
    families: dict[str, tuple[Kind, tuple[str, ...]]]
    near: NearNames

    def stranger(self, start: int, written: str, kind: Kind) -> Name:
        nearest = _nearest(self, written, kind)
        return Name(start, start + len(written), written, kind, exact=False, nearest=nearest)


@cache
def _lexicon(where: tuple[Path, ...]) -> _Lexicon:
    index = read_index(where)
    exact: dict[str, tuple[Kind, str]] = {}
    for names, kind in ((index.runtime_names, Kind.RUNTIME), (index.target_names, Kind.TARGET)):
        exact |= {spelling: (kind, identifier) for spelling, identifier in names.exact.items()}
    exact = {s: e for s, e in exact.items() if e[0] is Kind.TARGET or s not in index.target_names.families}
    models = {name: name for name in architecture_names()} | dict(architecture_aliases())
    exact |= {
        spelling.replace("raspberrypi", short, 1): entry
        for spelling, entry in tuple(exact.items())
        if spelling.startswith("raspberrypi")
        for short in ("raspi", "rpi", "raspberry")
        if spelling.replace("raspberrypi", short, 1) not in exact
    }
    of_models = zip(folded_each(models), models.values(), strict=True)
    exact |= {spelling: (Kind.MODEL, name) for spelling, name in of_models}
    exact |= {folded(words): (Kind.TASK, network) for words, network in MISSPELT_TASKS.items()}
    exact |= {"cmsis": (Kind.RUNTIME, "tflm-cmsis-nn"), "whispertiny": (Kind.MODEL, "whisper_tiny_encoder")}
    families = {
        spelling: (kind, members)
        for names, kind in ((index.runtime_names, Kind.RUNTIME), (index.target_names, Kind.TARGET))
        for spelling, members in names.families.items()
    }
    families["pi"] = families.get("raspberrypi", (Kind.TARGET, ()))
    return _Lexicon(exact, families, NearNames(tuple(exact)))


def _spelt(text: str, lexicon: _Lexicon, targets: Names, taken: bytearray) -> Iterator[Name]:
    """Names as they are known, the longest first; families only where no name fits."""
    tokens = [m for m in _WORD.finditer(text) if not taken[m.start()]]
    for exact in (True, False):
        for size in range(min(_LONGEST, len(tokens)), 0, -1):
            for first in range(len(tokens) - size + 1):
                run = tokens[first : first + size]
                if any(taken[run[0].start() : run[-1].end()]) or not _together(text, run):
                    continue
                if (name := _known(text, run, lexicon, targets, exact=exact)) is not None:
                    yield _with_variant(text, name, lexicon)


def _together(text: str, run: list[re.Match[str]]) -> bool:
    """No sentence ends within a name, and no price begins in it: the L4 0.70."""
    return all(_GAP.fullmatch(text, a.end(), b.start()) for a, b in pairwise(run)) and not _PRICE.match(
        text, run[-1].start()
    )


def _known(
    text: str, run: list[re.Match[str]], lexicon: _Lexicon, targets: Names, *, exact: bool
) -> Name | None:
    start, end = run[0].start(), run[-1].end()
    written = text[start:end]
    key = folded(written)
    if text.startswith("+", end) and f"{key}plus" in lexicon.exact:
        end, written, key = end + 1, f"{written}+", f"{key}plus"
    if len(run) == 1 and (key in ORDINARY or (exact and names_a_format(key, text[:start], text))):
        return None
    if len(written.split()[0]) == 1 and _BEHIND_A_NUMBER.search(text, 0, start):
        return None
    if len(run) > 1 and (_small(text, run[0], run[1]) or _small(text, run[-1], run[-2])):
        return None
    if not exact:
        found = lexicon.families.get(key) or lexicon.families.get(key.removesuffix("s"))
        if found is None or (len(key) <= 2 and key != "pi" and not any(c.isdigit() for c in key)):
            return None
        return Name(start, end, written, found[0], found[1], family=True)
    several = key.endswith("s") and (len(key) > 4 or re.search(r"\ds$", written) is not None)
    for spelling in (key, key[:-1] if several else key):
        if spelling in lexicon.exact and not key.isdigit() and not _is_a_word(text, start, written):
            kind, identifier = lexicon.exact[spelling]
            return _spec(text, Name(start, end, written, kind, (identifier,)))
    if len(run) == 1 and (part := part_lookup(key, targets) or package_lookup(key, targets)):
        return Name(start, end, written, Kind.TARGET, (part,), exact=part_lookup(key, targets) is not None)
    return None


def _small(text: str, word: re.Match[str], other: re.Match[str]) -> bool:
    """A small word that a blank parts from its neighbour: `at 32` is no AT32."""
    gap = text[min(word.end(), other.end()) : max(word.start(), other.start())]
    return word[0].lower() in SMALL_WORDS and " " in gap


def _is_a_word(text: str, start: int, written: str) -> bool:
    """An ad, the IC."""
    return written.lower() in ("ad", "ic") and (
        not written.islower() or re.search(r"\b(?:an?|the|this|my|your)\s+$", text[:start], re.I) is not None
    )


def _spec(text: str, name: Name) -> Name:
    """`mobilenet_v1:0.25` and `yolov8n_256` keep what they say of width, side and type."""
    if name.kind is not Kind.MODEL or (more := _FIELDS.match(text, name.end)) is None:
        return name
    spec = name.ids[0] + _FIELD.sub(":", more[0])
    if not is_architecture(spec):
        return name
    return Name(name.start, more.end(), text[name.start : more.end()], Kind.MODEL, (spec,))


def _with_variant(text: str, name: Name, lexicon: _Lexicon) -> Name:
    """A Pi 6 is no Pi: digits that go on a name make another."""
    if name.kind is not Kind.TARGET or text[name.end : name.end + 1] not in (" ", "-"):
        return name
    more = (NUMBER_OF_A_BRAND if name.family else VARIANT).match(text, name.end + 1)
    if more is None or re.match(r"\w|[.,/]\d", text[more.end() : more.end() + 2]):
        return name
    if text[name.end] == " " and (name.text[-1].isdigit() or UNITS_BEHIND.match(text, more.end())):
        return name
    whole = text[name.start : more.end()]
    return lexicon.stranger(name.start, whole, Kind.TARGET)


def _misspelt(text: str, lexicon: _Lexicon, taken: bytearray) -> Iterator[Name]:
    """Long names within one or two letters, with the same digits."""
    tokens = [m for m in _WORD.finditer(text) if not taken[m.start()]]
    for size in (3, 2, 1):
        for first in range(len(tokens) - size + 1):
            run = tokens[first : first + size]
            start, end = run[0].start(), run[-1].end()
            key = folded(text[start:end])
            if (
                not _LONG <= len(key) <= _LONGEST_KEY
                or any(m[0].lower() in ORDINARY for m in run)
                or not _together(text, run)
            ):
                continue
            if not (known := _near(lexicon, key)):
                continue
            brand, meant = _BRAND.match(key), _BRAND.match(known)
            if brand is not None and not known.startswith(brand[0]):
                continue
            if meant is not None and _ending(key[: meant.end()]) not in ("", _ending(meant[0])):
                continue
            kind, identifier = lexicon.exact[known]
            yield Name(start, end, text[start:end], kind, (identifier,), exact=False)


def _ending(network: str) -> str:
    """What kind of network the end of its name says: SqueezeDet is no SqueezeNet; empty for none."""
    found = _ENDING.search(network)
    return found[0] if found else ""


@lru_cache(maxsize=1024)
def _near(lexicon: _Lexicon, key: str) -> str:
    limit = 2 if len(key) >= _VERY_LONG else 1
    key = re.sub(r"(?<=\d)o(?=\d)", "0", key)
    near = sorted(lexicon.near.within(key, limit, _LONG))
    return next((known for _, known in near if _alike(key, known)), "")


def _alike(key: str, known: str) -> bool:
    """Letters in front may be misspelt; from the first digit on, another one is another chip."""
    numbers = [sorted(name[m.start() :]) if (m := _DIGIT.search(name)) else [] for name in (key, known)]
    return numbers[0] == numbers[1] and key[0] == known[0] and (bool(numbers[0]) or len(key) >= _VERY_LONG)


def _apple(text: str, targets: Names) -> Iterator[Name]:
    """An M2 MacBook, the Mac mini M4 Pro."""
    for match in apple_chips(text):
        chip = targets.exact.get(folded(f"apple {match['chip']}"))
        yield Name(match.start(), match.end(), match[0], Kind.TARGET, (chip,) if chip else ())


def _cores(text: str, targets: Names) -> Iterator[Name]:
    """An M7, the A55 cores."""
    for match in _CORE.finditer(text):
        core = f"cortex{match['core'].lower().replace('+', 'plus').removesuffix('f')}"
        certain = match["core"][0] in "mM" or match[0][0].isupper()
        if certain and (ids := targets.families.get(core)):
            yield Name(match.start(), match.end(), match[0], Kind.TARGET, ids, family=True)
    for match in _ENGINE.finditer(text):
        if members := targets.families.get(f"ethosu{match['number']}"):
            yield Name(match.start(), match.end(), match[0], Kind.TARGET, members, family=True)


def _cards(text: str, lexicon: _Lexicon) -> Iterator[Name]:
    """A 4090."""
    for match in CARD.finditer(text):
        number = f"{match[0][:-1]}super" if match[0].endswith("S") else match[0].removesuffix("s")
        kind, identifier = lexicon.exact.get(folded(f"{CARD_BRAND}{number}"), (Kind.TARGET, ""))
        if identifier:
            yield Name(match.start(), match.end(), match[0], kind, (identifier,))
        elif re.search(r"[a-z]\W{0,2}$|^$", text[: match.start()], re.I):
            yield lexicon.stranger(match.start(), match[0], Kind.TARGET)


def _usual_networks(text: str) -> Iterator[Name]:
    """A family of networks without a size stands for the member that is usually meant."""
    for network, pattern in USUAL_NETWORKS:
        for match in pattern.finditer(text):
            yield Name(match.start(), match.end(), match[0], Kind.MODEL, (network,), exact=False)


def _strange_runtimes(text: str) -> Iterator[Name]:
    for match in STRANGE_RUNTIMES.finditer(text):
        yield Name(match.start(), match.end(), match[0], Kind.RUNTIME, exact=False)


def _numbered(text: str, targets: Names) -> Iterator[Name]:
    """The 5340: the number of a chip, where one has it; not of an A1000, whose letter is part of it."""
    for match in NUMBERED.finditer(text):
        ends = [(s.removesuffix(match[1]), i) for s, i in targets.exact.items() if s.endswith(match[1])]
        found = {i for brand, i in ends if brand.isalpha()} - {i for brand, i in ends if len(brand) == 1}
        if len(found) == 1:
            yield Name(match.start("number"), match.end(), match[1], Kind.TARGET, (found.pop(),))


def _unknown(text: str, lexicon: _Lexicon, taken: bytearray) -> Iterator[Name]:
    """What is spelt like a part number, a phone or a network and is none that is known, up to one that is."""
    for start, written, kind in _strangers(text):
        free = written[: taken[start : start + len(written)].find(1) % (len(written) + 1)].rstrip(" -")
        if free:
            yield lexicon.stranger(start, free, kind)


def _strangers(text: str) -> Iterator[tuple[int, str, Kind]]:
    for match in islice(BRANDED.finditer(text), _MOST_STRANGERS):
        rest = match["rest"].strip(" -")
        if text.startswith(".cpp", match.end()):
            continue
        if any(map(str.isdigit, match[0])) or rest or BRANDS_ALONE.fullmatch(match[0]):
            yield match.start(), match[0].rstrip(" -.,"), Kind.TARGET if match["hardware"] else Kind.MODEL
    for match in islice(_NETWORK.finditer(text), _MOST_STRANGERS):
        if not NOT_PARTS.fullmatch(match[0]):
            yield match.start(), match[0], Kind.MODEL
    for match in islice(_PART.finditer(text), _MOST_STRANGERS):
        if not NOT_PARTS.fullmatch(match[0]) and len(match[0]) > 2:
            model = _SPOKEN_NETWORK.match(match[0])
            yield match.start(), match[0], Kind.MODEL if model else Kind.TARGET


@lru_cache(maxsize=256)
def _nearest(lexicon: _Lexicon, written: str, kind: Kind) -> tuple[str, ...]:
    known = {s: i for s, (k, i) in lexicon.exact.items() if k is kind}
    found = closest(written[:_LONGEST_KEY], known, 12)
    return tuple(dict.fromkeys(known[spelling] for spelling in found))[:3]
