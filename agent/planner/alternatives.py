"""Alternatives without a name of their own: the processors of one chip, and the power modes of a module."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from ...hardware_db.index import TargetSummary
from ...hardware_db.names import folded
from ...hardware_db.processors import CPU, clocks_of_modes, kernels_by_processor, shares_on
from ...tools.model_zoo.language_model import is_language_model
from ..figures import number_in
from ..messages import section_on_message
from ..number_words import NUMBER_WORDS
from ..patterns import compiled
from .npu_cores import with_npu_cores
from .query import Query, Role, Slot
from .want import Want
from .wants import CLAIMS
from .words import patterns, spoken

NO_KERNELS = "Not known: I have no figures for"
_WHOSE_CORES = "name the processor that has them, and I reckon it too"
_ASIDE = frozenset(
    (Want.PLACEMENT, Want.COMPATIBILITY, Want.CONCEPT, Want.PRODUCT, Want.ERROR, Want.CHIP_FACTS, Want.LAYERS,
     Want.RECOMMEND, Want.BOUND)
)  # fmt: skip
"""Asked of processors without choosing where the network runs."""
_EITHER = patterns("of_alternatives")["either"]
_ON = compiled(
    r"(?:\b(?:on|using|with|to|for|only|just|use|via)(?: (?:the|its|their|my|that|a))*|['’]s|"
    r"^(?:and|or|so|then|what about|how about)(?:,? (?:on|the|its|then|if))*) $", re.I
)  # fmt: skip
"""Before the processor that it is to run on."""
_ALONE = compiled(r" (?:only|alone)\b", re.I)
_COUNT = compiled(rf"\b(\d+|{NUMBER_WORDS})(?:\s?x)?(?: of (?:the|its))?[ -]$", re.I)
_OF = compiled(r" (?:of|on|in) (?:the |an? |my |its )?$", re.I)
_ONE_THREAD = compiled(
    r"\b(?:one|a|single)[ -](?:single[ -])?(?:thread|core)\b(?![ -]?(?:i[3579]|ultra|m[357]|duo)\b)", re.I
)
_AGAINST = compiled(r"\b(?:vs\.?|versus|against|compared (?:to|with)|instead of|rather than)(?!\w)", re.I)
_BARE_WATTS = compiled(
    r"(?P<before>\d{1,3})(?:,| or| and| vs\.?| versus| against| to)+ $|"
    r"^(?:,| or| and| vs\.?| versus| against| rather than| instead of| to)+(?: in| at| the)* "
    r"(?P<behind>\d{1,3})(?![\w%]|\.\d)"
)
"""A number beside the watts of a mode that are told in full."""
_SET_TO = compiled(r"\b(?:at|in|on|to|into|set|its)(?: (?:the|its|only|just))* $", re.I)


_NO_MENTION = (Role.MODEL, Role.TARGET, Role.RUNTIME, Role.NPU_CORES)


class _Mention(NamedTuple):
    kind: str
    words: str
    start: int
    end: int


def with_alternatives(query: Query) -> Query:
    """With the kernels of the processors that are named, and the clocks of the power modes."""
    query = _with_one_thread(_with_its_core(with_npu_cores(query)))
    targets = dict.fromkeys(query.all(Role.TARGET))
    chips = [found for name in targets if (found := query.targets.get(name))]
    if not chips or len(chips) < len(targets) or any(map(is_language_model, query.all(Role.MODEL))):
        return query
    if all(slot.text and _is_core(slot) for slot in query.slots if slot.role is Role.TARGET):
        return query
    mentions = list(_mentions(query))
    if len(chips) > 1:
        return _on_their_processors(query, mentions)
    return _in_modes(_on_processors(query, chips[0], mentions), chips[0])


def _mentions(query: Query) -> Iterator[_Mention]:
    """The first words for each kind of processor, outside the names of networks, boards and kernels."""
    text = query.question
    for slot in query.slots:
        if slot.role in _NO_MENTION and slot.text and not _is_core(slot):
            text = text.replace(slot.text, " " * len(slot.text))
    for kind, pattern in patterns("processor").items():
        for match in pattern.finditer(text):
            counted = _COUNT.search(text[: match.start()]) if kind == CPU else None
            yield _Mention(kind, f"{counted[0] if counted else ''}{match[0]}", *match.span())


def _is_core(slot: Slot) -> bool:
    return patterns("processor")[CPU].fullmatch(slot.text) is not None


def _with_its_core(query: Query) -> Query:
    """A core that a chip with an accelerator has is that chip's, and no board of its own."""
    named = [slot for slot in query.slots if slot.role is Role.TARGET]
    cores = [slot for slot in named if slot.text and _is_core(slot)]
    chips = {str(slot.value) for slot in named if slot not in cores}
    found = query.targets.get(next(iter(chips), ""))
    if len(chips) != 1 or found is None or not found.accelerators:
        return query
    own = [s for s in cores if any(folded(isa).endswith(folded(s.text.split()[0])) for isa in found.isas)]
    return _without(query, [slot.text for slot in own]) if own else query


def _with_one_thread(query: Query) -> Query:
    """One thread is a number of threads; beside another number of them it is compared with that."""
    one = None if query.says(Role.NPU_CORES) else _ONE_THREAD.search(query.question)
    if one is None or (query.says(Role.THREADS) and 1.0 in query.numbers(Role.THREADS)):
        return query
    if not query.says(Role.THREADS):
        return query.put(Role.THREADS, 1.0, text=one[0])
    slots = (*query.slots, Slot(role=Role.THREADS, value=1.0, text=one[0]))
    wants = tuple(dict.fromkeys((Want.COMPARE, *query.wants)))
    return query.model_copy(update={"slots": slots, "wants": wants})


def _on_processors(query: Query, chip: TargetSummary, mentions: Sequence[_Mention]) -> Query:
    """One chip: each processor by its usual kernels; threads are of the cores, in whatever words."""
    said = [slot for slot in query.slots if slot.role is Role.RUNTIME and not slot.inherited]
    threads = [slot for slot in query.slots if slot.role is Role.THREADS and not slot.inherited]
    if not (mentions or said or threads):
        return query
    kernels = kernels_by_processor(chip.id, query.own)
    if threads and CPU not in kernels:
        kept = tuple(slot for slot in query.slots if slot not in threads)
        notes = (*query.notes, f"{chip.id} has no *{threads[0].text}* cores: {_WHOSE_CORES}")
        return query.model_copy(update={"slots": kept, "notes": notes})
    kind_of = {name: kind for kind, names in kernels.items() for name in names}
    slots = {slot: query.question.find(slot.text) for slot in said if slot.value in kind_of}
    covered = {kind_of[str(slot.value)] for slot in slots}
    usual = kind_of.get("" if said else query.text(Role.RUNTIME)) or kind_of.get(chip.runtimes[0], CPU)
    new = {each.kind: each for each in reversed(mentions)}
    aside = usual != CPU or (bool(covered) and CPU not in covered)
    if threads and aside and (new or slots or max(slot.number for slot in threads) > 1):
        at = query.question.find(threads[0].text)
        new.setdefault(CPU, _Mention(CPU, f"{threads[0].number:g} threads", at, at))
    elif set(new) == {CPU} and usual != CPU and not said and _AGAINST.search(query.question):
        slots[Slot(role=Role.RUNTIME, value=chip.runtimes[0])] = 0
    elif len(new) == 1 and not said and spoken("gains", query.question):
        new.setdefault(CPU, _Mention(CPU, "its cores", len(query.question), len(query.question)))
    elif len(slots) == 1 and aside and not new and spoken("helps", query.question):
        new[CPU] = _Mention(CPU, "its cores", len(query.question), len(query.question))
    new = {kind: each for kind, each in new.items() if kind not in covered}
    if not _is_chosen(query, len(new) + len(slots), list(new.values()), usual):
        return query
    many = [f"{slot.number:g} threads" for slot in threads] if len(threads) == 1 else []
    for kind, each in new.items():
        value = _usual(kernels.get(kind, ("",)), chip)
        counted = kind != CPU or _COUNT.match(f"{each.words.partition(' ')[0]} ") is not None
        label = each.words if counted else ", ".join(dict.fromkeys([each.words, *many]))
        slots[Slot(role=Role.RUNTIME, value=value, text=each.words, label=label)] = each.start
    known = [slot for slot in sorted(slots, key=lambda slot: slots[slot]) if slot.value]
    kinds = {slot.text: kind for kind, each in new.items() for slot in slots if slot.text == each.words}
    denied = query.all(Role.WITHOUT)
    unknown = [s.text for s in slots if not s.value and kinds.get(s.text) not in denied]
    query = _without(query, [each.words for each in new.values()])
    if known:
        on_cores = next((str(slot.value) for slot in known if kind_of[str(slot.value)] == CPU), "")
        query = _counted(query.without([Role.RUNTIME]), new.get(CPU), on_cores)
    out = {Want.COMPARE, Want.RECOMMEND_RUNTIME, *([Want.WHAT_IF] if unknown else [])}
    others = tuple(w for w in query.wants if w not in out) or (Want.LATENCY,)
    wants = (Want.COMPARE, *others) if len(known) > 1 else others if unknown else query.wants
    lacks = f"{NO_KERNELS} the {' and the '.join(unknown)} of {chip.id}, so this is without it"
    notes = (*query.notes, *([lacks] if unknown else []))
    return query.model_copy(update={"slots": (*query.slots, *known), "wants": wants, "notes": notes})


def _is_chosen(query: Query, count: int, new: Sequence[_Mention], usual: str) -> bool:
    """Whether the processors say where it runs: one against another, or one that it is to run on."""
    if not new or set(query.wants[:1]) & _ASIDE or not query.has(Role.MODEL):
        return False
    if section_on_message(query.question):
        return False  # a message says where it ran
    if count > 1:
        asked = _EITHER.search(query.question) or any(spoken(t, query.question) for t in ("gains", "helps"))
        return bool(asked)
    before = query.question[: new[0].start]
    behind = any(before.rstrip().endswith(slot.text) for slot in query.slots if slot.text)
    counted = new[0].start == new[0].end
    placed = counted or behind or _ON.search(before) or _ALONE.match(query.question, new[0].end)
    return new[0].kind != usual and bool(placed)


def _usual(kernels: Sequence[str], chip: TargetSummary) -> str:
    """The first; where these are not the usual ones of the chip, those of the program that its cores run."""
    return "tflite-gpu" if "tflite-gpu" in kernels and kernels[0] not in chip.runtimes[:1] else kernels[0]


def _counted(query: Query, cores: _Mention | None, runtime: str) -> Query:
    """Threads are of the kernels that run on cores; a number before the cores says how many."""
    counted = _COUNT.search(query.question[: cores.start]) if cores and runtime else None
    words = counted[0] if counted else ""
    slots = [slot for slot in query.slots if not slot.text or slot.text not in words]
    own = [slot.model_copy(update={"of": runtime}) if slot.role is Role.THREADS else slot for slot in slots]
    if counted:
        many = number_in(counted[1].casefold())
        own.append(Slot(role=Role.THREADS, value=many, text=words.strip(), of=runtime))
    unread = tuple(text for text in query.unread if text not in words)
    return query.model_copy(update={"slots": tuple(own), "unread": unread})


def _without(query: Query, words: Collection[str]) -> Query:
    """Without what else the words of processors were taken for: a class, a board with such a core."""
    said = [each.casefold() for each in words]

    def is_one(text: str) -> bool:
        return bool(text) and any(text.casefold() in one for one in said)

    boards = (slot for slot in query.slots if slot.role is Role.TARGET and is_one(slot.text))
    gone = {*boards, *(slot for slot in query.slots if slot.role is Role.TARGET_CLASS)}
    notes = (n for n in query.notes if not any(n.casefold().startswith(f"i took {one}") for one in said))
    return query.model_copy(update={
        "slots": tuple(slot for slot in query.slots if slot not in gone), "notes": tuple(notes),
        "unknown": tuple(name for name in query.unknown if not is_one(name.text)),
    })  # fmt: skip


def _on_their_processors(query: Query, mentions: Sequence[_Mention]) -> Query:
    """Several chips: a processor is of the one right before it, or of the one that it is said to be of."""
    own, used, notes = dict(query.kernels), list[str](), list[str]()
    names = [slot for slot in query.slots if slot.role is Role.TARGET and slot.text and not slot.inherited]
    for each in mentions if not query.says(Role.RUNTIME) else ():
        before, behind = query.question[: each.start], query.question[each.end :]
        for slot in names:
            mine = re.search(
                rf"{re.escape(slot.text)}(?:['’]s?)?(?: (?:with|on|using) (?:its|the))? $", before
            )
            of = slot.text in behind and _OF.fullmatch(behind.partition(slot.text)[0])
            if mine or of:
                offered = kernels_by_processor(str(slot.value), query.own)
                kind = each.kind if each.kind in offered else next((k for k in offered if k != CPU), CPU)
                own[str(slot.value)] = instead = offered[kind][0]
                lacks = f"{NO_KERNELS} the {each.words} of {slot.value}, so it is told on its {kind.upper()}"
                notes += [f"{lacks} with {instead}"] * (kind != each.kind)
                used.append(each.words)
    kinds = list(dict.fromkeys(each.kind for each in mentions)) if not query.says(Role.RUNTIME) else []
    if not used and len(kinds) == 1 and _is_of_all(query.question, mentions[0]):
        for slot in names:
            of_chip = kernels_by_processor(str(slot.value), query.own)
            if kinds[0] in of_chip:
                own[str(slot.value)] = _usual(of_chip[kinds[0]], query.targets[str(slot.value)])
        used = [each.words for each in mentions]
    if used or len(kinds) < 2 or any(map(_is_core, names)) or not _EITHER.search(query.question):
        told = {"kernels": own, "notes": (*query.notes, *notes)}
        return _without(query.model_copy(update=told), used) if used else query
    return _on_each_processor(query, mentions, kinds)


def _is_of_all(text: str, mention: _Mention) -> bool:
    """Whether all of them are to run there: CPU only, on the CPU."""
    return bool(_ALONE_BEFORE.search(text[: mention.start]) or _ALONE_BEHIND.match(text[mention.end :]))


_ALONE_BEFORE = compiled(r"\b(?:only|just|purely|on|using)(?: the| their)? $", re.IGNORECASE)
_ALONE_BEHIND = compiled(r"[ -](?:only|alone)\b", re.IGNORECASE)


def _on_each_processor(query: Query, mentions: Sequence[_Mention], kinds: Sequence[str]) -> Query:
    """CPU or NPU, of several chips: the usual kernels of each kind on each of them."""
    slots, words = dict[str, Slot](), {each.kind: each.words for each in reversed(mentions)}
    for name in dict.fromkeys(query.all(Role.TARGET)):
        kernels = kernels_by_processor(name, query.own)
        usual = {kind: _usual(kernels[kind], query.targets[name]) for kind in kinds if kind in kernels}
        slots |= {
            each: Slot(role=Role.RUNTIME, value=each, text=words[kind], label=words[kind])
            for kind, each in usual.items()
        }
    query = _without(query, [each.words for each in mentions])
    wants = tuple(dict.fromkeys((Want.COMPARE, *query.wants)))
    return query.model_copy(update={"slots": (*query.slots, *slots.values()), "wants": wants})


def _in_modes(query: Query, chip: TargetSummary) -> Query:
    """Power modes of a module, by their watts or names: each is the clock that it allows the processor."""
    words, text = patterns("power_mode"), query.question
    above, said = words["super"].search(text) is not None, list(words["mode"].finditer(text))
    said = [each for each in said if each["watts"] or "max" in each[0].casefold()] or said
    names = {each[0].strip(): f"{each['watts']}w" if each["watts"] else "max" for each in said}
    for each in said:
        beside = _BARE_WATTS.search(text[: each.start()]), _BARE_WATTS.search(text[each.end() :])
        bare = [near["before"] or near["behind"] for near in beside if near]
        names |= {f"{watts} W": f"{watts}w" for watts in bare if f"{watts}w" not in names.values()}
    found = clocks_of_modes(chip.id, names, query.own, above=above)
    set_to = any(_SET_TO.search(text[: each.start()]) for each in said)
    listed = len(found) > 1 and _EITHER.search(text)
    if not found or not (set_to or listed or words["speaks"].search(text)):
        return query
    slots = [
        s
        for s in query.slots
        if s.role is not Role.CLOCK_MHZ and not any(s.text in w for w in found if s.text)
    ]
    slots += [Slot(role=Role.CLOCK_MHZ, value=mhz, text=name, label=name) for name, mhz in found.items()]
    timed = {Want.MEETS} if query.has(Role.LATENCY_MS, Role.RATE_HZ) else set[Want]()
    rest = (want for want in query.wants if want not in {Want.MEETS, Want.POWER} - timed)
    judged = {Want.PLAUSIBLE} if query.says(*CLAIMS) else timed
    changed = () if judged & set(query.wants) else (Want.WHAT_IF,)
    main = (Want.COMPARE,) if len(set(found.values())) > 1 else changed
    shares = shares_on(chip.id, tuple(found.values()), query.own)
    parts = [f" with {share:.0%} of its units" if share < 1 else "" for share in shares]
    runs = zip(found.items(), parts, strict=True)
    note = " and ".join(f"{name} runs it at {mhz:g} MHz{part}" for (name, mhz), part in runs)
    return query.model_copy(update={
        "slots": tuple(slots),
        "unread": tuple(text for text in query.unread if not any(text in name for name in found)),
        "wants": tuple(dict.fromkeys((*main, *rest))), "notes": (*query.notes, note),
    })  # fmt: skip
