"""Concepts, the product and advice, from the pages, each named; with the figure of what is at hand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...definitions import asks_for_meaning_alone, definition, definitions, names_of
from ...leads import CLAUSES
from ...pages import PLAINLY, Section, Subject
from ..bench import Answering
from ..choice import is_narrowed
from ..language import WRITER
from ..query import LIMITS, Query, Role
from ..want import Want
from ..wants import QUANTITIES, SURE_OF_WANT, is_general
from ..words import patterns, sentences_asked, spoken
from . import applied, commands, facts, trust
from .passages import APT, POSSIBLE, SURE, code_of, each_part, in_general, quoted, search, shortened
from .phrases import ask_model, language_models, lines

if TYPE_CHECKING:
    from ...library import Passage

_SAYS = patterns("pages")
TAKEN_AS = "I took this as a question on"
NOTHING = (
    "I do not know: my pages do not speak of it. `edgewright -h` lists the commands, and docs/README.md the "
    "pages."
)
_OPENING = 6
"""Words at the beginning of a section among which the word that it defines stands."""
_OF_LIMITS = ("ci.md", "cli.md", "questions.md")
"""Pages on limits that a build or a script must keep."""
CAN = (
    "I tell whether a neural network fits a chip or board, how fast it runs, what energy and "
    "battery it takes, what "
    "holds it back, what a change brings, and which hardware to take."
)
_NAMES = (Role.MODEL, Role.TARGET, Role.RUNTIME, Role.DTYPE, Role.BATTERY, Role.TARGET_CLASS, *LIMITS)
_MOST_OF_IT = 0.7
"""Share of a question that a page has to speak of to answer it though network and board are named."""
_SAME, _SAME_OF_BOTH, _SURELY, _IN_WORDS, _SHORT = 0.12, 0.3, 0.95, 5, 8
"""How like a known question one has to be, how like where model and target are named, and the page's chance.

Then the words of a question in words, and of a short one.
"""
_MOST_SECTIONS, _LONGEST, _OF_SEVERAL = 3, 100, 55
"""Sections that are told in one answer, words of the one, and of each of several."""
_VERDICTS = ("Yes.", "No.")
_BESIDE_A_CASE = 45
"""Words of a page beside a case."""
_HAVE_PAGES = frozenset((Want.CONCEPT, Want.PRODUCT, Want.ERROR, Want.INTERVAL, Want.EVIDENCE))
"""Wants that come to the pages by themselves."""
_LISTS = frozenset(
    (Want.RECOMMEND, Want.GENERATION, Want.PRICE, Want.AVAILABILITY,
     Want.IMPROVE, Want.BATTERY_LIFE, Want.FITS, Want.LATENCY, Want.CHIP_FACTS)
)  # fmt: skip
_COUNTED = frozenset((Want.LIST_TARGETS, Want.LIST_MODELS, Want.LIST_RUNTIMES))
"""What is told with counts and examples rather than with a command."""


def tells(query: Query, wants: Sequence[Want]) -> bool:
    """Whether a page is likelier to answer than figures of what is named are."""
    length = len(query.question.split())
    if wants[:1] == (Want.LIST_TARGETS,) and (is_narrowed(query) or query.has(*LIMITS)):
        return False
    both = query.has(Role.MODEL) and query.has(Role.TARGET)
    named = query.says(Role.MODEL, Role.TARGET) or not both
    want, chance = next(iter(query.likely), (Want.SAME, 0.0))
    of_figures = not named or length < _IN_WORDS or language_models(query) or WRITER in query.asks
    of_figures = of_figures or (want in QUANTITIES and chance >= _SURELY)
    if Want.CONCEPT in wants and asks_for_meaning_alone(query.question) and not query.says(Role.MODEL):
        return True
    unsure = chance < SURE_OF_WANT and query.says(Role.MODEL) and not language_models(query)
    asks = unsure or _SAYS["why"].search(query.question) is not None
    if query.has(Role.TRACE, Role.CLAIMED_GOPS) or (both and of_figures and not asks):
        return False
    page = next(iter(search(query.question, 1, SURE)), None)
    if page is None or want in _COUNTED:
        return False
    speaks = page.chance >= _SURELY and page.score >= _MOST_OF_IT and page.page.startswith("concepts/")
    if both and (of_figures or (speaks and asks)):
        return speaks and asks
    alike = page.alike >= (_SAME_OF_BOTH if query.says(Role.MODEL, Role.TARGET) else _SAME)
    same = alike and page.chance >= _SURELY and length >= _IN_WORDS
    if both:
        return same
    if same:
        return not language_models(query) and WRITER not in query.asks
    is_concept = page.page.startswith("concepts/")
    one = len(set(query.all(Role.TARGET))) < 2 or page.page in applied.OF_WRITERS
    one = one and not ("why_not" in query.asks and Want.RECOMMEND in wants[:1])
    if _SAYS["why"].search(query.question) and one and is_concept and length >= _IN_WORDS:
        return True
    if page.chance < APT:
        return False
    if page.page in trust.OF_TRUST and not set(wants) & _HAVE_PAGES:
        return True
    if _SAYS["defines"].search(query.question) and is_concept and length <= _SHORT:
        return wants[:1] in ((Want.CONCEPT,), (Want.RUNTIME_FACTS,))
    in_words = length >= _IN_WORDS and not query.has(*_NAMES) and not query.unknown
    return in_words and bool(set(wants[:1]) & _LISTS)


def are_asked(query: Query, wants: Sequence[Want]) -> bool:
    """Whether they are asked, though a case is at hand."""
    return is_general(query) and bool({Want.CONCEPT, Want.PRODUCT} & set(wants[:1]))


def pages(query: Query, wants: Sequence[Want]) -> Answering:
    """What the best page says, with the figure of the model and target that the question names."""
    rows = definitions(query.question)
    alone = asks_for_meaning_alone(query.question)
    brief = alone and sentences_asked(query.question) == 1
    found = () if brief else _sections(query, wants, rows if alone else ())
    command = _check_command(query, wants, found)
    found = found if not command or (found and found[0].chance >= SURE) else ()
    meant = _defined(rows, found)
    told = _told(query, found, defined=alone)
    text = lines(command, meant, with_code(query.question, told, found))
    about = found[0].page if found else ""
    if found and not found[0].lead and Want.LATENCY in wants and spoken("sparse", query.question):
        return lines((yield from applied.not_calculated(query)), told)
    case = yield from applied.case(query, about, wants)
    if case and found and not command and applied.comes_first(query):
        beside = shortened(found[0], _BESIDE_A_CASE)
        return lines(beside, case) if found[0].lead in _VERDICTS else lines(case, beside)
    if found and _is_of_trust(query, wants, found[0]):
        text = lines(text, (yield from trust.figures(query)))
    if not text and query.has(Role.TARGET):
        return ask_model((yield from facts.chip(query, wants)))
    return lines(text, case) if text else NOTHING


def _check_command(query: Query, wants: Sequence[Want], found: Sequence[Passage]) -> str:
    """The command that judges the limits that are named, unless a page surely answers something else."""
    of_limits = not found or found[0].chance < SURE or found[0].page in _OF_LIMITS
    told = found and found[0].page == _OF_LIMITS[0] and "edgewright check" in found[0].text
    limited = query.says(*LIMITS) or (query.has(*LIMITS) and told)
    return commands.check(query) if Want.PRODUCT in wants and limited and of_limits else ""


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
    """The sections; which it is stands behind its beginning where it may not be what was asked for."""
    if not found:
        return ""
    words = _LONGEST if len(found) == 1 else _OF_SEVERAL
    first, _, rest = quoted(found[0], words, trust.class_asked(query)).partition("\n")
    unsure = not defined and found[0].chance < SURE
    taken = f"{TAKEN_AS} *{found[0].section or found[0].title}*." if unsure else ""
    return lines(first, taken, rest, *(shortened(one, words) for one in found[1:]))


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


def _says_of(name: str, opening: str) -> bool:
    """Whether it begins to say something of that very thing: `a kernel is`, not `a kernel library is`."""
    return re.search(rf"\b{re.escape(name)}s?(?: \(|,| are\b| \w*s\b)", opening) is not None


def claim(query: Query) -> str:
    """What a page says of what is claimed in general, beside a case; empty where nothing is."""
    likely = {want for want, chance in query.likely if chance >= SURE}
    checked = _SAYS["checked"].search(query.question) is not None
    clauses = [clause for clause in CLAUSES.split(query.question) if len(clause.split()) >= _IN_WORDS]
    in_words = any(in_general(query, clause) == clause for clause in clauses)
    if not in_words or not (checked or likely & {Want.PLAUSIBLE, Want.CONCEPT}):
        return ""
    found = [one for one in each_part(query).values() if one and one.chance >= APT]
    apt = [one for one in found if one.lead in _VERDICTS or (checked and one.chance >= _SURELY)]
    return shortened(apt[0], _OF_SEVERAL) if apt else ""


def said_by_a_page(question: str, least: float = SURE) -> str:
    """What the best section says, code that is asked for with it; empty where none surely answers."""
    found = search(question, 1, least)
    return with_code(question, quoted(found[0]), found) if found else ""
