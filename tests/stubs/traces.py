"""Traces as profilers write them."""

import json
from collections.abc import Callable

from edgewright.tools import MeasuredProfile

Import = Callable[..., MeasuredProfile]
"""Reads a text as a trace of the keyword spotter; see the fixture `imported`."""
KWS_TICKS = (
    ("CONV_2D", 1950917), ("DEPTHWISE_CONV_2D", 655522), ("CONV_2D", 2045462), ("DEPTHWISE_CONV_2D", 655173),
    ("CONV_2D", 2044178), ("DEPTHWISE_CONV_2D", 655343), ("CONV_2D", 12769264), ("DEPTHWISE_CONV_2D", 655308),
    ("CONV_2D", 2044546), ("AVERAGE_POOL_2D", 59095), ("RESHAPE", 2626), ("FULLY_CONNECTED", 8974), ("SOFTMAX", 7178),
)  # fmt: skip
"""Synthetic: layer 6 was made six times slower than its twins, layers 2, 4 and 8."""
TOTAL_MS = sum(ticks for _, ticks in KWS_TICKS) / 120e3


def events(ticks: tuple[tuple[str, int], ...] = KWS_TICKS, first: int = 0) -> str:
    """As MicroProfiler::LogCsv prints them."""
    rows = "".join(f"{at},{tag},{count}\n" for at, (tag, count) in enumerate(ticks, first))
    return f'"Event","Tag","Ticks"\n{rows}'


def sentences(
    ticks: tuple[tuple[str, int], ...] = KWS_TICKS, per_ms: float = 120_000, scale: float = 1.0
) -> str:
    """As MicroProfiler::Log prints them; TicksToMs cuts the milliseconds to whole ones."""
    counts = [(tag, int(count * scale)) for tag, count in ticks]
    return "".join(f"{tag} took {count} ticks ({int(count / per_ms)} ms).\n" for tag, count in counts)


KWS_MS = [(tag, ticks / 120e3) for tag, ticks in KWS_TICKS]


_ST_NAMES = {
    "CONV_2D": "CONV2D", "DEPTHWISE_CONV_2D": "CONV2D", "AVERAGE_POOL_2D": "POOL", "FULLY_CONNECTED": "DENSE", "SOFTMAX": "SM",
}  # fmt: skip


_HEADER = "\t [node type]\t [start]\t [first]\t [avg ms]\t [%]\t [cdf%]\t [mem KB]\t[times called]\t[Name]\n"


def run_order(rows: str, header: str = _HEADER) -> str:
    rule = "=" * 30
    return (
        "INFO: Loaded model\nProfiling Info for Benchmark Initialization:\n"
        f"{rule} Run Order {rule}\n{_HEADER}\t AllocateTensors\t 0.0\t 1.3\t 1.3\t100.0%\t100.0%\t 0.0\t 1\tAllocateTensors/0\n\n"
        f"Operator-wise Profiling Info for Regular Benchmark Runs:\n{rule} Run Order {rule}\n{header}{rows}\n"
        f"{rule} Top by Computation Time {rule}\n{_HEADER}\t CONV_2D\t 0.0\t 99\t 99.0\t 1%\t 1%\t 0.0\t 1\t[x]:0\n"
        "Timings (microseconds): count=50 first=1 curr=1\n"
    )


def benchmark_text() -> str:
    return run_order(
        "".join(
            f"\t {tag}\t 0.1\t 9.9\t {ms:.4f}\t 2%\t 2%\t 0.0\t 1\t[n]:{at}\n"
            for at, (tag, ms) in enumerate(KWS_MS)
        )
    )


def benchmark_csv() -> str:
    header = "node type, first, avg_ms, %, cdf%, mem KB, times called, name\n"
    rows = (f"{tag}, 9.9, {ms:.4f}, 2%, 2%, 0, 1, [n]:{at}\n" for at, (tag, ms) in enumerate(KWS_MS))
    return run_order("".join(rows), header)


def c_nodes() -> str:
    rows = [(tag, ms) for tag, ms in KWS_MS if tag != "RESHAPE"]
    body = "".join(
        f" {at:<6}{_ST_NAMES[tag]:<20}{at:<5} {ms:10.4f}   8.00 %\r\n" for at, (tag, ms) in enumerate(rows)
    )
    head = " c_id  type                id       time (ms)\r\n -----------------\r\n"
    return f" Inference time by c-node\r\n  kernel  : 140.171ms (time passed in the c-kernel fcts)\r\n\r\n{head}{body} -----\r\n"


def c_nodes_of_tflm() -> str:
    body = "".join(f" {at:<6}{tag:<25} {ms:10.4f}   8.00 %\r\n" for at, (tag, ms) in enumerate(KWS_MS))
    return f" idx   name                      time (ms)\r\n ------\r\n{body}"


def inspector() -> str:
    rows = [(tag, ms) for tag, ms in KWS_MS if tag != "RESHAPE"]
    body = "".join(
        f"{at:<8}{at:<4}10011/({_ST_NAMES[tag]})  (10, 15, 15, 16)  {ms:.4f}\n"
        for at, (tag, ms) in enumerate(rows)
    )
    return f"Clayer  id  desc                          oshape            ms        \n----\n{body}     99.405 (total)\n"


def table(header: str, separator: str = ",", first: int = 0) -> str:
    rows = (f"{at}{separator}{tag}{separator}{ms:.5f}\n" for at, (tag, ms) in enumerate(KWS_MS, first))
    return separator.join(header.split("|")) + "\n" + "".join(rows)


FORMS = {
    "LogCsv": events(),
    "LogCsv with percentages": '"Event","Tag","Ticks", "Percentage"\n'
    + "".join(f"{at:<5},{tag:<16},{ticks:<16},1.00%\n" for at, (tag, ticks) in enumerate(KWS_TICKS)),
    "Log": sentences(),
    "Log with time stamps": "[00000007] boot\n"
    + "".join(f"[{at:08}] {line}\n" for at, line in enumerate(sentences().splitlines())),
    "serial line": "\x1b[2J\x1b[32mI (312) boot: ok\x1b[0m\r\nheap, 12, free\r\n"
    + "".join(f"12:00:01.{at:03} -> {line}\r\n" for at, line in enumerate(events().splitlines()))
    + "done, bye\r\n",
    "benchmark_model text": benchmark_text(),
    "benchmark_model CSV": benchmark_csv(),
    "c-nodes": c_nodes(),
    "c-nodes of TFLM": c_nodes_of_tflm(),
    "inspector report": inspector(),
    "CSV": table("index|op|time_ms"),
    "CSV counted from one": table("Layer|Type|Latency (ms)", ";", first=1),
    "UTF-16 of a Windows console": events().encode("utf-16"),
}


def ort_profile(runs: list[list[tuple[str, str, int]]]) -> str:
    """Events as onnxruntime 1.31 writes them, one to a line."""
    lines = []
    for nodes in runs:
        lines += [
            {
                "cat": "Node",
                "dur": us,
                "ph": "X",
                "name": f"{name}_kernel_time",
                "args": {"op_name": op, "node_index": "1"},
            }
            for name, op, us in nodes
        ]
        lines.append(
            {
                "cat": "Session",
                "dur": sum(us for *_, us in nodes) + 7,
                "ph": "X",
                "name": "model_run",
                "args": {},
            }
        )
    return "[\n" + ",\n".join(json.dumps(line) for line in lines) + "\n]\n"
