"""What a model, a chip or a kernel library is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .. import choice
from ..bench import NOT_KNOWN, Answering, Call, Record, call_of, needed
from ..query import Query, Role
from ..want import Want
from ..words import entries, patterns
from . import quantised
from .passages import SURE, quoted, search
from .phrases import ask_model, joined, lines, model_shown, price, said, sentence, table

_MOST_LISTED, _MOST_ROWS = 12, 10
_LISTED = {Want.LIST_RUNTIMES: (Role.TARGET,), Want.LIST_MODELS: (Role.MODEL,)}
"""What is asked about instead of a list where it is named."""
_MOST_SOURCES = 6
_HEAVY = frozenset(("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED"))


def facts(query: Query, wants: Sequence[Want]) -> Answering:
    """Of what is named: networks, chips, kernel libraries; else the list that is asked for."""
    lists = {
        Want.LIST_TARGETS: list_targets,
        Want.LIST_MODELS: list_models,
        Want.LIST_RUNTIMES: list_runtimes,
    }
    parts: list[str] = []
    for want in wants:
        if want is Want.LIST_RUNTIMES and query.has(Role.RUNTIME):
            parts.append((yield from runtime(query)))
        elif want is Want.LIST_TARGETS and query.says(Role.TARGET) and "which" not in query.asks:
            parts += [f"Yes, I know {joined(query.all(Role.TARGET))}.", (yield from chip(query, wants))]
        elif want in lists and not query.has(*_LISTED.get(want, ())):
            parts.append((yield from lists[want](query)))
        elif want is Want.DIFF:
            parts.append((yield from diff(query)))
        elif want in (Want.MODEL_FACTS, Want.INTENSITY) and query.has(Role.MODEL):
            parts.append((yield from model(query, wants)))
        elif want is Want.RUNTIME_FACTS and (page := _of_its_work(query)):
            parts.append(page)
        elif want in (Want.RUNTIME_FACTS, Want.COMPATIBILITY) and query.has(Role.RUNTIME):
            parts.append((yield from runtime(query)))
        elif query.has(Role.TARGET):
            parts.append((yield from chip(query, wants)))
        elif query.has(Role.MODEL):
            parts.append((yield from model(query, wants)))
    if not parts:
        return ask_model("Which chip, network or kernel library? `edgewright targets list` shows the chips.")
    return lines(*dict.fromkeys(parts))


_WORKS = patterns("pages")["works"]
_IS = (
    r"\bwhat(?:.s| is| are) (?:an? |the |this )?{}(?: (?:thing|exactly|anyway|again))?\s*"
    r"(?:[,?.!]|$|\b(?:and|by)\b)"
)


def asks_what_it_is(query: Query) -> bool:
    """Whether it asks what a kernel library or compiler is, whatever was spoken of before."""
    named = [s.text for s in query.slots if s.role is Role.RUNTIME and s.text and not s.inherited]
    plain = len(named) == 1 and not query.says(Role.MODEL, Role.TARGET)
    return plain and re.search(_IS.format(re.escape(named[0])), query.question, re.I) is not None


def what_it_is(query: Query, _wants: Sequence[Want]) -> Answering:
    """What a page says of it, and what it runs."""
    found = search(f"What is {said(query, Role.RUNTIME)}?", 1, SURE)
    told = yield from runtime(query)
    return lines(quoted(found[0]) if found else "", told)


def _of_its_work(query: Query) -> str:
    """What a page says that a kernel library or compiler does, where that is asked."""
    found = search(query.question, 1, SURE) if _WORKS.search(query.question) else ()
    return quoted(found[0]) if found else ""


def model(query: Query, wants: Sequence[Want] = ()) -> Answering:
    """MACs, size, operators, types: what does not depend on a board."""
    record = needed((yield call_of("parse_model", query)))
    name, asks = model_shown(query), query.asks
    if Want.INTENSITY in wants:
        return _intensity(query, record)
    if {"register", "operators"} & asks:
        return _operators(query, record)
    if "shape" in asks:
        takes = joined(record.ref(f"inputs[#{i}].shape") for i in range(len(record["inputs"])))
        gives = joined(record.ref(f"outputs[#{i}].shape") for i in range(len(record["outputs"])))
        return f"{name} takes {takes} ({record.ref('inputs[#0].dtype')}) and gives {gives}."
    macs = (
        f"{record.ref('macs', 'M')} MACs"
        if (record.number("macs") or 0) >= 1e5
        else f"{record.ref('macs')} MACs"
    )
    size = f"{record.ref('parameter_count')} parameters ({record.ref('parameter_bytes')})"
    kind = f"{record.ref('op_count')} operators, {record.ref('dtype')}"
    first = [size, macs] if "parameters" in asks and "macs" not in asks else [macs, size]
    return f"{', '.join(first)}: {name}, {kind}."


def _operators(query: Query, record: Record) -> str:
    kinds = joined(record.ref(f"operators[#{i}].op") for i in range(len(record["operators"])))
    count = f"{record.ref('operators')} kinds of operators, {record.ref('op_count')} in all"
    return f"{count}: {kinds} ({model_shown(query)})."


def _intensity(query: Query, record: Record) -> str:
    """2 × MACs over the bytes of weights and activations, each moved once."""
    i = record.id
    moved = f"({i}.parameter_bytes+sum({i}.layers[*].input_bytes)+sum({i}.layers[*].output_bytes))"
    return (
        f"{{{{2*{i}.macs/{moved}}}}}: {model_shown(query)}, twice its {record.ref('macs')} MACs "
        f"over the bytes of "
        "weights, inputs and outputs, each moved once a layer."
    )


def chip(query: Query, wants: Sequence[Want] = ()) -> Answering:
    """The figures of a chip that are asked for, several side by side."""
    targets = tuple(dict.fromkeys(query.all(Role.TARGET)))
    records = []
    for target in targets[:_MOST_ROWS]:
        records.append(needed((yield call_of("get_target", query, target=target))))
    if len(records) > 1:
        return _side_by_side(query, records, wants)
    record, name = records[0], records[0].ref("name")
    if Want.EVIDENCE in wants:
        where = f"`edgewright targets show {query.text(Role.TARGET)}` lists the source of every figure of it."
        return _sources(query, record) or lines((yield from _measured(query, record)), where)
    said_first: list[str] = []
    if Want.PRICE in wants or Want.CHEAPEST in wants:
        known = price(record)
        said_first.append(f"{known}: {name}" if known != NOT_KNOWN else f"I have no cited price of {name}")
    if Want.AVAILABILITY in wants:
        said_first.append("I do not know stock or lead times; a distributor does")
    best = _best_peak(record, query.text(Role.DTYPE))
    if (Want.INTENSITY in wants or "ridge" in query.asks) and best is not None:
        ridge = record.ref(f"peaks[#{best}].ridge_point")
        said_first.append(f"the ridge of {name} lies at {ridge} in {record.ref(f'peaks[#{best}].dtype')}")
    if query.has(Role.CLAIMED_GOPS) or "peak" in query.asks or Want.UTILISATION in wants:
        said_first.append(_peak(query, record, best))
    if query.says(Role.DTYPE) and not said_first:
        said_first.append((yield from quantised.of_chip(query, record)) or _types(query, record))
    if said_first:
        return lines(*map(sentence, said_first))
    runs = f"; kernels: {joined(record['runtimes'][:4])}" if record["runtimes"] else ""
    return sentence(f"{name}: {', '.join(filter(None, _of_chip(record)))}{runs}")


def _of_chip(record: Record) -> list[str]:
    largest = record["largest_region_bytes"] != record["ram_bytes"] and record.knows("largest_region_bytes")
    piece = f" (largest piece {record.ref('largest_region_bytes')})" if largest else ""
    return [
        f"{record.ref('cores[#0]')} at {record.ref('clock_max_mhz')}" if record["cores"] else "",
        f"{record.ref('ram_bytes')} RAM{piece}" if record.knows("ram_bytes") else "",
        f"{record.ref('flash_bytes')} flash" if record.knows("flash_bytes") else "",
        price(record) if record.knows("price_usd") else "price not known",
    ]


_WITHOUT_A_NETWORK = (
    "Without a network I can compare what they have; name one, and I compare time and energy."
)


def _side_by_side(query: Query, records: Sequence[Record], wants: Sequence[Want]) -> str:
    """Chips without a network; the cheapest first where the price is asked for."""
    first = "" if query.has(Role.MODEL) else _WITHOUT_A_NETWORK
    priced = [record for record in records if record.knows("price_usd")]
    if {Want.PRICE, Want.CHEAPEST} & set(wants):
        missing = joined(record.ref("id") for record in records if record not in priced)
        rest = f"; the price of {missing} is {NOT_KNOWN}" if missing else ""
        best = min(priced, key=lambda r: r.number("price_usd") or 0.0, default=None)
        first = (
            f"{best.ref('id')} is the cheapest at {price(best)}{rest}."
            if best
            else "I have no cited price of any."
        )
    head = ["", "core", "clock", "RAM", "flash", "price"]
    paths = ("id", "cores[#0]", "clock_max_mhz", "ram_bytes", "flash_bytes")
    cells = [[*(record.ref(path) for path in paths), price(record)] for record in records]
    return lines(first, table(head, cells))


def _types(query: Query, record: Record) -> str:
    """Which types its processors compute in, with their peaks."""
    rows = range(len(record["peaks"]))
    has = query.text(Role.DTYPE) in {row["dtype"] for row in record["peaks"]}
    if not has and not record["peaks"]:
        return f"which types {record.ref('name')} computes in is not known"
    peaks = joined(
        f"{record.ref(f'peaks[#{i}].dtype')} at {record.ref(f'peaks[#{i}].dense_gops')}" for i in rows
    )
    return f"{'yes' if has else 'not in its own arithmetic'}: {record.ref('name')} computes {peaks}"


def _best_peak(record: Record, dtype: str = "") -> int | None:
    """The highest of a type, where that has one; else of all."""
    rows: Sequence[Mapping[str, Any]] = record["peaks"] or ()
    known = [i for i, row in enumerate(rows) if row["dense_gops"]]
    known = [i for i in known if rows[i]["dtype"] == dtype] or known
    return max(known, key=lambda i: (rows[i]["dense_gops"] or 0.0, rows[i]["dtype"] == "int8"), default=None)


def _peak(query: Query, record: Record, best: int | None) -> str:
    if best is None:
        return f"the peak of {record.ref('name')} is {NOT_KNOWN}"
    path = f"peaks[#{best}]"
    at = (
        f"{record.ref(path + '.dense_gops')} in {record.ref(path + '.dtype')} at "
        f"{record.ref('clock_max_mhz')}"
    )
    claim = query.number(Role.CLAIMED_GOPS)
    if claim is None:
        return f"{at}: the peak of {record.ref('name')}"
    holds = any(
        row["dense_gops"] and abs(claim - row["dense_gops"]) <= 0.02 * row["dense_gops"]
        for row in record["peaks"]
    )
    return (
        f"{'yes' if holds else 'no'}, against {said(query, Role.CLAIMED_GOPS)}: {at} is the peak "
        f"of {record.ref('name')}"
    )


def _measured(query: Query, record: Record) -> Answering:
    """How many published measurements there are of the chip, by the network that most publish."""
    small = record["class"] in ("mcu", "npu")
    found = yield call_of("evidence", query, model="kws" if small else "resnet50")
    if not found["measurements"]:
        return f"I know no published measurement on {record.ref('name')}."
    if found["akin_by"] != "target":
        return (
            f"For {found.arguments['model']} I know no measurement on {record.ref('name')} itself; "
            f"{found.ref('measurements')} on others with its core stand behind."
        )
    near = "nearest[#0]"
    return (
        f"Measured: {found.ref('measurements')} published measurements on {record.ref('name')}, "
        f"such as {found.ref(near + '.network')} in "
        f"{found.ref(near + '.latency_ms')} ({found.ref(near + '.repository')})."
    )


def _sources(query: Query, record: Record) -> str:
    """The figures of it that the question calls by a word of their field, each with where it was read."""
    asked = set(re.findall(r"[a-z]{2,}", query.question.lower()))
    asked |= {word for spoken in asked for word in entries("field_words").get(spoken, "").split()}
    shared = [len(asked.intersection(re.split(r"[._0-9]+", row["field"]))) for row in record["figures"] or ()]
    most = max(shared, default=0)
    found = [i for i, count in enumerate(shared) if count == most and most]
    if not found or len(found) > _MOST_SOURCES:
        return ""
    return lines(
        f"From these, for {record.ref('name')}:",
        *(
            f"- {record.ref(f'figures[#{i}].field')} = {record.ref(f'figures[#{i}].value')}: "
            f"{record.ref(f'figures[#{i}].source')}, {record.ref(f'figures[#{i}].locator')}"
            for i in found
        ),
    )


def runtime(query: Query) -> Answering:
    """What a kernel library runs, and where."""
    record = needed((yield call_of("get_runtime", query)))
    if query.says(Role.TARGET) and not query.says(Role.DTYPE):
        return _runs_on(query, record)
    if query.says(Role.DTYPE):
        wanted = query.text(Role.DTYPE)
        able = [i for i, row in enumerate(record["operators"]) if wanted in row["dtypes"]]
        names = joined(record.ref(f"operators[#{i}].op") for i in able[:6])
        more = " and others" if len(able) > 6 else ""
        heavy = any(record["operators"][i]["op"] in _HEAVY for i in able)
        word = "Yes" if heavy else "Not its convolutions and dense layers" if able else "No"
        return f"{word}: in {wanted} {record.ref('name')} runs {names + more if able else 'no operator'}."
    types = joined(sorted({kind for row in record["operators"] for kind in row["dtypes"]}))
    runs = joined(record.ref(f"runs_on[#{i}]") for i in range(min(5, len(record["runs_on"]))))
    more = " and others" if len(record["runs_on"]) > 5 else ""
    return (
        f"{record.ref('name')}: {record.ref('operators')} kinds of operators, in {types}, usually "
        f"{record.ref('usual_dtype')}; it runs on {runs}{more}."
    )


def _runs_on(query: Query, record: Record) -> str:
    """Whether a kernel library runs on the boards that are named."""
    said_of = []
    name = record.ref("name")
    for slot in query.slots:
        if slot.role is not Role.TARGET or slot.value not in query.targets:
            continue
        known, board = query.targets[str(slot.value)].runtimes, slot.text or slot.value
        others = joined(known[:4]) or "none that I know"
        runs = record["id"] in known
        said_of.append(
            f"Yes, {name} runs on {board}." if runs else f"No, not on {board}: there run {others}."
        )
    return lines(*said_of)


def diff(query: Query) -> Answering:
    """What changed from one version of a model to another."""
    models = query.all(Role.MODEL)
    if len(models) < 2:
        return "Which two versions? Name both files."
    more = {} if query.has(Role.TARGET) else {"target": "stm32h743zi"}
    record = needed(
        (yield call_of("diff_models", query, before=models[0], after=models[1], model=None, **more))
    )
    changed = [
        f"- {record.ref(f'figures[#{i}].name')}: {record.ref(f'figures[#{i}].before')} → "
        f"{record.ref(f'figures[#{i}].after')}"
        + (f" ({record.ref(f'figures[#{i}].percent')})" if record.knows(f"figures[#{i}].percent") else "")
        for i, row in enumerate(record["figures"])
        if row["change"]
    ][:5]
    names = " → ".join(name.rpartition("/")[2] for name in models[:2])
    return lines(
        f"{names} on {record.ref('deployment.target')}:", *(changed or ["Nothing that is counted changed."])
    )


_MEMORIES = {Role.RAM_BYTES: "ram_bytes", Role.FLASH_BYTES: "flash_bytes"}


def list_targets(query: Query) -> Answering:
    """How many there are; those of a class, family or maker, or with so much memory, with what they cost."""
    kind, most = query.text(Role.TARGET_CLASS), query.number(Role.PRICE_USD)
    of_class = kind in {str(summary.target_class) for summary in query.targets.values()}
    least = {role: query.number(role) or 0.0 for role in _MEMORIES if query.has(role)}
    used = frozenset((*least, Role.PRICE_USD, Role.TARGET_CLASS))
    record = needed((yield Call("list_targets", {"target_class": kind} if of_class else {}, used=used)))
    chosen = bool(least) or most is not None or bool(query.among) or query.has(Role.WITHIN, Role.WITHOUT)
    if not of_class and not chosen:
        return lines(
            f"{record.ref('targets')} chips and boards:",
            *(f"- {_of_class(record, i)}" for i in range(len(record["classes"]))),
            "`edgewright targets list` gives all; `edgewright targets add` describes one of your own.",
        )
    fitting = set(choice.meant(query))
    rows = [
        i
        for i, row in enumerate(record["targets"])
        if (not chosen or row["id"] in fitting)
        and (most is None or (row["price_usd"] or most + 1) <= most)
        and all((row[_MEMORIES[role]] or 0) >= bytes_ for role, bytes_ in least.items())
    ]
    cells = [
        f"{record.ref(f'targets[#{i}].id')}"
        + (f" ({record.ref(f'targets[#{i}].price_usd')})" if record.knows(f"targets[#{i}].price_usd") else "")
        for i in rows[:: 1 if chosen else max(1, len(rows) // (2 * _MOST_LISTED))][: 2 * _MOST_LISTED]
    ]
    memory = joined(f"{said(query, role)} of {role.value.partition('_')[0]}" for role in least)
    below = f" with {memory} or more" if least else "" if chosen else f", {record.ref('targets')}"
    below += f" up to {said(query, Role.PRICE_USD)}" if most is not None else ""
    which = f"{kind.upper()} targets" if of_class else "Those that I know"
    listed = joined(cells) if cells else "none that I know" if most is None else "none with a cited price"
    return lines(f"{which}{below}: {listed}.", "`edgewright targets list --json` gives all of them.")


def _of_class(record: Record, at: int) -> str:
    """How many, by whom, and what for example."""
    row, path = record["classes"][at], f"classes[#{at}]"
    vendors = joined(record.ref(f"{path}.vendors[#{i}]") for i in range(len(row["vendors"])))
    examples = joined(record.ref(f"{path}.examples[#{i}]") for i in range(len(row["examples"])))
    kind = entries("classes_called")[row["class"]]
    return f"{record.ref(path + '.count')} {kind}, most of {vendors}: {examples}"


def list_runtimes(query: Query) -> Answering:
    record = needed((yield call_of("list_runtimes", query)))
    rows = range(0, len(record["runtimes"]), max(1, len(record["runtimes"]) // _MOST_LISTED))
    some = joined(record.ref(f"runtimes[#{i}].id") for i in rows)
    return (
        f"{record.ref('runtimes')} kernel libraries, among them {some}. `edgewright runtimes "
        f"list` shows them all."
    )


def list_models(_query: Query) -> Answering:
    """The networks that need no file."""
    record = needed((yield Call("list_architectures", {})))
    names, count = list(record["architectures"]), f"{{{{count({record.id}.architectures)}}}}"
    return (
        f"{count} networks by name, among them {joined(names[:: max(1, len(names) // _MOST_LISTED)])}, "
        "and any .tflite or .onnx file. `edgewright models list` shows them all."
    )
