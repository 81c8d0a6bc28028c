"""A file of each form that `edgewright import` reads, and one of the same form that cannot be."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from edgewright.tools.timeline.perfetto_packets import Slice, perfetto_trace
from edgewright.tools.traces.formats.board import line_of

from . import counter_logs, ctf_traces, linker_maps, power_traces, torq, traces, vendor_reports
from .elf import ALLOC, EXECUTE, WRITE, Named, Part
from .elf import made as elf_file

DOCS = Path(__file__).parents[2] / "docs" / "samples"
Content = str | bytes
Broken = Callable[[bytes], bytes]


class Sample(NamedTuple):
    name: str
    content: Content
    says: str
    """A pattern of what the answer in a chat holds."""
    broken: Broken
    """Cut off, mixed up, or with what cannot be."""
    told: str
    """A pattern of why the broken one is refused, or of what it is warned of."""
    beside: Mapping[str, Content] = {}
    asks: str = "Here is my trace {name}, which op is the bottleneck?"

    def put(self, folder: Path) -> Path:
        """Writes it and what lies beside it."""
        for name, content in {self.name: self.content, **self.beside}.items():
            (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
        return folder / self.name


def shown(name: str) -> str:
    """Of the documents' own samples."""
    return (DOCS / name).read_text(encoding="utf-8")


def cut(share: float) -> Broken:
    return lambda data: data[: int(len(data) * share)]


def instead(old: str, new: str) -> Broken:
    def change(data: bytes) -> bytes:
        assert old.encode() in data
        return data.replace(old.encode(), new.encode(), 1)

    return change


def added(line: str) -> Broken:
    return lambda data: data + line.encode()


_EVENTS = (
    {"ph": "X", "ts": 1, "dur": 50, "name": "conv", "pid": 1, "tid": 1},
    {"ph": "X", "ts": 60, "dur": 5, "name": "relu", "pid": 1, "tid": 1},
)
_SLICES = (Slice("0_DMA_IN", "load", 0, 4000), Slice("2_SLICE_0", "conv2d", 2000, 8000))
_BOARD = (
    line_of("hello", ready=1, counting=1, rate_hz=100_000_000, clock_hz=100_000_000),
    line_of("run", run=0, warm=0, ticks=1000, operators=1, lost=0),
    line_of("op", run=0, i=0, tag="CONV_2D", ticks=900),  # type: ignore[arg-type]
    line_of("done", of="run", runs=1),  # type: ignore[arg-type]
)
_ELF = elf_file(
    (
        Part(".text", 0x08000000, bytes(4096), ALLOC | EXECUTE),
        Part(".bss", 0x20000000, b"", ALLOC | WRITE, 20480),
    ),
    (Named("arm_convolve_s8", 0x08000000, 1200, 0, kind=2), Named("tensor_arena", 0x20000000, 20480, 1)),
)
_ZEPHELIN = [
    {"name": name, "ph": phase, "ts": us, "pid": 0, "tid": 5, "args": {"thread_id": 5} | more}
    for name, phase, us, more in (
        ("zpl_inference", "B", 10.0, {}),
        ("MODEL::CONV_2D_0_0", "B", 20.0, {"tag": "CONV_2D", "op_idx": 0, "runtime": "TFLite Micro"}),
        ("MODEL::CONV_2D_0_0", "E", 120.0, {"tag": "CONV_2D", "op_idx": 0, "runtime": "TFLite Micro"}),
        ("zpl_inference", "E", 130.0, {}),
    )
]
_VELA_ROWS = "Conv2D,Conv2D,NPU,12864,58.7,26153,29.1,26153,5984,0,0,5648,320000,12.0,9.55,conv2d\n"
_VELA_SUMMARY = (
    "experiment,network,accelerator_configuration,sram_memory_used,cycles_npu,cycles_sram_access,cycles_total\n"
    "default,kws,Ethos_U55_128,23.4,60000,9000,64000\n"
)
_HEAD = "`CONV_2D` .* takes the most time"
_LINK = "of flash and .* of RAM"
_POWER = power_traces.made(2000, 4)

SAMPLES: dict[str, Sample] = {
    "Torq's timeline": Sample("trace.csv", torq.TIMELINE, "`conv2d` .* takes the most", instead("12000", "x"), "Line 4"),
    "Torq's later timeline": Sample("newer.csv", torq.NEWER, "`kws.mlir:12:10`", cut(0.5), "Line 4"),
    "Torq's runtime profile": Sample("runtime.csv", torq.RUNTIME, "not cycle-accurate", instead("35.0", "3.0"), "Line 3"),
    "Torq's events": Sample("host.csv", torq.EVENTS, "the host is busy", cut(0.5), "Line 4"),
    "Torq's actions": Sample("actions.csv", torq.ACTIONS, "`NSS`", instead("140,", "40,"), "Line 3"),
    "Torq's annotated profile": Sample("annotated.csv", torq.ANNOTATED, "`conv2d`", cut(0.5), "Line 3"),
    "Torq's workbook": Sample("annotated.xlsx", torq.workbook(), "`conv2d`", cut(0.5), "broken or cut off"),
    "Torq's own Perfetto": Sample("trace.pb", perfetto_trace(_SLICES), "`conv2d`", cut(0.9), "amid a packet"),
    "source in MLIR": Sample(
        "kws.mlir", shown("kws.mlir"), "tosa.conv2d", instead("func", "f\0nc"), "binary file",
        {"runtime.csv": shown("runtime.csv"), "trace.csv": shown("trace.csv")},
        "Which op is the bottleneck in runtime.csv with trace.csv and kws.mlir?",
    ),
    "Chrome": Sample("chrome.json", json.dumps({"traceEvents": _EVENTS}), "`conv` ", cut(0.5), "Line 1"),
    "onnxruntime": Sample(
        "ort.json", traces.ort_profile([[("n0", "Conv", 900), ("n1", "Relu", 90)]] * 2), "`Conv`",
        instead('"dur": 900', '"dur": -1'), "Line 2",
    ),
    "TensorRT": Sample("engine.json", vendor_reports.TENSORRT, "`features.14", cut(0.5), "Line 4"),
    "Nsight": Sample("kern.csv", vendor_reports.NSYS, "`implicit_convolve", cut(0.7), "Line 2"),
    "MLTK": Sample("mltk.txt", vendor_reports.MLTK, "`mean` .*43.9 ms", cut(0.7), "table of layers has no end"),
    "ST's generate report": Sample(
        "network_generate_report.txt", vendor_reports.GENERATE, r"\| gemm_4 \| Dense \| 9,664 \|", cut(0.9),
        "1 of the 2 layers",
    ),
    "ST's epochs": Sample("epochs.txt", vendor_reports.EPOCHS, "NPU 2, CPU 1", cut(0.95), "2 of the 3"),
    "ST's c_info": Sample(
        "network_c_info.json", json.dumps(vendor_reports.network(), indent=1), "npuRAM5 100%", cut(0.9), r"Line \d+"
    ),
    "ST's c-nodes": Sample("nodes.txt", traces.c_nodes(), "`CONV2D`", instead("106.4105", "nan"), "Line 12"),
    "Edge TPU": Sample("compile.log", vendor_reports.EDGE_TPU, "Edge TPU 289, CPU 5", cut(0.93), "of 294 operators"),
    "Hailo": Sample("hailo.log", vendor_reports.HAILO, r"\| contexts \| 5 \|", cut(0.5), "no successful mapping"),
    "ExecuTorch": Sample(
        "run.etdp", vendor_reports.etdump(vendor_reports.ETDUMP), "`convolution`", cut(0.5), "broken or cut off"
    ),
    "Vela by layer": Sample(
        "kws_per-layer.csv", vendor_reports.VELA + _VELA_ROWS, "`Conv2D` .*26,153 cycles", instead("26153", "-1"), "Line 2"
    ),
    "Vela's summary": Sample("kws_summary.csv", _VELA_SUMMARY, r"\| 64,000 \|", cut(0.9), "Line 2"),
    "perf stat": Sample(
        "perf.txt", counter_logs.FRENCH, "unexplained 53.8 %", instead(" seconds time", ""), "before the time that elapsed"
    ),
    "perf stat -j": Sample("perf.json", counter_logs.JSON, "instructions 39.3 %", cut(0.9), "Line 2"),
    "perf stat -x": Sample("stat.csv", counter_logs.CSV, "instructions 39.3 %", cut(0.5), "Line 2"),
    "Xtensa's simulator": Sample("iss.txt", shown("iss.txt"), "compute-bound", cut(0.5), "Line 4"),
    "lackey": Sample("lackey.txt", shown("lackey.txt"), "6 KiB of data", cut(0.5), "Line 576"),
    "counters of runs": Sample("uart.csv", counter_logs.UART, "20 runs", cut(0.5), "Line 11"),
    "PMU": Sample("pmu.csv", counter_logs.PMU, "memory-bound", instead("50000", "-5"), "Line 3"),
    "an NPU's PMU": Sample("npu.csv", shown("npu.csv"), "npu idle share", added("1,2\n"), "2 cells"),
    "runs at clocks": Sample("clocks.csv", shown("clocks.csv"), "168 MHz takes the least energy", cut(0.5), "Line 2"),
    "PPK2": Sample(
        "ppk.csv", shown("ppk.csv"), "One inference takes", cut(0.5), r"Line \d+",
        asks="Here is my trace {name}, taken at 3.3 V: which op takes the energy?",
    ),
    "INA226": Sample("ina226.csv", shown("ina226.csv"), "holds 10.1 J", cut(0.5), "Line 16"),
    "oscilloscope": Sample("scope.csv", shown("scope.csv"), "One inference takes", cut(0.5), "Line 352"),
    "Joulescope": Sample("js.csv", power_traces.joulescope(_POWER), "One inference takes", added("0.0,1,3,3,0,0\n"), r"Line \d+"),
    "power with a marker": Sample("marked.csv", power_traces.marked(_POWER), "`mark 1`", cut(0.5), "Line 119"),
    "MicroProfiler": Sample("log.csv", traces.events(), _HEAD, instead("1950917", "nan"), "Line 2"),
    "MicroProfiler in sentences": Sample("log.txt", traces.sentences(), _HEAD, instead("1950917", "9" * 400), "Line 1"),
    "benchmark_model": Sample("bench.txt", traces.benchmark_text(), _HEAD, instead("16.2576", "nan"), r"Line \d+"),
    "benchmark_model as CSV": Sample("bench.csv", traces.benchmark_csv(), _HEAD, instead("16.2576", "nan"), r"Line \d+"),
    "a table": Sample("layers.csv", traces.table("index|op|time_ms"), _HEAD, instead("16.2576", "-"), "Line 2"),
    "firmware on a serial line": Sample(
        "serial.log", "".join(_BOARD), "`CONV_2D`", instead("ticks=900", "ticks=9"), "damaged|check"
    ),
    "CTF": Sample(
        "channel0_0.ctf", b"".join(ctf_traces.inferences(("CONV_2D", "SOFTMAX"), (100.0, 5.0), 2)), "`CONV_2D`",
        lambda data: data[:-1], "cut off|ends amid", {"metadata": ctf_traces.metadata()},
    ),
    "Zephelin": Sample("advanced.tef", json.dumps(_ZEPHELIN), "`CONV_2D`", cut(0.5), "Line 1"),
    "ELF": Sample("firmware.elf", _ELF, _LINK, cut(0.5), "cut off|broken", asks="What takes the space in {name}?"),
    "map of GNU ld": Sample("gnu.map", linker_maps.GNU, _LINK, cut(0.6), "OUTPUT", asks="What takes the space in {name}?"),
    "map of armlink": Sample(
        "arm.map", linker_maps.ARMLINK, _LINK, cut(0.2), "no firmware|cut off", asks="What takes the space in {name}?"
    ),
    "map of IAR's linker": Sample(
        "iar.map", linker_maps.IAR, _LINK, cut(0.9), "Errors: ", asks="What takes the space in {name}?"
    ),
}  # fmt: skip
"""By what wrote them. Where a public repository has one, the sample names it; the others are made up."""
