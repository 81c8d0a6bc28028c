"""How sure the choice of a conversation is, what it rests on, and what speaks for another."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from ....tools.verdicts.ties import alike
from ..bench import Answering, Call, Record
from ..dossier import Dossier, asks_to_choose, dossier_of, own_words
from ..query import Query, Role
from ..want import Want
from ..words import patterns, sentences_asked, spoken
from . import claims, deciding, on_npu, per_unit, ways_out
from .columns import COLUMNS, ESTIMATE, LIFE
from .contenders import LEVELS, Contender, Decision, columns_of, decision_of, of_time
from .deciding import WIDE
from .generating import generation
from .phrases import joined, language_models, lines
from .side_by_side import side_by_side

_DOUBTS = frozenset((Want.INTERVAL, Want.EVIDENCE, Want.ERROR, Want.PLAUSIBLE))


def decided(query: Query, wants: Sequence[Want]) -> Answering:
    """Which to take and why, in a sentence; then the table, alone where kernels or settings are chosen."""
    named = tuple(dict.fromkeys(query.all(Role.TARGET))) if deciding.names_several(query) else ()
    dossier = dossier_of(query, among=named)
    decision = (yield from decision_of(dossier)) if dossier else None
    if decision is None:
        frame = generation if language_models(query) else side_by_side
        return (yield from frame(query, (Want.COMPARE, *wants)))
    measured = ""
    if query.says(*claims.CLAIMS):
        at = next((s.value for s in query.slots if s.role is Role.TARGET and s.text and not s.inherited), "")
        one = query.put(Role.TARGET, at or decision.pick.row.query.text(Role.TARGET))
        measured = (yield from claims.plausible(one.without([Role.RUNTIME]))).partition("\n")[0]
    nowhere = ""
    if decision.dossier.writes and not decision.does and (other := (yield from _that_fits(query))):
        nowhere = f"{deciding.told(decision).partition(':')[0]}: {joined(decision.dossier.networks)}."
        decision = other
    told = f"{deciding.told(decision)}."
    way = "" if decision.does else (yield from _instead(decision))
    paid = query.says(Role.TARIFF, Role.RENT) and decision.does and len(decision.pick.rows) == 1
    able = [one.row.query.text(Role.TARGET) for one in decision.order if one.level != "no"]
    bill = (yield from per_unit.bill(decision.pick.row.query.put(Role.TARGET, *able), wants)) if paid else ""
    shown = [*besides(decision, query.question), *deciding.shown(decision)]
    boards = decision.dossier.role is Role.TARGET and not decision.dossier.writes
    for each in decision.order if boards else ():
        shown += [] if each.row.runs else [(yield from on_npu.elsewhere(each.row.query))]
    return lines(measured, told, deciding.set_apart(decision), nowhere, bill, way, *shown)


def _that_fits(query: Query) -> Generator[Call, Record, Decision | None]:
    """The choice for the language model that was spoken of last and fits one of them."""
    if any(slot.role is Role.MODEL for slot in own_words(query)):
        return None
    named = [name for one in reversed(query.established) for name in language_models(one)]
    for name in dict.fromkeys(named):
        dossier = dossier_of(query.put(Role.MODEL, name))
        decision = (yield from decision_of(dossier)) if dossier else None
        if decision and decision.does and decision.dossier.role is Role.TARGET:
            return decision
    return None


def _instead(decision: Decision) -> Answering:
    """The nearest board that meets what none of them does."""
    pick, of_life = decision.pick.row.query, decision.dossier.query.has(Role.LIFE_MS)
    if (
        decision.dossier.writes
        or of_life
        or decision.dossier.role is not Role.TARGET
        or len(decision.pick.rows) > 1
    ):
        return ""
    return (yield from ways_out.instead(pick, [one.row.query.text(Role.TARGET) for one in decision.order]))


def besides(decision: Decision, question: str) -> Iterator[str]:
    """What is asked beside the choice: how sure it is, its risk, what would change it, what to measure."""
    asked = set(spoken("beside", question))
    if "ranked" in asked or (sentences_asked(question) > 1 and len(decision.order) > 2):
        yield f"In order: {'; '.join(deciding.ranked(decision))}."
    if "headroom" in asked:
        yield deciding.headroom(decision)
    if asked & {"sure", "risk"} and decision.does:
        doubt = _how_sure(decision)
        risks = "risk" in asked and not doubt.startswith(f"Sure of {decision.pick.name}")
        yield f"The risk: {doubt[:1].lower()}{doubt[1:]}" if risks else doubt
    if "risk" in asked:
        yield "Not in any of these figures: preprocessing, other tasks, sensor and radio, heat in the case."
    if "mind" in asked:
        yield _changed_by(decision)
    if asked & {"first", "risk"} or spoken("unsure", question):
        yield (_measure(decision) if asked & {"first", "risk"} else "") or deciding.least_sure(decision)


def _changed_by(decision: Decision) -> str:
    """The measurement or the aim with which another would be taken."""
    pick, second, by, limits = decision.pick, decision.second, decision.column, deciding.limits_of(decision)
    found = [f"a measurement of {pick.name} that does not meet {limits}"] if limits and decision.does else []
    time = of_time(decision.dossier)
    if second is not None:
        found.append(f"{second.name} measured better than the {pick.plain(by)} of {pick.name}")
        better = _better_in(decision, second)
        found += [f"going by what {second.name} is better in, {joined(better)}"] if better else []
    if not decision.does:
        found.append(f"a demand that {pick.name} meets")
    found += [f"a job for which {one.plain(time)} on {one.name} is soon enough" for one in decision.slow]
    return f"What would change it: {'; '.join(found)}." if found else ""


def last_choice(query: Query) -> Dossier | None:
    """What the question before chose from, or compared; None where it did neither."""
    if not query.established:
        return None
    past = query.established[-1].model_copy(update={"established": query.established[:-1]})
    if past.has(Role.MODEL) and asks_to_choose(past):
        return dossier_of(past)
    compared = tuple(dict.fromkeys(past.all(Role.TARGET)))
    return dossier_of(past, among=compared) if len(compared) > 1 else None


def asks_doubt(query: Query) -> bool:
    """Whether it is asked how sure the choice before is, or which of several is the least sure."""
    if spoken("unsure", query.question):
        of_all = len(set(query.all(Role.TARGET))) != 1 or last_choice(query) is not None
        return of_all and dossier_of(query) is not None
    doubts = bool(query.wants) and set(query.wants) <= _DOUBTS | {Want.GENERATION}
    of_figure = patterns("choosing")["figure"].search(query.question)
    plain = doubts and not query.picks and not own_words(query) and not of_figure
    return plain and last_choice(query) is not None


def doubted(query: Query, _wants: Sequence[Want]) -> Answering:
    """How sure the choice is: of what is demanded, and of the order; what would tell it."""
    widest = bool(spoken("unsure", query.question))
    dossier = dossier_of(query) if widest else last_choice(query)
    decision = (yield from decision_of(dossier)) if dossier else None
    if decision is None:
        return "There is no choice so far that I could be sure of."
    if widest:
        return lines(
            deciding.least_sure(decision) or "None of the figures has an interval.", *deciding.shown(decision)
        )
    return lines(_how_sure(decision), _stands_on(decision), _measure(decision))


def _how_sure(decision: Decision) -> str:
    pick, second, by, limits = decision.pick, decision.second, decision.column, deciding.limits_of(decision)
    sure, of_limits = pick.level == "yes", _of_limits(decision, limits)
    if not decision.does:
        doubtful = joined(one.name for one in decision.order if one.level != "no")
        text = deciding.told(decision)
        return f"{f'Not sure of {doubtful}' if doubtful else 'Sure'}: {text[:1].lower()}{text[1:]}."
    word = f"{'Sure' if sure else 'Not sure'} of {pick.name}"
    if second is None:
        unknown = deciding.unknown_of(decision)
        word = f"Not sure of {pick.name}" if unknown else word
        alone = "; ".join(filter(None, (f"{by.head} {pick.plain(by)}", unknown)))
        fails = joined((one.name for one in decision.order if one.level == "no"), "or")
        return f"{word}: {of_limits or alone}{f'; surely not {fails}' if fails else ''}."
    if decision.by is None:
        return f"{word}: {of_limits}, and {decision.enough}."
    figures = f"{by.head} {pick.plain(by)} against {second.plain(by)} on {second.name}"
    if deciding.overlap(pick, second, by):
        word = f"Sure that {of_limits}, not of the order" if sure and limits else f"Not sure of {pick.name}"
        unsure = "" if sure or not limits else f"{of_limits}; "
        return f"{word}: {unsure}{figures} overlap, so {second.name} may be the better one."
    word = word if sure else f"Sure of the order alone, with {pick.name} first"
    return f"{word}: {'; '.join(filter(None, (f'{figures} do not overlap', of_limits)))}."


def _of_limits(decision: Decision, limits: str) -> str:
    pick, time = decision.pick, of_time(decision.dossier)
    meets = {"yes": "surely meets", "probably": "probably meets", "not sure": "may or may not meet"}
    word = meets.get(pick.level, "hardly meets")
    return f"it {word} {limits} with {pick.plain(time)}" if limits else ""


def _stands_on(decision: Decision) -> str:
    record = decision.pick.rows[0].records.get(ESTIMATE)
    if record is None or not record["stands_on"]:
        return ""
    return f"The time on {decision.pick.name} stands on {record.ref('stands_on[#0]')}."


def _measure(decision: Decision) -> str:
    """What of the pick to measure: what it stands or falls with, else what it goes by."""
    pick, by = decision.pick, deciding.undecided(decision) or decision.tied or decision.column
    low, high = pick.ends(by) or (1.0, 1.0)
    if low > 0 and high / low <= WIDE:
        return ""
    timed = by in (COLUMNS[Want.LATENCY], COLUMNS[Want.THROUGHPUT])
    takes = ": `edgewright calibrate` takes it" if timed else ""
    what = "current asleep and the energy of an inference" if by.function == LIFE else by.head
    return f"Measure the {what} on {pick.name} first{takes}."


def asks_reason(query: Query) -> bool:
    """Whether the reason of the choice before is asked."""
    if "why" not in query.asks or not query.established or not query.has(Role.MODEL):
        return False
    past = query.established[-1].model_copy(update={"established": query.established[:-1]})
    return past.has(Role.MODEL) and deciding.asks(past)


def reasoned(query: Query, _wants: Sequence[Want]) -> Answering:
    """What speaks for the choice and what for another, the one that is named or the next."""
    dossier = last_choice(query)
    decision = (yield from decision_of(dossier)) if dossier else None
    if decision is None:
        return "There was nothing to choose from."
    said = (slot for slot in query.slots if not slot.inherited and slot.role in (Role.TARGET, Role.WITHOUT))
    named = {str(slot.value) for slot in said if slot.role is Role.WITHOUT or slot.text}
    others = [one for one in decision.order[1:] if one.rows[0].query.text(Role.TARGET) in named]
    other = next(iter(others), decision.second)
    first = deciding.told(decision).replace("I would take ", "", 1).replace(": it ", " ", 1)
    if other is None:
        return lines(f"{first}.", *deciding.shown(decision))
    first = _against(decision, other) if others else first
    return lines(f"{first}.", _speaks_for(decision, other), *deciding.shown(decision))


def _against(decision: Decision, other: Contender) -> str:
    """Why not the one that is named."""
    by, pick = decision.column, decision.pick
    if LEVELS.index(other.level) > LEVELS.index(pick.level):
        return f"{deciding.fails(other)}; {pick.name} {deciding.reason(decision)}".capitalize()
    if other.number(by) is None:
        return f"Of {other.name} the {by.head} is not known; {pick.name} {by.best} with {pick.plain(by)}"
    return f"{pick.name} {by.best} with {pick.plain(by)}{deciding.ahead(pick, other, by)}"


def _speaks_for(decision: Decision, other: Contender) -> str:
    """In what the other is better."""
    found = _better_in(decision, other)
    return f"For {other.name} speaks: {joined(found)}." if found else ""


def _better_in(decision: Decision, other: Contender) -> list[str]:
    pick, found = decision.pick, list[str]()
    for column in dict.fromkeys([*columns_of(decision.dossier), COLUMNS[Want.PRICE]]):
        one, two = pick.number(column), other.number(column)
        differs = one and two and column != decision.by and not alike(one, two)
        if differs and deciding.is_better(other, pick, column):
            found.append(f"{column.head} {other.plain(column)} against {pick.plain(column)}")
    return found


CONCLUDING = (decided, doubted, reasoned)
"""Frames about all that was said before."""
