"""Concepts, the product and advice, from the pages, each named; with the figure of what is at hand."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from operator import mul
from typing import TYPE_CHECKING

from ...definitions import asks_for_meaning_alone, definition, definitions, names_of
from ...leads import CLAUSES
from ...pages import PLAINLY, POSSIBLE, Section, Subject, sections
from ...patterns import compiled
from ...thesaurus import stems
from ..bench import Answering
from ..decisions import takes_back
from ..language import WRITER
from ..query import Query, Role
from ..want import Want
from ..wants import QUANTITIES
from ..words import patterns, sentences_asked, spoken
from . import applied, facts, judging, trust
from .examples import example
from .passages import APT, SURE, code_of, each_part, in_general, quoted, search, shortened
from .phrases import ask_model, language_models, lines

if TYPE_CHECKING:
    from ...library import Passage

_SAYS = patterns("pages")
NEAREST = "I have no page on just this; the nearest is on"
NOTHING = "I have no page on it: `edgewright -h` lists the commands, and docs/README.md the pages."
_OPENING = 6
"""Words at the beginning of a section among which the word that it defines stands."""
CAN = (
    "I tell whether a neural network fits a chip or board, how fast it runs, what energy and "
    "battery it takes, what "
    "holds it back, what a change brings, and which hardware to take."
)
_LEAST, _BRIEF, _LIKELY, _SURELY, _IN_WORDS = 0.01, 9, 0.3, 0.95, 5
"""Least odds of a page, words of a brief question, a page's likely and sure chance, words of one in words."""
_MOST_SECTIONS, _LONGEST, _OF_SEVERAL, _BESIDE_A_CASE = 3, 100, 55, 45
"""Sections that are told in one answer, words of the one, of each of several, and of one beside a case."""
_VERDICTS, _WORST = ("Yes.", "No."), "Worst case or average"
_TO_ORDER = ("Order now or measure first", "Deciding by an estimate", _WORST)
_OF_COUNTS, _HOW_MANY = "concepts/units-of-work.md", compiled(r"\bhow many\b", re.IGNORECASE)
_OF_TRUST = (Want.INTERVAL, Want.EVIDENCE, Want.ERROR, Want.CALIBRATE, Want.IMPORT)

_COUNTS = (-2.47, 0.28, 0.31, 0.91, 8.75, -1.42, 1.59, 0.71, -1.76, 0.82, -1.11, -2.53)
"""What each of `_grounds` counts: in no fit, it tells 81 of 91 questions for a page, and 1 of 85 others."""


def tells(query: Query, wants: Sequence[Want]) -> bool:
    """Whether a page is likelier to answer than figures of what is named are."""
    taken_back = bool(query.established) and takes_back(query.question)
    if taken_back or (Want.FITS in wants and WRITER in query.asks and query.says(Role.TARGET)):
        return False
    if query.has(Role.TRACE, Role.CLAIMED_GOPS) or {*wants[:1]} & {Want.CALIBRATE, Want.IMPORT}:
        return False
    if Want.CONCEPT in wants and asks_for_meaning_alone(query.question) and not query.says(Role.MODEL):
        return True
    if _balance(query, 1.0, 1.0) < 0:
        return False  # whichever page is found
    return any(
        _balance(query, page.chance, page.alike) >= 0 for page in search(in_general(query, query.question), 1)
    )


def _balance(query: Query, chance: float, alike: float) -> float:
    """The logit that a page of such a chance, with a question so alike, is wanted, and no figures."""
    return float(sum(map(mul, _COUNTS, _grounds(query, chance, alike))))


def _grounds(query: Query, chance: float, alike: float) -> Sequence[float]:
    """How likely it is and how alike, what is likely wanted, what is named, and how it is put."""
    logit = math.log((chance + _LEAST) / (1 - chance + _LEAST))
    chances = defaultdict[Want, float](float, query.likely)
    of_field = chances[Want.CONCEPT] + chances[Want.PRODUCT]
    wanted = (of_field, max(chances[one] for one in QUANTITIES), sum(chances[one] for one in _OF_TRUST))
    named = (query.says(Role.TARGET), query.has(Role.MODEL) and query.has(Role.TARGET))
    why, brief = _SAYS["why"].search(query.question), len(query.question.split()) < _BRIEF
    put = (why is not None, brief, bool(language_models(query)))
    return (1, logit, logit * query.says(Role.MODEL), alike, *wanted, *named, *put)


def pages(query: Query, wants: Sequence[Want]) -> Answering:
    """What the best page says, with the figure of the model and target that the question names."""
    rows = definitions(query.question)
    alone = asks_for_meaning_alone(query.question)
    brief = alone and sentences_asked(query.question) == 1
    found = () if brief else _sections(query, wants, rows if alone else ())
    told = _told(query, found, defined=alone)
    plainly = (not found or len(rows) > 1) and not brief and spoken("plainly", query.question)
    plain = list(dict.fromkeys(_plain(rows))) if plainly else []
    words = _LONGEST if len(plain) == 1 else _OF_SEVERAL
    text = lines(*(quoted(one, words) for one in plain)) or lines(
        _defined(rows, found), with_code(query.question, told, found)
    )
    for shown in [one.example for one in plain] or [one.example for one in found if _is_sure(query, one)]:
        text = lines(text, (yield from example(query, shown)))
    case = yield from applied.case(query, found[0].page if found else "", wants)
    if case and found and found[0].section == _WORST and judging.limits_said(query, (Want.MEETS,)):
        case = (yield from judging.verdict(query, (Want.MEETS,), alone=True)).partition("\n")[0]
    if case and found and applied.comes_first(query):
        beside = shortened(found[0], _BESIDE_A_CASE)
        judges = found[0].lead in _VERDICTS or found[0].section in _TO_ORDER
        return lines(beside, case) if judges else lines(case, beside)
    if found and _is_of_trust(query, wants, found[0]):
        figures = yield from trust.figures(query)
        text = lines(figures, text) if found[0].section == trust.HOW_FAR else lines(text, figures)
    if not text and set(wants) & {Want.ERROR, Want.INTERVAL}:
        text = yield from trust.figures(query)
    if rows and rows[0].page == _OF_COUNTS and query.says(Role.MODEL) and _HOW_MANY.search(query.question):
        text = lines(text, (yield from facts.model(query)))
    if query.says(Role.TARGET) and not (found or case):
        return lines(text, ask_model((yield from facts.chip(query, wants))))
    return lines(text, case) if text else NOTHING


def _plain(rows: Sequence[Section]) -> Iterator[Section]:
    """The sections that say in plain words what each of the words means."""
    for row in rows:
        said = [one for one in sections() if one.heading.endswith(PLAINLY)]
        named = (one for one in said if {*one.heading.casefold().split()} & _names(row))
        yield from islice(named, 1)


def _names(row: Section) -> set[str]:
    """What a section defines, also by its last word: a point is no name, a tensor arena is an arena."""
    return {word for name in names_of(row) for word in (name, *name.split()[:1])}


def _is_of_trust(query: Query, wants: Sequence[Want], page: Passage) -> bool:
    """Whether figures of validation belong beside it."""
    said_apart = Want.ERROR in query.wants and Want.ERROR not in wants
    plain = page.page in trust.OF_TRUST and page.chance >= SURE and not page.computed
    return plain and not said_apart and bool({Want.ERROR, Want.INTERVAL} & set(wants))


def _sections(query: Query, wants: Sequence[Want], rows: Sequence[Section]) -> Sequence[Passage]:
    """The sections that answer, one for each part of the message; that of the whole where a part has none.

    Where words are to be explained, only those that are about one of them: that which defines it in any case.
    """
    meant = [subject for subject in Subject if Want(subject.value) in wants] or list(Subject)
    if rows:
        found = search(query.question, 4, meant=meant)
        return [one for one in found if not one.is_row and _is_about(one, rows)][:1]
    parts = {asked: one for asked, one in each_part(query, meant).items() if one}
    told = [one for asked, one in parts.items() if not asks_for_meaning_alone(asked)] or [*parts.values()]
    several = list({one.place: one for one in told}.values())[:_MOST_SECTIONS]
    return several or search(in_general(query, query.question), 1, POSSIBLE, meant)


def _is_about(passage: Passage, rows: Sequence[Section]) -> bool:
    heading = "" if passage.section.endswith(PLAINLY) else passage.section
    named = (heading or passage.title).casefold()
    written = f"{named} {passage.summary}".casefold() if passage.chance >= SURE else named
    if any(row.page == passage.page and named in names_of(row) for row in rows):
        return True
    return passage.chance >= POSSIBLE and any(name in written for row in rows for name in names_of(row))


def _told(query: Query, found: Sequence[Passage], *, defined: bool) -> str:
    """The sections; which it is stands before it where it may not be what was asked for."""
    if not found:
        return ""
    words = _LONGEST if len(found) == 1 else _OF_SEVERAL
    first, _, rest = quoted(found[0], words, trust.class_asked(query)).partition("\n")
    unsure = not defined and not _is_sure(query, found[0])
    first = f"{NEAREST} *{found[0].section or found[0].title}*: {first}" if unsure else first
    return lines(first, rest, *(shortened(one, words) for one in found[1:]))


def _is_sure(query: Query, passage: Passage) -> bool:
    """Whether it is likely enough, or says in plain words what the question names."""
    plain = passage.section.endswith(PLAINLY)
    named = {*stems(passage.section.removesuffix(PLAINLY))}
    return passage.chance >= SURE or (plain and bool(named) and named <= {*stems(query.question)})


def with_code(question: str, told: str, found: Sequence[Passage]) -> str:
    """With the section's block of code, where one is asked for."""
    if (
        not told
        or "```" in told
        or not found
        or found[0].chance < SURE
        or not _SAYS["asks_code"].search(question)
    ):
        return told
    return lines(told, code_of(found[0]))


def _defined(rows: Sequence[Section], found: Sequence[Passage]) -> str:
    """What the words mean that it asks for, unless the section opens with them."""
    if found and found[0].section.endswith(PLAINLY):
        return ""
    opening = " ".join(found[0].summary.casefold().split()[:_OPENING]) if found else ""
    return lines(
        *(definition(row) for row in rows if not any(_says_of(name, opening) for name in names_of(row)))
    )


def meant_beside(query: Query, answer: str) -> str:
    """What a word means that is asked for beside a case; empty where none is, or where it is said."""
    of_a_figure = QUANTITIES & set(query.wants) and not _SAYS["a_word"].search(query.question)
    rows = () if of_a_figure or asks_for_meaning_alone(query.question) else definitions(query.question)
    found = search(query.question, 1, SURE) if rows and spoken("plainly", query.question) else ()
    plainly = [one for one in found if one.section.endswith(PLAINLY)]
    said = [shortened(plainly[0], _OF_SEVERAL)] if plainly else [definition(row) for row in rows]
    return lines(*(one for one in said if one not in answer))


def page_beside(query: Query, answer: str, missed: Collection[str]) -> str:
    """The page that speaks of words that the answer may be beside; empty where none surely does."""
    for best in search(in_general(query, query.question), 1, _LIKELY) if missed else ():
        written = frozenset(stems(f"{best.section} {best.title} {best.summary}"))
        if (
            _is_of_its_kind(query, best)
            and best.place not in answer
            and any(written.issuperset(stems(word)) for word in missed)
        ):
            return shortened(best, _BESIDE_A_CASE)
    return ""


def _is_of_its_kind(query: Query, page: Passage) -> bool:
    """Whether a page on language models is beside one, where a network is spoken of."""
    writes = not query.has(Role.MODEL) or bool(language_models(query))
    return writes or page.page not in applied.OF_WRITERS


def _says_of(name: str, opening: str) -> bool:
    """Whether it begins to say something of that very thing: `a kernel is`, not `a kernel library is`."""
    return re.search(rf"\b{re.escape(name)}s?(?: \(|,| are\b| \w*s\b)", opening) is not None


_ORDERS = compiled(
    r"\b(?:order|buy|purchas|ship|commit|sign|bet|stake|money|prototyp|measur|worst|safety)", re.IGNORECASE
)


def claim(query: Query, unspoken: Collection[str], *, untold: bool) -> str:
    """What a page says of a claim in general, where a case is `untold`, or of what is `unspoken` of."""
    polar = _SAYS["polar"].match(query.question) is not None
    asked = (polar and unspoken) or untold or _ORDERS.search(query.question)
    for best in search(in_general(query, query.question), 1, _LIKELY) if asked else ():
        named = polar and any(word in best.section.casefold() for word in unspoken)
        if named or (untold and best.chance >= APT) or (best.section in _TO_ORDER and best.chance >= _SURELY):
            return shortened(best, _OF_SEVERAL)
    likely = {want for want, chance in query.likely if chance >= SURE}
    checked = _SAYS["checked"].search(query.question) is not None
    clauses = [clause for clause in CLAUSES.split(query.question) if len(clause.split()) >= _IN_WORDS]
    in_words = any(in_general(query, clause) == clause for clause in clauses)
    if not in_words or not (checked or likely & {Want.PLAUSIBLE, Want.CONCEPT}):
        return ""
    found = [one for one in each_part(query).values() if one and one.chance >= APT]
    found = [one for one in found if _is_of_its_kind(query, one)]
    apt = (one for one in found if one.lead in _VERDICTS or (checked and one.chance >= _SURELY))
    return next((shortened(one, _OF_SEVERAL) for one in apt), "")


def said_by_a_page(question: str, least: float = SURE) -> str:
    """What the best section says, code that is asked for with it; empty where none surely answers."""
    found = search(question, 1, least)
    return with_code(question, quoted(found[0]), found) if found else ""
