"""Whether a language model writes or starts as fast as is wanted or claimed, and how sure that is."""

from __future__ import annotations

from ..bench import Record
from ..paces import pace_in
from ..query import Query, Role
from ..words import patterns
from ..writing import WORDS_A_TOKEN, in_words
from . import standing
from .cases import demanded
from .ceilings import most_per_second, most_steps
from .phrases import figure, said, sentence
from .tokens import where

RATE, FIRST = "decode_tokens_per_s", "time_to_first_token_ms"
_EACH = "session_tokens_per_s"
IN_WORDS = f"{WORDS_A_TOKEN:g} words a token"
_HARDLY_REACHED = 0.9
"""Of what the bandwidth allows: the share that next to no measurement reaches."""
_NEARLY = 0.8
"""Of what others measured: a share that builds and cards of one kind differ by."""
_LESS = "less"
_OWN_WAITS = patterns("own_waits")
_TO_CHECK = (
    "What to look at, in this order: whether all layers are on the card (`-ngl`, `ollama ps`), and its "
    "memory is not full; whether the build uses the card's backend; a longer context or another format than "
    "you think; other programs on it; its power limit and heat."
)


def how_sure(record: Record) -> str:
    """The interval, what it stands on, and what narrows it."""
    at = next((at for at, text in enumerate(record["assumptions"]) if "published speed" in text), None)
    stands = "" if at is None else f" Of this very target: {record.ref(f'assumptions[#{at}]')}."
    return (
        f"{figure(record, RATE)}, of {where(record)}: nine such cases in ten lie inside, judged on devices "
        f"and sources left out of the fit. `edgewright validate` counts it.{stands}"
    )


def wanted(record: Record, query: Query) -> str:
    """Whether it writes as fast as the user wants, in words where they count words."""
    least, words = demanded(query)
    if least is None or not record.knows(_EACH):
        return ""
    against = f"{_judged(record, least)}, against {words}: "
    minutes = not query.has(Role.RATE_HZ) and pace_in(query.question) is not None
    if not (minutes or in_words(query, Role.RATE_HZ)):
        return against
    spelt = f"{{{{{WORDS_A_TOKEN:g}*{record.id}.{_EACH}*{60 if minutes else 1}s|count~}}}}"
    return f"{against}{spelt} words a {'minute' if minutes else 'second'} at {IN_WORDS}, "


def _judged(record: Record, least: float) -> str:
    """Whether each session writes so fast: surely where the whole interval does."""
    low, high = record.ends(_EACH) or (0.0, 0.0)
    if low >= least or high < least:
        return "Yes" if low >= least else "No"
    return "Probably, though not surely" if (record.number(_EACH) or 0.0) >= least else "Probably not"


def claimed(record: Record, query: Query) -> str:
    """What the user measured, or was told, against the interval and what the bandwidth allows."""
    role = Role.CLAIMED_HZ if query.has(Role.CLAIMED_HZ) else Role.RATE_HZ
    path = RATE if record.knows(RATE) else f"offloaded.{RATE}"
    if not query.has(role) or not record.knows(path):
        return ""
    claims = standing.held(query, record, role, path)
    one = claims[0]
    share = one.claim / most if (most := most_steps(record)) and (record["batch"] or 1) == 1 else 0.0
    if _HARDLY_REACHED <= share <= 1.0 and one.standing in ("plausible", "hardly"):
        of_most = f"{{{{{one.claim:g}*1count/1s/({most_per_second(record)})|%}}}}"
        return f"{said(query, role)} is hardly so, {of_most} of what its bandwidth allows; I expect "
    word, measured = standing.word(query, one), _against_published(one.claim, record)
    if _LESS in measured and one.standing == "plausible" and one.own:
        word = {"No": "Perhaps", "Yes": "Possibly"}.get(word, word)
    return f"{standing.judged(query, claims, word)}{measured}: "


def _against_published(claim: float, record: Record) -> str:
    """Where others measured otherwise on the same hardware, and in the same format."""
    ends = record.ends("published_tokens_per_s")
    if ends is None or ends[0] * _NEARLY <= claim <= ends[1] / _NEARLY:
        return ""
    shown = record.ref("published_tokens_per_s")
    return f", but {_LESS if claim < ends[0] else 'more'} than the {shown} that others measured there"


def to_check(held: str) -> str:
    """Where it is slower than expected, or than others measured: what may be the cause."""
    return _TO_CHECK if "slower" in held or _LESS in held else ""


def first_token(record: Record, query: Query) -> str:
    """After which prompt it comes when; whether in time, where that is asked."""
    if not record.knows(FIRST):
        target = record.ref("target")
        return f"When the first token comes is not known: no source gives the arithmetic of {target}."
    asked = "first_token" in query.asks
    limit, wait = query.number(Role.LATENCY_MS), record.number(FIRST)
    shown = figure(record, FIRST) if asked else record.ref(FIRST)
    taken = f" ({said(query, Role.PROMPT)}, {IN_WORDS})" if in_words(query, Role.PROMPT) else ""
    read = f"{record.ref('prompt_tokens')} tokens of prompt{taken}{_alone(record)}"
    comes = f"the first token comes after {shown}, at {read}."
    if not (limit and wait and asked):
        return sentence(comes)
    return f"{in_time(record.ends(FIRST), wait, limit)}, against {said(query, Role.LATENCY_MS)}: {comes}"


def in_time(ends: tuple[float, float] | None, time: float, limit: float) -> str:
    """Whether a time is within a limit: surely where its whole interval is on one side."""
    low, high = ends or (time, time)
    if high <= limit or low > limit:
        return "Yes" if high <= limit else "No"
    return "Probably, though not surely" if time <= limit else "Probably not"


def slow_start(record: Record) -> str:
    """That writing waits for the prompt, which is another thing, where that is long."""
    if not (less := shorter_prompt(record)):
        return ""
    read = f"{record.ref(FIRST)} at {record.ref('prompt_tokens')} tokens"
    return f"Before it the prompt is read, which takes arithmetic: {read}. {less}"


def shorter_prompt(record: Record) -> str:
    """What it saves, where the wait is long."""
    wait, tokens = record.number(FIRST) or 0.0, record.number("prompt_tokens") or 1.0
    if wait < _LONG_WAIT_MS or 100 * wait / tokens < _WORTH_MS:
        return ""
    saved = f"{{{{100*{record.id}.{FIRST}/{record.id}.prompt_tokens}}}}"
    return f"A hundred tokens of prompt less save {saved}; a smaller model reads faster too."


_LONG_WAIT_MS, _WORTH_MS = 5e3, 500.0


def _alone(record: Record) -> str:
    """Of one that asks alone, where all of several are waited for."""
    many = int(record["batch"] or 1)
    alone = f"{{{{{record.id}.{FIRST}/{many}}}}}"
    return f", where all {record.ref('batch')} ask at once; after {alone} for one alone" if many > 1 else ""


def claimed_wait(record: Record, query: Query) -> str:
    """A first token's time that the user measured, or was told, against the interval."""
    if not query.has(Role.CLAIMED_MS) or not record.knows(FIRST) or "first_token" not in query.asks:
        return ""
    claims = standing.held(query, record, Role.CLAIMED_MS, FIRST)
    first, comes = standing.judged(query, claims, standing.word(query, claims[0])), first_token(record, query)
    return f"{first}: {comes[:1].lower()}{comes[1:]}"


def would_explain(record: Record, query: Query) -> str:
    """Of a wait far from the estimate, the prompt that takes so long here, and what else may differ."""
    claims = standing.held(query, record, Role.CLAIMED_MS, FIRST)
    one = claims[0]
    if one.standing != "off":
        return ""
    tokens = f"{one.claim:.6g}ms*{record.id}.prompt_tokens/{record.id}.{FIRST}"
    same = f"The two are at odds: {one.slot.text} is what {{{{{tokens}|count}}}} tokens of prompt take here"
    rest = "a part of it was kept from before (prompt cache), or another model or format runs, or a GPU reads"
    if one.better:
        return f"{same}, so the text is shorter than I take it, {rest}."
    lie = "other programs take the cores" if record["processor"] == "cpu" else "not all layers are on the GPU"
    lie = lie if record["runtime"] in ("llama.cpp", "ollama") else "requests wait for others in a queue"
    own = f"{record.ref('target')} alone does not explain it: {one.slot.text} is{same.partition(' is')[2]}"
    return f"{own}, so the text is longer, {lie}, or the weights were loaded from disk first."


def more_memory(record: Record, query: Query) -> str:
    """Whether more of it would help, where that is asked."""
    if not _OWN_WAITS["more_ram"].search(query.question) or not record.knows("ram_bytes"):
        return ""
    takes = f"it takes {record.ref('total_bytes', 'GiB')} of {record.ref('ram_bytes', 'GiB')}"
    if record["verdict"] == "FAIL" or (record.number("total_bytes") or 0.0) > (
        record.number("usable_bytes") or 0.0
    ):
        return f"More RAM helps: {takes}."
    waits = (
        "reading the prompt waits for arithmetic" if "first_token" in query.asks else "each token waits for"
    )
    rest = waits if "first_token" in query.asks else f"{waits} its bandwidth, not its size"
    return f"More RAM is no cure: {takes}, and {rest}."
