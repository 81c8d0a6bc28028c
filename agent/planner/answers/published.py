"""How accurate networks are: what others measured of those that are named, and of the changes of one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ....tools.model_zoo.published import published_of, spelt
from ...patterns import compiled
from ..bench import Answering, Call, Frame, Record, is_named, needed
from ..query import Query, Role
from ..want import Want
from ..wants import QUANTITIES, explains
from .phrases import joined, language_models, lines, table

_MOST_ROWS, _WIDEST = 5, 8.0
_WIDTH = compiled(r"width-(\d+)")
_TYPES = ("float32", "float16", "int8")
_USED = frozenset((Role.MODEL, Role.WIDTH, Role.SIDE, Role.DTYPE, Role.TECHNIQUE))
_BESIDE = frozenset((Want.COMPARE, Want.DIFF, Want.WHAT_IF))
"""What the accuracy of each answers, where nothing but accuracy is spoken of."""
_OF_NONE_NAMED = frozenset((Want.RECOMMEND_MODEL, Want.LIST_MODELS))
_BETTER = r"better|smarter|more accurate|higher|superior"
_WORSE = r"worse|less accurate|lower|inferior"
_JUDGES = compiled(
    rf"^\W*(?:is|are|does|do|will|would)\b.*\b(?:{_BETTER}|(?P<less>{_WORSE}))\b", re.IGNORECASE
)
_OR = compiled(r"\bor\b", re.IGNORECASE)
_OWN = "What you train or convert yourself may do better or worse: your own test set tells."


def tells(query: Query) -> bool:
    """Whether an accuracy of one of the networks was published at all."""
    others = (str(slot.value) for slot in query.slots if slot.role is Role.TECHNIQUE and not slot.inherited)
    simulated = [name for name in others if name not in _TYPES and not _WIDTH.fullmatch(name)]
    return not simulated and any(published_of(name) for name in query.all(Role.MODEL))


def knows_changes(query: Query) -> bool:
    """Whether of every change of a single network an accuracy was published."""
    names, _ = _variants(query)
    return len(set(query.all(Role.MODEL))) > 1 or all(map(published_of, names))


def answers(query: Query, wants: Sequence[Want]) -> bool:
    """Whether what a change of a network loses is asked first and was published: no page tells it better."""
    asked = tuple(wants[:1]) == (Want.ACCURACY,) and not explains(query)
    return asked and tells(query) and knows_changes(query)


def answers_alone(query: Query, wants: Sequence[Want]) -> bool:
    """Whether of language models nothing but how good they are is asked."""
    told = bool(language_models(query)) and not query.has(Role.TARGET) and tells(query)
    return told and Want.ACCURACY in wants and set(wants) <= {Want.ACCURACY, Want.GENERATION}


def leads(query: Query, wants: Sequence[Want]) -> bool:
    """Whether how good they are is told before what else is asked of them."""
    return Want.ACCURACY in wants and not {Want.LATENCY, Want.THROUGHPUT} & set(wants) and tells(query)


def before(query: Query, wants: Sequence[Want]) -> tuple[tuple[Frame, tuple[Want, ...]], ...]:
    """The frame of the accuracy with its want, where that goes before what language models take."""
    return ((lambda asked, _wants: published(asked), (Want.ACCURACY,)),) if leads(query, wants) else ()


def without_the_told(query: Query, said: Iterable[Want]) -> tuple[Want, ...]:
    """The wants without those that accuracies answer: a comparison of nothing else, which network to take."""
    wants = tuple(said)
    if Want.ACCURACY not in wants or not tells(query):
        return wants
    alone = wants[0] is Want.ACCURACY and "accuracy" in query.asks and not query.has(Role.TARGET)
    told = _BESIDE if alone and not QUANTITIES & set(wants) else frozenset[Want]()
    return tuple(want for want in wants if want not in told | _OF_NONE_NAMED)


def published(query: Query) -> Answering:
    """What the networks that are named reach, set against each other where they were measured alike."""
    names, usual = _variants(query)
    board = query.text(Role.TARGET) if query.says(Role.TARGET) and not QUANTITIES & set(query.wants) else ""
    arguments = {"models": names} | ({"dtype": usual} if usual else {})
    record = needed((yield Call("published_accuracy", arguments, _USED)))
    unknown = joined(record.ref(f"unknown[#{at}]") for at in range(len(record["unknown"])))
    lacks = f"{unknown} I know no published accuracy." if unknown else ""
    untold = bool(lacks) and not knows_changes(query)
    return lines(
        f"I cannot tell: of {lacks}" if untold else "",
        _compared(query, record) if record["compared"] else _each(record),
        _further(record),
        "" if untold or not lacks else f"Of {lacks}",
        *(record.ref(f"assumptions[#{at}]") for at in range(len(record["assumptions"]))),
        f"{board} changes nothing of that except by the type that it runs in there." if board else "",
        "" if language_models(query) else _OWN,
    )


def _variants(query: Query) -> tuple[list[str], str]:
    """The networks by name, of a single one as it is and as each change makes it; the type of all of them."""
    names = list(dict.fromkeys(query.all(Role.MODEL)))
    types = [name for name in _own(query, Role.DTYPE, Role.TECHNIQUE) if name in _TYPES]
    before = [name for name in query.all(Role.DTYPE) if name in _TYPES]
    usual = (types or before)[0] if len(types or before) == 1 else ""
    if len(names) != 1 or not is_named(names[0]):
        return names, usual
    sized = [f"{names[0]}:{size}" for size in _sizes(query)]
    if others := [one for one in sized if spelt(one) != spelt(names[0])]:
        return [names[0], *others], usual
    name = ":".join(
        (names[0], *(size for role in (Role.WIDTH, Role.SIDE) for size in _said(query.all(role))))
    )
    if not types or usual == "float32":
        return [name], usual
    return [f"{name}:{one}" for one in dict.fromkeys(("float32", *types))], ""


def _own(query: Query, *roles: Role) -> list[str]:
    own = (slot for slot in query.slots if slot.role in roles and not slot.inherited)
    return list(dict.fromkeys(str(slot.value) for slot in own))


def _sizes(query: Query) -> Iterable[str]:
    """Widths and sides of this very question, as they stand behind a name; one of each is of one network."""
    halves = (
        int(found[1]) / 100 for name in _own(query, Role.TECHNIQUE) if (found := _WIDTH.fullmatch(name))
    )
    widths = list(dict.fromkeys([*_own(query, Role.WIDTH), *map(str, halves)]))
    sides = _said(_own(query, Role.SIDE))
    both = len(widths) == len(sides) == 1 and not _OR.search(query.question)
    return [":".join((*widths, *sides))] if both else [*widths, *sides]


def _said(values: Iterable[str]) -> list[str]:
    """Sides without a point, which is what tells a width from them."""
    return [value.removesuffix(".0") if float(value) > _WIDEST else value for value in values]


def _compared(query: Query, record: Record) -> str:
    """The best, and how far the others are behind; of a single network, what its change loses."""
    best, *others = [record.row("compared", at) for at in range(len(record["compared"]))]
    changed, first = len(set(query.all(Role.MODEL))) == 1, record["models"][0]
    reached = f"{best.ref('accuracy', '%')} {_of(best)}"
    source = _from([best, *others])
    if not others[0].number("behind"):
        return f"{best.ref('model')} and {others[0].ref('model')} are as accurate: {reached}{source}."
    if changed and best["model"] == first:
        lost = (f"{row.ref('behind')} with {row.ref('model')} ({row.ref('accuracy', '%')})" for row in others)
        return f"It loses {joined(lost)}: {best.ref('model')} reaches {reached}{source}."
    less = (best.number("accuracy") or 0.0) > (others[0].number("accuracy") or 0.0)
    far = "less" if less else "more"
    behind = (f"{row.ref('model')} {row.ref('accuracy', '%')}, {row.ref('behind')} {far}" for row in others)
    asked = None if changed else _JUDGES.search(query.question)
    word = ""
    if asked and not others[1:]:
        word = "Yes: " if (best["model"] == first) is not bool(asked["less"]) else "No: "
    most = "more" if not others[1:] else "the most"
    return f"{word}{best.ref('model')} is {most} accurate, {reached}; {joined(behind)}{source}."


def _each(record: Record) -> str:
    """What each reaches, where no two were measured alike."""
    rows = list(_first_of_each(record))
    reached = "; ".join(
        f"{row.ref('model')} reaches {row.ref('accuracy', '%')} {_of(row)}{_from([row])}" for row in rows
    )
    judged = {(row["dataset"], row["metric"]) for row in rows}
    apart = "That is measured on different data or in different ways, and not to be compared."
    return lines(f"{reached}.", apart if len(judged) > 1 else "")


def _first_of_each(record: Record) -> Iterator[Record]:
    seen: set[str] = set()
    for at, row in enumerate(record["rows"]):
        if row["model"] not in seen:
            seen.add(row["model"])
            yield record.row("rows", at)


def _further(record: Record) -> str:
    """All that was read of a single network, where that is more than one figure."""
    rows = [record.row("rows", at) for at in range(len(record["rows"]))]
    if len(rows) < 2 or len(record["models"]) > 1:
        return ""
    head = ("accuracy", "type", "weights", "published by")
    cells = ("accuracy", "precision", "weights", "publisher")
    return table(
        head, ([row.ref(cell, "%" * (cell == "accuracy")) for cell in cells] for row in rows[:_MOST_ROWS])
    )


def _of(row: Record) -> str:
    return f"on {row.ref('dataset')} ({row.ref('metric')}, in {row.ref('precision')})"


def _from(rows: Sequence[Record]) -> str:
    publishers = {str(row["publisher"]): row.ref("publisher") for row in rows}
    return f", published by {joined(publishers.values())}"
