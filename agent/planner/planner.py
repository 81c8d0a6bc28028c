"""The planner's loop: a question becomes a query, its answers call tools, code fills the references in."""

from __future__ import annotations

import uuid
from collections.abc import Container, Generator, Iterable, Mapping, Sequence
from typing import Any

from ...hardware_db.errors import UsageError
from ...hardware_db.index import Index, read_index
from ..answer import Answer, StopReason, ToolCallRecord, verdicts_in
from ..events import Event, Finished, TextDelta
from ..lengths import cut_question
from ..patterns import compiled
from ..plain_text import printable
from ..references import RenderedAnswer, render_template, results_of
from ..references.filling import UNRESOLVED, fill
from ..sessions.recording import recorded
from ..sessions.saved import SavedTurn
from ..sessions.session import OpenSession
from ..workspace import Workspace
from .answers.pages import page_beside
from .bench import NOT_KNOWN, is_filed
from .conversation import understood
from .decisions import corrects
from .desk import VERDICT, Desk
from .doubt import (
    DOUBTFUL,
    OF_AN_ANSWER,
    Signals,
    chance_of,
    missed,
    others,
    signals,
    taken,
    unheld,
    with_reading,
)
from .following import CHANGES
from .left_behind import left_by
from .query import LIMITS, Query, Role
from .said_in import in_units, units_asked
from .want import Want
from .wants import ALONE, QUANTITIES, SURE_OF_WANT, SURELY
from .words import sentences_asked

REMEMBERED = 12
"""Turns that are looked back at."""
_SETTINGS = (
    Role.WEIGHTS, Role.KV, Role.ENGINE, Role.CONTEXT, Role.DTYPE, Role.RUNTIME, Role.CLOCK_MHZ, Role.BATCH,
    Role.THREADS, Role.SIDE,
)  # fmt: skip
_AS_BEFORE = "That is what the answer before was reckoned with."
"""A setting that is stated and was taken already."""
POSSIBLE = 0.04
"""Chance that something has to have to be tried in place of what was just answered."""


class Planner:
    """A conversation without a language model, in `session` or in none that is saved."""

    llm_name = "offline"

    def __init__(self, workspace: Workspace, *, session: OpenSession | None = None) -> None:
        self.workspace = workspace
        self.session = session or OpenSession()
        self._left: list[tuple[SavedTurn, Query]] = []
        """Turns with what each left, by the hardware that is `_known`."""
        self._known: Index | None = None

    def ask(self, question: str) -> Answer:
        """The answer to a question.

        Raises:
            UsageError: the question is empty.
        """
        for event in self.stream(question):
            if isinstance(event, Finished):
                return event.answer
        raise AssertionError("every stream that raises nothing ends with Finished")

    def stream(self, question: str) -> Generator[Event, None, None]:
        """What happens until the question is answered; the last event is Finished. Raises as `ask`."""
        question = question.encode("utf-8", "replace").decode()
        if not question.strip():
            raise UsageError("The question is empty.", hint="Ask about a model, a target or both.")
        question, warnings = cut_question(question)
        self.workspace.note(question)
        yield from recorded(self, question, uuid.uuid4().hex, self._answered(question, warnings))

    def tool_results(self) -> list[ToolCallRecord]:
        """Every tool call that the conversation still has in mind."""
        return [record for turn in self.session.turns for record in turn.records]

    def _answered(self, question: str, warnings: tuple[str, ...]) -> Generator[Event, None, None]:
        self.session.keep(REMEMBERED)
        before = [turn for turn in self.session.turns[:-1] if turn.question]
        query = self._understood(question, before)
        said = {_content(str((turn.answer or {}).get("answer", ""))) for turn in before[-1:]}
        begun = {text.partition("\n")[0] for text in said}
        desk = Desk(self.workspace, query)
        rendered = yield from self._rendered(desk)
        figures = {each.value for each in rendered.numbers}
        begins = bool(figures) and _content(rendered.text).partition("\n")[0] in begun
        again = (begins and figures <= {*_told(before)}) or _content(rendered.text) in said
        said_so = any(
            query.says(role) and len(query.all(role)) == 1 and not is_filed(query, role) for role in _SETTINGS
        )
        set_again = said_so and (
            again or (not query.says(*LIMITS) and _repeats(rendered, before[-1:], part=True))
        )
        if (again or set_again) and not (desk.reads_itself or desk.is_plain):
            if set_again:
                desk.said = f"{_AS_BEFORE}\n{desk.said}"
                rendered = rendered_answer(desk.said, [*self.tool_results(), *desk.records])
            else:
                rendered = yield from self._something_new(query, said, desk)
        rendered = yield from self._with_reading(desk, rendered, before)
        yield TextDelta(rendered.text)
        yield Finished(
            Answer(
                answer=rendered.text,
                verdicts=verdicts_in(desk.records),
                tool_calls=tuple(desk.records),
                numbers=rendered.numbers,
                marked=rendered.marked,
                grounded=not rendered.marked,
                ungrounded=rendered.marked,
                llm=self.llm_name,
                complete=True,
                stop_reason=StopReason.ANSWERED,
                usage=None,
                warnings=warnings,
            )
        )

    def _rendered(self, desk: Desk) -> Generator[Event, None, RenderedAnswer]:
        text = yield from desk.text()
        text = in_units(
            text, units_asked(desk.query.question), results_of([*self.tool_results(), *desk.records])
        )
        text = _PLAIN_START.sub(lambda first: first[0].upper(), text)
        desk.said = text = _briefly(text, sentences_asked(desk.query.question))
        return rendered_answer(text, [*self.tool_results(), *desk.records])

    def _with_reading(
        self, desk: Desk, rendered: RenderedAnswer, before: Sequence[SavedTurn]
    ) -> Generator[Event, None, RenderedAnswer]:
        """With how the question was taken and what else it may want, where the answer may be beside it."""
        query = desk.query
        if not desk.answered or query.written_out or sentences_asked(query.question):
            return rendered
        plain = desk.reads_itself or desk.is_plain
        sure = plain or (OF_AN_ANSWER not in taken(query) and self.doubt(desk, rendered, before) < DOUBTFUL)
        if sure and not unheld(query.question, rendered.text):
            return rendered
        otherwise = yield from self._otherwise(desk, rendered)
        desk.said = with_reading(desk.query, desk.said, rendered.text, otherwise)
        return rendered_answer(desk.said, [*self.tool_results(), *desk.records])

    def _otherwise(self, desk: Desk, rendered: RenderedAnswer) -> Generator[Event, None, str]:
        """The likeliest of what else may be wanted that is told by another figure, or by a page."""
        told = {number.value for number in rendered.numbers}
        for want in others(desk.query):
            line = yield from desk.otherwise(want)
            found = rendered_answer(line, [*self.tool_results(), *desk.records])
            figures = {number.value for number in found.numbers}
            if found.text and found.text not in rendered.text and not (figures and figures <= told):
                return line
        return page_beside(desk.query, rendered.text, missed(desk.query, rendered.text))

    def doubt(self, desk: Desk, rendered: RenderedAnswer, before: Sequence[SavedTurn]) -> float:
        """The chance that an answer is wrong or beside its question."""
        return chance_of(self.signals(desk, rendered, before))

    def signals(self, desk: Desk, rendered: RenderedAnswer, before: Sequence[SavedTurn]) -> Signals:
        return signals(desk.query, rendered.text, follows=bool(before))

    def _something_new(
        self, query: Query, said: Container[str], desk: Desk
    ) -> Generator[Event, None, RenderedAnswer]:
        """The figure that was just told where surely that is asked for, else what else it may want."""
        main, chance = next(iter(query.likely), (Want.SAME, 0.0))
        again = main in query.wants and main in QUANTITIES | {Want.GENERATION, Want.PRICE}
        if corrects(query.question) and "?" not in query.question:
            again, chance = True, 1.0
        for want, other_chance in query.likely if not again or chance < SURELY else ():
            unsaid = want is Want.WHAT_IF and not query.says(*CHANGES, *_SETTINGS)
            if other_chance < POSSIBLE or want in query.wants or want in ALONE or unsaid:
                continue
            other = Desk(self.workspace, query.model_copy(update={"wants": (want,)}))
            rendered = yield from self._rendered(other)
            desk.records.extend(other.records)
            if _content(rendered.text) not in said:
                desk.query, desk.said = other.query, other.said
                return rendered
        brief = len(query.question.split()) <= _FEW_WORDS and not (query.unread or query.unknown)
        if again and (chance >= SURE_OF_WANT or brief):
            desk.said = f"As before: {desk.said}".partition("\n")[0]
            return rendered_answer(desk.said, [*self.tool_results(), *desk.records])
        desk.answered = False
        return rendered_answer(_no_other(query), ())

    def _understood(self, question: str, before: Sequence[SavedTurn]) -> Query:
        own = self.workspace.own_hardware
        known = read_index(own)
        same = known is self._known
        for at, turn in enumerate(before):
            if same and at < len(self._left) and self._left[at][0] is turn:
                continue
            same, self._left = False, self._left[:at]
            earlier = self._left[-1][1] if at else None
            left = left_by(understood(turn.question, earlier, turn.context, own), earlier, turn)
            self._left.append((turn, left))
        self._known, self._left = known, self._left[: len(before)]
        return understood(question, self._left[-1][1] if before else None, self.workspace.context, own)


def _briefly(text: str, most: int) -> str:
    """So many sentences without tables, all for 0 or of a list; of one, without its intervals."""
    if most == 0 or (most > 1 and text.partition("\n")[0].endswith(":")):
        return text
    if most > 1:
        told = [line for line in text.split("\n") if not line.startswith(_NO_SENTENCE)]
        return "\n".join(told[:most])
    first, _, rest = text.partition("\n")
    announced = rest.partition("\n")[0] if first.endswith(":") else ""
    return f"{first} {announced}".strip().replace("~}}", "}}")


def _repeats(rendered: RenderedAnswer, before: Sequence[SavedTurn], *, part: bool = False) -> bool:
    """Whether it tells the very figures of the answer before, or those that it began with."""
    told, tells = _told(before), [each.value for each in rendered.numbers]
    return bool(told and tells) and tells == (told[: len(tells)] if part else told)


def _told(before: Sequence[SavedTurn]) -> list[float]:
    """The figures of the last answer."""
    return [each["value"] for turn in before[-1:] for each in (turn.answer or {}).get("numbers") or ()]


def _no_other(query: Query) -> str:
    """What it was taken for, which was answered already."""
    return (
        f"I did not understand what that asks beyond the answer before: I take it for {taken(query)}. "
        "Say it in other words, or name what differs: a board, a network, a limit, a setting."
    )


_PLAIN_START = compiled(r"\A(?=(?:it|no|none|both|all|most|the|each|neither)\b)[a-z]")
_FEW_WORDS = 6
_NO_SENTENCE = ("|", "- ", "Assumed: ", "Asked for: ")


_ON_THE_QUESTION = ("I took ", "I did not take", "Understood: ", "Assumed: ")


def _content(text: str) -> str:
    """The answer without its verdict, and what it says of how the question was read."""
    kept = "\n".join(line for line in text.split("\n") if not line.startswith(_ON_THE_QUESTION))
    return VERDICT.sub("", kept)


def rendered_answer(text: str, records: Iterable[Mapping[str, Any]]) -> RenderedAnswer:
    """The text with its figures; words for a reference that leads nowhere, which no answer should write."""
    records, text = list(records), printable(text)
    filled = fill(text, results_of(records))
    for error in filled.errors:
        if filled.text[error.start : error.end] == UNRESOLVED:
            text = text.replace(error.written, NOT_KNOWN)
    return render_template(text, records)
