"""A language model through a conversation: what is still asked of it, and where."""

from __future__ import annotations

import re

from ...tools.generation.usual import USUAL
from ..patterns import compiled
from .language import WRITER, chooses_model, of_language_models
from .query import Query, Role, Slot
from .want import Want
from .wants import ALONE, ASIDE, is_surely_other
from .words import patterns, spoken
from .writing import asked_of_tokens

_REFERS = compiled(r"\b(?:it|its|(?:that|this) (?:one|model|llm)|the model)\b", re.IGNORECASE)
BRINGS = patterns("of_writers")["brings"]
_SET = (Role.WEIGHTS, Role.KV, Role.CONTEXT, Role.ENGINE)
_LENGTHS, _CROWD = (Role.CONTEXT, Role.PROMPT, Role.WRITTEN), (Role.BATCH, Role.DEVICES)
_LOADS = (Role.BATCH, Role.DEVICES, Role.PROMPT, Role.RATE_HZ, Role.PRICE_USD, Role.LATENCY_MS)
"""What more is demanded of a card."""
_PLACED = frozenset((Want.RECOMMEND, Want.CHEAPEST))
_CURT = 3
"""Words of a question that only sets something: q6?"""
_OF_TOKENS = frozenset(
    ("first_token", "longest", "kv_cache", "written", "many_users", "total", "fit", "speed")
)
_OF_OTHERS = frozenset(
    (Want.PRICE, Want.CHEAPEST, Want.RECOMMEND, Want.BOUND, Want.INTERVAL, Want.EVIDENCE, Want.WHY_SLOWER)
)


ANYWHERE = "anywhere"
"""Among what a question asks: it is of no target that was spoken of."""


def as_writer(query: Query, earlier: Query) -> Query:
    """A language model is still spoken of; what is asked of it is the same where nothing else is."""
    aside = is_surely_other(query) and query.likely[0][0] in ASIDE and not query.says(*_SET, Role.MODEL)
    if aside or set(query.wants[:1]) & ALONE:
        return query
    query = _against(_with_picked(_of_cache(query, earlier), earlier), earlier)
    if query.says(Role.TARGET) and WRITER in query.asks and BRINGS.search(query.question):
        query = query.model_copy(update={"wants": (Want.GENERATION, Want.COMPARE)})
    if query.says(Role.CARDS) and query.has(Role.MODEL) and len(set(query.all(Role.TARGET))) == 1:
        query = query.model_copy(update={"wants": (Want.GENERATION,), "asks": query.asks - {"the_two"}})
    if query.says(Role.TARGET) and not query.says(Role.RAM_BYTES) and WRITER in query.asks:
        query = _with_memory_of_each(query, earlier)
    if WRITER in earlier.asks and WRITER not in query.asks and not query.has(Role.MODEL):
        still = of_language_models(query, goes_on=True)
        judges = Want.ACCURACY in query.wants or "accuracy" in query.asks
        query = still if still.says(*_SET, Role.CARDS) and not judges else query
    if WRITER in {*earlier.asks, *query.asks}:
        query = _of_any(_with_crowd(query, earlier))
    if (
        WRITER in earlier.asks
        and not query.has(Role.MODEL)
        and (
            query.says(Role.TARGET, Role.RAM_BYTES, Role.CARDS, Role.RATE_HZ, *_SET)
            or WRITER in query.asks
            or {Want.RECOMMEND_MODEL, Want.LIST_MODELS, Want.COMPARE} & set(query.wants)
        )
    ):
        stored = next((slot for slot in query.slots if slot.role is Role.WEIGHTS), None)
        query = query if stored is None else query.put(Role.WEIGHTS, stored.value, text=stored.text)
        asks = query.asks | {WRITER} | (earlier.asks & {"smallest"})
        return query.model_copy(update={"asks": asks, "wants": (Want.GENERATION,)})
    if query.says(*_SET) and query.has(Role.MODEL) and len(query.question.split()) <= _CURT:
        query = query.model_copy(update={"wants": (Want.GENERATION,)})
    if _chooses_place(query) or _still_chooses(query, earlier):
        query = query.without([Role.TARGET, Role.CARDS, Role.RAM_BYTES])
        own = tuple(s for s in query.slots if s.role is not Role.WEIGHTS or s.chance == 1)  # not an answer's
        return query.model_copy(update={"asks": (query.asks | {ANYWHERE}) - {"the_two"}, "slots": own})
    kept = next((slot for slot in query.slots if slot.role is Role.CONTEXT), None)
    if "first_token" in query.asks and kept and spoken("that_length", query.question):
        query = query.put(Role.PROMPT, kept.value, text=kept.text)
    other = bool(set(query.wants) & _OF_OTHERS or BRINGS.search(query.question))
    if WRITER not in query.asks or query.asks & _OF_TOKENS or other:
        return query
    return query.model_copy(update={"asks": query.asks | (earlier.asks & _OF_TOKENS)})


def _with_memory_of_each(query: Query, earlier: Query) -> Query:
    """Memory that was said before is of what was spoken of then, and of no other that is named now."""
    before = earlier.text(Role.TARGET)
    slots = [slot for slot in query.slots if slot.role is not Role.RAM_BYTES]
    if before in query.all(Role.TARGET) and len(set(earlier.all(Role.TARGET))) == 1:
        kept = (slot for slot in query.slots if slot.role is Role.RAM_BYTES)
        slots += [slot.model_copy(update={"of": slot.of or before}) for slot in kept]
    return query.model_copy(update={"slots": tuple(slots)})


def _of_cache(query: Query, earlier: Query) -> Query:
    """What is done to `it` where the cache was spoken of last is done to the cache, not to the weights."""
    if "kv_cache" not in asked_of_tokens(earlier.question) or not spoken("it_shrinks", query.question):
        return query
    named = re.sub(r"\bit\b", "the cache", query.question, count=1)
    before = [slot for slot in earlier.slots if slot.role is Role.WEIGHTS]
    plain = query.without([Role.WEIGHTS, Role.DTYPE, Role.TECHNIQUE]).model_copy(update={"question": named})
    read = of_language_models(plain, goes_on=True)
    slots = (*read.slots, *(slot.model_copy(update={"inherited": True}) for slot in before))
    return read.model_copy(update={"question": query.question, "slots": slots, "wants": (Want.GENERATION,)})


def _with_picked(query: Query, earlier: Query) -> Query:
    """The one that the answer before picked, unless another is to be found."""
    picked = earlier.picked
    refers = query.says(Role.TARGET) or _REFERS.search(query.question)
    if not picked or not refers or query.has(Role.MODEL) or chooses_model(query.question):
        return query
    own = {slot.role for slot in query.slots}
    slots = (*query.slots, *(slot for slot in picked if slot.role not in own))
    return of_language_models(query.model_copy(update={"slots": slots}))


def _against(query: Query, earlier: Query) -> Query:
    """What another format or model brings is held against the one before; `instead` takes another model."""
    brought = {match[0].casefold() for match in BRINGS.finditer(query.question)}
    another = query.says(Role.MODEL) and set(query.all(Role.MODEL)) - set(earlier.all(Role.MODEL))
    asks = bool({"fastest", "which"} & query.asks)
    compares = asks or (Want.COMPARE in query.wants and bool(brought - {"instead", "rather"}))
    roles = [Role.WEIGHTS] if brought and (compares or not another) else []
    roles += [Role.MODEL] if brought - {"instead", "rather"} or (brought and another and compares) else []
    before: list[Slot] = []
    for role in roles if WRITER in query.asks & earlier.asks else ():
        usual = [Slot(role=role, value=USUAL)] if role is Role.WEIGHTS and not earlier.has(Role.DTYPE) else []
        past = [slot for slot in earlier.slots if slot.role is role] or usual
        varied = query.says(role) and len(query.all(role)) == len(past) == 1
        varied = varied and not set(query.all(Role.TARGET)) - set(earlier.all(Role.TARGET))
        if varied and query.text(role) != past[0].value:
            before.append(past[0].model_copy(update={"inherited": True}))
    slots = (*(slot for slot in before if slot.role is Role.WEIGHTS), *query.slots)
    slots += tuple(slot for slot in before if slot.role is Role.MODEL)
    return _each_its_own(query.model_copy(update={"slots": slots})) if before else query


def _each_its_own(query: Query) -> Query:
    """The 14B in q8 instead: each model has the format that it is spoken of in."""
    models = {slot.inherited: slot.text for slot in query.slots if slot.role is Role.MODEL and slot.text}
    if len(models) < len(query.all(Role.MODEL)) or len(models) != len(query.all(Role.WEIGHTS)):
        return query
    slots = (
        slot.model_copy(update={"of": models[slot.inherited]}) if slot.role is Role.WEIGHTS else slot
        for slot in query.slots
    )
    return query.model_copy(update={"slots": tuple(slots)})


def _with_crowd(query: Query, earlier: Query) -> Query:
    """How many at once as before, where a length of now was first read as another number of them."""
    another = set(query.all(Role.MODEL)) - {*earlier.all(Role.MODEL)}
    if another or not query.says(*_LENGTHS) or query.has(*_CROWD):
        return query
    before = (slot.model_copy(update={"inherited": True}) for slot in earlier.slots if slot.role in _CROWD)
    return query.model_copy(update={"slots": (*query.slots, *before)})


def _of_any(query: Query) -> Query:
    """Without the model where one is to be found, without the target where a size of memory is told."""
    if not query.says(Role.MODEL) and chooses_model(query.question) and "the_two" not in query.asks:
        query = query.without([Role.MODEL, Role.WEIGHTS, Role.CARDS])
    if query.says(Role.RAM_BYTES) and not query.says(Role.TARGET) and spoken("any_memory", query.question):
        query = query.without([Role.TARGET, Role.CARDS])
        query = query.model_copy(update={"asks": query.asks | {ANYWHERE}})
    return query


def _chooses_place(query: Query) -> bool:
    """Which card to take for a language model, of all that are known."""
    if WRITER not in query.asks or not query.has(Role.MODEL) or query.says(Role.TARGET):
        return False
    return "the_two" not in query.asks and bool(spoken("hardware_kind", query.question))


def _still_chooses(query: Query, earlier: Query) -> bool:
    """Whether another demand is made on a card that was to be chosen, and none of those was taken."""
    if query.says(Role.TARGET) or not query.has(Role.MODEL) or query.picks:
        return False
    if ANYWHERE in earlier.asks and query.says(Role.RATE_HZ, Role.PRICE_USD, Role.MODEL, *_SET):
        return True
    chosen = set(earlier.wants) & _PLACED or ANYWHERE in earlier.asks
    was_open = WRITER in earlier.asks and earlier.has(Role.MODEL) and not earlier.has(Role.TARGET) and chosen
    of_those = query.asks & (_OF_TOKENS | {"which"})
    return bool(was_open and query.says(*_LOADS, *_SET) and not of_those)


def on_no_machine(query: Query) -> bool:
    """Whether it is asked of a language model on a computer of which nothing is said."""
    named = query.has(Role.TARGET, Role.RAM_BYTES, Role.MODEL) or query.unknown
    return WRITER in query.asks and not named and bool(spoken("machine", query.question))
