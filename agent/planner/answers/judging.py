"""Yes or no: whether it fits, whether limits hold, whether what somebody claims can be."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any

from ....hardware_db.hosts import is_hosted
from ..bench import Answering, Call, Record, call_of, needed
from ..choice import of_a_supply
from ..query import LIMITS, Query, Role
from ..want import Want
from ..words import entries, spoken
from . import layers, systems, ways_out
from .phrases import VERDICT_WORDS, figure, lines, model_shown, said, sentence, subject

OF_A_PACE = frozenset((Want.BATTERY_LIFE, Want.POWER, Want.UTILISATION, Want.ENERGY))
"""With these a rate is how often it runs, and none that is to be reached."""
ROLES_OF = {
    "latency": Role.LATENCY_MS, "rate": Role.RATE_HZ, "ram": Role.RAM_BYTES, "flash": Role.FLASH_BYTES,
    "energy": Role.ENERGY_UJ, "power": Role.POWER_MW, "price": Role.PRICE_USD,
}  # fmt: skip
_WORDS = {"ram": "arena", "power": "power while computing", "rate": "", "latency": ""}
_ORDER = {"FAIL": 0, "UNKNOWN": 1, "MARGINAL": 2, "PASS": 3}
ANY_TARGET, ANY_RUNTIME = "stm32h743zi", "tflm-cmsis-nn"
"""For TFLM's arena, which the chip does not change."""


def limits_said(query: Query, wants: Sequence[Want]) -> tuple[Role, ...]:
    """The limits that are to be judged; a rate is none where it says how often it runs."""
    rate = query.number(Role.RATE_HZ) or 0.0
    several = len(set(query.all(Role.TARGET))) > 1 and rate >= _A_VIDEO_HZ
    paced = bool(OF_A_PACE & set(wants)) and Want.MEETS not in wants and not several
    left_out = {Role.RATE_HZ} if paced else set()
    left_out |= set() if len(set(query.all(Role.TARGET))) > 1 else averaged(query)
    fits = bool({Want.FITS, Want.RAM} & set(wants))
    left_out |= {Role.RAM_BYTES} if is_of_a_computer(query) and not fits else set()
    return tuple(role for role in LIMITS if query.has(role) and role not in left_out)


def is_of_a_computer(query: Query) -> bool:
    """Whether a memory is what a board has that runs an operating system, and none to keep to."""
    found = [query.targets[name] for name in query.all(Role.TARGET) if name in query.targets]
    small = not found or any(target.target_class in ("mcu", "dsp") for target in found)
    return not small and (query.number(Role.RAM_BYTES) or 0.0) >= _A_COMPUTER


def averaged(query: Query) -> set[Role]:
    """At a rate a power is that of the whole cycle; without one, while computing."""
    return {Role.POWER_MW} if query.has(Role.RATE_HZ) else set()


def verdict(query: Query, wants: Sequence[Want], *, anywhere: bool = False, alone: bool = False) -> Answering:
    """Whether it fits and meets what is demanded: the word, what decides it, and what would help.

    Args:
        anywhere: the target stands for any, and is not named.
        alone: without what would help.
    """
    query, told = (yield from systems.beside(query)) if Want.FITS in wants else (query, "")
    demanded = limits_said(query, wants)
    dropped = averaged(query) | (set() if Role.RATE_HZ in demanded else {Role.RATE_HZ})
    asked = less_flash(query.without(dropped))
    check = needed((yield call_of("check_constraints", asked)))
    estimate = needed((yield call_of("estimate_performance", query)))
    memory = not anywhere and (Want.FITS in wants or not demanded)
    held = _of_its_own(query, check) if memory else counted(check["checks"], demanded)
    rows = sorted(
        [row for row in held if ROLES_OF.get(row["name"]) in demanded] if anywhere else held,
        key=lambda row: (_ORDER[row["verdict"]], ROLES_OF.get(row["name"]) not in demanded),
    )
    slow = None if anywhere or demanded or Want.MEETS not in query.wants else estimate.number("latency_ms")
    current = yield from average(query)
    counting = [row for row in rows if _counts(row, demanded, memory=memory)]
    apart = {row["statement"]: row for row in counting}
    shown = [_row(query, check, estimate, row) for row in apart.values()]
    word, does = _first_word(rows), "meets that" if set(demanded) - _OF_ROOM else "fits"
    shown = shown or ["its memory is that of its host"] * (len(held) < len(check["checks"]))
    if current:
        shown.insert(0 if current[0] == "FAIL" else len(shown), current[1])
        word = VERDICT_WORDS[current[0]] if _ORDER[current[0]] < _ORDER[rows[0]["verdict"]] else word
        does = "meets that"
        if word == VERDICT_WORDS["UNKNOWN"] and of_a_supply(query):
            below = (estimate.number("power_mw") or 0.0) <= (query.number(Role.POWER_MW) or 0.0)
            word = "Probably, though not surely" if below else "Probably not, though not surely"
    if slow and slow > _AT_ONCE_MS and word != "No":
        word, does = "Hardly", f"takes {figure(estimate, 'latency_ms', basis=False)} a run"
    if word == "No":
        does = {"meets that": "does not meet that", "fits": "does not fit"}[does]
    for how in spoken("put_as", query.question):
        word = entries("words_for")[how].get(word, word)
    timed = not anywhere and bool({Role.LATENCY_MS, Role.RATE_HZ} & set(demanded))
    bounded = _NO_PROOF if timed and spoken("in_every_run", query.question) else ""
    if bounded and word in _ESTIMATED:
        word = _ESTIMATED[word]
    several = len(word.split()) > 1
    of = f"{model_shown(query)} {'' if several else does}".strip() if anywhere else ""
    of = of or subject(query, check, "" if several else does)
    where = f"{word}: {of}," if several else f"{word}, {of}:"
    failing = [row["name"] for row in rows if row["verdict"] == "FAIL"]
    if not failing and word.startswith("Probably not"):
        failing = [row["name"] for row in rows[:1]]
    helps = (yield from ways_out.out(query, asked, failing)) if failing and not (anywhere or alone) else ""
    return lines(f"{where} {_listed(shown)}{_tightest(check, rows, demanded)}.", bounded, told, helps)


_ESTIMATED = {
    "Yes": "Not guaranteed, though estimated so",
    VERDICT_WORDS["MARGINAL"]: "Not guaranteed, and only likely",
}
"""What a verdict begins with where it has to hold in every run."""
_NO_PROOF = (
    "An estimate is no bound: one such case in ten lies outside its interval, which is of one undisturbed "
    "run, and interrupts, other tasks and cold caches come on top, as does what happens before and behind "
    "the network. It serves to choose the chip; for a proof measure the longest of many runs under full "
    "load. What the network fails to recognise is not in it either."
)


def felt(
    query: Query, wants: Sequence[Want], estimate: Record, where: str, told: Sequence[str]
) -> tuple[list[str], list[Want]]:
    """Whether somebody who waits for what runs notices, where that is asked, and what else is wanted."""
    ends, limited = estimate.ends("latency_ms"), bool(limits_said(query, wants)) or query.has(Role.CLAIMED_MS)
    limited = limited or any(text.startswith("No") for text in told)
    if limited or not ends or not spoken("felt", query.question):
        return [], list(wants)
    within, time = entries("felt_within"), estimate.number("latency_ms") or 0.0
    name = next(name for name, most in within.items() if time <= most)
    unsure = ", though not surely" if ends[1] > within[name] else ""
    words = entries("felt_as")[name].format(figure(estimate, "latency_ms", basis=False))
    return [f"{words}{unsure}: {where}."], [
        one for one in wants if one not in (Want.LATENCY, Want.THROUGHPUT)
    ]


def counted(checks: Sequence[Mapping[str, Any]], demanded: Sequence[Role]) -> list[Mapping[str, Any]]:
    """The checks that tell whether what is demanded is met.

    A memory whose size nobody knows tells nothing of it, and operators that no source lists only make it
    less sure; all of them, where nothing is demanded.
    """
    found: list[Mapping[str, Any]] = []
    for row in checks:
        aside = row["verdict"] == "UNKNOWN" and demanded and ROLES_OF.get(row["name"]) not in demanded
        if aside and row["name"] == "operators":
            found.append({**row, "verdict": "MARGINAL"})
        elif not aside or (row["bound"] is not None and row["demand"] is not None):
            found.append(row)
    return found


def _tightest(check: Record, rows: Sequence[Mapping[str, Any]], demanded: Sequence[Role]) -> str:
    """Of several limits that all hold, the one that leaves least."""
    held = [row for row in rows if ROLES_OF.get(row["name"]) in demanded and row["demand"] and row["bound"]]
    if len(held) < _SEVERAL or rows[0]["verdict"] not in ("PASS", "MARGINAL"):
        return ""
    path = f"checks[{max(held, key=lambda row: row['demand'] / row['bound'])['name']}]"
    share = f"{{{{{check.id}.{path}.demand/{check.id}.{path}.bound|%}}}}"
    return f"; tightest is the {check.ref(f'{path}.name')}, at {share}"


_AT_ONCE_MS = 1e3
"""What takes longer answers nobody at once: where no time is demanded, a doubt that goes first."""
_A_COMPUTER = 2**29
"""Bytes of memory of the smallest of them."""
LEAST_HZ = 1.0
"""A slower pace is a duty, which nearly every board keeps: its margin says nothing."""
_SEVERAL, _A_VIDEO_HZ = 2, 5.0
"""From that rate on it is one to be reached, where boards are compared."""


def less_flash(query: Query) -> Query:
    """With the flash that others take off what there is."""
    found, taken = query.targets.get(query.text(Role.TARGET)), query.total(Role.TAKEN_FLASH_BYTES)
    room = query.number(Role.FLASH_BYTES) or (found.flash_bytes if found else None)
    return query.put(Role.FLASH_BYTES, max(room - taken, 1.0)) if room and taken else query


def fit(query: Query) -> Answering:
    """In a sentence whether it goes in."""
    check = yield call_of("check_constraints", query)
    if check.result is None:
        return ""
    estimate = needed((yield call_of("estimate_performance", query)))
    held = _of_its_own(query, check)
    bad = [row for row in held if row["verdict"] == "FAIL"]
    shown = [_row(query, check, estimate, row) for row in bad or held if row["name"] != "operators" or bad]
    shown = shown or ["its memory is that of its host"]
    unsure = any(row["verdict"] == "UNKNOWN" for row in held)
    word = "But it does not fit" if bad else "Whether it fits cannot be told" if unsure else "It fits"
    if bad and all(row["name"] == "operators" for row in bad):
        word = "But it does not run there as it is"
    return f"{word}: {_listed(shown)}."


def unfit(query: Query) -> Answering:
    """That what a time is told of does not fit, or does not run; empty where it does."""
    told: str = yield from fit(query.without(LIMITS))
    return told if told.startswith("But") else ""


_OF_ROOM = frozenset((Role.RAM_BYTES, Role.FLASH_BYTES))


def _of_its_own(query: Query, check: Record) -> list[Mapping[str, Any]]:
    """The checks, without those of a memory that is the host's."""
    hosted = is_hosted(query.targets.get(query.text(Role.TARGET)))
    return [
        row
        for row in check["checks"]
        if not hosted or row["bound"] is not None or row["name"] not in ("ram", "flash")
    ]


def _listed(rows: Sequence[str]) -> str:
    return ("; " if any(" against " in row for row in rows) else ", ").join(filter(None, rows))


def _counts(row: Mapping[str, Any], demanded: Sequence[Role], *, memory: bool) -> bool:
    """What fails, what is demanded, and the memory where that is asked for or nothing is demanded."""
    if row["verdict"] != "PASS" or ROLES_OF.get(row["name"]) in demanded:
        return True
    return memory and row["name"] in ("ram", "flash")


def _first_word(rows: Sequence[Mapping[str, Any]]) -> str:
    """Of the checks that count, the worst first."""
    deciding = rows[0]
    if deciding["verdict"] != "UNKNOWN" or deciding["demand"] is None or deciding["bound"] is None:
        return VERDICT_WORDS[deciding["verdict"]]
    below = deciding["demand"] <= deciding["bound"]
    return "Probably, though not surely" if below else "Probably not, though not surely"


def _row(query: Query, check: Record, estimate: Record, row: Mapping[str, Any]) -> str:
    """One limit: what it takes against what there is or may be."""
    name, path = row["name"], f"checks[{row['name']}]"
    if name == "operators" and row["demand"]:
        return f"{check.ref(f'{path}.demand')} in {check.ref('deployment.runtime')}"
    if not check.knows(f"{path}.demand", f"{path}.bound") or name not in ROLES_OF:
        return str(row["statement"]) if row["verdict"] == "PASS" else check.ref(f"{path}.statement")
    measured = entries("measured_as").get(name)
    takes = figure(estimate, measured, basis=name == "latency") if measured else check.ref(f"{path}.demand")
    taken = {"ram": Role.TAKEN_BYTES, "flash": Role.TAKEN_FLASH_BYTES}.get(name)
    reserved = taken is not None and query.has(taken)
    bound = ("" if reserved else said(query, ROLES_OF[name])) or check.ref(f"{path}.bound")
    what = _WORDS.get(name, name)
    if name == "flash" and not any(term["name"] == "code" for term in row["terms"]):
        what = "model"
    if name == "rate":
        takes = f"{takes} can be reached"
    beside = f" beside {said(query, taken)}" if taken and reserved else ""
    match row["verdict"]:
        case "FAIL":
            over = "" if name == "rate" else f", {check.ref(f'{path}.gap')} too much"
            return f"{what} {takes} against {bound}{beside}{over}".strip()
        case "UNKNOWN":
            return f"{what} {takes}, and {bound} lies inside that".strip()
    if name == "rate":
        per_s = query.number(Role.RATE_HZ) or 0.0
        times = (
            f", {{{{{estimate.id}.{measured}/{per_s:.6f}fps|x}}}} as many"
            if per_s >= LEAST_HZ and measured
            else ""
        )
        return f"{takes}, for {bound}{times}"
    left = ""
    if name in ("ram", "flash") and (query.has(ROLES_OF[name]) or reserved or Want.RAM in query.wants):
        left = f", {{{{{check.id}.{path}.bound-{check.id}.{path}.demand}}}} left"
    room = " RAM" if name == "ram" and not query.has(Role.RAM_BYTES) else ""
    room += " outside the chip, which is slower" if "outside the chip" in row["statement"] else ""
    return f"{what} {takes} of {bound}{room}{left}{beside}".strip()


def average(query: Query) -> Generator[Call, Record, tuple[str, str] | None]:
    """Average current or power against its limit, as verdict and words; None where none is demanded."""
    role = next((r for r in (Role.CURRENT_UA, *sorted(averaged(query))) if query.has(r)), None)
    if role is None:
        return None
    if role is Role.POWER_MW and of_a_supply(query):
        return supplied(query, needed((yield call_of("estimate_performance", query))))
    what = "current" if role is Role.CURRENT_UA else "power"
    budget = yield call_of("estimate_energy_budget", query)
    whole = budget.knows("average_power_mw")
    path = "average_power_mw" if whole else "compute_power_mw"
    asked, volts = said(query, role), query.number(Role.SUPPLY_V)
    if not query.has(Role.RATE_HZ) or not budget.knows(path):
        return "UNKNOWN", f"the average {what} is not known, for {asked}"
    if what == "current" and volts is None:
        return "UNKNOWN", f"the average current needs the supply voltage, for {asked}"
    scale = volts / 1e3 if what == "current" and volts else 1.0
    limit = (query.number(role) or 0.0) * scale
    per = f"/{volts:g}V|mA~" if what == "current" else "|~"
    takes = f"{{{{{budget.id}.{path}{per}}}}}"
    low, high = budget.ends(path) or (0.0, float("inf"))
    only = "" if whole else " for the computing alone"
    rests = "draws idle" if any("idle" in text for text in budget["missing"]) else "takes asleep"
    if low > limit:
        return "FAIL", f"average {what} {takes}{only} against {asked}"
    if high <= limit and whole:
        return "PASS", f"average {what} {takes} of {asked}"
    why = "and that lies inside" if high > limit else f"and what it {rests} is not known"
    return "UNKNOWN", f"average {what} {takes}{only} of {asked}, {why}"


def supplied(query: Query, estimate: Record) -> tuple[str, str]:
    """Whether what it draws while it computes stays below what a supply gives, as verdict and words."""
    asked, limit = said(query, Role.POWER_MW), query.number(Role.POWER_MW) or 0.0
    ends, takes = estimate.ends("power_mw"), f"{estimate.ref('power_mw', '~')} while computing"
    if ends is None:
        return "UNKNOWN", f"what it draws while computing is not known, for {asked}"
    if ends[0] > limit:
        return "FAIL", f"{takes} against {asked}"
    if ends[1] <= limit:
        return "PASS", f"{takes} of {asked}"
    return "UNKNOWN", f"{takes}, and {asked} lies inside that"


def anywhere(query: Query) -> Answering:
    """RAM and flash of the user's own, without a board, against the arena and the model with its code."""
    anyone = query.put(Role.TARGET, ANY_TARGET).put(Role.RUNTIME, ANY_RUNTIME)
    plan = needed((yield call_of("plan_memory", anyone)))
    said = yield from verdict(anyone.without(set(LIMITS) - _OF_ROOM), [Want.FITS], anywhere=True)
    asked = {Want.PLACEMENT, Want.LAYERS} & set(query.wants) or said.startswith("No")
    peak = sentence(layers.held_at_peak(plan)) if asked and query.has(Role.RAM_BYTES) else ""
    return lines(said, peak, "The time needs a chip: name one.")
