"""Targets, runtimes and architectures in words and tables."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.document import (
    Bar,
    Block,
    Code,
    Document,
    Items,
    Paragraph,
    Section,
    Table,
    Text,
    described,
    figures,
    table_of,
    text,
)
from ..core.paths import keys_of
from .pages import (
    ArchitectureList,
    RuntimeList,
    RuntimePage,
    TargetDiff,
    TargetList,
    TargetPage,
)
from .systems import SystemShare

AVAILABILITIES = {
    "": "not known",
    "open-source": "open source",
    "free": "free tool of its vendor",
    "licence": "sold, or given to customers",
    "submission": "only seen in a benchmark submission: nobody outside can get it",
}


@described.register
def target_list(listing: TargetList) -> Document:
    table = table_of(
        listing.targets, "targets",
        ("Target", "{id}"), ("Class", "{target_class}"), ("Cores", "{cores}"), ("Clock", "{clock_max_mhz}"),
        ("RAM", "{ram_bytes}"), ("Flash", "{flash_bytes:-}"),
        ("Accelerators", lambda target: ", ".join(target.accelerators) or "-"),
        ("Price", "{price_usd}"), ("Usual runtime", lambda t: t.runtimes[0]),
        spare=("Price", "Accelerators", "Clock", "Class"),
    )  # fmt: skip
    return Document(listing, text("{targets} targets"), (Section("", (table,)),))


@described.register
def target_diff(diff: TargetDiff) -> Document:
    table = table_of(
        diff.differences, "differences", ("Figure", "{field}"), (diff.one, lambda d: d.one or "-"),
        (diff.other, lambda d: d.other or "-"),
    )  # fmt: skip
    agree = Paragraph(text("{differences} figures differ, {same} agree."))
    return Document(diff, text("{one} and {other}"), (Section("", (table, agree)),))


@described.register
def target_page(page: TargetPage) -> Document:
    return Document(page, _name(page), (Section("", tuple(_target_blocks(page))),), notes=_lines(page))


def _name(page: TargetPage | RuntimePage) -> Text:
    return text("{name}" if page.name.startswith(page.vendor) else "{vendor} {name}")


def _lines(page: TargetPage | RuntimePage) -> tuple[Text, ...]:
    return tuple(text(f"{{notes[#{at}]}}") for at in range(len(page.notes)))


def _target_blocks(page: TargetPage) -> Iterator[Block]:
    in_one_piece = "{largest_region_bytes} ({largest_region})" if page.largest_region else "unknown"
    yield figures(
        "Target",
        ("Id", "{id}"),
        ("Class", "{target_class}"),
        ("Cores", "{cores}"),
        ("Clock", "{clock_max_mhz}"),
        ("RAM in one piece", in_one_piece),
        ("Price", "{price_usd}"),
        ("Runtimes", "{runtimes}"),
    )
    yield _regions(page)
    if page.rents:
        yield table_of(
            page.rents, "rents", ("Rent of an hour", "{hour_usd}"), ("Provider", "{provider}"),
            ("Instance", "{instance}"), ("Region", "{region}"), ("Cards in it", "{cards}"),
            ("Date", "{date}"), ("Source", "{source}"), spare=("Source", "Region"),
        )  # fmt: skip
    if page.video:
        yield table_of(
            page.video, "video", ("Video decoding", "{name}"), ("Streams of 1080p30", "{streams~}"),
            ("By", lambda each: "all of its CPU" if each.takes_cpu else "a decoder of its own"),
            ("Source", "{source}"), spare=("Source",),
        )  # fmt: skip
    yield table_of(
        page.peaks, "peaks", ("Processor", "{processor}"), ("Type", "{dtype}"), ("Dense", "{dense_gops}"),
        ("Sparse", "{sparse_gops:-}"),
        ("Ridge FLOP/byte", "{ridge_point|}"),
    )  # fmt: skip
    if page.links:
        yield table_of(
            page.links, "links", ("Link to the host", "{link}"), ("Accelerator", "{processor}"),
            ("Rate", "{bytes_per_s}"), ("By itself", "{module}"),
        )  # fmt: skip
    if page.conflicts:
        lines = [
            text("{field}: {chosen}, against {others}. Chosen: {chosen_because}", f"conflicts[#{at}]")
            for at in range(len(page.conflicts))
        ]
        yield Items(tuple(lines), "Sources that disagree")
    yield table_of(
        page.figures, "figures", ("Figure", "{field}"), ("Value", "{value}"), ("Kind", "{kind}"),
        ("Source", "{source}"), ("Where in it", "{locator}"), spare=("Where in it", "Kind"),
    )  # fmt: skip


def _regions(page: TargetPage) -> Table:
    keys = keys_of(page.regions)
    largest = max(zip(page.regions, keys, strict=True), key=lambda each: each[0].size_bytes, default=None)
    rows = tuple(
        (
            text("{region}", at), text("{kind}", at), text("{size_bytes}", at),
            Bar(f"{at}.size_bytes", f"regions[{largest[1] if largest else key}].size_bytes"),
            text("{bandwidth_bytes_per_s}", at), ", ".join(region.contiguous_with),
        )
        for region, key in zip(page.regions, keys, strict=True)
        for at in (f"regions[{key}]",)
    )  # fmt: skip
    return Table(("Region", "Kind", "Size", "", "Bandwidth", "Continues in"), rows)


@described.register
def architecture_list(listing: ArchitectureList) -> Document:
    """Bare names, one a line: made to be piped."""
    names = Code("", "\n".join(listing.architectures), whole=True)
    return Document(listing, "", (Section("", (names,)),))


@described.register
def runtime_list(listing: RuntimeList) -> Document:
    table = table_of(
        listing.runtimes, "runtimes", ("Runtime", "{id}"), ("Name", "{name}"), ("Vendor", "{vendor}"),
        ("Planner", "{planner}"), ("Usual type", "{usual_dtype}"), ("Operators", "{operators}"),
        ("Targets", "{targets}"), ("Availability", lambda r: r.availability or "not known"),
        spare=("Vendor", "Planner"),
    )  # fmt: skip
    return Document(listing, text("{runtimes} runtimes"), (Section("", (table,)),))


@described.register
def runtime_page(page: RuntimePage) -> Document:
    head = figures(
        "Runtime",
        ("Id", "{id}"),
        ("Planner", "{planner}"),
        ("Availability", AVAILABILITIES[page.availability]),
        ("Usual type", "{usual_dtype}"),
        ("Fallback", "{fallback}"),
        ("Operator list", "complete" if page.complete else "not complete: others may run"),
        ("Runs on", "{runs_on}"),
        ("Targets", "{targets}"),
    )
    operators = table_of(
        page.operators, "operators", ("Operator", "{op}"), ("Types", "{dtypes}"),
        ("Optimized", lambda o: ", ".join(o.optimized) or "-"),
        ("Up to version", "{max_version:any}"),
    )  # fmt: skip
    sources = Items(tuple(text(f"{{sources[#{at}]}}") for at in range(len(page.sources))), "Sources")
    return Document(page, _name(page), (Section("", (head, operators, sources)),), notes=_lines(page))


@described.register
def system_share(share: SystemShare) -> Document:
    rows: list[tuple[Text, Text]] = [("Of what", "{what}"), ("On top", "{on_top}")]
    rows += [("RAM, at least", "{ram_bytes}")] if share.ram_bytes is not None else []
    rows += [("Flash, at least", "{flash_bytes}")] if share.flash_bytes is not None else []
    rows += [(text("RAM left on {target}"), "{leaves_bytes}")] if share.leaves_bytes is not None else []
    block = figures("System", *rows)
    return Document(share, text("{system}"), (Section("", (block,)),), notes=(text("{source}"),))
