"""Where a language model runs, as a question says it: cards by their memory, how many, and beside what."""

from __future__ import annotations

import re

from ...tools.generation.usual_card import ON_CORES, npu_engine, usual_card
from ...tools.model_zoo.language_model import is_language_model, load_catalogue
from ..figures import number_in
from ..number_words import NUMBER_WORDS
from ..patterns import compiled
from .query import Query, Role, Slot
from .words import spoken
from .writing import asked_of_tokens

_THEM = r"of (?:them|those|these)\b"
_AT_ONCE = r"at (?:once|a time|peak|(?:the|any|one) (?:very )?(?:same |given )?(?:time|moment|instant))"
_ASKING = rf" (?:\w+ing|asks?|chats?|types?|uses?|{_AT_ONCE})\b"
_OF_THEM = compiled(rf"\b(\d{{1,3}}|{NUMBER_WORDS}) {_THEM}(?!{_ASKING})", re.IGNORECASE)
_RELATION = (
    r"wife|husband|spouse|partner|girl ?friend|boy ?friend|mother|father|mum|mom|dad|brother|sister|sons?|"
    r"daughters?|kids?|children|child|parents|flat ?mates?|room ?mates?|grand\w+|friends?"
)
_MEMBER = rf"(?:(?:my|our|the) )?(?:(?:\d|{NUMBER_WORDS}) )?(?:{_RELATION}|i|me|myself)\b"
_HOUSEHOLD = compiled(rf"\b{_MEMBER}(?:(?:, (?:and )?| and | \+ | & ){_MEMBER}){{1,5}}", re.IGNORECASE)
_OF_IT = compiled(rf"(?:(?P<many>\d|{NUMBER_WORDS}) )?(?:{_RELATION}|(?P<me>i|me|myself))\b", re.IGNORECASE)


def household_in(question: str) -> tuple[str, float]:
    """My wife, two kids and I are four, who asks among them; kids are two unless they are counted."""
    found = _HOUSEHOLD.search(question)
    members = list(_OF_IT.finditer(found[0])) if found else []
    asks = any(member["me"] for member in members)
    if found is None or not (asks or re.search(r"\bus\b|\bwe\b", question, re.IGNORECASE)):
        return "", 0.0
    several = (2.0 if re.search(r"s$|children$", m[0], re.I) else 1.0 for m in members)
    counts = [
        number_in(m["many"].casefold()) if m["many"] else n for m, n in zip(members, several, strict=True)
    ]
    return found[0], sum(counts) + (not asks)


WHO_ASK = compiled(rf" (?:{_THEM}|of us\b){_ASKING}", re.IGNORECASE)
"""Behind a count: six of them asking are people, and no cards."""
_COUNT = compiled(
    rf"(?<![\w.])(?P<count>\d{{1,3}}|{NUMBER_WORDS})\s?(?:x|×)?\s+(?:of )?(?:the )?"
    r"(?:(?:used|second[- ]hand|old|new) )?$",
    re.IGNORECASE,
)


def with_places(query: Query) -> Query:
    """With the cards that are meant and how many of them, or both processors of one chip."""
    query = _with_cards(_with_usual_card(query))
    ids = {s.text: str(s.value) for s in query.slots if s.role is Role.TARGET and s.text}
    slots = (
        slot.model_copy(update={"of": ids.get(slot.of, slot.of)}) if slot.role is Role.CARDS else slot
        for slot in query.slots
    )
    return _on_processors(query.model_copy(update={"slots": tuple(slots)}))


_NPU = compiled(r"\bnpu\b", re.IGNORECASE)
_UNNAMED = compiled(
    rf"(?:(?P<count>\d{{1,2}}|{NUMBER_WORDS})\s*(?:x\s*)?)?\b(?P<size>\d{{1,3}})[ -]?(?:g|gbs?|gib|gigs?)"
    r"[ -]?(?:(?:of )?v?ram )?(?:cards?|gpus?|graphics cards?|(?:of )?vram)\b",
    re.IGNORECASE,
)
_OR_ONE = compiled(r"\b(?:a single|single|one) (?:one )?(?:with|of) (?P<size>\d{1,3})\b", re.IGNORECASE)


def _with_usual_card(query: Query) -> Query:
    """A usual card stands for those that only a size of memory is said of, where more than room is asked."""
    question, found = query.question, list(_UNNAMED.finditer(query.question))
    rated = (
        query.says(Role.RATE_HZ)
        or bool(spoken("offloads", question))
        or bool(asked_of_tokens(question) & {"speed", "first_token"})
    )
    several = [match for match in found if match["count"] and number_in(match["count"].casefold()) > 1]
    if not found or query.has(Role.TARGET) or not (rated or several):
        return query
    sizes = [*found, *_OR_ONE.finditer(question)]
    slots = list(query.slots)
    for match in sizes:
        card = usual_card(int(match["size"]))
        if card is None:
            return query
        slots = [slot for slot in slots if slot.text not in match[0] or not slot.text]
        slots.append(Slot(role=Role.TARGET, value=card, text=match[0][match.start("size") - match.start() :]))
    notes = tuple(f"{usual_card(int(m['size']))} stands for a card of {m['size']} GB" for m in sizes)
    said = " ".join(match[0] for match in sizes)
    unread = tuple(text for text in query.unread if text not in said)
    update = {"slots": tuple(slots), "notes": (*query.notes, *notes), "unread": unread}
    return query.model_copy(update=update)


_HOST_MEMORY = compiled(r"\b(ddr[345])(?:[- ]?(\d{4,5}))?\b", re.IGNORECASE)
_AGAINST = compiled(
    r"\b(?:or(?! (?:more|so|less|better|faster))|vs\.?|versus|against|than|each|both|which is)\b",
    re.IGNORECASE,
)
_SECOND = compiled(r"\b(?:second|another|additional|one more|extra) $", re.IGNORECASE)
_RIG = compiled(
    r"\b(?:pc|rig|desktop|laptop|notebook|build|workstation|tower|machine|computer|home ?lab)\b",
    re.IGNORECASE,
)
_RAM = r"(?:of )?(?:(?:the|my|our|its|\w+) )?(?:s?d?ram|memory|ddr\d)\b"
_OF_A_COMPUTER = compiled(
    rf"\s?(?:(?P<more>(?:more|extra|additional) ){_RAM}|(?!(?:of )?(?:gpu|card|video|graphics) ){_RAM})", re.I
)
_MORE = compiled(r"\b(?:another|additional|extra) $", re.IGNORECASE)
SAME_MEMORY = 0.1
"""Share by which a size that is said may differ from what it names."""


def with_host(query: Query) -> Query:
    """The memory of the computer that a card is in, or the processor that is named beside it."""
    question, targets = query.question, [slot for slot in query.slots if slot.role is Role.TARGET]
    classes = {str(slot.value): query.targets[str(slot.value)].target_class for slot in targets}
    found, models = _HOST_MEMORY.search(question), query.all(Role.MODEL)
    if models and not any(map(is_language_model, models)):
        return query
    if len(classes) > 1 and _AGAINST.search(question):
        return _with_its_memory(query) if set(classes.values()) == {"gpu"} else query
    host = next((slot for slot in targets if classes[str(slot.value)] == "cpu"), None)
    beside = found or spoken("offloads", question) or query.has(Role.RAM_BYTES) or _RIG.search(question)
    if host and set(classes.values()) == {"cpu", "gpu"} and (beside or host.inherited):
        others = tuple(slot for slot in query.slots if slot is not host)
        query = query.model_copy(update={"slots": (*others, host.model_copy(update={"role": Role.HOST}))})
    elif set(classes.values()) != {"gpu"}:
        return query
    query = _with_its_memory(query)
    if found is None:
        return query
    name = "-".join(part for part in found.groups() if part).lower()
    unknown = tuple(each for each in query.unknown if each.text not in found[0])
    unread = tuple(text for text in query.unread if text not in found[0])
    query = query.without([Role.BANDWIDTH]).put(Role.HOST, name, text=found[0])
    return query.model_copy(update={"unknown": unknown, "unread": unread})


def _with_its_memory(query: Query) -> Query:
    """RAM that is said beside cards, and no size that goes with their name, is the computer's."""
    cards = [query.targets[name].ram_bytes or 0.0 for name in query.all(Role.TARGET)]
    many = max(query.numbers(Role.CARDS), default=1.0)
    slots = list[Slot]()
    for slot in query.slots:
        size = slot.number if slot.role is Role.RAM_BYTES else 0.0
        if not size or any(abs(size - n * own) < SAME_MEMORY * size for own in cards for n in (1, many)):
            slots.append(slot)
            continue
        before, _, behind = query.question.partition(slot.text)
        own = _OF_A_COMPUTER.match(behind)
        if own is None and size < many * max(cards) * (1 + SAME_MEMORY):
            slots.append(slot)
            continue
        more = (own and own["more"]) or _MORE.search(before)
        total = size + (query.number(Role.HOST_BYTES) or 0.0) if more else size
        slots.append(slot.model_copy(update={"role": Role.HOST_BYTES, "value": total}))
    if any(slot.role is Role.HOST_BYTES and not slot.inherited for slot in slots):
        slots = [slot for slot in slots if slot.role is not Role.HOST_BYTES or not slot.inherited]
    return query.model_copy(update={"slots": tuple(slots)})


def _on_processors(query: Query) -> Query:
    """The GPU or the cores of one chip: all layers on the one, and none."""
    layers = {model.id: model.layers for model in load_catalogue().models}
    named = [name for name in query.all(Role.MODEL) if name in layers]
    chips = {query.targets.get(name) for name in query.all(Role.TARGET)}
    chip = chips.pop() if len(chips) == 1 else None
    if "processors" not in query.asks or chip is None or chip.target_class == "gpu" or len(set(named)) != 1:
        return query
    if _NPU.search(query.question) and (npu := npu_engine(chip.id)):
        slots = tuple(Slot(role=Role.ENGINE, value=name, text=name) for name in (npu, ON_CORES))
        return query.model_copy(update={"slots": (*query.without([Role.TARGET_CLASS]).slots, *slots)})
    sides = ((layers[named[0]], "the GPU"), (0, "the cores"))
    slots = tuple(Slot(role=Role.GPU_LAYERS, value=float(n), text=text) for n, text in sides)
    return query.model_copy(update={"slots": (*query.without([Role.TARGET_CLASS]).slots, *slots)})


def _with_cards(query: Query) -> Query:
    """Two 4090 or one H100: how many of which are meant."""
    targets = [slot for slot in query.slots if slot.role is Role.TARGET]
    if len(targets) == 1 and not query.says(Role.CARDS):
        of_them = _OF_THEM.search(query.question)
        if of_them and query.targets[str(targets[0].value)].target_class == "gpu":
            return query.put(Role.CARDS, number_in(of_them[1].casefold()), text=of_them[1])
    targets = [slot for slot in targets if slot.text and not slot.inherited]
    several = len({slot.value for slot in targets}) > 1
    if query.says(Role.CARDS) and not several:
        return query
    slots = [slot for slot in query.slots if not several or slot.role is not Role.CARDS or slot.inherited]
    unread = list(query.unread)
    for target in targets:
        before = query.question[: max(0, query.question.find(target.text))]
        if len(targets) == 1 and _SECOND.search(before):
            slots.append(
                Slot(role=Role.CARDS, value=2.0, text=_SECOND.findall(before)[0].strip(), of=target.text)
            )
        found = _COUNT.search(before)
        if found is None:
            continue
        count = number_in(found["count"].casefold())
        if count >= 2 and count == int(count):
            words = {found["count"], found[0].strip()}
            slots = [slot for slot in slots if slot.text not in words]
            unread = [text for text in unread if text not in words]
            slots.append(Slot(role=Role.CARDS, value=count, text=found["count"], of=target.text))
    return query.model_copy(update={"slots": tuple(slots), "unread": tuple(unread)})
