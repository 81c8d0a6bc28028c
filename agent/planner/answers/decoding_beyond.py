"""Language models beside plain writing: with a draft model that writes ahead, and fine-tuned on one card."""

from __future__ import annotations

from ....tools.generation.usual import USUAL_DRAFT
from ....tools.model_zoo.language_model import language_model, language_model_names
from ..bench import Answering, call_of, needed
from ..query import Query, Role
from ..training_said import run_in
from ..words import entries, spoken
from .cases import estimated, memory_of
from .decoding_choice import BARE_MEMORY
from .phrases import language_models, lines
from .tokens import where


def beyond(query: Query) -> str:
    """What is not calculated of what is asked, and what must be in memory of a mixture of experts."""
    kinds = [kind for kind in spoken("beyond", query.question) if kind in entries("beyond_it")]
    shapes = [language_model(name) for name in language_models(query) if name in language_model_names()]
    kinds = kinds if any(shape.experts > 1 for shape in shapes) else [k for k in kinds if k != "experts"]
    return lines(*(entries("beyond_it")[kind] for kind in kinds))


def asks_draft(query: Query) -> bool:
    """Whether a small model is to write ahead for a large one on one target."""
    drafts = "draft" in spoken("beyond", query.question)
    return drafts and 1 <= len(set(language_models(query))) <= _PAIR and len(set(query.all(Role.TARGET))) == 1


_PAIR = 2


def drafted(query: Query) -> Answering:
    """How much faster both are, by the share of the drafted tokens that stands."""
    named = sorted(set(language_models(query)), key=lambda name: language_model(name).parameters)
    small = named[0] if len(named) == _PAIR else USUAL_DRAFT
    share = (query.number(Role.CLAIMED_PERCENT) or 0.0) / 100 or None
    record = needed((yield from estimated(query.put(Role.MODEL, named[-1]), draft=small, accepted=share)))
    if not record["draft"]:
        return f"No small model with the vocabulary of {record.ref('model')} is known here: {where(record)}."
    if not record["draft"]["accepted"]:
        return f"No: {record.ref('draft.statement')}: {where(record)}."
    rate = record.ref("decode_tokens_per_s", "~")
    return lines(
        f"Yes for one user, where the text is easy to foresee: {record.ref('draft.statement')}.",
        f"Alone {rate}: {where(record)}.",
        entries("beyond_it")["of_draft"],
    )


def asks_training(query: Query) -> bool:
    """Whether a model is to be fine-tuned, on one target or any."""
    trains = "training" in spoken("beyond", query.question)
    classes = [
        found.target_class for name in set(query.all(Role.TARGET)) if (found := query.targets.get(name))
    ]
    return trains and bool(language_models(query)) and classes in ([], ["gpu"])


def finetuned(query: Query) -> Answering:
    """Memory and hours of a run, by what is said of it; each way where no card is, or it does not fit."""
    given = run_in(query.question) | {"model": language_models(query)[0]}
    given |= {"memory_bytes": memory_of(query).get("memory_bytes")}
    place = {} if query.has(Role.TARGET) else {"target": BARE_MEMORY}
    record = needed((yield call_of("estimate_finetuning", query, **given | place)))
    told = []
    for method in ("qlora", "lora", "full") if place or record["verdict"] == "FAIL" else ():
        other = needed((yield call_of("estimate_finetuning", query, **given | place | {"method": method})))
        if place:
            fits = " (does not fit)" if other["verdict"] == "FAIL" else " (fits)"
            sized = fits if given["memory_bytes"] else ""
            told.append(f"{other.ref('total_bytes', 'GiB')} for {method}{sized}")
        elif other["verdict"] != "FAIL":
            told.append(f"{other.ref('statement')}.")
    if place:
        return lines(f"{record.ref('model')} takes {', '.join(told)}.", "Name the card, and I tell hours.")
    word = {"FAIL": "No", "PASS": "Yes"}.get(str(record["verdict"]), "Just")
    of_memory = bool({"fit", "total"} & query.asks or spoken("of_memory", query.question))
    parts = ("weights_bytes", "training_bytes", "activation_bytes")
    sizes = [record.ref(path, "GiB") for path in parts]
    return lines(
        f"{f'{word}: ' if of_memory or word == 'No' else ''}{record.ref('statement')}.",
        *told,
        f"{sizes[0]} of weights, {sizes[1]} for what is trained, {sizes[2]} of activations.",
        entries("beyond_it")["of_training"],
    )
