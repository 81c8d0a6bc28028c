"""What a question says of language models beside their names: formats, runtimes, layers on the GPU."""

from __future__ import annotations

import functools
import re

from ...tools.generation.usual import USUAL, usual_of
from ...tools.model_zoo.language_model import is_language_model, load_catalogue
from ...tools.model_zoo.weight_format import weight_format
from ..figures import number_in
from ..patterns import compiled
from ..quantities import Family
from .formats_said import BITS, engine_in, kv_formats_in, weight_formats_in
from .language_places import WHO_ASK, household_in, with_places
from .own_waits import with_own_wait
from .query import Query, Role, Slot
from .training_said import figures_in
from .want import Want
from .words import patterns, spoken
from .writing import DOCUMENT, asked_of_tokens, of_its_shape, with_amounts, with_size

_READ = patterns("of_language_models")
_WRITERS = _READ["writers"]
_CHOOSES = (
    r"\b(?:which|what(?! about| if)(?:'?s| is)?|list|biggest|largest|smallest|fastest|best|any|recommend)\W+"
    r"(?:(?!gpu|card|board|hardware|mac|pc|machine|computer|chip|phone|laptop)[\w.-]+\W+){0,2}?"
)
_SIZES = _READ["sizes"]
_AT_MOST = ("under", "below", "at most", "up to", "smaller", "less")
_ANY_SIZE, _NEAR_SIZE = 1e6, 1.2
_TOKENS = frozenset(("token", "tokens", "context", "prompt", "prompts", "ctx", "window"))
_OF_SESSIONS = frozenset((Role.BATCH, Role.DEVICES))
_PEOPLE = _READ["people"]
_AT_ONCE = _READ["at_once"]
_NEAR, _SAME_CLAUSE = 32, 60
"""Characters within which a count belongs to what stands there."""
WRITER = "writer"
"""Among what a question asks: a language model, named or not."""


def of_language_models(query: Query, *, goes_on: bool = False) -> Query:
    """With what is said of a language model in the slots, where one is spoken of.

    Args:
        goes_on: says that one was spoken of before.
    """
    question = query.question
    query = _with_choice(query)
    writes = any(map(is_language_model, query.all(Role.MODEL))) or query.says(Role.FAMILY, Role.BILLIONS)
    if not writes and (query.has(Role.MODEL) or not (goes_on or speaks_of_language_models(question))):
        return query
    unknown = tuple(
        name for name in query.unknown
        if not weight_formats_in(name.text) and not (query.established and _family().fullmatch(name.text))
    )  # fmt: skip
    asks = query.asks | {WRITER} | asked_of_tokens(question)
    query = query.model_copy(update={"asks": asks, "unknown": unknown})
    query = _with_sessions(with_places(_with_rate_of_each(query)))
    cached = kv_formats_in(question)
    if len(cached) == 1 and cached[0] != "f16" and spoken("cache_changes", question):
        cached = ("f16", *cached)
    stored = weight_formats_in(question)
    query = query.without([Role.DTYPE]) if len(cached) > 1 and not stored else query
    for role, values in (
        (Role.WEIGHTS, stored), (Role.KV, cached),
        (Role.ENGINE, engine_in(question)), (Role.GPU_LAYERS, layers_in(question) or _beside_cores(query)),
    ):  # fmt: skip
        query = query.put(role, *values) if values else query
    query = _without_bits(query) if stored else _with_next_format(query)
    query = _without_layers(query) if query.says(Role.GPU_LAYERS) else query
    if "training" in spoken("beyond", question):
        query = _without_texts(query, {figure.text for figure in figures_in(question).values()})
    query = with_own_wait(with_amounts(_with_memory(_with_kept_free(_with_tokens(query)))))
    query = _with_job(_with_own_formats(query))
    if spoken("long_document", question) and not query.has(Role.PROMPT, Role.CONTEXT):
        taken = f"A long document is taken as {_DOCUMENT:,} tokens"
        query = query.put(Role.PROMPT, float(_DOCUMENT), text=f"{_DOCUMENT:,} tokens")
        query = query.model_copy(update={"notes": (*query.notes, taken)})
    if _OF_A_REPLY.search(question) and not query.has(Role.WRITTEN, Role.RUNS):
        taken = f"A reply is taken as {_REPLY} tokens"
        query = query.put(Role.WRITTEN, float(_REPLY), text=f"{_REPLY} tokens")
        query = query.model_copy(update={"notes": (*query.notes, taken)})
    starts = "first_token" in asked_of_tokens(question)
    if _CONDENSES.search(question) and query.says(Role.PROMPT) and not (starts or query.has(Role.WRITTEN)):
        query = query.put(Role.WRITTEN, float(_REPLY), text=str(_REPLY))
        query = query.model_copy(update={"notes": (*query.notes, f"A summary is taken as {_REPLY} tokens")})
    if (office := _OFFICE.search(question)) and not query.says(Role.HOURS_A_DAY):
        taken = f"{office[0].capitalize()} are taken as 8 h a day on 5 days a week"
        query = query.put(Role.HOURS_A_DAY, 8 * 5 / 7, text=office[0])
        query = query.model_copy(update={"notes": (*query.notes, taken)})
    query = query.model_copy(update={"notes": (*query.notes, *of_its_shape(query))})
    return query.model_copy(
        update={"asks": query.asks | ({"written"} if query.says(Role.WRITTEN) else set())}
    )


def _with_own_formats(query: Query) -> Query:
    """14B at q8 or 32B at q4: each model its own format, where one stands behind each."""
    question = query.question
    named = {slot.text for slot in query.slots if slot.role is Role.MODEL and slot.text}
    starts = sorted((at, text) for text in named if (at := question.find(text)) >= 0)
    if len(starts) < 2:
        return query
    ends = [*(at for at, _ in starts[1:]), len(question)]
    of_each = [weight_formats_in(question[at:end]) for (at, _), end in zip(starts, ends, strict=True)]
    if any(len(formats) != 1 for formats in of_each):
        begins = [0, *(at + len(text) for at, text in starts[:-1])]
        of_each = [weight_formats_in(question[a:at]) for a, (at, _) in zip(begins, starts, strict=True)]
    if any(len(formats) != 1 for formats in of_each):
        return query
    own = (
        Slot(role=Role.WEIGHTS, value=formats[0], of=text)
        for (_, text), formats in zip(starts, of_each, strict=True)
    )
    others = (slot for slot in query.slots if slot.role is not Role.WEIGHTS)
    return query.model_copy(update={"slots": (*others, *own)})


def _without_bits(query: Query) -> Query:
    """The bits of the weights are no figure of anything else."""
    return _without_texts(query, {match[1] for match in BITS.finditer(query.question)})


_STEP_BITS = 0.7
"""Of a weight, that the next format up or down differs by at least."""


def _with_next_format(query: Query) -> Query:
    """A smaller quant, or a larger one, beside the one that was spoken of, or the usual one."""
    turn = next(iter(spoken("other_format", query.question)), "")
    if not turn:
        return query
    now = weight_format(query.text(Role.WEIGHTS) or USUAL).id
    usual = [entry for entry in usual_of("llama.cpp") if entry.bits > 2]
    bits, sign = weight_format(now).bits, 1 if turn == "wider" else -1
    others = [entry for entry in usual if sign * (entry.bits - bits) >= _STEP_BITS]
    if not others:
        return query
    other = min(others, key=lambda entry: abs(entry.bits - bits)).id
    query = query.put(Role.WEIGHTS, now, other)
    return query.model_copy(update={"wants": (Want.GENERATION,)})


_TAKEN = r"(?:electricity|energy|power|joules?|watt[- ]?hours?|[mk]?wh|co2|carbon|costs?)"
_ONE = r"(?:one|an?|each|per|every|single)\s(?:\w+ ){0,2}?(?:reply|answer|response)"
_OF_A_REPLY = compiled(rf"\b{_TAKEN}\b[^.?!]*\b{_ONE}\b|\b{_ONE}\b[^.?!]*\b{_TAKEN}\b", re.IGNORECASE)
"""What one takes, however long it is."""
_CONDENSES = compiled(r"\bsummar(?:y|ies|i[sz]\w*)\b.*\bhow long\b|\bhow long\b.*\bsummar", re.IGNORECASE)
_OFFICE = compiled(r"\b(?:office|working|business) hours\b", re.IGNORECASE)
_REPLY = 256
_DOCUMENT = 8000
"""Tokens: some twenty pages."""
_OF_A_JOB = {"/hour": 3600.0, "/night": 86400.0, "/day": 86400.0, "/week": 604800.0}


def _with_job(query: Query) -> Query:
    """So many tokens a night are what has to be written, not how fast."""
    found = [f for f in query.figures if f.noun in _TOKENS and f.unit in _OF_A_JOB]
    if len(found) != 1 or found[0].value * _OF_A_JOB[found[0].unit] < _MANY_TOKENS:
        return query
    query = _without_texts(query, {found[0].text})
    return query.put(Role.RUNS, found[0].value * _OF_A_JOB[found[0].unit], text=found[0].text)


_MANY_TOKENS = 10_000


def _without_layers(query: Query) -> Query:
    """Nor are layers on the GPU, and how many there are."""
    found = _READ["layers"].search(query.question) or _READ["on_cores"].search(query.question)
    return _without_texts(query, set(re.findall(r"\d+", found[0])) if found else set())


def _without_texts(query: Query, texts: set[str]) -> Query:
    slots = (slot for slot in query.slots if slot.inherited or slot.text not in texts)
    unread = tuple(text for text in query.unread if text not in texts)
    return query.model_copy(update={"slots": tuple(slots), "unread": unread})


def _with_choice(query: Query) -> Query:
    """A family or a size that one is to be chosen of; a size alone is a model."""
    question = query.question
    if query.says(Role.MODEL) and not any(map(is_language_model, query.all(Role.MODEL))):
        return query.without([Role.FAMILY, Role.BILLIONS])
    families, chooses = families_in(question), chooses_model(question)
    if chooses and query.says(Role.MODEL) and all(map(_family_of, _named_models(query))):
        query = query.without([Role.MODEL])
    if query.says(Role.MODEL):
        return with_size(query.without([Role.FAMILY, Role.BILLIONS]), query.all(Role.MODEL))
    if not (query.has(Role.MODEL) and not chooses) and families:
        query = query.put(Role.FAMILY, *families)
    sizes = sizes_in(question) if chooses else ()
    if sizes:
        texts = [text for text in query.unread if not _SIZES.search(text)]
        query = query.put(Role.BILLIONS, *sizes[1], text=sizes[0]).model_copy(update={"unread": tuple(texts)})
    if chooses and (families or sizes):
        query = query.without([Role.MODEL]).model_copy(update={"wants": (Want.GENERATION,)})
    if query.has(Role.MODEL) or not speaks_of_language_models(question):
        return query
    return _without_service(query if query.has(Role.BILLIONS) else with_size(query))


def _named_models(query: Query) -> list[str]:
    return [slot.text for slot in query.slots if slot.role is Role.MODEL and not slot.inherited]


def _family_of(text: str) -> str:
    """What several language models' ids begin with that is written so: Qwen 2.5 is no single one."""
    letters = re.sub(r"[\s_-]", "", text.casefold())
    written = re.compile(f"{'-?'.join(map(re.escape, letters))}(?=[-.])")
    found = [match[0] for model in load_catalogue().models if (match := written.match(model.id))]
    return found[0] if len(found) > 1 else ""


def chooses_model(question: str) -> bool:
    """Whether a language model is to be found, by its kind, family or size."""
    of_family = rf"{_CHOOSES}(?:{_family().pattern})"
    return bool(spoken("any_writer", question) or re.search(of_family, question, re.IGNORECASE))


def sizes_in(question: str) -> tuple[str, tuple[float, float]] | tuple[()]:
    """The words for a size, and the least and the most billions of parameters that they mean."""
    found = list(_SIZES.finditer(question))
    if not found:
        return ()
    sizes = [number_in(match["size"]) for match in found]
    text = question[found[0].start() : found[-1].end()]
    bound = (found[0]["bound"] or "").casefold()
    if len(found) > 1:
        return text, (min(sizes), max(sizes))
    if bound:
        return text, (0.0, sizes[0]) if bound.startswith(_AT_MOST) else (sizes[0], _ANY_SIZE)
    return text, (sizes[0] / _NEAR_SIZE, sizes[0] * _NEAR_SIZE)


def _with_rate_of_each(query: Query) -> Query:
    """At least 20 tokens each are of a second."""
    found = _READ["each"].search(query.question)
    if found is None:
        return query
    texts = {slot.text for slot in query.slots if slot.text and slot.text in found[0]} | {found[1]}
    return _without_texts(query, texts).put(Role.RATE_HZ, float(found[1]), text=f"{found[1]} tokens/s")


def _with_sessions(query: Query) -> Query:
    """How many people it writes for at once: what stands nearest to words for that, else who is counted."""
    counts = [f for f in query.figures if f.family is Family.COUNT and not f.unit and f.noun not in _TOKENS]
    people = [f for f in counts if f.noun and _PEOPLE.match(f.noun)]
    who_ask = {f.text for f in counts if WHO_ASK.match(query.question[f.end :])}
    query = _without_texts(query, {figure.text for figure in people} | who_ask)
    others = {slot.text for slot in query.slots if slot.role not in _OF_SESSIONS}
    free = [figure for figure in counts if figure.text not in others and figure.value >= 1]
    counted = [
        figure
        for figure in free
        if _PEOPLE.search(query.question[figure.end : figure.end + _NEAR])
        or _READ["people_of"].search(query.question[: figure.start])
    ]
    at_once = next(iter(_AT_ONCE.finditer(query.question)), None)
    near = [f for f in free if at_once and f.value > 1 and abs(f.start - at_once.start()) <= _SAME_CLAUSE]
    if not counted and not near:
        text, many = household_in(query.question)
        return _without_texts(query, {text}).put(Role.BATCH, many, text=text) if many else query
    best = [min(near, key=lambda f: abs(f.start - at_once.start()))] if near and at_once else counted
    best += [figure for figure in counted if figure.value == 1 and figure not in best]
    alone = _READ["alone"].search(query.question)
    gone = {figure.text for figure in (*near, *counted)}
    slots = tuple(slot for slot in query.slots if slot.role not in _OF_SESSIONS)
    slots += tuple(Slot(role=Role.BATCH, value=figure.value, text=figure.text) for figure in best)
    if alone and not any(figure.value == 1 for figure in best):
        slots += (Slot(role=Role.BATCH, value=1.0, text=alone[0]),)
    unread = tuple(text for text in query.unread if text not in gone)
    return query.model_copy(update={"slots": slots, "unread": unread})


_STAYS = compiled(
    r"\b(?:leav\w+ (?:me |us )?|keep |reserve\w* |need )(?:at least |about |some |still )*$", re.IGNORECASE
)
_FREE = compiled(
    r"^(?: of)? ?(?:v?ram |memory )?(?:free|spare|left|headroom|for (?:the |my |other )?\w+)\b", re.IGNORECASE
)


def _with_kept_free(query: Query) -> Query:
    """What has to stay free for other programs is no size of the memory."""
    sizes = (figure for figure in query.figures if figure.family is Family.BYTES)
    models = tuple(f"for {slot.text}" for slot in query.slots if slot.role is Role.MODEL and slot.text)
    kept = [
        figure
        for figure in sizes
        if not any(name in query.question[figure.end : figure.end + len(name) + _NEAR] for name in models)
        if _STAYS.search(query.question[: figure.start]) or _FREE.match(query.question[figure.end :])
    ]
    texts = {figure.text for figure in kept}
    if not kept or "left" not in query.asks:
        return query
    slots = tuple(slot for slot in query.slots if slot.inherited or slot.text not in texts)
    slots += (Slot(role=Role.TAKEN_BYTES, value=kept[0].value, text=kept[0].text),)
    unread = tuple(text for text in query.unread if text not in texts)
    return query.model_copy(update={"slots": slots, "unread": unread})


def _with_memory(query: Query) -> Query:
    """Another size of memory of a board that is named in two: the 8 GB and the 4 GB one."""
    found = query.targets.get(query.text(Role.TARGET))
    if found is None or found.target_class == "gpu" or len(set(query.all(Role.TARGET))) > 1:
        return query
    named = " ".join(slot.text for slot in query.slots if slot.role is Role.TARGET)
    told = [f for f in query.figures if f.family is Family.BYTES]
    known = {slot.text for slot in query.slots}
    sizes = [f for f in told if f.text not in known and (f.text in query.unread or f.text in named)]
    if not any(f.text in query.unread for f in sizes) and not query.says(Role.RAM_BYTES):
        return query
    slots = (*query.slots, *(Slot(role=Role.RAM_BYTES, value=f.value, text=f.text) for f in sizes))
    unread = tuple(text for text in query.unread if text not in {f.text for f in sizes})
    return query.model_copy(update={"slots": slots, "unread": unread})


def _without_service(query: Query) -> Query:
    """A model of the kind of a service that is named is any language model."""
    unknown = tuple(
        name
        for name in query.unknown
        if not _WRITERS.fullmatch(name.text) and not _family().fullmatch(name.text)
    )
    return query.model_copy(update={"unknown": unknown})


_KEEPS = patterns("of_writing")["keeps"]
"""What programs call the length of a context, right before a number."""


def _with_tokens(query: Query) -> Query:
    """A number of thousands, or of tokens, is of the prompt where one is spoken of, else of the context."""
    every = [figure for figure in query.figures if figure.family is Family.COUNT]
    set_to = {f.text for f in every if _KEEPS.search(query.question[: f.start])}
    figures = {f.text: f for f in every if f.unit.casefold() == "k" or f.noun in _TOKENS or f.text in set_to}
    long = {text for text, f in figures.items() if f.unit and DOCUMENT.fullmatch(f.noun)}
    role = Role.PROMPT if query.says(Role.PROMPT) or "prompt" in query.question.casefold() else Role.CONTEXT
    texts = dict.fromkeys([*(text for text in query.unread if text in figures), *long, *set_to])
    found = [
        Slot(
            role=Role.PROMPT if text in long else Role.CONTEXT if text in set_to else role,
            value=figures[text].value,
            text=text,
        )
        for text in texts
    ]
    now = {slot.role for slot in found}
    slots = (slot for slot in query.slots if slot.inherited or slot.text not in long | set_to)
    kept = [slot for slot in slots if not (slot.inherited and slot.role in now)]
    unread = tuple(text for text in query.unread if text not in figures)
    return query.model_copy(update={"slots": (*kept, *found), "unread": unread})


def _beside_cores(query: Query) -> tuple[float, ...]:
    """Layers on the GPU where so many are on the cores; all of them too where both are compared."""
    found, named = _READ["on_cores"].search(query.question), set(query.all(Role.MODEL))
    shape = next((model for model in load_catalogue().models if {model.id} == named), None)
    if found is None or shape is None:
        return ()
    left = float(max(0, shape.layers - int(found[1])))
    compares = spoken("compares_speed", query.question)
    return (float(shape.layers), left) if compares else (left,)


def layers_in(question: str) -> tuple[float, ...]:
    """Layers that are to be on the GPU."""
    found = _READ["layers"].search(question)
    return (int(found[1] or found[2]),) if found else ()


def speaks_of_language_models(question: str) -> bool:
    """Without naming one."""
    found = _WRITERS.search(question) or _READ["of_a_format"].search(question)
    return found is not None or bool(families_in(question))


def families_in(question: str) -> tuple[str, ...]:
    """Families of language models that are named, each as the ids of its members begin."""
    found = (_family_of(match[0]) or match[1].casefold() for match in _family().finditer(question))
    return tuple(dict.fromkeys(found))


@functools.cache
def _family() -> re.Pattern[str]:
    begins = (
        re.match(r"[a-z]+", model.id) for model in load_catalogue().models if not model.encoder_positions
    )
    names = sorted({begin[0] for begin in begins if begin and begin[0] != "gpt"})
    version = r"(?:[\s-]?\d(?:\.\d)?(?![\w.]*\w)(?!\s?b\b))?"
    return re.compile(rf"\b({'|'.join(names)})s?{version}(?![\w-])(?!\.cpp)", re.IGNORECASE)
