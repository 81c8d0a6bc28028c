"""Concepts and the product, from the pages, each named."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...definitions import asks_for_meaning_alone, definition, definitions, names_of
from ...pages import Section, Subject
from ..bench import Answering, call_of
from ..query import LIMITS, Query, Role
from ..want import Want
from ..words import spoken
from . import facts, trust
from .clauses import CLAUSES
from .passages import APT, POSSIBLE, SURE, code_of, quoted, search
from .phrases import ask_model, joined, lines, said, sentence, subject

if TYPE_CHECKING:
    from ...library import Passage

TAKEN_AS = "I took this as a question on"
NOTHING = (
    "I do not know: my pages do not speak of it. `edgewright -h` lists the commands, and docs/README.md the "
    "pages."
)
__all__ = [
    "APT", "CAN", "SURE", "asks_command", "check_command", "command", "pages", "quoted", "search",
    "with_code",
]  # fmt: skip
_OPENING = 6
"""Words at the beginning of a section among which the word that it defines stands."""
_OF_LIMITS = ("ci.md", "cli.md", "questions.md")
"""Pages on limits that a build or a script must keep."""
CAN = (
    "I tell whether a neural network fits a chip or board, how fast it runs, what energy and "
    "battery it takes, what "
    "holds it back, what a change brings, and which hardware to take."
)


def pages(query: Query, wants: Sequence[Want]) -> Answering:
    """What the best page says, with the figure of the model and target that the question names."""
    rows = definitions(query.question)
    alone = asks_for_meaning_alone(query.question)
    found = _best(query, wants, rows if alone else ())
    of_limits = not found or found[0].chance < SURE or found[0].page in _OF_LIMITS
    limited = query.says(*LIMITS) or (query.has(*LIMITS) and found and found[0].page == _OF_LIMITS[0])
    command = check_command(query) if Want.PRODUCT in wants and limited and of_limits else ""
    if command and (not found or found[0].chance < SURE):
        built = " ".join(_BUILT_BY.findall(query.question))
        found = search(f"{built} workflow that checks the model", 1, SURE) if built else ()
    meant = _defined(rows, found)
    told = _told(found, defined=alone)
    text = lines(command, meant, with_code(query.question, told, found))
    of_trust = found and found[0].page in trust.OF_TRUST and found[0].chance >= SURE
    said_apart = Want.ERROR in query.wants and Want.ERROR not in wants
    if of_trust and not said_apart and {Want.ERROR, Want.INTERVAL} & set(wants) and not found[0].computed:
        text = lines(text, (yield from trust.figures(query)))
    if not text and query.has(Role.TARGET):
        return ask_model((yield from facts.chip(query, wants)))
    if not text:
        return NOTHING
    figure = next((want for want in wants if want in CLAUSES), None)
    if (
        figure is None
        or not query.says(Role.MODEL)
        or not query.has(Role.TARGET)
        or not query.has(Role.MODEL)
    ):
        return text
    record = yield call_of("estimate_performance", query)
    if record.result is None:
        return text
    label, clause = CLAUSES[figure]
    words = yield from clause(query)
    unchanged = "as before, " if spoken("sparse", query.question) else ""
    return lines(text, sentence(f"here, {unchanged}{subject(query, record)}, {label}{words}"))


def asks_command(query: Query) -> bool:
    """Whether a command is asked for that runs several networks or boards at once."""
    many = len(set(query.all(Role.MODEL))) > 1 or len(set(query.all(Role.TARGET))) > 1
    return many and query.has(Role.MODEL, Role.TARGET) and _ASKS_COMMAND.search(query.question) is not None


def command(query: Query, _wants: Sequence[Want]) -> Answering:
    """What sets one network on several boards side by side, or the plan of a sweep over what is named."""
    yield from ()
    models = list(dict.fromkeys(query.all(Role.MODEL))) or ["MODEL.tflite"]
    targets = list(dict.fromkeys(query.all(Role.TARGET))) or ["TARGET"]
    if len(models) == 1:
        boards = " ".join(f"-t {target}" for target in targets)
        return f"`edgewright compare {models[0]} {boards} --csv boards.csv` sets them side by side."
    return lines(
        "`edgewright sweep plan.yaml -o results` computes each on each and writes `results/results.csv`: a "
        "row for each pair with latency, RAM, flash and energy. The plan:",
        f"```yaml\nmodels: [{', '.join(models)}]\ntargets: [{', '.join(targets)}]\n```",
        "From docs/sweep.md.",
    )


_ASKS_COMMAND = re.compile(r"\b(?:which|what|a|the) command\b|\bcommand line\b", re.IGNORECASE)
_FLAGS = {
    Role.LATENCY_MS: "--max-latency", Role.RATE_HZ: "--min-rate", Role.RAM_BYTES: "--max-ram",
    Role.FLASH_BYTES: "--max-flash", Role.ENERGY_UJ: "--max-energy", Role.POWER_MW: "--max-power",
    Role.PRICE_USD: "--max-price",
}  # fmt: skip


def check_command(query: Query) -> str:
    """The command that judges the limits of the question, and how it ends."""
    flags = [
        f"{flag} {said(query, role).replace(' ', '')}" for role, flag in _FLAGS.items() if query.has(role)
    ]
    model, target = query.text(Role.MODEL) or "MODEL", query.text(Role.TARGET) or "TARGET"
    return (
        f"`edgewright check {model} -t {target} {' '.join(flags)}` ends with exit code 10 where "
        f"{_limits_said(query)} fails, 11 where one cannot be known."
    )


def _limits_said(query: Query) -> str:
    """In the user's own words, with what the board was called."""
    limits = [said(query, role) for role in _FLAGS if query.has(role)]
    board = said(query, Role.TARGET) if query.says(Role.TARGET) else ""
    called = f" on {board}" if board and board != query.text(Role.TARGET) else ""
    return f"{joined(limits, 'or')}{called}" if limits else "a limit"


def _best(query: Query, wants: Sequence[Want], rows: Sequence[Section]) -> Sequence[Passage]:
    """The sections that may answer.

    Where words are to be explained, only those that are about one of them.
    """
    meant = [subject for subject in Subject if Want(subject.value) in wants] or list(Subject)
    found = search(query.question, 4 if rows else 2, POSSIBLE, meant)
    if rows:
        return [one for one in found if not one.is_row and _is_about(one, rows)]
    return found


def _is_about(passage: Passage, rows: Sequence[Section]) -> bool:
    named = f"{passage.section or passage.title}".casefold()
    written = f"{named} {passage.summary}".casefold() if passage.chance >= SURE else named
    return passage.chance >= POSSIBLE and any(name in written for row in rows for name in names_of(row))


def _told(found: Sequence[Passage], *, defined: bool) -> str:
    """The section; which it is stands behind its beginning where it may not be what was asked for."""
    if not found:
        return ""
    first, _, rest = quoted(found[0]).partition("\n")
    unsure = not defined and found[0].chance < SURE
    return lines(first, f"{TAKEN_AS} *{found[0].section or found[0].title}*." if unsure else "", rest)


_BUILT_BY = re.compile(r"\b(?:github|gitlab|jenkins|azure|make|pre-commit|actions?)\b", re.IGNORECASE)
_ASKS_CODE = re.compile(
    r"\b(?:ya?ml|snippets?|code|scripts?|examples?|config\w*|template|c\+\+|cpp|file look like)(?!\w)",
    re.IGNORECASE,
)


def with_code(question: str, told: str, found: Sequence[Passage]) -> str:
    """With the section's block of code, where one is asked for."""
    if not told or "```" in told or not found or found[0].chance < SURE or not _ASKS_CODE.search(question):
        return told
    return lines(told, code_of(found[0]))


def _defined(rows: Sequence[Section], found: Sequence[Passage]) -> str:
    """What the words mean that it asks for, unless the section opens with them."""
    opening = " ".join(found[0].summary.casefold().split()[:_OPENING]) if found else ""
    return lines(
        *(definition(row) for row in rows if not any(_says_of(name, opening) for name in names_of(row)))
    )


def _says_of(name: str, opening: str) -> bool:
    """Whether it begins to say something of that very thing: `a kernel is`, not `a kernel library is`."""
    return re.search(rf"\b{re.escape(name)}s?(?: \(|,| are\b| \w*s\b)", opening) is not None
