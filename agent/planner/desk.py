"""One question: its frames answer, the calls that they need are made, what was left out is named."""

from __future__ import annotations

import re
import time
from collections.abc import Generator, Sequence
from typing import Any, TypeVar

from pydantic import ValidationError

from ...hardware_db.errors import EdgewrightError
from ...tools.core.envelope import envelope
from ..answer import ToolCallRecord
from ..events import Event, ToolFinished, ToolStarted
from ..names import Kind, Name
from ..patterns import compiled
from ..registry import tool_named
from ..workspace import Workspace
from .alternatives import NO_KERNELS
from .answers import (
    Frame,
    allowance,
    answers_by_its_words,
    beyond,
    buying,
    facts,
    frames_of,
    generation,
    if_meant,
    made_of,
    panels,
    rented,
    still_open,
    texts,
    workloads,
)
from .answers.breakdown import SETTABLE
from .answers.commands import own_board
from .answers.deployment import STAND_IN
from .answers.doubting import CONCLUDING
from .answers.granted import granted
from .answers.in_passing import in_passing
from .answers.lots import of_used
from .answers.messages import last_piece
from .answers.other_loads import other_load
from .answers.pages import NEAREST, claim, meant_beside, said_by_a_page
from .answers.passages import APT
from .answers.peaks import share_of_peak
from .answers.phrases import ASKS, ASKS_LANGUAGE_MODEL, BY_THEIRS, as_words, language_models, lines
from .answers.piece_costs import cost_of_pieces
from .answers.ratios import headed
from .answers.scope import scope
from .answers.set_against import set_against
from .answers.size_factors import size_factors
from .answers.summary import summary
from .answers.talk import NOT_UNDERSTOOD, not_understood
from .answers.video import decoding
from .bench import Answering, Call, Record, ToolFailedError
from .doubt import unspoken
from .languages import language_of
from .left_over import OF_OWN_FIGURES, OF_PAGES, READ_THEMSELVES, not_used, taken_as, unknown, unserved
from .query import Query, Role
from .rents import told, with_list_prices
from .settling import reckoned
from .want import Want
from .words import entries

Made = TypeVar("Made")
_LONGEST_VALUE = 40
_PLAIN = (
    made_of.parts, panels.panel, texts.job, workloads.job, workloads.fleet, buying.buying, rented.offers,
    rented.chosen, beyond.told,
)  # fmt: skip
_NEEDS_NOTHING = frozenset(
    (
        Want.CONCEPT, Want.PRODUCT, Want.ERROR, Want.THANKS, Want.HELP, Want.OUTSIDE, Want.SUMMARY,
        Want.LIST_TARGETS, Want.LIST_MODELS, Want.LIST_RUNTIMES, Want.IMPORT, Want.CALIBRATE, Want.GENERATION,
    )
)  # fmt: skip
_OF_STATED = (size_factors, share_of_peak, last_piece, cost_of_pieces, in_passing, other_load, of_used)
"""What the question's own figures come to beside an answer."""
_OF_TALK = frozenset((Want.OUTSIDE, Want.THANKS, Want.HELP))
_NEEDS_NO_TARGET = _NEEDS_NOTHING | {
    Want.MODEL_FACTS, Want.RECOMMEND, Want.CHEAPEST, Want.RECOMMEND_MODEL, Want.RUNTIME_FACTS, Want.DIFF,
}  # fmt: skip


class Desk:
    """One question: its frames answer one after the other, each with the calls that it needs."""

    def __init__(self, workspace: Workspace, query: Query) -> None:
        self.query = query = reckoned(query)
        self.records: list[ToolCallRecord] = []
        self.said = ""
        """The answer, its figures still references."""
        self.answered = False
        """Whether it is answered, not asked back or declined."""
        self.is_plain = False
        """Whether its words leave no doubt what it asks."""
        self._concludes = False
        self._workspace = workspace
        self._used: set[Role] = set()
        self._known: dict[str, Record] = {}

    @property
    def reads_itself(self) -> bool:
        """Whether it is about all that was said, or a tool was given the user's own figures or message.

        Who states figures first may ask for them then.
        """
        return self._concludes or any(
            record["name"] in READ_THEMSELVES | OF_OWN_FIGURES for record in self.records
        )

    def text(self) -> Generator[Event, None, str]:
        query = self.query
        language = entries("english_only").get(language_of(query.question), "")
        if (missing := _decisive(query)) and not answers_by_its_words(query):
            rest = yield from self._part(*_what_is_known(query))
            return lines(language, unknown(missing), rest)
        if query.wants[:1] == (Want.SUMMARY,):
            self._concludes = True
            return lines(language, (yield from self._run(summary(query))))
        parts: list[str] = []
        priced = yield from self._driven(with_list_prices(query))
        frames = frames_of(priced)
        self._concludes = any(frame in (*CONCLUDING, own_board, scope, buying.buying) for frame, _ in frames)
        self.is_plain = allowance.solves(query) or any(frame in _PLAIN for frame, _ in frames)
        for frame, wants in frames:
            parts.append((yield from self._part(frame, wants, priced)))
        if not any(parts):
            parts = [(yield from self._part(not_understood, ()))]
        parts = sorted(_without_asking(query, parts), key=_place)
        listed = yield from self._run(told(priced, "\n".join(parts)))
        aside = any(frame is beyond.told for frame, _ in frames)
        decoded = "" if aside else (yield from self._run(decoding(priced, concludes=self._concludes)))
        parts[0] = headed(query, parts[0], self.records)
        answer = "\n".join(parts)
        untold = any(part.startswith(_UNTOLD) for part in parts)
        silent = () if answer.startswith(_VERDICTS) else unspoken(query, answer)
        in_general = "" if "docs/" in answer else claim(query, silent, untold=untold)
        if in_general and not _CONTRADICTS.match(f"{in_general[:4]}{answer}"):
            judges = in_general.startswith(_IN_GENERAL) and not answer.startswith(_VERDICTS)
            parts.insert(0 if judges or answer.startswith(_UNTOLD) else len(parts), in_general)
            answer = "\n".join(parts)
        if "From docs/" not in answer and (meant := meant_beside(query, answer)):
            parts, answer = [meant, *parts], "\n".join([meant, *parts])
        functions = {record["name"] for record in self.records}
        asks_back = ASKS in answer or answer.startswith(NOT_UNDERSTOOD)
        self.answered = not asks_back and not set(query.wants[:1]) & _OF_TALK
        known = {record.id: record for record in self._known.values()}
        beside = set_against(query, answer, self._used, known) if self.answered else ""
        for stated in _OF_STATED if self.answered else ():
            beside = lines(beside, (yield from self._aside(stated(query, answer))))
        outside = yield from self._run(beyond.beside(query, answer))
        answer = f"{answer}\n{beyond.words_of(query)}"
        left = self._not_used(f"{answer}\n{beside}", functions) if self.answered else ""
        lacking = [note for note in query.notes if note.startswith(NO_KERNELS)] if self.records else []
        noted = [note for note in query.notes if note not in lacking]
        guessed = () if self.reads_itself else taken_as(query, left, f"{answer}\n{beside}")
        taken = [*noted, *guessed] if self.records else []
        notes = f"{'; '.join(taken)}." if taken else ""
        open_ = self.answered and not self._concludes
        others = (yield from self._aside(still_open(query, answer, self.records))) if open_ else ""
        without = unserved(query, functions)
        parts[0] = VERDICT.sub("", parts[0]) if without or lacking else parts[0]
        strange = lines(*(f"{note}." for note in lacking), without)
        parts = [_with_names(query, part) for part in parts]
        if functions <= OF_PAGES:
            return lines(language, _put_together(parts, notes), others, left)
        return _before_what_is_asked_back(
            lines(
                language, strange, _put_together(parts, beside, left, notes), listed, decoded, outside, others
            ),
            granted(query, lines(answer, others), known) if self.answered else "",
        )

    def _not_used(self, answer: str, functions: set[str]) -> str:
        types = {record["result"].get("dtype") for record in self.records if record["result"]}
        return not_used(self.query, answer, self._used, functions, types)

    def otherwise(self, want: Want) -> Generator[Event, None, str]:
        """A line on what may be wanted instead; empty where nothing can be told."""
        return (yield from self._aside(if_meant(self.query, want)))

    def _aside(self, answering: Answering) -> Generator[Event, None, str]:
        """What fails there binds nothing."""
        asked, steps, events = len(self.records), self._run(answering), list[Event]()
        while True:
            try:
                events.append(next(steps))
            except StopIteration as done:
                said = str(done.value)
                break
        done_well = [record for record in self.records[asked:] if record["error"] is None]
        self.records[asked:] = done_well
        ids = {record["id"] for record in done_well}
        yield from (event for event in events if getattr(event, "id", "") in ids)
        return said

    def _part(
        self, frame: Frame, wants: Sequence[Want], priced: Query | None = None
    ) -> Generator[Event, None, str]:
        """What a frame says; where a setting of before does not go with what is asked now, without it.

        What no tool of networks does for a language model is answered of that.

        Args:
            priced: the query with list prices of rent.
        """
        query = priced or self.query
        kept = [slot for slot in query.slots if slot.inherited and slot.role in (*SETTABLE, Role.WEIGHTS)]
        try:
            return (yield from self._run(frame(query, wants)))
        except ToolFailedError as failed:
            why = f"I cannot tell: {str(failed).partition(' Named architectures')[0]}"
        if _FAILED[0] in why and frame is not generation and language_models(query):
            return (yield from self._part(generation, wants, priced))
        if not kept:
            return why
        try:
            said = yield from self._run(frame(query.without({slot.role for slot in kept}), wants))
        except ToolFailedError:
            return why
        first, _, rest = said.partition("\n")
        named = ", ".join(f"*{slot.text or slot.value}*" for slot in kept)
        return lines(first, f"Without {named}, which does not go with it.", rest)

    def _run(self, answering: Answering) -> Generator[Event, None, str]:
        return (yield from self._driven(answering))

    def _driven(self, steps: Generator[Call, Record, Made]) -> Generator[Event, None, Made]:
        """What comes of steps whose calls are made."""
        try:
            call = next(steps)
            while True:
                record = yield from self._called(call)
                call = steps.send(record)
        except StopIteration as done:
            made: Made = done.value
            return made

    def _called(self, call: Call) -> Generator[Event, None, Record]:
        self._used |= call.used
        key = f"{call.function} {sorted(call.arguments.items(), key=str)}"
        if key in self._known:
            return self._known[key]
        started = time.perf_counter()
        result, error = self._result(call)
        saved = self._workspace.record(call.function, call.arguments, result, error)
        self.records.append(saved)
        yield ToolStarted(saved["id"], call.function, call.arguments)
        seconds = time.perf_counter() - started
        yield ToolFinished(
            saved["id"], call.function, seconds, result, error, saved["arguments"], error or ""
        )
        self._known[key] = Record(saved["id"], call.function, result, error or "", saved["arguments"])
        return self._known[key]

    def _result(self, call: Call) -> tuple[dict[str, Any] | None, str | None]:
        tool = tool_named(call.function)
        try:
            several = {name: value for name, value in call.arguments.items() if name == "technique"}
            given = {name: value for name, value in call.arguments.items() if name not in several}
            arguments = tool.arguments.model_validate(given).model_copy(update=several)
            result = tool.brief(tool.run(arguments, self._workspace), arguments)
        except EdgewrightError as error:
            return None, as_words(f"{error.message} {error.hint or ''}".strip())
        except ValidationError as error:
            return None, as_words(_not_taken(error))
        document: dict[str, Any] = envelope(call.function, call.arguments, result)["result"]
        return document, None


def _decisive(query: Query) -> Sequence[Name]:
    """Names that are not known, where all depends on what they name; no chip of before stands for another."""
    strange = any(name.kind is Kind.TARGET for name in query.unknown) and not query.has(Role.TARGET)
    timed = {Want.GENERATION} if strange and "ram" not in query.asks else set[Want]()
    if not query.unknown or (query.wants and set(query.wants) <= _NEEDS_NOTHING - timed):
        return ()
    return [
        name
        for name in query.unknown
        if name.kind is not Kind.RUNTIME
        and not (query.says(Role.TARGET) if name.kind is Kind.TARGET else query.has(Role.MODEL))
        and not (name.kind is Kind.TARGET and query.wants and set(query.wants) <= _NEEDS_NO_TARGET - timed)
    ]


def _what_is_known(query: Query) -> tuple[Frame, tuple[Want, ...]]:
    """What can be said without it."""
    if language_models(query):
        return generation, query.wants
    if query.has(Role.MODEL) or query.has(Role.TARGET):
        return facts.facts, (Want.MODEL_FACTS if query.has(Role.MODEL) else Want.CHIP_FACTS,)
    return _nothing, ()


def _without_asking(query: Query, parts: list[str]) -> list[str]:
    """Which model is not asked where another part, or a page, answers without one."""
    little = (*_SAY_LITTLE, *(_FAILED if any("{{" in part for part in parts) else ()))
    said = [part for part in parts if not any(words in part for words in little)]
    if said or query.has(Role.MODEL) or Want.ASK_BACK in query.wants:
        return said or parts[:1]
    paged = said_by_a_page(query.question, APT)
    return [paged] if paged else parts[:1]


_IN_GENERAL, _VERDICTS = ("Yes. ", "No. ", "Not "), ("Yes", "No", "Probably", BY_THEIRS)
"""How a page begins that judges a claim, and an answer on the case that does."""
_CONTRADICTS = compiled(r"No\. (?:Yes\b|Probably,)|Yes\.No\b")
"""How a page begins, four characters, and an answer on the case that says otherwise: it is of another."""
VERDICT = compiled(r"^(?:Yes|No|Probably(?: not)?(?:, though not surely)?)[:,] (?=[\w{])")
"""Of what is known it would be one on something else than what was asked."""
_SAY_LITTLE = (ASKS, ASKS_LANGUAGE_MODEL, NEAREST)
"""Words of a part that nobody misses where another one answers."""
_FAILED = ("Unknown model",)
"""The same where the other one tells figures."""
_UNTOLD = ("I cannot tell", "I cannot compare")
_TELL_NOTHING = (*_UNTOLD, "It cannot be told")
"""How a part begins that stands behind what answers."""


def _place(part: str) -> int:
    unsaid = part.startswith(_TELL_NOTHING) and not any(words in part for words in _FAILED)
    return 0 if part.startswith(_IN_GENERAL) else 2 if unsaid else 1


def _nothing(_query: Query, _wants: Sequence[Want]) -> Answering:
    yield from ()
    return ""


def _with_names(query: Query, part: str) -> str:
    """Commands of a page with the network and the board that are spoken of in place of MODEL and TARGET."""
    if language_models(query):
        return part
    named = {"MODEL": set(query.all(Role.MODEL)), "TARGET": set(query.all(Role.TARGET))}
    known = {stand_in: names.pop() for stand_in, names in named.items() if len(names) == 1}

    def filled(command: re.Match[str]) -> str:
        return _STAND_IN.sub(lambda word: known.get(word[0], word[0]), command[0])

    return _COMMAND.sub(filled, part)


_STAND_IN = compiled(r"\b(?:MODEL|TARGET)\b(?!/)")
_COMMAND = compiled(r"`edgewright [^`\n]*`")


def _before_what_is_asked_back(told: str, assumed: str) -> str:
    """With the line on what was assumed last, but before a question to the user."""
    before, _, asked = told.rpartition("\n") if told.endswith("?") else (told, "", "")
    return lines(before, assumed, asked)


def _put_together(parts: Sequence[str], *second: str) -> str:
    """What was left out stands behind the first sentence; nothing is said twice."""
    parts = list(dict.fromkeys(parts))
    first, _, rest = parts[0].lstrip().partition("\n")
    if first.startswith("|"):
        first, rest = "", parts[0].lstrip()
    if len(parts) == 1:
        return lines(first, *second, rest)
    every = list(dict.fromkeys(line for part in parts for line in _lines(part)))
    kept = [line for line in every if not line.startswith(STAND_IN)] or [""]
    return lines(kept[0], *second, *kept[1:], STAND_IN if STAND_IN in every else "")


def _lines(part: str) -> list[str]:
    """Its lines, a block of code as one."""
    return [found[0] for found in re.finditer(r"(?s:^```.*?^```$)|^.+$", part, re.MULTILINE)]


def _not_taken(error: ValidationError) -> str:
    """Which value a tool does not take, and what it has to be."""
    first = error.errors(include_url=False, include_context=False)[0]
    name = " ".join(str(part) for part in first["loc"]).replace("_", " ")
    if not name:
        return "these figures cannot be taken together; ask for one of them at a time."
    has_to_be = first["msg"].replace("Input should be", "it has to be")
    return f"{str(first['input'])[:_LONGEST_VALUE]} cannot be taken as {name}: {has_to_be}."
