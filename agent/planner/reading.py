"""From the words of a question to a query: what it wants, and each name and figure with its role."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import islice

from ...hardware_db.errors import UnknownNameError
from ...hardware_db.user_files import Directories
from ...tools.core.units import show
from ...tools.model_zoo.language_model import language_model_meant
from ...tools.model_zoo.spec import spec_in
from ..described_tasks import described_tasks
from ..figure_pairs import as_corrected, as_prices
from ..names import Kind, Name, find_names
from ..patterns import compiled
from ..quantities import Family, Figure, find_figures
from .bench import PLAIN
from .classifier import classifier
from .demands import with_demands
from .features import NOWHERE, Setting, masked, question_features
from .first_runs import with_later_runs
from .multiples import with_multiples, with_needed_rate
from .named_modes import with_named_mode
from .no_goals import denied, no_goals
from .owners import OWNED, as_siblings, longest, owners
from .pictures_kept import with_kept_pictures
from .pieces import with_pieces
from .places import with_places
from .query import Query, Role, Slot
from .recalled import recalled
from .roles import CLAIMED, UNSURE, labels_of, slot_of
from .roles_by_words import SAID, takes_both
from .ruled_out import alone_taken, ruled_out
from .streams import names_of_digits, of_them, with_listed
from .want import Want
from .wants import chosen
from .words import patterns, spoken, without_asides, without_excluded

LONGEST_QUESTION = 4_000
_CHANGE = compiled(r"\b(?:prune|input|width|depth|low-rank)-\d{1,2}\b", re.I)
"""As answers name them."""
_READ, _NO_NAMES = patterns("beside_networks"), patterns("outside_reach")["protection"]
_ENDLESS = compiled(r"(?<![\w.])\d[\d.]*e\+?\d{3,}(?:\s?[a-zµ%]+)?", re.I)
"""Beyond any number that is calculated with."""
_WITHOUT = _READ["without"]
_OFF = _READ["off"]
"""Before, or behind, kernels in whose place the reference ones are taken."""
_WITHOUT_IT, _DOUBTED = _READ["without_it"], _READ["doubted"]
"""Before kernels that are weighed against the reference ones."""
_ANOTHER = _READ["another"]
_HEAD = _READ["head"]
"""What a backbone carries: a network of its own, which its name alone is not."""
_KINDS = {
    Kind.TARGET: Role.TARGET, Kind.RUNTIME: Role.RUNTIME, Kind.MODEL: Role.MODEL, Kind.FILE: Role.MODEL,
    Kind.TRACE: Role.TRACE, Kind.DTYPE: Role.DTYPE, Kind.BATTERY: Role.BATTERY,
}  # fmt: skip


def read(
    question: str,
    setting: Setting = NOWHERE,
    spoken_of: Sequence[str] = (),
    known: AbstractSet[Role] = frozenset(),
    own: Directories | None = None,
    networks: Sequence[str] = (),
) -> Query:
    """What the words say by themselves.

    Args:
        spoken_of: targets and cells of the conversation, which go by a part of their name.
        known: roles that the conversation has figures for.
        own: directories of the user's own hardware; None reads the environment.
        networks: those that were spoken of.
    """
    text = without_asides(question.strip()[:LONGEST_QUESTION])
    named: Sequence[Name] = find_names(text, own)
    jobs = {name.start for name in described_tasks(text)} if networks else set[int]()
    named = [name for name in named if not (name.kind is Kind.TASK and name.start in jobs)]
    names = _with_another(text, named, own)
    names = _with_heads(text, recalled(text, names, spoken_of, own))
    changes = list(_CHANGE.finditer(text))
    spans = [(name.start, name.end) for name in names] + [change.span() for change in changes]
    spans += names_of_digits(text)
    corrected = as_corrected(text, as_prices(text, find_figures(text, spans)))
    figures: Sequence[Figure] = as_siblings(text, names, corrected)
    stated = tuple(figures)
    words, places = masked(text, names, figures)
    names = tuple(map(_as_writer, names))
    figures, labels, sure = labels_of(text, words, places, figures, known)
    chances = classifier("wants").chances(question_features(text, words, labels, setting))
    if not setting.follows:
        chances.pop(Want.SAME.value, None)
    negative = [figure for figure in figures if _below_zero(text, figure)]
    positive = [each for each in zip(figures, labels, sure, strict=True) if each[0] not in negative]
    claims = next(iter(chances), "") == Want.PLAUSIBLE
    slots, unread = _of_figures(positive, words, places, owners(text, names, figures), claims=claims)
    aside = no_goals(text)
    counted = (f for f in figures if not _is_counted(f, words, places))
    plain = _without(text, [*names, *counted], aside.values())
    excluded = frozenset(spoken("excluded", plain))
    unasked = denied(frozenset(aside)) | ({Want.LIMIT} if "resolution" in excluded else set())
    wants = tuple(map(Want, chosen(chances)))
    unwanted, without = ruled_out(text, names, choosing=Want.RECOMMEND in wants)
    names = tuple(name for name in names if name not in unwanted)
    query = Query(
        question=text,
        words=tuple(words),
        figures=stated,
        own=own,
        wants=tuple(want for want in wants if want not in unasked) or wants,
        likely=tuple((Want(label), chance) for label, chance in islice(chances.items(), 6)),
        no_goals=frozenset(aside),
        slots=(
            *_of_names(text, names),
            *_suite(text, names),
            *slots,
            *(Slot(role=Role.TECHNIQUE, value=change[0].casefold(), text=change[0]) for change in changes),
            *without,
            *alone_taken(text),
            *(s for s in _of_words(without_excluded(plain)) if s.value not in {o.value for o in without}),
        ),
        asks=frozenset((*spoken("asks", plain), *spoken("choice", plain))),
        excluded=excluded,
        unknown=tuple(name for name in names if not (name.known or _NO_NAMES.fullmatch(name.text))),
        left_out=frozenset(identifier for name in unwanted for identifier in name.ids),
        unread=(*unread, *(f"-{figure.text}" for figure in negative), *_ENDLESS.findall(text)),
        notes=(*_notes(text, names), *_means(figures)),
    )
    query = with_named_mode(query)
    demanded = with_demands(_without_another(_as_large_as_before(query)), figures, networks)
    of_one, figures = with_places(with_pieces(demanded, figures), figures)
    return with_later_runs(
        with_kept_pictures(with_needed_rate(with_listed(of_them(with_multiples(of_one, figures)))))
    )


def _as_large_as_before(query: Query) -> Query:
    """Single weights that become zero take no channel away."""
    pruned = [s for s in query.slots if s.role is Role.TECHNIQUE and str(s.value).startswith("prune")]
    if not pruned or not spoken("sparse", query.question):
        return query
    return query.model_copy(update={"slots": tuple(slot for slot in query.slots if slot not in pruned)})


def _without_another(query: Query) -> Query:
    """A rate of a second network that has no name is none of the first."""
    another, rates = _ANOTHER.search(query.question), [s for s in query.slots if s.role is Role.RATE_HZ]
    if another is None or len(set(query.all(Role.MODEL))) != 1 or len(rates) < 2:
        return query
    behind = [slot for slot in rates if query.question.find(slot.text, another.end()) >= 0]
    if len(behind) != 1 or query.question.find(query.text(Role.MODEL)) > another.start():
        return query
    note = f"I know no name of the network at {behind[0].text}: say which it is, and I add its load"
    slots = tuple(slot for slot in query.slots if slot is not behind[0])
    return query.model_copy(update={"slots": slots, "notes": (*query.notes, note)})


def _with_another(text: str, names: Sequence[Name], own: Directories | None) -> tuple[Name, ...]:
    """A second network goes by its family alone, beside one that is named in full: plus another, a ResNet."""
    kinds, another = (Kind.MODEL, Kind.FILE), _ANOTHER.search(text)
    networks = [name for name in names if name.kind in kinds]
    at = another.start() if another else len(text)
    if not any(name.end <= at for name in networks) or any(name.end > at for name in networks):
        return tuple(names)
    found = (name for name in find_names(text[at:], own) if name.kind in kinds and name.known)
    moved = [replace(name, start=name.start + at, end=name.end + at) for name in found]
    return tuple(sorted([*names, *moved[:1]], key=lambda name: name.start))


def _with_heads(text: str, names: Sequence[Name]) -> tuple[Name, ...]:
    """A head and the backbone behind it are the network of both, where that is known: SSD on MobileNetV2."""
    found = list(names)
    for name in names:
        head = _HEAD.search(text[: name.start]) if name.kind is Kind.MODEL and name.known else None
        whole = spec_in(f"{_JOINED.sub('', head[0])} {name.ids[0]}") if head else None
        if head and whole:
            found = [one for one in found if one.end <= head.start() or one.start >= name.end]
            words = text[head.start() : name.end]
            found.append(replace(name, start=head.start(), text=words, ids=(whole[0].name,)))
    return tuple(sorted(found, key=lambda name: name.start))


_JOINED = compiled(r"(?:,? (?:with|on|using)(?: an?| the)?)?[- ]+$", re.IGNORECASE)


def _notes(text: str, names: Sequence[Name]) -> Iterator[str]:
    """What was taken for something else than it was called."""
    loose = _loose(names)
    for name in names:
        head = _HEAD.search(text[: name.start]) if name.kind is Kind.MODEL and name.known else None
        if head:
            yield f"I took {head[0]}{name.text} to be {name.ids[0]}, its backbone alone"
        elif name.known and not name.exact and name.kind is Kind.TASK:
            yield f"For *{name.text}* I took {name.ids[0]}, which often stands for such a job: name yours"
        elif name.known and not name.exact and name is not loose:
            yield f"I took {name.text} to be {name.ids[0]}"


def _means(figures: Sequence[Figure]) -> Iterator[str]:
    """What a panel yields over the day."""
    for figure in figures:
        if (
            figure.family is Family.POWER
            and figure.unit.endswith("/day")
            and figure.unit[:-4] in ("w", "mw", "watt", "watts")
        ):
            yield f"{figure.text} are {show(figure.value, 'mW')} on average"


def _is_counted(figure: Figure, words: Sequence[str], places: dict[int, int]) -> bool:
    """The two that were spoken of: no figure of a deployment."""
    before = words[: places[figure.start]][-1:]
    return figure.spoken and figure.family is Family.COUNT and bool(set(before) & SAID["counted"])


def _below_zero(text: str, figure: Figure) -> bool:
    """A minus belongs to the figure behind it, where nothing stands before the minus."""
    before = text[max(0, figure.start - 2) : figure.start].rjust(2)
    return before[1] in "-−" and before[0] in " (=<"


def _of_figures(
    labelled: Sequence[tuple[Figure, str, float]],
    words: Sequence[str],
    places: dict[int, int],
    owned: Mapping[int, str],
    *,
    claims: bool,
) -> tuple[list[Slot], tuple[str, ...]]:
    """The slots that figures fill, and the words of those that fill none.

    Args:
        claims: whether a figure of no role is the one that is to be judged.
    """
    slots: list[Slot] = []
    unread: list[str] = []
    for figure, label, chance in labelled:
        slot = slot_of(figure, label, words, places[figure.start]) if chance >= UNSURE else None
        if slot is None and claims and figure.family in CLAIMED:
            slot = slot_of(figure, CLAIMED[figure.family], words, places[figure.start])
        own = owned.get(figure.start, "") if figure.family in OWNED or _is_owned(slot) else ""
        slot = slot and slot.model_copy(update={"chance": chance, "of": own})
        if figure.value == 1 and figure.spoken and figure.family is Family.COUNT:
            continue
        if _is_counted(figure, words, places) and (slot is None or slot.role is not Role.CARDS):
            continue
        if figure.spoken and slot is not None and slot.role in (Role.BATCH, Role.CLOCK_MHZ, Role.SIDE):
            continue
        if slot is None:
            named = (figure.spoken and figure.family is Family.COUNT) or label == "leak_period"
            unread += [] if named else [figure.text]
        elif slot.role in (Role.CLOCK_MHZ, Role.CLOCK_BEFORE_MHZ) and figure.upper is not None:
            slots.append(slot.model_copy(update={"role": Role.CLOCK_BEFORE_MHZ}))
            slots.append(slot.model_copy(update={"role": Role.CLOCK_MHZ, "value": figure.upper}))
        elif slot.role in (Role.SIDE, Role.WIDTH) and figure.upper is not None:
            slots.append(slot.model_copy(update={"value": figure.upper}))
        else:
            slots.append(slot)
            if slot.role is Role.TAKEN_BYTES and takes_both(slot.number, words, places[figure.start]):
                slots.append(slot.model_copy(update={"role": Role.TAKEN_FLASH_BYTES}))
    return _also_priced(slots, unread, [figure for figure, *_ in labelled], owned)


def _also_priced(
    slots: Sequence[Slot], unread: Sequence[str], figures: Sequence[Figure], owned: Mapping[int, str]
) -> tuple[list[Slot], tuple[str, ...]]:
    """The 3090 for 650, the 4070 is 550: beside a price, bare numbers behind names are prices."""
    priced = [slot for slot in slots if slot.role is Role.OWN_PRICE_USD]
    bare = [f for f in figures if f.text in unread and f.family is Family.COUNT and owned.get(f.start)]
    bare = [f for f in bare if priced and owned[f.start] not in {slot.of for slot in priced}]
    new = [Slot(role=Role.OWN_PRICE_USD, value=f.value, text=f.text, of=owned[f.start]) for f in bare]
    taken = {f.text for f in bare}
    return [*slots, *new], tuple(text for text in unread if text not in taken)


def _is_owned(slot: Slot | None) -> bool:
    return slot is not None and slot.role in (Role.CARDS, Role.CLOCK_MHZ, Role.OWN_PRICE_USD)


def _of_names(text: str, names: Sequence[Name]) -> Iterator[Slot]:
    """A task names a network only where no network is named; families of targets come later."""
    named = [name for name in names if name.known]
    loose = _loose(named)
    named = [name for name in named if name is not loose]
    called = longest(named)
    has_model = any(name.kind in (Kind.MODEL, Kind.FILE) for name in named)
    seen: set[tuple[Role, str]] = set()
    plain = [found[0]] if (found := patterns("plain")["kernels"].search(text)) else []
    first = bool(plain) and _is_before(text, plain[0], named)
    if first:
        yield Slot(role=Role.RUNTIME, value=PLAIN, text=plain[0])
    for name in sorted(named, key=lambda name: not _is_off(text, name)):
        if name.kind is Kind.TASK and has_model:
            continue
        role = Role.MODEL if name.kind is Kind.TASK else _KINDS[name.kind]
        value = "|".join(name.ids) if name.family else name.ids[0]
        if (
            role is Role.RUNTIME
            and value.startswith("tflm")
            and (_is_off(text, name) or (plain and value == PLAIN))
        ):
            plain.append(f"without {name.text}")
            continue
        weighed = _DOUBTED.search(text[: name.start]) or _WITHOUT_IT.match(text, name.end)
        if role is Role.RUNTIME and value.startswith("tflm-") and weighed:
            yield Slot(role=role, value=PLAIN, text=f"without {name.text}")
        if (role, value) not in seen:
            seen.add((role, value))
            yield Slot(role=role, value=value, text=called[name.ids])
    if plain and not first:
        yield Slot(role=Role.RUNTIME, value=PLAIN, text=plain[0])


def _is_before(text: str, plain: str, names: Sequence[Name]) -> bool:
    """Whether the reference kernels are named before all others."""
    others = (name.start for name in names if name.kind is Kind.RUNTIME and PLAIN not in name.ids)
    return text.find(plain) < min(others, default=0)


def _is_off(text: str, name: Name) -> bool:
    """Whether kernels are said not to be in use."""
    if name.kind is not Kind.RUNTIME:
        return False
    return _WITHOUT.search(text[: name.start]) is not None or _OFF.match(text, name.end) is not None


def _loose(names: Sequence[Name]) -> Name | None:
    """A family alone, beside a job that tells which network of it is meant."""
    networks = [name for name in names if name.kind in (Kind.MODEL, Kind.FILE)]
    tells = len(networks) == 1 and any(name.kind is Kind.TASK for name in names)
    return networks[0] if tells and networks[0].kind is Kind.MODEL and networks[0].text.isalpha() else None


def _suite(text: str, names: Sequence[Name]) -> Iterator[Slot]:
    """All of a benchmark, where none of it is named by itself."""
    if any(name.kind in (Kind.MODEL, Kind.FILE, Kind.TASK) for name in names):
        return
    if found := _READ["mlperf_tiny"].search(text):
        yield from (Slot(role=Role.MODEL, value=name, text=found[0]) for name in ("kws", "vww", "ic", "ad"))


def _as_writer(name: Name) -> Name:
    """Networks that write token by token have a catalogue of their own."""
    if name.kind is Kind.MODEL and not name.known:
        with contextlib.suppress(UnknownNameError):
            return replace(name, ids=(language_model_meant(name.text),), exact=True)
    return name


def _of_words(text: str) -> Iterator[Slot]:
    for table, role in (
        ("class", Role.TARGET_CLASS), ("variable", Role.VARIABLE), ("technique", Role.TECHNIQUE),
        ("goal", Role.GOAL),
    ):  # fmt: skip
        most = _MOST_TECHNIQUES if role is Role.TECHNIQUE else 2
        yield from (Slot(role=role, value=name) for name in spoken(table, text)[:most])


_MOST_TECHNIQUES = 4


def _without(text: str, spans: Sequence[Name | Figure], aside: Iterable[tuple[int, int]]) -> str:
    """The words alone; what stands for a type or a technique in a name is none of them.

    Args:
        aside: start and end of what it says that it does not ask for.
    """
    named = [s for s in spans if not (isinstance(s, Name) and s.kind in (Kind.DTYPE, Kind.TASK))]
    kept, last = "", 0
    for start, end in sorted([*((span.start, span.end) for span in named), *aside]):
        kept += text[last:start] + " § "
        last = max(last, end)
    return kept + text[last:]
