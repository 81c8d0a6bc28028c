"""What a follow-up points at: `it`, `the second`, `the cheaper one`, `the ST one`, `both`, in one place.

Who can be meant is in the cast of the conversation: what the user named outranks what an answer suggested,
and the last table holds until the user names something that it does not show.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from ...hardware_db.index import TargetSummary
from ..names import Kind
from ..patterns import compiled
from ..stop_words import STOP_WORDS
from .language import WRITER
from .places import ALL
from .pointing_words import BESIDE, IN_A_TABLE, NOUNS, OF_ALL, counted
from .query import Query, Role, Row, Slot
from .shown import kernels_of, targets_of
from .subject import SUBJECTS, is_sibling
from .want import Want
from .wants import ASIDE, OF_HARDWARE
from .words import entries, patterns, spoken
from .writers import ANYWHERE

_ORDINALS = {
    "first": 0, "1st": 0, "top": 0, "former": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3,
    "4th": 3, "last": -1, "bottom": -1, "latter": -1,
}  # fmt: skip
_OF_TWO = ("former", "latter")
"""Rows, whatever stands behind such a word."""
_RANKED = {
    "cheapest": ("-price",), "dearest": ("price",), "frugal": ("-energy", "-energy a token", "-power"),
    "hungriest": ("energy", "energy a token", "power"), "fastest": ("-latency", "tokens/s", "throughput"),
    "slowest": ("latency", "-tokens/s", "-throughput"), "smallest": ("-arena", "-takes", "-model"),
    "largest": ("arena", "takes", "model"), "longest": ("battery life",), "shortest": ("-battery life",),
}  # fmt: skip
"""By the largest figure of which column of a table, or the smallest, such a row is found."""
_KINDS: Mapping[str, Callable[[TargetSummary], bool]] = {
    "pc|computer|desktop|workstation": lambda found: (
        found.target_class in ("gpu", "cpu") and found.vendor != "Apple"
    ),
    "(?:graphics )?card|gpu": lambda found: found.target_class == "gpu",
    "mac(?:book)?": lambda found: found.vendor == "Apple",
    "stick|dongle": lambda found: "usb" in found.id,
    "(?:micro-?)?controller|mcu": lambda found: found.target_class == "mcu",
    "npu|accelerator": lambda found: found.target_class == "npu",
}
"""Words for hardware of the conversation that are no name of it."""
_READS = patterns("pointing")
VARIED = (*map(Role, entries("several")), Role.BATCH, Role.THREADS, Role.SIDE, Role.WIDTH)
_MOST = 6
_SURELY_ASIDE = 0.6


def pointed(query: Query, earlier: Query) -> Query:
    """With the row that the question points at, and the kernels that it was shown with."""
    likeliest, chance = next(iter(query.likely), (None, 0.0))
    aside = likeliest in ASIDE and chance > _SURELY_ASIDE
    if aside and likeliest not in (Want.INTERVAL, Want.EVIDENCE):
        return query
    if query.has(Role.TARGET):
        return query if aside else _beside(query, earlier)
    rows, chosen = _rows(query, earlier), len(set(earlier.all(Role.TARGET))) == 1
    found = list(_places(query, rows)) or (
        [] if aside or OF_ALL.search(query.question) else _alone(query, earlier, rows)
    )
    found = [row for row in found if row.text(Role.TARGET) not in query.left_out]
    if not found:
        return query
    why = _READS["why"].search(query.question) and found[0] in rows
    either = chosen or " or " in query.question
    if len(found) == 1 and (why or (either and _compares(query))):
        current = earlier.text(Role.TARGET) if chosen else earlier.cast.best
        others = [other for other in (_row_of(rows, current), *rows) if other and other is not found[0]]
        found += others if found[0] is rows[0] and not chosen else others[:1]
    if len(found) == 1:
        return _with(query, found[0])
    slots = tuple(slot for row in found for slot in row.slots if slot.role in (Role.TARGET, Role.MODEL))
    wants = (Want.COMPARE, Want.WHY_SLOWER) if why else (Want.COMPARE, *query.wants)
    update = {"slots": (*query.slots, *slots), "kernels": kernels_of(found), "wants": wants}
    return query.model_copy(update=update)


def _beside(query: Query, earlier: Query) -> Query:
    """The slowest of those against a board that is named; the first of the networks on it."""
    rows = _rows(query, earlier)
    found = list(_places(query, rows))
    if not found and _READS["or_that"].search(query.question):
        name = earlier.cast.focus(Role.TARGET, query.all(Role.TARGET))
        found = [Row(slots=(Slot(role=Role.TARGET, value=name),))] if name else []
    return _with(query, found[0]) if len(found) == 1 else query


def _compares(query: Query) -> bool:
    """Whether it is about a difference: a comparison, or what the other one brings."""
    gains = spoken("gains", query.question) and not query.says(Role.TECHNIQUE)
    return bool(gains or {Want.COMPARE, Want.WHY_SLOWER} & set(query.wants))


def _rows(query: Query, earlier: Query) -> Sequence[Row]:
    """The rows of the last table; the names in the order of their naming, where it is no more meant."""
    shown = next((slot.role for row in earlier.shown for slot in row.slots), Role.TARGET)
    role = _role_said(query) or (shown if not query.says(shown) else Role.TARGET)
    values = {slot.value for row in earlier.shown for slot in row.slots}
    names = earlier.cast.in_order(role)
    crossed = (
        len({row.text(Role.TARGET) for row in earlier.shown})
        > 1
        < len({row.text(Role.MODEL) for row in earlier.shown})
    )
    if crossed:
        role = _role_said(query) or Role.TARGET
        names = earlier.cast.in_order(role)
    if role is shown and earlier.shown and not crossed and not earlier.cast.outdated(role, values):
        if not values & set(earlier.cast.meant(role)) >= {row.text(role) for row in earlier.shown}:
            return earlier.shown
        return sorted(earlier.shown, key=lambda row: names.index(row.text(role)))
    known = {row.text(role): row.figures for row in earlier.shown}
    return [Row(slots=(Slot(role=role, value=name),), figures=known.get(name, {})) for name in names]


def _role_said(query: Query) -> Role | None:
    """Whether a board or a network is pointed at, by the word behind."""
    nouns = {match["noun"].casefold() for match in _READS["points"].finditer(query.question) if match["noun"]}
    return next((role for role, words in NOUNS.items() if words & nouns), None)


def _row_of(rows: Sequence[Row], name: str) -> Row | None:
    """The one row of what is named."""
    found = [row for row in rows if name and name in (slot.value for slot in row.slots)]
    return found[0] if len(found) == 1 else None


def _with(query: Query, row: Row) -> Query:
    """With what a row is of, as far as the question does not say it, and beside what it is held against."""
    both = _compares(query) or " or " in query.question
    new = {
        slot.role: slot
        for slot in reversed(row.slots)
        if not query.has(slot.role)
        or (both and slot.role in SUBJECTS and slot.value not in query.all(slot.role))
    }
    if Role.TARGET in new and query.has(Role.TARGET):
        query = query.model_copy(update={"kernels": {**query.kernels, **kernels_of([row])}})
        new.pop(Role.RUNTIME, None)
    return query.model_copy(
        update={"slots": (*query.slots, *new.values()), "picks": bool(new) or query.picks}
    )


def _places(query: Query, rows: Sequence[Row]) -> Iterator[Row]:
    """By their place in the table, or by what they are best or worst at."""
    at_first = _READS["at_first"].search(query.question)
    role = next((r for r, words in NOUNS.items() if at_first and (at_first["noun"] or "") in words), None)
    if at_first and (role or not at_first["noun"]):
        names = query.cast.in_order(role or _role_said(query) or Role.TARGET)
        yield from (Row(slots=(Slot(role=role or Role.TARGET, value=name),)) for name in names[:1])
        return
    if len(rows) < 2:
        return
    others = [words for role, words in NOUNS.items() if role is not rows[0].slots[0].role]
    for match in _READS["points"].finditer(query.question):
        which, noun = match["which"].casefold().replace(" ", "-"), (match["noun"] or "").casefold()
        verb = (match["verb"] or "").casefold()
        at = _ORDINALS.get(which)
        if noun not in IN_A_TABLE.difference(*others) and which not in _OF_TWO:
            continue
        if at is not None and at < len(rows):
            yield rows[at]
        asked = verb in BESIDE["is" if which.endswith("er") or which == "worse" else "asks_for"]
        if at is None and (verb in BESIDE["takes"] or (noun in BESIDE["one"] and not asked)):
            yield from (_ranked(query, rows, which) or ())[:1]


def _ranked(query: Query, rows: Sequence[Row], word: str) -> Sequence[Row]:
    """By the column that a word is of; by price or memory of the chips where the table shows none."""
    heads = next((_RANKED[name] for name in spoken("best", word)), ())
    shown = next((head for head in heads if any(head.removeprefix("-") in row.figures for row in rows)), "")
    figures = [row.figures.get(shown.removeprefix("-")) for row in rows]
    if heads and not shown:
        shown, figures = heads[0], [_of_chip(query, row, heads[0].removeprefix("-")) for row in rows]
    known = [(figure, i) for i, figure in enumerate(figures) if figure is not None]
    known.sort(key=lambda each: each[0], reverse=not shown.startswith("-"))
    return [rows[i] for _, i in known]


def _of_chip(query: Query, row: Row, head: str) -> float | None:
    chip = query.targets.get(row.text(Role.TARGET))
    return {"price": chip.price_usd, "arena": chip.ram_bytes}.get(head) if chip else None


def _alone(query: Query, earlier: Query, rows: Sequence[Row]) -> list[Row]:
    """The other one, or the one that is spoken of."""
    chosen = len(set(earlier.all(Role.TARGET))) == 1
    current = earlier.text(Role.TARGET) if chosen else earlier.cast.best
    others = [row for row in rows if current not in (slot.value for slot in row.slots)]
    if _READS["other"].search(query.question) and len(others) == 1 < len(rows):
        return others
    of_several = len(set(earlier.all(Role.MODEL))) > 1
    if of_several and not query.has(Role.MODEL) and _role_of_that(query, rows) is Role.MODEL:
        if name := earlier.cast.focus(Role.MODEL):
            return [_row_of(rows, name) or Row(slots=(Slot(role=Role.MODEL, value=name),))]
        found, said = _READS["that"].search(query.question), set(earlier.cast.meant(Role.MODEL))
        together = said.issuperset(row.text(Role.MODEL) for row in rows) and not (found and found["noun"])
        return [] if together else list(rows[:1])
    if not chosen and _role_of_that(query, rows) is Role.TARGET:
        name, words = earlier.cast.focus(Role.TARGET), ""
    else:
        name, words = _by_kind(query, earlier) or _by_description(query, earlier)
        name, words = (name, words) if name else _by_name(query, earlier)
    if name:
        own = (Slot(role=Role.TARGET, value=name, text=words),)
        return [Row(slots=(*own, *(row.slots if (row := _row_of(rows, name)) else ())))]
    return [rows[0]] if rows and "picked" in query.asks and not chosen else []


def _role_of_that(query: Query, rows: Sequence[Row]) -> Role | None:
    """What `that one`, `there`, `on it` is; `it` alone is of a table of networks."""
    listed = next((slot.role for row in rows for slot in row.slots[:1]), None)
    found = _READS["that"].search(query.question)
    noun = (found["noun"] or "").casefold() if found else ""
    said = next((role for role, words in NOUNS.items() if noun in words), None)
    if said is not None:
        return said
    if listed is Role.MODEL and not query.has(Role.MODEL) and _READS["it"].search(query.question):
        return Role.MODEL
    return Role.TARGET if found and (noun == "one" or found["it"] or found["there"]) else None


def _by_kind(query: Query, earlier: Query) -> tuple[str, str] | None:
    """The PC, my card: the one target of the conversation that such a word fits."""
    found = _READS["kind"].search(query.question)
    if found is None:
        return None
    word, known = (found["word"] or found["taken"]).casefold(), query.targets
    fits = next(test for words, test in _KINDS.items() if re.fullmatch(words, word))
    spoken_of = dict.fromkeys((*earlier.all(Role.TARGET), *reversed(earlier.spoken_of)))
    matching = [name for name in spoken_of if name in known and fits(known[name])]
    whose = (found["whose"] or "").casefold()
    mine = earlier.cast.mine() if whose in ("my", "our") or found["own"] else ()
    own = [name for name in matching if name in mine]
    return ((own or matching)[0], found[0]) if len(own or matching) == 1 else None


def _by_name(query: Query, earlier: Query) -> tuple[str, str]:
    """`The ST one`, `esp then`: the only one that starts so."""
    known = [(name, query.targets[name]) for name in earlier.spoken_of if name in query.targets]
    for found in _READS["called"].finditer(query.question) if known else ():
        written = next(each for each in found.groups() if each)
        word = "it" if any(written in slot.text for slot in query.slots) else written.casefold()
        starting = [name for name, of in known if word not in BESIDE["no_names"] and _starts_a_name(word, of)]
        if len(starting) == 1:
            return starting[0], written
    return "", ""


def described_in(query: Query) -> dict[float | str, frozenset[str]]:
    """The words that each target and network of the question is called by, and those right beside it."""
    found = {}
    for slot in query.slots:
        if slot.role in SUBJECTS and slot.text and not slot.inherited:
            before, _, behind = query.question.partition(slot.text)
            beside = (_READS["described"].search(before), _READS["describes"].match(behind))
            words = {match["word"].casefold() for match in beside if match}
            words |= {*_OF_NAME.findall(slot.text.casefold())}
            found[slot.value] = frozenset(words - _SAYS_NOTHING)
    return found


_SAYS_NOTHING = (STOP_WORDS - {"used", "new", "own", "main"}) | BESIDE["no_names"]
_OF_NAME = compiled(r"[a-z][a-z-]{2,}")


def _by_description(query: Query, earlier: Query) -> tuple[str, str]:
    """`My laptop`, `the used one`, `the Arduino`: the only target that such a word was said with."""
    for found in _READS["by_description"].finditer(query.question):
        for word in found["words"].casefold().split():
            names = earlier.cast.described_as(Role.TARGET, word)
            if len(names) == 1:
                return names[0], found[0]
    return "", ""


def _starts_a_name(word: str, target: TargetSummary) -> bool:
    parts = re.findall(r"[a-z]+\d*|\d+", f"{target.id} {target.name} {target.vendor}".casefold())
    return any(part.startswith(word) for part in parts)


def with_company(query: Query, earlier: Query) -> Query:
    """Both of them, all three; a second network beside the first."""
    models = list(dict.fromkeys((*query.all(Role.MODEL), *earlier.all(Role.MODEL))))
    apart = "instead" in query.asks or is_sibling(query, earlier)
    if Want.PIPELINE in query.wants and len(models) == 2 and not apart:
        return query.put(Role.MODEL, *sorted(models))
    targets = {slot.value for slot in query.slots if slot.role is Role.TARGET and not slot.inherited}
    changed = Want.WHAT_IF in query.wants and (query.has(Role.TECHNIQUE) or "the_two" not in query.asks)
    against = query.says(Role.MODEL) and len(set(query.all(Role.MODEL))) > 1 and "the_two" not in query.asks
    aside = set(query.wants) <= ASIDE or query.wants[0] in (Want.CONCEPT, Want.PRODUCT)
    if changed or against or query.picks or len(targets) > 1 or aside:
        return query
    best = earlier.cast.best
    of_best = Slot(role=Role.TARGET, value=best, inherited=True)
    if best and not targets and earlier.has(Role.PLACES) and ALL.search(query.question):
        return query.model_copy(update={"slots": (*query.without([Role.TARGET]).slots, of_best)})
    compares = _compares(query) and not query.says(Role.RUNTIME, Role.DTYPE)
    compares = compares and len(set(query.all(Role.DTYPE))) < 2
    several = (
        "the_two" in query.asks or _READS["top"].search(query.question) or spoken("decides", query.question)
    )
    if not targets and (compares or several):
        return _with_group(query, earlier)
    if not compares or not best or targets == {best} or earlier.has(Role.TARGET):
        return query
    if WRITER in query.asks and _READS["is_enough"].search(query.question):  # that alone is judged
        return query
    kernels = {**query.kernels, **kernels_of(earlier.shown)}
    return query.model_copy(update={"slots": (*query.slots, of_best), "kernels": kernels})


def _with_group(query: Query, earlier: Query) -> Query:
    """With as many of what is meant as are counted."""
    role = _role_of_several(query, earlier)
    count = counted(query.question)
    count = count if 1 < count <= _MOST else 2 if _READS["pair"].search(query.question) else 0
    group = _group(query, earlier, role, count)
    if len(group) < 2:
        return query
    if role is Role.TARGET and set(group) <= set(targets_of(earlier.shown)) and not earlier.has(role):
        query = query.model_copy(update={"kernels": kernels_of(earlier.shown)})
    others = role is Role.TARGET and not set(group) <= set(earlier.all(role))
    varied = [one for one in VARIED if one not in SUBJECTS and len(set(query.all(one))) > 1]
    query = query.without(one for one in varied if others and not query.says(one))
    return query.put(role, *group)


def _role_of_several(query: Query, earlier: Query) -> Role:
    """What `both` are: by the word behind it, as what was compared, or as what was varied last."""
    if named := spoken("several", query.question):
        return Role(named[0])
    top = _READS["top"].search(query.question)
    open_roles = [role for role in (SUBJECTS if top else VARIED) if not query.says(role)]
    listed = [
        role for role in open_roles if top and len({row.text(role) for row in earlier.shown} - {""}) > 1
    ]
    compared = listed or [role for role in open_roles if len(set(earlier.all(role))) > 1]
    roles = compared[:1] or sorted(open_roles, key=lambda role: -earlier.cast.said_at(role))
    return roles[0] if roles else Role.TARGET


def _group(query: Query, earlier: Query, role: Role, count: int) -> Sequence[float | str]:
    """Those that are compared, those of the last table where they are still meant, or that the user named."""
    shown = [slot for row in earlier.shown for slot in row.slots]
    table = list(dict.fromkeys(slot.value for slot in shown if slot.role is role))
    table = [] if earlier.cast.outdated(role, table) or query.left_out & set(table) else table
    current = list(dict.fromkeys(slot.value for slot in query.slots if slot.role is role))
    top, own = _READS["top"].search(query.question), earlier.cast.in_order(role)
    if top and top["how"].casefold() == "first" and count <= len(own) and {*table} <= {*own}:
        return own[:count]
    for known in (current, table):
        if len(known) > 1 and count in (0, len(known)):
            return known
    suggested = [*filter(None, [earlier.cast.best if role is Role.TARGET else ""]), *earlier.cast.names(role)]
    best = _best_first(query, earlier.shown, role) or (table if top else [])
    if count and len(best) >= count:
        return best[:count]
    least = count or (_MOST if "the_two" in query.asks else max(2, len(current)))
    found = [value for value in earlier.cast.meant(role) if value not in query.left_out][-least:]
    possible = dict.fromkeys((*found, *table, *suggested))
    return [value for value in possible if value not in query.left_out][: max(count, len(found), 2)]


def _best_first(query: Query, rows: Sequence[Row], role: Role) -> list[float | str]:
    """`The two fastest of those`: as the table stands where it is in that order, else by their figures."""
    found = _READS["best_of_them"].search(query.question)
    heads = [_RANKED[name] for name in spoken("best", found["how"])] if found else []
    leads = bool(heads and rows) and next(iter(rows[0].figures), "") == heads[0][0].removeprefix("-")
    best = rows if leads else _ranked(query, rows, found["how"]) if found else ()
    return list(dict.fromkeys(slot.value for row in best for slot in row.slots if slot.role is role))


def with_subject(query: Query) -> Query:
    """What needs a target and has none is about the one that was spoken of last, or that was put first."""
    cast = query.cast
    if query.has(Role.TARGET) or not query.spoken_of or not set(query.wants) & OF_HARDWARE:
        return query
    if ANYWHERE in query.asks or Want.RECOMMEND in query.wants:
        return query
    if any(name.kind is Kind.TARGET for name in query.unknown):
        return query
    latest = cast.focus(Role.TARGET) or query.spoken_of[-1]
    row = next((row for row in query.shown if latest in (slot.value for slot in row.slots)), Row(slots=()))
    slots = [Slot(role=Role.TARGET, value=latest, inherited=True)]
    slots += [
        slot.model_copy(update={"inherited": True})
        for slot in row.slots
        if not query.has(slot.role) and slot.role is not Role.TARGET
    ]
    return query.model_copy(update={"slots": (*query.slots, *slots)})
