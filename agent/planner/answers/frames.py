"""Which answer a query gets, by what is named and wanted: a few frames, each a composer over the wants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from ..bench import Answering, Frame, ToolFailedError, is_named
from ..language import WRITER
from ..places import is_weighed
from ..query import LIMITS, Query, Role
from ..want import Want
from ..wants import QUANTITIES, explains, is_general
from ..words import spoken
from ..writers import on_no_machine
from . import (
    allowance,
    applied,
    at_once,
    beyond,
    blamed,
    builds,
    buying,
    by_counts,
    central,
    changes,
    choices,
    claims,
    commands,
    counting,
    cycles,
    deciding,
    deeds,
    doubting,
    facts,
    files,
    for_money,
    furthest,
    gained,
    listening,
    made_of,
    measured,
    messages,
    model_choice,
    operators,
    outlay,
    own,
    pages,
    panels,
    per_unit,
    pipeline,
    published,
    reach,
    rented,
    scope,
    serving,
    settings,
    talk,
    techniques,
    texts,
    trust,
    workloads,
)  # fmt: skip
from .axes import chosen_from, kinds_of, several
from .clauses import CLAUSES
from .columns import asks_size
from .deployment import deployment
from .described import asks_of_class, by_example, by_its_counts, described, of_class
from .generating import generation
from .phrases import language_models, lines
from .settings import is_step
from .side_by_side import side_by_side

_OF: tuple[tuple[Frame, tuple[Want, ...]], ...] = (
    (changes.improve, (Want.IMPROVE,)), (changes.what_if, (Want.WHAT_IF,)),
    (furthest.furthest, (Want.LIMIT,)), (reach.order, (Want.ORDER,)), (reach.accuracy, (Want.ACCURACY,)),
    (furthest.cost_of_batch, (Want.COST_OF_BATCH,)),
    (choices.recommend, (Want.RECOMMEND, Want.CHEAPEST)),
    (model_choice.recommend_model, (Want.RECOMMEND_MODEL,)), (workloads.how_many, (Want.HOW_MANY,)),
    (side_by_side, (Want.RECOMMEND_RUNTIME, Want.COMPARE)),
    (facts.facts, (Want.PRICE, Want.AVAILABILITY, Want.MODEL_FACTS, Want.CHIP_FACTS, Want.RUNTIME_FACTS,
                   Want.LIST_TARGETS, Want.LIST_MODELS, Want.LIST_RUNTIMES, Want.DIFF)),
    (pages.pages, (Want.CONCEPT, Want.PRODUCT)), (deeds.code, (Want.CODE,)),
    (files.imported, (Want.IMPORT,)), (deeds.calibrate, (Want.CALIBRATE,)), (generation, (Want.GENERATION,)),
    (pipeline.pipeline, (Want.PIPELINE,)),
    (talk.thanks, (Want.THANKS,)), (talk.helped, (Want.HELP,)),
    (talk.outside, (Want.OUTSIDE,)), (trust.error, (Want.ERROR,)),
)  # fmt: skip
_FRAMES: dict[Want, Frame] = {want: frame for frame, wants in _OF for want in wants}
_ALONE = frozenset((Want.THANKS, Want.HELP, Want.SUMMARY, Want.OUTSIDE))
_TAKE_QUANTITIES = (
    side_by_side, changes.what_if, changes.improve, furthest.furthest, choices.recommend, generation,
    pipeline.pipeline, furthest.cost_of_batch, workloads.how_many, pages.pages,
)  # fmt: skip
"""Frames that answer what is wanted of a deployment themselves, as columns or as before and after."""
_NOT_TOGETHER = frozenset(
    (Want.COMPARE, Want.RECOMMEND, Want.CONCEPT, Want.PRODUCT, Want.LIMIT, Want.WHAT_IF)
)
"""Wants of one network after the other, although each has a rate."""
_SILENT = frozenset((Want.SAME, Want.ASK_BACK))
_EXPLAINED = frozenset(
    (Want.PLACEMENT, Want.LAYERS, Want.COMPATIBILITY, Want.EVIDENCE, Want.INTERVAL, Want.INTENSITY,
     Want.BOUND, Want.WHY_SLOWER)
)  # fmt: skip
"""Told beside what a change or a choice brings."""
_EXPLAINERS = (side_by_side, pages.pages, pipeline.pipeline, generation)
_QUANTITIES = frozenset((*CLAUSES, Want.FITS, Want.MEETS, Want.PLAUSIBLE))


def _of_several_rates(query: Query, wants: Sequence[Want]) -> bool:
    """Networks with rates of their own, or one board for all of them."""
    own = len(query.all(Role.RATE_HZ)) > 1
    return pipeline.at_own_rates(query) and (own or not set(wants) & _NOT_TOGETHER)


def _asks_for_one(query: Query) -> bool:
    """Which language model to take on a target that is named."""
    of_a_model = query.says(Role.MODEL) or "why" in query.asks
    return query.has(Role.TARGET) and WRITER in query.asks and not of_a_model


_TOLD_BY_PAGES = frozenset((Want.CONCEPT, Want.PRODUCT))
_NAMES = (Role.MODEL, Role.TARGET, Role.RUNTIME, Role.DTYPE, Role.BATTERY, Role.TARGET_CLASS, Role.TRACE)
_MOST, _SURE = 3, 0.6
_OF_NO_NAME = frozenset(
    (Want.CONCEPT, Want.PRODUCT, Want.ERROR, Want.LIST_TARGETS, Want.LIST_MODELS, Want.LIST_RUNTIMES,
     Want.CALIBRATE, Want.IMPORT, Want.GENERATION, Want.RECOMMEND_MODEL, Want.INTERVAL, Want.EVIDENCE)
)  # fmt: skip


def _is_strange(query: Query, wants: Sequence[Want]) -> bool:
    """Whether it names nothing that is known and is not surely about what needs a name."""
    if query.has(*_NAMES) or query.unknown or not query.likely or set(wants) & _OF_NO_NAME:
        return False
    return query.likely[0][1] < _SURE


_BY_WORDS: tuple[tuple[Frame, Callable[[Query], bool]], ...] = (
    (messages.explained, messages.is_message), (commands.python, commands.asks_python),
    (commands.own_board, commands.asks_own_board), (builds.job, builds.asks),
    (beyond.told, beyond.alone), (commands.shell, commands.asks_shell),
)  # fmt: skip


def answers_by_its_words(query: Query) -> bool:
    """Whether a message, code or its own figures answer it: unknown names do not matter then."""
    return own.asks(query, query.wants) or any(applies(query) for _, applies in _BY_WORDS)


def _of_its_own(query: Query, wants: Sequence[Want]) -> Frame | None:
    """A frame that answers the whole question, by what it names or how it is put."""
    paged = _TOLD_BY_PAGES
    rules: tuple[tuple[Frame, Callable[[], object]], ...] = (
        *((frame, partial(applies, query)) for frame, applies in _BY_WORDS),
        (cycles.cycle, lambda: cycles.asks(query, wants)),
        (own.own, lambda: own.asks(query, wants)),
        (pages.pages, lambda: applied.explains(query)),
        (
            _FRAMES.get(wants[0], talk.unclear) if wants else talk.unclear,
            lambda: wants and wants[0] in _ALONE and not (wants[0] is Want.THANKS and deciding.asks(query)),
        ),
        (facts.what_it_is, lambda: facts.asks_what_it_is(query)),
        (allowance.allowance, lambda: allowance.solves(query)),
        (scope.scope, lambda: scope.asks(query)),
        (at_once.all_cores, lambda: at_once.asks(query, wants)),
        (furthest.best_batch, lambda: furthest.seeks_batch(query)),
        (central.beside, lambda: central.weighs(query) and query.has(Role.MODEL) and query.has(Role.TARGET)),
        (outlay.outlay, lambda: outlay.asks(query, wants)),
        (doubting.decided, lambda: deciding.asks(query)),
        (doubting.doubted, lambda: doubting.asks_doubt(query)),
        (doubting.reasoned, lambda: doubting.asks_reason(query)),
        (reach.frugal_clock, lambda: reach.asks_frugal(query) and not explains(query)),
        (measured.compared, lambda: measured.asks(query, wants)),
        (gained.gained, lambda: gained.asks(query, wants)),
        (settings.why, lambda: settings.asks_why(query, wants)),
        (side_by_side, lambda: blamed.asks_between(query, several=several(query))),
        (made_of.parts, lambda: made_of.asks(query, wants)),
        (pages.pages, lambda: is_general(query) and paged & set(wants[:1])),
        (counting.counted, lambda: counting.counts(query) and not paged & set(wants[:1])),
        (by_counts.chosen, lambda: by_counts.asks(query, wants)),
        (talk.unclear, lambda: _is_strange(query, wants)),
        (listening.speech, lambda: listening.asks_speech(query, wants) and not paged & set(wants[:1])),
        (listening.beside, lambda: listening.asks_beside(query) and not paged & set(wants[:1])),
        (buying.buying, lambda: buying.weighs_buying(query)),
        (serving.broken_even, lambda: serving.asks_break_even(query)),
        (rented.offers, lambda: rented.asks(query)),
        (rented.chosen, lambda: rented.chooses(query)),
        (texts.job, lambda: texts.asks(query)),
        (serving.requests, lambda: serving.asks_requests(query)),
        (changes.what_if, lambda: techniques.asks_other_type(query)),
        (changes.what_if, lambda: techniques.asks_other_side(query)),
        (side_by_side, lambda: asks_size(query, wants) and not language_models(query)),
        (side_by_side, lambda: _weighs_kernels(query)),
        (of_class, lambda: asks_of_class(query)),
        (operators.supported, lambda: operators.asks(query, wants)),
        (applied.zeros, lambda: applied.asks_of_zeros(query, wants)),
        (applied.page_before, lambda: applied.asks_of_page_before(query)),
        (generation, lambda: Want.GENERATION in wants[:1] and on_no_machine(query)),
        (pages.pages, lambda: pages.tells(query, wants) and not published.answers(query, wants)),
        (panels.panel, lambda: panels.asks(query)),
        (for_money.for_money, lambda: for_money.asks(query)),
        (workloads.job, lambda: workloads.is_job(query, wants)),
        (workloads.fleet, lambda: workloads.is_fleet(query, wants)),
        (per_unit.per_unit, lambda: per_unit.asks(query, wants)),
        (reach.accuracy, lambda: reach.asks_quality(query, wants) or published.answers_alone(query, wants)),
        (generation, lambda: (language_models(query) or _asks_for_one(query)) and not paged & set(wants)),
        (pipeline.pipeline, lambda: _of_several_rates(query, wants)),
        (pipeline.pipeline, lambda: pipeline.asks(query, wants)),
        (model_choice.recommend_model, lambda: model_choice.chooses_model(query)),
        (files.told, lambda: files.names_file(query, wants)),
        (deeds.foretold, lambda: deeds.foretells(query) and not (paged | {Want.PIPELINE}) & set(wants)),
    )
    return next((frame for frame, applies in rules if applies()), None)


def _weighs_kernels(query: Query) -> bool:
    """Whether it is what one library brings, or whether that differs from the reference kernels."""
    one = query.has(Role.MODEL) and query.has(Role.TARGET) and not several(query)
    asks = spoken("gains", query.question) or spoken("helps", query.question)
    return one and query.says(Role.RUNTIME) and not query.says(Role.DTYPE) and bool(asks)


def frames_of(query: Query) -> tuple[tuple[Frame, tuple[Want, ...]], ...]:
    """The frames in the order of what they answer first, each with the wants that it covers."""
    pays = Want.COST_OF_BATCH in query.wants and "bound" not in query.question.casefold()
    out = {Want.BOUND_CHANGE} if pays else set[Want]()
    said = (Want.BOUND if want is Want.BOUND_CHANGE else want for want in query.wants if want not in out)
    wants = published.without_the_told(query, dict.fromkeys(want for want in said if want not in _SILENT))
    priced = wants[:1] == (Want.PRICE,) and "how many" in query.question.casefold()
    wants = tuple(sorted(wants, key=lambda want: priced and want is not Want.HOW_MANY))
    if (frame := _of_its_own(query, wants)) is not None:
        first = published.before(query, wants) if frame is generation else ()
        return (*first, (frame, () if frame is talk.unclear else wants))
    if language_models(query) and (rest := tuple(want for want in wants if want not in _TOLD_BY_PAGES)):
        cites = Want.EVIDENCE in rest[:1] and Want.PRODUCT in wants
        asked = (Want.PRODUCT,) if cites else wants[:1] if wants[0] is Want.CONCEPT else ()
        return (*([(pages.pages, asked)] if asked else []), (generation, rest))
    one = not several(query) and not query.has(*_COMPARED)
    if Want.COMPARE in wants[1:] and one:
        wants = tuple(want for want in wants if want is not Want.COMPARE)
    if wants[:1] == (Want.ACCURACY,) and next(techniques.techniques_of(query), None):
        wants = tuple(want for want in wants if want is not Want.COMPARE)
    if wants[:1] == (Want.PLAUSIBLE,) and not several(query) and query.says(*claims.CLAIMS):
        wants = tuple(want for want in wants if want in _QUANTITIES)
    if not wants:
        return ((_unsaid(query), ()),)
    if allowance.reckons_back(query, wants):
        return ((allowance.allowance, wants),)
    others = [want for want in wants if want not in _QUANTITIES]
    takers = ((_frame(query, want), want is Want.HOW_MANY) for want in others)
    taker = next((frame for frame, counts in takers if counts or frame in _TAKE_QUANTITIES), None)
    if taker is pages.pages and wants[0] not in others:
        taker = None
    grouped: dict[Frame, list[Want]] = {}
    for want in wants:
        frame = _frame(query, want)
        apart = (
            want is Want.FITS
            and taker is changes.what_if
            and not several(query)
            and not query.has(*LIMITS)
            and next(techniques.techniques_of(query), None) is None
        )
        explained = want in _EXPLAINED and taker not in _EXPLAINERS
        if taker is not None and want in _QUANTITIES and not apart and not explained:
            frame = taker
        grouped.setdefault(frame, []).append(want)
    typed = query.has(Role.DTYPE)
    alike = typed or next(techniques.techniques_of(query), None) is None
    if side_by_side in grouped and changes.what_if in grouped and alike:
        kept, other = changes.what_if, side_by_side
        if typed or list(grouped).index(kept) > list(grouped).index(other):
            kept, other = other, kept
        grouped[kept] += grouped.pop(other)
    if furthest.cost_of_batch in grouped and query.text(Role.VARIABLE) == "batch":
        grouped.pop(furthest.furthest, None)
    if choices.recommend in grouped and not query.has(Role.TARGET):
        grouped.pop(furthest.furthest, None)
        if wants[0] is not Want.IMPROVE:
            grouped.pop(changes.improve, None)
    return tuple((frame, tuple(own)) for frame, own in list(grouped.items())[:_MOST])


_PAGED = frozenset(
    (
        Want.COMPATIBILITY, Want.BOUND, Want.PLACEMENT, Want.WHY_SLOWER, Want.PLAUSIBLE, Want.INTERVAL,
        Want.ACCURACY,
    )
)  # fmt: skip
"""Without a network and a board, the pages tell of it."""
_BOUGHT = frozenset((Want.PRICE, Want.CHEAPEST, Want.AVAILABILITY))


def _frame(query: Query, want: Want) -> Frame:
    """Of one want, with what is named."""
    known, target, many = query.has(Role.MODEL), query.has(Role.TARGET), several(query)
    weighed = known and query.has(Role.PLACES) and is_weighed(query.question)
    if want in _BOUGHT and (weighed or (Want.RECOMMEND in query.wants and not (known and many))):
        return choices.recommend
    if not known:
        if (found := _without_model(query, want, target=target, many=many)) is not None:
            return found
    elif want in _BOUGHT:
        alone = facts.facts if target and want is not Want.CHEAPEST else choices.recommend
        return side_by_side if many and target else alone
    one_class = query.says(Role.TARGET_CLASS) and len(set(query.all(Role.TARGET_CLASS))) < 2
    of_these = not one_class or "which" not in query.asks
    match want:
        case Want.LIST_TARGETS if known and (query.has(*LIMITS) or Want.RECOMMEND in query.wants):
            return side_by_side if many and target else choices.recommend
        case Want.LIMIT | Want.WHAT_IF | Want.IMPROVE if chosen_from(query) and not is_step(query):
            return side_by_side
        case Want.COMPARE if not many and known and target and not query.has(*_COMPARED):
            return deployment
        case Want.EVIDENCE | Want.INTERVAL | Want.INTENSITY if not target:
            return facts.facts if known and want is Want.INTENSITY else pages.pages
        case Want.COST_OF_BATCH | Want.RECOMMEND | Want.RECOMMEND_MODEL if many and target and of_these:
            return side_by_side
        case _ if many and target and want in _ONE_BY_ONE:
            return _one_by_one
        case Want.WHAT_IF | Want.HOW_MANY if len(set(query.all(Role.MODEL))) > 1 and (
            target or want is Want.WHAT_IF
        ):
            return _one_by_one
        case Want.DIFF if any(is_named(model) for model in query.all(Role.MODEL)):
            return side_by_side
        case Want.HOW_MANY if len(set(query.all(Role.TARGET))) > 1 and _counts_each(query):
            return side_by_side
        case Want.HOW_MANY if not target:
            return choices.recommend
        case Want.WHAT_IF if len(set(query.all(Role.TARGET))) > 1 and not query.has(Role.TECHNIQUE):
            return side_by_side
    return _FRAMES.get(want) or _of_quantities(query)


def _counts_each(query: Query) -> bool:
    """Whether of each of several it is asked how many."""
    named = [slot for slot in query.slots if slot.role is Role.TARGET and slot.text and not slot.inherited]
    return not spoken("together", query.question) or len(named) > 1


_ONE_BY_ONE = frozenset((Want.COMPATIBILITY, Want.LAYERS, Want.PLACEMENT, Want.EVIDENCE))
"""What no column of a table shows."""
_COMPARED = (Role.RUNTIME, Role.DTYPE, Role.BATCH, Role.THREADS)


_RECKONED = QUANTITIES | {Want.PLAUSIBLE, Want.LIMIT, Want.MODEL_FACTS, Want.CHIP_FACTS, Want.COMPARE}
"""What MACs and parameters alone tell something of."""


def _without_model(query: Query, want: Want, *, target: bool, many: bool) -> Frame | None:
    """Where no network is named; None where that does not matter."""
    counted = described(query) if target and not many else None
    if counted and (want in _RECKONED or (want is Want.RECOMMEND_MODEL and counted.macs)):
        return by_its_counts
    if want in _BOUGHT | {Want.RECOMMEND_RUNTIME, Want.EVIDENCE, Want.INTENSITY, Want.UTILISATION} and target:
        return facts.facts
    if want is Want.COMPATIBILITY and query.has(Role.RUNTIME) and target:
        return facts.facts
    if many and target and ("why" in query.asks or Want.WHY_SLOWER in query.wants):
        return by_example
    return pages.pages if want in _PAGED | {Want.EVIDENCE, Want.INTENSITY, Want.UTILISATION} else None


def _of_quantities(query: Query) -> Frame:
    """One deployment, or several side by side; without a board and with limits, which one."""
    if several(query):
        return side_by_side
    own_room = query.has(Role.RAM_BYTES, Role.FLASH_BYTES, Role.CLAIMED_GOPS)
    if query.has(Role.MODEL) and not query.has(Role.TARGET) and query.has(*LIMITS) and not own_room:
        return choices.recommend
    return deployment


def _unsaid(query: Query) -> Frame:
    """Names alone: something of a model on a target, or what one of the two is; unclear without a new one."""
    if query.slots and all(slot.inherited for slot in query.slots) and not query.unread:
        return talk.unclear
    match query.has(Role.MODEL), query.has(Role.TARGET):
        case True, True:
            return side_by_side if several(query) else deployment
        case True, False:
            return deployment if query.has(*LIMITS) else facts.facts
        case False, True:
            return facts.facts
    return talk.unclear


def _one_by_one(query: Query, wants: Sequence[Want]) -> Answering:
    """What no table shows, of each that is named: which operators fall back, what a change brings."""
    said: list[str] = []
    for _, one in kinds_of(query, wants)[0][:_MOST]:
        try:
            said.append((yield from _frame(one, wants[0])(one, wants)).partition("\n")[0])
        except ToolFailedError as failed:
            said.append(f"I cannot tell: {failed}")
    if wants[0] is Want.HOW_MANY:
        return " ".join(said)
    return lines(said[0], *(f"- {line}" for line in said[1:]))
