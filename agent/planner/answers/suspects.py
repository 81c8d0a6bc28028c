"""What would explain a figure that is not the estimate: each cause simulated, the nearest to it first."""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator, Sequence

from ...pages import sections_of
from ..bench import Call, Record, call_of, is_named
from ..npu_cores import accelerator_of
from ..query import Query, Role
from ..words import entries
from . import on_chip
from .bounds import bound_in
from .passages import quoted
from .phrases import batch_of, joined, lines

_MOST, _TENTH, _SLOWEST, _ANY = 4, 1.1, 20.0, 100.0
"""Causes that are told; times by which one has to move the figure; a clock lower than that is nobody's; an
interval so wide explains any figure."""
_ESTIMATE, _TYPES = "estimate_performance", ("float32", "float16", "int8")
_CHECK = "Check the kernels that are linked and, as I do not simulate it,"
Cause = tuple[str, Record]
"""What would change, and the estimate with it."""


def suspects(
    query: Query, usual: Record, others: Sequence[Record], path: str, claim: float
) -> Generator[Call, Record, list[Cause]]:
    """The causes that move the estimate towards the figure, those that come nearest to it first.

    Args:
        usual: the estimate that it is held against.
        others: the same with other kernels.
    """
    own = usual.number(path) or claim
    causes = [(f"{each.ref('deployment.runtime')} as kernels", each) for each in others]
    if claim <= 0:
        return []
    for words, changed in _changes(query, usual):
        causes.append((words, (yield call_of(_ESTIMATE, changed))))
    towards = math.copysign(1.0, math.log(claim / own))
    found = [(figure, cause) for cause in causes if (figure := cause[1].number(path))]
    found = [one for one in found if (ends := one[1][1].ends(path)) is None or ends[1] < _ANY * ends[0]]
    found = [one for one in found if towards * math.log(one[0] / own) > math.log(_TENTH)]
    found.sort(key=lambda one: abs(math.log(one[0] / claim)))
    return [cause for _, cause in found[:_MOST]]


def told_of(
    query: Query, usual: Record, causes: Sequence[Cause], path: str, claim: float
) -> Generator[Call, Record, str]:
    """The causes in words, with those that no estimate knows."""
    own = usual.number(path) or claim
    told = [f"{words} ({record.ref(path, '~')})" for words, record in causes]
    times = own / claim if "_per_s" in path else claim / own
    of_a_time = path == "latency_ms" or "_per_s" in path
    if of_a_time and not query.says(Role.CLOCK_MHZ) and _kind(query) == "mcu" and _TENTH < times < _SLOWEST:
        lower = f"{usual.id}.deployment.clock_mhz/{times:.6f}"
        told.append(f"a clock of {{{{{lower}|MHz}}}} instead of {usual.ref('deployment.clock_mhz', 'MHz')}")
    roof = yield call_of("analyze_roofline", query.put(Role.RUNTIME, str(usual["deployment"]["runtime"])))
    takes = ""
    if times > _TENTH and roof["bound"] == "overhead":
        takes = f"As estimated, {roof.ref('bound_shares.overhead', '%')} of the time is {bound_in(roof)}."
    first = f"What would explain it, the nearest first: {joined(told, 'or')}." if told else ""
    if times < 1 / _TENTH and of_a_time:
        takes = _floors(roof, claim if path == "latency_ms" else 1e3 / claim)
    quick = entries("not_simulated")
    fast = quick["fast_gpu" if _kind(query) in ("gpu", "gpu-soc") else "fast"]
    beside = fast if times < 1 else f"{_CHECK} {besides(query)}."
    beside = entries("not_simulated")["power"] if path == "power_mw" else beside
    return lines(
        " ".join(filter(None, [first, takes, beside])), _of_its_link(query) if times > _TENTH else ""
    )


def _floors(roof: Record, time_ms: float) -> str:
    """What the peaks of arithmetic and bandwidth allow, against a time that is shorter than the estimate."""
    if not roof.number("compute_utilization"):
        return ""
    each = (roof.number("latency_ms") or 0.0) / (roof.number("deployment.batch") or 1.0)
    many = "" if batch_of(roof) == 1 else f"/{roof.id}.deployment.batch"
    least = {
        name: f"{roof.id}.{field}*{roof.id}.latency_ms{many}"
        for name, field in (("arithmetic", "compute_utilization"), ("data", "memory_utilization"))
        if roof.number(field)
    }
    cannot = (roof.number("compute_utilization") or 0.0) * each > time_ms
    stated = f"{time_ms:.6g}ms"
    reached = f"{{{{{least['arithmetic']}/{stated}|%}}}} of the peak arithmetic"
    moved = (
        f" and its data {{{{{least['data']}}}}} at {roof.ref('bandwidth_gb_s')}" if "data" in least else ""
    )
    floor = f"at the peak of {roof.ref('peak_gops')} its arithmetic alone takes {{{{{least['arithmetic']}}}}}"
    expected = f"where {roof.ref('compute_utilization', '%')} is expected"
    return f"It would be {reached}, {'which cannot be' if cannot else expected}: {floor}{moved}."


def over_usb_2(query: Query) -> str:
    """That the times are those over USB 3.0, where the slower one is spoken of."""
    page = _of_its_link(query) if on_chip.says_usb_2(query) else ""
    return f"The times told are over USB 3.0. {page}" if page else ""


def _of_its_link(query: Query) -> str:
    """What a page says of the link to the host, for what hangs on one."""
    page, heading = entries("of_its_link").get(query.text(Role.TARGET), ("", ""))
    found = next((one for one in sections_of(page) if one.heading == heading), None) if page else None
    return quoted(found) if found else ""


def besides(query: Query) -> str:
    """What no estimate knows, and a measurement that takes longer may come from."""
    one = _kind(query) == "mpu" and len(set(query.all(Role.RUNTIME))) < 2
    on_npu = one and accelerator_of(query, query.text(Role.TARGET)) is not None
    return str(entries("not_simulated")["npu" if on_npu else _kind(query)])


def _kind(query: Query) -> str:
    found = query.targets.get(query.text(Role.TARGET))
    kind = str(found.target_class) if found else "mcu"
    return kind if kind in entries("not_simulated") else "mcu"


def _changes(query: Query, usual: Record) -> Iterator[tuple[str, Query]]:
    """Other settings than the estimate has, each alone, as somebody may have them unawares."""
    query = query.put(Role.RUNTIME, str(usual["deployment"]["runtime"]))
    if (usual.number("deployment.threads") or 1) > 1:
        yield f"one thread of {usual.ref('deployment.threads')}", query.put(Role.THREADS, 1.0)
    if (usual.number("deployment.batch") or 1) > 1:
        yield "one input at a time", query.put(Role.BATCH, 1.0)
    if is_named(query.text(Role.MODEL)) and _kind(query) != "npu":
        for name in _TYPES:
            if name != usual["dtype"]:
                yield f"{name} instead of {usual.ref('dtype')}", query.put(Role.DTYPE, name)
    if host := query.text(Role.HOST):
        kernels = query.without([Role.RUNTIME]).put(Role.TARGET, host)
        there = usual.ref("deployment.target")
        yield f"the network on the CPU of {host}, not compiled for {there}", kernels
