"""Names that only the conversation explains: the nano, our Nordic, the S3 beside an ESP32."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ...hardware_db.errors import UnknownNameError
from ...hardware_db.hosts import is_hosted
from ...hardware_db.index import read_index, targets_by_id
from ...hardware_db.names import folded
from ...hardware_db.user_files import Directories, directories
from ...tools.model_zoo.language_model import is_language_model, language_model_meant
from ...tools.model_zoo.members import beside, by_size, member, members
from ...tools.model_zoo.named import is_architecture
from ..name_words import UNITS_BEHIND
from ..names import Kind, Name
from ..patterns import compiled
from .words import patterns

_LINE = compiled(r"[a-z]+\d+")
_WHOLE = compiled(r"[a-z]+\d+-([a-z]\d{1,2})")
_READS = patterns("recalled")


def recalled(
    text: str, names: Sequence[Name], spoken_of: Sequence[str], own: Directories | None = None
) -> tuple[Name, ...]:
    """Those names and the ones that are whole only beside them or what was spoken of, in their order.

    Args:
        spoken_of: targets, networks and cells of the conversation, the latest last.
        own: directories of the user's own hardware; None reads the environment.
    """
    names = _of_its_line(names, own)
    for more in (_endings, _members, _parts, _rated):
        names = (*names, *more(text, names, spoken_of, own))
    return tuple(sorted(names, key=lambda name: name.start))


def _of_its_line(names: Sequence[Name], own: Directories | None) -> tuple[Name, ...]:
    """An L4 beside an STM32H7 is of that line, whatever else goes by two characters."""
    known = targets_by_id(own)
    short = [name for name in names if name.kind is Kind.TARGET and _SHORT.fullmatch(name.text)]
    others = [name for name in names if name.kind is Kind.TARGET and name.known and name not in short]
    lines = {line[0] for name in others if (line := _LINE.match(name.ids[0]))}
    families = read_index(directories() if own is None else own).target_names.families
    moved: dict[int, tuple[str, ...]] = {}
    for name in short:
        of = known.get(name.ids[0]) if name.known else None
        found = next(
            (families[key] for line in lines if (key := folded(f"{line}{name.text}")) in families), ()
        )
        same = {known[other.ids[0]].target_class for other in others if other.ids[0] in known}
        if found and of is not None and of.target_class not in same:
            moved[name.start] = tuple(found)
    return tuple(
        replace(name, ids=moved[name.start], family=True, exact=False) if name.start in moved else name
        for name in names
    )


_SHORT = compiled(r"[A-Z]\d", re.I)


def _endings(
    text: str, names: Sequence[Name], spoken_of: Sequence[str], own: Directories | None
) -> Iterator[Name]:
    """The S3, the C6: how the name of another of the line ends, or of the only one that ends so."""
    named = (name.ids[0] for name in names if name.kind is Kind.TARGET and name.known)
    lines = {line[0] for each in (*named, *spoken_of) if (line := _LINE.match(each))}
    exact = read_index(directories() if own is None else own).target_names.exact
    for match in _READS["ending"].finditer(text):
        found = {exact[key] for line in lines if (key := folded(f"{line}{match[0]}")) in exact}
        if not found and _READS["before_a_chip"].search(text, 0, match.start()):
            ending = match[0].casefold()
            found = {
                each
                for each in targets_by_id(own)
                if (whole := _WHOLE.fullmatch(each)) and whole[1] == ending
            }
        if len(found) == 1 and not _overlaps(match.span(), names):
            yield Name(*match.span(), match[0], Kind.TARGET, (found.pop(),))


def _members(
    text: str, names: Sequence[Name], spoken_of: Sequence[str], own: Directories | None
) -> Iterator[Name]:
    """Of the family of a network that is named or was spoken of: yolov8n or s, the nano version, the 3B."""
    named = [(name, network) for name in names if (network := _network(name))]
    reads, found = patterns("member"), list[Name]()
    for name, network in named:
        at = name.end
        while (match := reads["next"].match(text, at)) and (id := member(network, match["size"])):
            if UNITS_BEHIND.match(text, at := match.end()) or _overlaps(match.span("size"), names):
                break
            found.append(Name(*match.span("size"), match["size"], Kind.MODEL, (id,)))
    targets = targets_by_id(own)
    spoken = [each for each in reversed(spoken_of) if each not in targets]
    networks = list(dict.fromkeys([*(network for _, network in reversed(named)), *spoken]))
    if alone := reads["sizes_alone"].fullmatch(text):
        for match in re.finditer(r"[\w.]+", text[: alone.end("sizes")][alone.start("sizes") :]):
            if id := next(filter(None, (member(each, match[0]) for each in networks)), ""):
                start = alone.start("sizes")
                yield Name(start + match.start(), start + match.end(), match[0], Kind.MODEL, (id,))
    hardware = {word for each in spoken_of if each in targets for word in re.findall(r"[a-z]+", each)}
    for match in (m for key in ("of_family", "step", "alone") for m in reads[key].finditer(text)):
        way = match.groupdict().get("way")
        if _overlaps(match.span(), (*names, *found)) or UNITS_BEHIND.match(text, match.end()):
            continue
        if way is None and match["size"].casefold() in hardware and not match["sure"]:
            continue
        if way and not match["sure"] and len(targets.keys() & {*spoken_of}) > 1:
            continue
        among = networks if way and not match["sure"] else networks[:1]
        every = (_stepped(among, way) if way else member(each, match["size"]) for each in networks)
        if id := next(filter(None, every), ""):
            found.append(Name(*match.span(), match[0], Kind.MODEL, (id,)))
    yield from found


def _network(name: Name) -> str:
    """The network that a name is of; empty for none."""
    if name.kind is Kind.FILE or (name.kind is Kind.MODEL and name.known):
        return name.ids[0]
    with contextlib.suppress(UnknownNameError):
        return language_model_meant(name.text) if name.kind is Kind.MODEL else ""
    return ""


def _stepped(networks: Sequence[str], way: str) -> str:
    """The smaller or larger of those that were spoken of, of one family first; of one alone the next."""
    family, larger = members(networks[0]) if networks else (), patterns("member")["larger"].search(way)
    spoken = [each for each in family if each in networks]
    if way.casefold().endswith("est"):
        spoken = list(family)
    if len(spoken) > 1:
        return spoken[-1 if larger else 0]
    if len(sized := by_size(networks)) > 1:
        return sized[-1 if larger else 0]
    return beside(networks[0], larger=larger is not None) if networks else ""


def _overlaps(span: tuple[int, int], names: Sequence[Name]) -> bool:
    return any(span[0] < name.end and name.start < span[1] for name in names)


def _parts(
    text: str, names: Sequence[Name], spoken_of: Sequence[str], own: Directories | None
) -> Iterator[Name]:
    """The nano, our Nordic, the 2450: a word of the name or the maker of what was spoken of."""
    summaries = targets_by_id(own)
    for match in _READS["definite"].finditer(text) if spoken_of else ():
        start, end = match.span("word")
        word = match["word"].casefold()
        if _READS["common"].match(word) or (
            word.isdigit() and (len(word) < 3 or UNITS_BEHIND.match(text, end))
        ):
            continue
        if _overlaps((start, end), names):
            continue
        for called in reversed(spoken_of):
            of = summaries.get(called)
            whole = f"{called} {of.name} {of.vendor}" if of else called
            if word in (
                *re.findall(r"[a-z]+|\d+", whole.casefold()),
                *re.split(r"[^\w.]+", whole.casefold()),
            ):
                of_model = is_architecture(called) or is_language_model(called)
                kind = Kind.TARGET if of else Kind.MODEL if of_model else Kind.BATTERY
                yield Name(start, end, called, kind, (called,))
                break


def _rated(
    text: str, names: Sequence[Name], _spoken_of: Sequence[str], own: Directories | None
) -> Iterator[Name]:
    """The 26 TOPS one: the only accelerator that is called by such a peak."""
    known, exact = targets_by_id(own), read_index(directories() if own is None else own).target_names.exact
    for match in _READS["rated"].finditer(text):
        called = {id for name, id in exact.items() if re.search(rf"(?<!\d){match['tops']}tops", name)}
        found = [each for each in called if is_hosted(known.get(each))]
        told = any(len(name.ids) > 1 and set(found) & set(name.ids) for name in names)
        if len(found) == 1 and not told and not _overlaps(match.span(), names):
            yield Name(*match.span(), match[0], Kind.TARGET, tuple(found))
