"""Which microcontroller for a network of which MACs and size alone are told."""

from __future__ import annotations

from collections.abc import Sequence

from ..bench import Answering, Record, call_of, needed
from ..choice import Order, is_narrowed, meant
from ..query import LIMITS, Query, Role
from ..want import Want
from .described import SMALL, Counted, demanded, described, weights_of
from .phrases import joined, lines, price, table
from .ranked import FEW, ordered

_PACE, _MOST_MACS, _RANKED = SMALL[0], 5e8, 600
_SOUGHT = {Want.RECOMMEND, Want.CHEAPEST, Want.MEETS, Want.LIST_TARGETS}
_REST = "The RAM depends on its tensors: give the file, and I tell arena, time and energy."


def asks(query: Query, wants: Sequence[Want]) -> bool:
    """Whether hardware is sought for a network of a counted size that a microcontroller may compute."""
    sought = _SOUGHT & {*wants[:2]} or ("hardware" in query.asks and {Want.FITS, Want.LATENCY} & {*wants[:1]})
    network = described(query) if sought and not query.has(Role.MODEL, Role.TARGET) else None
    small = query.text(Role.TARGET_CLASS) == "mcu"
    fits = network is not None and network.macs <= _MOST_MACS and query.has(Role.TARGET_CLASS) <= small
    return fits and bool(network and (network.macs or (small and (network.file or network.parameters))))


def chosen(query: Query, _wants: Sequence[Want]) -> Answering:
    """What has the memory and is quick enough at the rate at which a known network computes there, by price.

    The time is MACs × (latency / MACs) of that network.
    """
    network, (most_ms, demand) = described(query) or Counted(), demanded(query)
    (size, of), plain = weights_of(query, network), query.without([*LIMITS, Role.CLAIMED_BYTES, Role.DTYPE])
    scale = network.macs / (needed((yield call_of("parse_model", plain, model=_PACE))).number("macs") or 1.0)
    record = needed((yield call_of(
        "recommend_hardware", plain, model=_PACE, classes=["mcu"], target_class=None, goal="price",
        latency_ms=most_ms / scale if most_ms and scale else None, price_usd=query.number(Role.PRICE_USD),
        targets=meant(query) if is_narrowed(query) else None, top=_RANKED,
    )))  # fmt: skip
    takes = {"flash_bytes": size, "ram_bytes": network.arena.value if network.arena else 0.0}
    found, rows = list[Record](), list[list[str]]()
    for row in ordered(plain, record, Order.CHEAPEST):
        if len(found) == FEW:
            break
        chip = yield call_of("get_target", plain, target=row["target"])
        if all(most <= (chip.number(path) or 0.0) for path, most in takes.items()):
            time = f"{{{{{scale:.9g}*{row.id}.latency_ms|~}}}}" if scale else "MACs not told"
            share = f"{{{{{size:.0f}bytes/{chip.id}.flash_bytes|%}}}} of {chip.ref('flash_bytes')}"
            found.append(row)
            rows.append([row.ref("target"), time, share if size else "size not told", price(row)])
    if not found:
        return lines("No microcontroller that I know has the memory and the speed for that.", _REST)
    macs = f"by {''.join(network.words[:1])} alone, at the rate at which {_PACE} computes there"
    told = [f"about {rows[0][1]} an inference {macs}"] * bool(scale)
    told += [f"{of} take {rows[0][2]} of flash"] * bool(size)
    sure = ("meets", "") if found[0]["verdict"] == "PASS" else ("probably meets", ", though not surely")
    first = f"{sure[0]} {demand}{sure[1]}" if most_ms and scale else "has the room"
    return lines(
        f"{found[0].ref('name')} {first}, first by price: {joined([*told, rows[0][3]])}.",
        table(["board", "time", "flash taken", "price"], rows),
        "" if most_ms else "How often does it run, or how soon has an answer to come? That decides.",
        _REST,
    )
