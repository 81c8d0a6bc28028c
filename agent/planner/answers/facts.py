"""What a model, a chip or a kernel library is, and what stands behind a figure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..bench import Answering, Record, call_of, needed
from ..query import Query, Role
from .comparing import hardware_only
from .phrases import ask_model, ask_target, assumed, is_known, joined, lines, model_shown, quantity, subject
from .talk import networks

_MOST_LISTED = 12
_CLASSES = ("mcu", "npu", "gpu", "cpu")


def model(query: Query) -> Answering:
    """MACs, operators, size, types: what does not depend on a board."""
    if not query.has(Role.MODEL):
        return ask_model()
    record = needed((yield call_of("parse_model", query)))
    name, asks = model_shown(query), query.asks
    if "intensity" in asks:
        return _intensity(query, record)
    if "register" in asks or "operators" in asks:
        return _operators(query, record)
    macs = f"{record.ref('macs')} MACs"
    size = f"{record.ref('parameter_count')} parameters ({record.ref('parameter_bytes')})"
    kind = f"{record.ref('op_count')} operators, {record.ref('dtype')}"
    if "shape" in asks and not {"macs", "parameters"} & asks:
        shape = joined(record.ref(f"inputs[#{i}].shape") for i in range(len(record["inputs"])))
        out = joined(record.ref(f"outputs[#{i}].shape") for i in range(len(record["outputs"])))
        return f"{name} takes {shape} ({record.ref('inputs[#0].dtype')}) and gives {out}."
    if "quantised" in asks and not {"macs", "parameters"} & asks:
        return f"{name} is {record.ref('dtype')}; its tensors are {record.ref('dtypes')}."
    if "parameters" in asks and "macs" not in asks:
        return f"{size}: {name}, {macs}, {kind}."
    return f"{macs}: {name}, {size}, {kind}."


def _operators(query: Query, record: Record) -> str:
    kinds = [record.ref(f"operators[#{i}].op") for i in range(len(record["operators"]))]
    name = model_shown(query)
    if "register" not in query.asks:
        return (
            f"{record.ref('operators')} kinds of operators, {record.ref('op_count')} in all: "
            f"{joined(kinds)} ({name})."
        )
    calls = [f"`Add{_camel(row['op'])}()`" for row in record["operators"]]
    first = f"Register these {record.ref('operators')}: {joined(calls)}, for {name}."
    return lines(first, "They do not depend on the board: `MicroMutableOpResolver<n>` with n of this count.")


def _camel(op: str) -> str:
    """As MicroMutableOpResolver spells it: CONV_2D is Conv2D."""
    return "".join(part if part[0].isdigit() else part.capitalize() for part in op.split("_"))


def _intensity(query: Query, record: Record) -> str:
    """2 × MACs over the bytes of weights and activations, each moved once."""
    i = record.id
    if query.has(Role.LAYER) or "first_layer" in query.asks:
        index = int(query.number(Role.LAYER) or 0)
        path = f"layers[{index}]"
        layer = f"{i}.{path}"
        moved = f"({layer}.parameter_bytes+{layer}.input_bytes+{layer}.output_bytes)"
        return lines(
            f"{{{{2*{layer}.macs/{moved}}}}}: layer {index} ({record.ref(path + '.op')}) of "
            f"{model_shown(query)}.",
            f"That is twice its {record.ref(path + '.macs')} MACs over the bytes of weights, input "
            "and output.",
        )
    moved = f"({i}.parameter_bytes+sum({i}.layers[*].input_bytes)+sum({i}.layers[*].output_bytes))"
    return lines(
        f"{{{{2*{i}.macs/{moved}}}}}: {model_shown(query)}, every tensor moved once a layer.",
        f"That is twice its {record.ref('macs')} MACs over the bytes of weights, inputs and outputs.",
    )


def hardware(query: Query) -> Answering:
    """The figures of a chip that were asked for, each with its source where that was asked for."""
    targets = query.all(Role.TARGET)
    if len(targets) > 1:
        return (yield from hardware_only(query))
    if not targets:
        return "Which board or chip? Name one, such as `stm32h743`; `edgewright targets list` shows all."
    record = needed((yield call_of("get_target", query)))
    asks, name = query.asks, record.ref("name")
    if "source" in asks:
        return _source(query, record)
    if "measured" in asks:
        return (yield from _measured(query, record))
    if "price" in asks or "cheapest" in asks:
        if record["price_usd"] is None:
            return f"I have no cited price of {name}; price lists change daily, so ask a distributor."
        return f"{record.ref('price_usd')}: {name}, by the source in `edgewright targets show {targets[0]}`."
    if query.has(Role.CLAIMED_GOPS) or "peak" in asks:
        return _peak(query, record)
    if "ridge" in asks:
        best = f"peaks[#{_best_peak(record)}]"
        return lines(
            f"{record.ref(best + '.ridge_point')} in {record.ref(best + '.dtype')}: below it, {name} "
            "waits for memory, "
            "above it for its arithmetic.",
            "A layer with a lower arithmetic intensity than this is memory-bound, one with a higher "
            "one compute-bound.",
        )
    facts = [
        f"{record.ref('cores[#0]')} at {record.ref('clock_max_mhz')}",
        f"{record.ref('ram_bytes')} RAM (largest piece {record.ref('largest_region_bytes')})",
        f"{record.ref('flash_bytes')} flash" if record["flash_bytes"] else "",
        record.ref("price_usd") if record["price_usd"] else "",
    ]
    if query.says(Role.DTYPE):
        return _types(query, record)
    runs = joined(record["runtimes"][:4])
    return lines(f"{name}: {', '.join(filter(None, facts))}.", f"Kernels that run there: {runs}.")


def _types(query: Query, record: Record) -> str:
    """Which types its processors compute in, with their peaks."""
    wanted, known = query.text(Role.DTYPE), {row["dtype"] for row in record["peaks"]}
    said = [
        f"{record.ref(f'peaks[#{i}].dtype')} at {record.ref(f'peaks[#{i}].dense_gops')}"
        for i in range(len(record["peaks"]))
    ]
    word = "Yes" if wanted in known else "Not in its own arithmetic"
    return f"{word}: {record.ref('name')} computes {joined(said)}."


def _best_peak(record: Record) -> int:
    rows = record["peaks"]
    return max(range(len(rows)), key=lambda i: rows[i]["dense_gops"] or 0)


def _peak(query: Query, record: Record) -> str:
    best = f"peaks[#{_best_peak(record)}]"
    figure = (
        f"{record.ref(best + '.dense_gops')} in {record.ref(best + '.dtype')} at "
        f"{record.ref('clock_max_mhz')}"
    )
    said = query.number(Role.CLAIMED_GOPS)
    if said is None:
        return f"{figure}: the peak of {record.ref('name')}."
    known = [row["dense_gops"] for row in record["peaks"] if row["dense_gops"]]
    fits = any(abs(said - each) <= 0.02 * each for each in known)
    return f"{'Yes' if fits else 'No'}: the peak of {record.ref('name')} is {figure}."


_FIELDS = {
    "bandwidth": ("bandwidth", "bytes_per_cycle", "bus"),
    "flash": ("flash",),
    "ram": ("ram", "tcm", "sram"),
    "peak": ("macs", "peak"),
    "price": ("price",),
    "power": ("power", "current"),
}


def _source(query: Query, record: Record) -> str:
    wanted = [part for aspect, parts in _FIELDS.items() if aspect in query.asks for part in parts]
    if "bandwidth" in query.asks:
        wanted = list(_FIELDS["bandwidth"])
    rows = record["figures"]
    found = [i for i, row in enumerate(rows) if any(part in row["field"].lower() for part in wanted)][:3]
    if not found:
        return f"`edgewright targets show {query.text(Role.TARGET)}` lists the source of every figure of it."
    said = [
        f"- {record.ref(f'figures[#{i}].field')} = {record.ref(f'figures[#{i}].value')}: "
        f"{record.ref(f'figures[#{i}].source')}, {record.ref(f'figures[#{i}].locator')}"
        for i in found
    ]
    return lines(f"From these, for {record.ref('name')}:", *said)


def _measured(query: Query, record: Record) -> Answering:
    """How many published measurements there are; for a network at hand, else for the one that most "
    "publish."""
    model = query.text(Role.MODEL) or "kws"
    found = yield call_of("evidence", query, model=model)
    if found.result is None or not found["measurements"]:
        return f"No: I know no published measurement on {record.ref('name')}."
    if found["akin_by"] != "target":
        return (
            f"Not on {record.ref('name')} that I know; {found.ref('measurements')} on others with "
            "its core stand behind."
        )
    near = "nearest[#0]"
    return lines(
        f"Yes: {found.ref('measurements')} measurements of {found.ref('networks')} networks on "
        f"{record.ref('name')}.",
        f"The nearest: {found.ref(near + '.network')} in {found.ref(near + '.latency_ms')}, "
        f"{found.ref(near + '.repository')}.",
    )


def runtime(query: Query) -> Answering:
    """What a kernel library runs, and where."""
    if not query.has(Role.RUNTIME):
        return "Which kernel library? `edgewright runtimes list` shows them."
    record = needed((yield call_of("get_runtime", query)))
    types = joined(sorted({kind for row in record["operators"] for kind in row["dtypes"]}))
    runs = joined([record.ref(f"runs_on[#{i}]") for i in range(min(5, len(record["runs_on"])))])
    return lines(
        f"{record.ref('name')}: {record.ref('operators')} kinds of operators, in {types}; usually "
        f"{record.ref('usual_dtype')}.",
        f"It runs on {runs} and others." if len(record["runs_on"]) > 5 else f"It runs on {runs}.",
    )


def evidence(query: Query) -> Answering:
    """What the estimate stands on, and why its interval is as wide as it is."""
    if not query.has(Role.MODEL) or not query.has(Role.TARGET):
        return (yield from hardware(query)) if query.has(Role.TARGET) else ask_target(query)
    record = needed((yield call_of("evidence", query)))
    estimate = needed((yield call_of("estimate_performance", query)))
    shown = f"{quantity(estimate, 'latency_ms')}: {subject(query, estimate)}"
    on = joined([estimate.ref(f"stands_on[#{i}]") for i in range(min(2, len(estimate["stands_on"])))])
    near = ""
    if record["nearest"]:
        row = "nearest[#0]"
        near = (
            f"Nearest: {record.ref(row + '.network')} on {record.ref(row + '.device')} with "
            f"{record.ref(row + '.runtime')}, "
            f"{record.ref(row + '.latency_ms')} ({record.ref(row + '.repository')})."
        )
    if "wide" in query.asks:
        first = f"Because it stands on {on}: {shown}."
        why = (
            "The interval is how far such estimates were off for networks and boards left out of the "
            "fit; one measurement of "
            "your own narrows it: `edgewright calibrate`."
        )
        return lines(first, why, near)
    return lines(f"{shown}.", f"It stands on {on}.", near, assumed(query, estimate))


def validate(query: Query) -> Answering:
    """The out-of-sample error of a class of hardware."""
    wanted = query.text(Role.TARGET_CLASS)
    kind = wanted if wanted in _CLASSES else None
    record = needed((yield call_of("validate", query.without([Role.RUNTIME]), device_class=kind)))
    rows = [
        i
        for i, row in enumerate(record["groups"])
        if row.get("class")
        and row["runtime"] == "all"
        and row["quantity"] == "latency_ms"
        and row["scheme"] == "leave-one-model-out"
    ]
    if not rows:
        return "I have no measurements to hold the estimates against there."
    said = [
        f"- {record.ref(f'groups[#{i}].class')}: median "
        f"{record.ref(f'groups[#{i}].median_ape', '%')}, "
        f"{record.ref(f'groups[#{i}].within_25', '%')} within a quarter, "
        f"{record.ref(f'groups[#{i}].n')} measurements"
        for i in rows
    ]
    return lines("Error of the latency on networks that the estimate was not fitted to:", *said,
                 "`edgewright validate` shows every group.")  # fmt: skip


def code(query: Query) -> Answering:
    """The code that runs a model, or the command that makes it."""
    if not query.has(Role.MODEL):
        return ask_model()
    if not query.has(Role.TARGET):
        return ask_target(query)
    record = needed((yield call_of("firmware_code", query)))
    command = f"edgewright code {query.text(Role.MODEL)} -t {query.text(Role.TARGET)}"
    if record["why_not"]:
        return lines(f"{record.ref('why_not')}", *_commands(record), assumed(query, record))
    if not record["files"]:
        return lines(
            f"This makes it, for {subject(query, record)}:", *_commands(record), assumed(query, record)
        )
    name, text = next((n, t) for n, t in record["files"].items() if n.endswith((".cc", ".cpp", ".c")) or True)
    shown = record.ref(f"files[{name}]") if len(text) < 300 else ""
    return lines(
        f"`{command}` writes {joined(f'`{name}`' for name in record['files'])}: {subject(query, record)}.",
        f"The arena is {record.ref('arena_bytes', 'B')}; it registers {joined(record['operators'][:12])}.",
        *_commands(record),
        shown,
        assumed(query, record),
    )


def _commands(record: Record) -> Sequence[str]:
    return [f"```\n{command}\n```" for command in record["commands"][:2] if len(command) < 600]


def diff(query: Query) -> Answering:
    """What changed from one version of a model to another."""
    models = query.all(Role.MODEL)
    if len(models) < 2:
        return "Which two versions? Name both files."
    if not query.has(Role.TARGET):
        return ask_target(query)
    record = needed((yield call_of("diff_models", query, before=models[0], after=models[1], model=None)))
    said = [
        f"- {record.ref(f'figures[#{i}].name')}: {record.ref(f'figures[#{i}].before')} → "
        f"{record.ref(f'figures[#{i}].after')} ({record.ref(f'figures[#{i}].percent')})"
        for i, row in enumerate(record["figures"])
        if row["change"]
    ][:5]
    names = " → ".join(name.rpartition("/")[2] for name in models[:2])
    return lines(
        f"{names} on {record.ref('deployment.target')}:",
        *(said or ["Nothing that is counted changed."]),
        assumed(query, record),
    )


def imported(query: Query) -> Answering:
    """A trace from a board against the estimate."""
    if not query.has(Role.TRACE):
        return (
            "Which file holds the trace? Name it: `edgewright import TRACE --model FILE -t TARGET` reads it."
        )
    if not query.has(Role.MODEL):
        return ask_model()
    if not query.has(Role.TARGET):
        return ask_target(query)
    record = needed((yield call_of("import_profile", query, path=query.text(Role.TRACE))))
    command = (
        f"`edgewright import {query.text(Role.TRACE)} --model {query.text(Role.MODEL)} -t "
        f"{query.text(Role.TARGET)}`"
    )
    total = quantity(record, "latency_ms") if is_known(record, "latency_ms") else "not told in time"
    return lines(f"The trace says {total}: {subject(query, record)}.", f"{command} shows it layer by layer.")


def list_targets(query: Query) -> Answering:
    """How many, and some of them."""
    if re.search(r"\b(?:models|networks|architectures)\b", query.question, re.IGNORECASE):
        return (yield from networks())
    record = needed((yield call_of("list_targets", query)))
    rows = record["targets"]
    some = joined(
        [record.ref(f"targets[#{i}].id") for i in range(0, len(rows), max(1, len(rows) // _MOST_LISTED))][
            :_MOST_LISTED
        ]
    )
    return lines(
        f"{record.ref('targets')} targets, among them {some}.", "`edgewright targets list` shows them all."
    )


def list_runtimes(query: Query) -> Answering:
    record = needed((yield call_of("list_runtimes", query)))
    rows = record["runtimes"]
    some = joined(
        record.ref(f"runtimes[#{i}].id") for i in range(0, len(rows), max(1, len(rows) // _MOST_LISTED))
    )
    return lines(
        f"{record.ref('runtimes')} kernel libraries, among them {some}.",
        "`edgewright runtimes list` shows them all.",
    )
