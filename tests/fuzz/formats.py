"""What is read: examples of each format, how they are damaged, what reads them, and what is made of them."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

from edgewright import tools
from edgewright.agent.sessions.reading import read_session
from edgewright.agent.sessions.transcript import Transcript
from edgewright.hardware_db.lint import checked_target
from edgewright.hardware_db.loader import RUNTIMES_DIR, TARGETS_DIR, read_runtime
from edgewright.tools import Settings, parse_model
from edgewright.tools.core.records import dataclass
from edgewright.tools.generation.files.reading import read_language_model
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.pipeline.plan import read_pipeline
from edgewright.tools.sweep.plan import read_plan
from edgewright.tools.traces.formats import read_recording
from edgewright.tools.verdicts.limits import read_budget
from stubs import (
    core_ml_files,
    core_ml_layers,
    mnn_files,
    openvino_files,
    power_traces,
    pytorch_files,
    torq,
    traces,
)
from stubs.gguf_writer import TENSORS, gguf_bytes, write_folder
from stubs.odd_graphs import odd_graph
from tests.fuzz import changes
from tests.fuzz.graphs import CALLS, board_of
from tests.fuzz.onnx_seeds import onnx_seeds

LARGEST_BYTES = 4 << 20
ROOT = Path(__file__).resolve().parents[2]
FORMATS_HERE = ROOT / "tests" / "tools" / "model_formats"
Question = Callable[[Any, Path, int], object]
"""Takes what was read, the file, and the number of the case, by which a board is chosen."""


@dataclass(frozen=True)
class Format:
    name: str
    suffix: str
    seeds: Callable[[], Iterable[bytes]]
    change: changes.Change
    read: Callable[[Path], Any]
    ask: Mapping[str, Question]
    parse_wanted: int = 20_000
    ask_wanted: int = 2_000


def _of_graph(call: Callable[..., object]) -> Question:
    return lambda graph, _, number: call(graph, board_of(number))


GRAPH_QUESTIONS = {name: _of_graph(call) for name, call in CALLS.items()}


_LONG = ("doubling_concat.onnx", "range_of_2_40.onnx")
"""Refused after seconds in a process of their own, as are most that are made of them."""


def _kept(suffix: str) -> list[bytes]:
    files = [p for folder in ("odd", "refused") for p in sorted((FORMATS_HERE / folder).glob(f"*{suffix}"))]
    return [path.read_bytes() for path in files if path.name not in _LONG]


def _tflite() -> Iterable[bytes]:
    for graph in (
        "kws:int8",
        "kws:float32",
        *filter(lambda graph: graph and graph.ops, map(odd_graph, range(80))),
    ):
        with contextlib.suppress(tools.EdgewrightError):
            made = write_tflite(parse_model(graph))
            parse_model(made)
            yield made
    yield from _kept(".tflite")


NCNN = b"""7767517
6 7
Input data 0 1 data 0=32 1=32 2=3
Convolution c1 1 1 data a 0=8 1=3 11=3 2=1 12=1 3=2 13=2 4=1 14=1 5=1 6=216 9=1
Split s 1 2 a b c
ConvolutionDepthWise d 1 1 b e 0=8 1=3 4=1 5=1 6=72 7=8
BinaryOp add 2 1 e c f 0=0
InnerProduct fc 1 1 f prob 0=10 1=1 2=20480
"""


def _openvino() -> Iterable[bytes]:
    """A tag a line, which is what `of_text` changes."""
    return [openvino_files.network(side).xml().replace(b"><", b">\n<") for side in (32, -1)]


def _read_openvino(path: Path) -> Any:
    path.with_suffix(".bin").write_bytes(bytes(openvino_files.network().bin))
    return parse_model(path)


def _archive() -> Iterable[bytes]:
    for pack in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", pack) as file:
            file.writestr("model.tflite", write_tflite(parse_model("kws:int8")))
            file.writestr("labels.txt", "yes\nno\n")
        yield out.getvalue()


LLAMA = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 32, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 64, "vocab_size": 32, "torch_dtype": "bfloat16",
    "max_position_embeddings": 2048, "tie_word_embeddings": True, "head_dim": 8,
}  # fmt: skip
SHAPES = {"model.embed_tokens.weight": ("BF16", [32, 32], 2048), "model.norm.weight": ("BF16", [32], 64)} | {
    f"model.layers.{layer}.self_attn.{name}_proj.weight": ("BF16", shape, shape[0] * shape[1] * 2)
    for layer in range(2)
    for name, shape in (("q", [32, 32]), ("k", [16, 32]), ("v", [16, 32]), ("o", [32, 32]))
}


def _folder(part: str) -> Iterable[bytes]:
    with tempfile.TemporaryDirectory() as made:
        yield (write_folder(Path(made, "m"), LLAMA, SHAPES) / part).read_bytes()


def _read_folder(part: str, path: Path) -> Any:
    other = "config.json" if part == "model.safetensors" else "model.safetensors"
    folder = path.parent / "language-model"
    folder.mkdir(exist_ok=True)
    (folder / other).write_bytes(next(iter(_seeds_of_folder(other))))
    (folder / part).write_bytes(path.read_bytes())
    return read_language_model(folder)


@cache
def _seeds_of_folder(part: str) -> tuple[bytes, ...]:
    return tuple(_folder(part))


def _generation(found: Any, path: Path, number: int) -> object:
    source = path if path.suffix == ".gguf" else path.parent / "language-model"
    target = ("rpi5", "a100-sxm4-40gb", "jetson-orin-nano", "stm32h743zi")[number % 4]
    return tools.estimate_generation(source, target, context=(1, 4096, 1 << 20)[number % 3])


def _shipped(folder: Path, most: int = 12) -> Iterable[bytes]:
    """Of every size; the largest only repeat themselves."""
    files = sorted(folder.glob("*.yaml"), key=lambda path: path.stat().st_size)
    files = [path for path in files if path.stat().st_size < 20_000]
    return [path.read_bytes() for path in files[:: max(1, len(files) // most)]]


def _on_own_hardware(call: Callable[..., object], read: Any, path: Path, number: int) -> object:
    """A folder for each case, as entries are kept in memory by folder and name."""
    own = path.parent / f"own-{number}"
    folder = own / "runtimes" if path.stem == "runtime" else own
    if not own.exists():
        folder.mkdir(parents=True)
        path.with_name(f"{read.id}.yaml").replace(folder / f"{read.id}.yaml")
    settings = Settings(hardware_directories=(own,))
    places = ("stm32h743zi", read.id) if path.stem == "runtime" else (read.id, None)
    return call("kws:int8", tools.deployment(*places, settings=settings))


def _as_named(read: Callable[[Path], Any], path: Path) -> Any:
    """A hardware file is named after its id."""
    return read(path.rename(path.with_name(f"{_id_in(path)}.yaml")))


def _id_in(path: Path) -> str:
    named = [
        line.split(b":", 1)[1].strip() for line in path.read_bytes().splitlines() if line.startswith(b"id:")
    ]
    name = named[0].decode("utf-8", "replace") if named else "mine"
    return name if name.replace("-", "").isalnum() and name.isascii() and len(name) < 60 else "mine"


_HARDWARE = {name: partial(_on_own_hardware, getattr(tools, name)) for name in (
    "check_constraints", "estimate_performance", "plan_memory", "analyze_roofline", "score_compatibility",
    "estimate_energy_budget", "firmware_code", "audit", "sweep_frequency",
)}  # fmt: skip
_HARDWARE["check_constraints"] = partial(
    _on_own_hardware,
    lambda model, board: tools.check_constraints(model, board, {"latency_ms": 1, "ram_bytes": 10}),
)
_HARDWARE["estimate_energy_budget"] = partial(
    _on_own_hardware, lambda model, board: tools.estimate_energy_budget(model, board, rate_hz=1.0)
)


def _traces() -> Iterable[bytes]:
    short = power_traces.made(hz=2000, inferences=3)
    spans = [{"name": f"{n}_kernel_time", "ph": "X", "ts": n * 10, "dur": 5, "pid": 1, "tid": 1,
              "args": {"op_name": "Conv", "provider": "CPUExecutionProvider"}} for n in range(5)]  # fmt: skip
    perf = " Performance counter stats for './a':\n\n  1,000,000  cycles\n  400,000  instructions  # 0.4 insn per cycle\n" \
        "  12,000  cache-misses\n 100,000 cache-references\n\n  0.010 seconds time elapsed\n"  # fmt: skip
    layers = "Node\tOperator\n============================== Run Order ==============================\n" \
        "[node type]\t[first]\t[avg ms]\t[%]\t[cdf%]\t[mem KB]\t[times called]\t[Name]\n" \
        "CONV_2D\t0.1\t1.0\t50%\t50%\t0\t1\t[a]:0\nSOFTMAX\t0.1\t1.0\t50%\t100%\t0\t1\t[b]:1\n"  # fmt: skip
    texts = [
        traces.events(), traces.sentences(), "op,time_ms\nCONV_2D,1\nSOFTMAX,0.5\n", "layer;cycles\n1;2\n2;3\n", perf, layers,
        torq.TIMELINE, torq.NEWER, torq.RUNTIME, torq.EVENTS, torq.ACTIONS, power_traces.ppk2(short),
        power_traces.marked(short), power_traces.joulescope(short), power_traces.log(), json.dumps(spans),
        json.dumps({"traceEvents": spans}), "ipc,cache_miss_rate,stall_share\n0.4,0.12,0.5\n0.5,0.1,0.4\n",
    ]  # fmt: skip
    return [text.encode() for text in texts]


SWEEPS = (
    b"models: [kws, 'vww:int8']\ntargets: [stm32h743zi, nrf52840]\nruntimes: [usual]\ntransforms: [none, int8, prune-25]\n"
    b"clocks: [50%, 100%]\nbatches: [1, 2]\nsoft: {latency: 100ms}\nfilters: {skip: []}\n",
    b"models: [kws]\ntargets: [nrf52840]\nfilters: {skip: []}\n",
)
PIPELINES = (
    b"ram: shared\nsteps:\n  wake: {model: kws, rate: 10/s}\n  see: {model: 'vww:int8', every: 500ms, after: [wake]}\n"
    b"  filter: {step: fft, size: 512, rate: 10/s}\n",
    b"steps: {wake-word: {model: kws, rate: 10/s}}\n",
)
BUDGETS = (
    b"limits: {latency: 50ms, ram: 256KiB}\nsoft: {energy: 1mJ}\nheadroom: 0.2\ndtype: int8\nregression: {latency: 5%, arena: 0%}\n",
    b'limits: {flash: 1MB, rate: 10/s}\nfigures: "2026.12"\n',
)
MEASURED = (
    b"model,target,runtime,dtype,batch,threads,clock_mhz,latency_ms\nkws,stm32h743zi,tflm-cmsis-nn,int8,1,1,480,19.2\n"
    b"ad:int8,stm32h743zi,tflm-cmsis-nn,int8,,,,3\nkws,nrf52840,,,,,,250\n",
    b"model,target,latency_ms\nkws,stm32h743zi,19.2\n",
)
AGAINST = (
    b"device,runtime,dtype,clock_mhz,model,latency_ms\nstm32h743zi,tflm-cmsis-nn,int8,480,kws,15\n"
    b"nrf52840,tflm-cmsis-nn,int8,64,kws,180\n",
)


def _sessions() -> Iterable[bytes]:
    with tempfile.TemporaryDirectory() as made:
        talk = Transcript(Path(made, "talk.db"))
        for n in range(3):
            talk.write("question", text=f"Does it fit {n}?", context={"model": "kws"})
            talk.write("call", id="r1", name="plan_memory", arguments={"model": "kws"})
            talk.write("answer", answer="Yes.", numbers=[{"text": "1 ms", "path": "r1.x"}])
        talk.close()
        yield Path(made, "talk.db").read_bytes()


def _bundles() -> Iterable[bytes]:
    with tempfile.TemporaryDirectory() as made:
        path = Path(made, "bundle.zip")
        tools.write_report("kws:int8", tools.deployment("stm32h743zi"), path, charts=False)
        yield path.read_bytes()


def _odd(path: Path) -> Any:
    graph = odd_graph(int(path.read_bytes() or b"0"))
    if graph is None:
        raise tools.ModelFileError("The parsers' door refuses it.")
    return graph


FORMATS = {each.name: each for each in (
    Format("tflite", ".tflite", _tflite, changes.of_flat, parse_model, GRAPH_QUESTIONS, 100_000),
    Format("onnx", ".onnx", lambda: [*onnx_seeds(), *_kept(".onnx")], changes.of_onnx, parse_model, GRAPH_QUESTIONS, 100_000),
    Format("ncnn", ".param", lambda: [NCNN], changes.of_text, parse_model, GRAPH_QUESTIONS),
    Format("openvino", ".xml", _openvino, changes.of_text, _read_openvino, GRAPH_QUESTIONS),
    Format("pt2", ".pt2", lambda: [pytorch_files.pt2()], changes.of_archived_json, parse_model, GRAPH_QUESTIONS),
    Format("pte", ".pte", lambda: [pytorch_files.pte(), pytorch_files.pte("XnnpackBackend")], changes.of_words, parse_model, GRAPH_QUESTIONS),
    Format("core ml", ".mlmodel", lambda: [core_ml_files.network() + core_ml_files.held(14, bytes(4096))], changes.of_bytes, parse_model,
           GRAPH_QUESTIONS),
    Format("core ml layers", ".mlmodel", lambda: [core_ml_layers.several_layers(), core_ml_layers.network()], changes.of_bytes, parse_model,
           GRAPH_QUESTIONS),
    Format("mnn", ".mnn", lambda: [mnn_files.network()], changes.of_words, parse_model, GRAPH_QUESTIONS),
    Format("archive", ".zip", _archive, changes.of_bytes, parse_model, {}),
    Format("gguf", ".gguf", lambda: [gguf_bytes(tensors=TENSORS[:5])], changes.of_gguf, read_language_model, {"generation": _generation}),
    Format("safetensors", ".safetensors", partial(_seeds_of_folder, "model.safetensors"), changes.of_safetensors,
           partial(_read_folder, "model.safetensors"), {"generation": _generation}),
    Format("config.json", ".json", partial(_seeds_of_folder, "config.json"), changes.of_json,
           partial(_read_folder, "config.json"), {"generation": _generation}),
    Format("target", ".yaml", partial(_shipped, TARGETS_DIR), changes.of_yaml, partial(_as_named, checked_target), _HARDWARE),
    Format("runtime", ".yaml", partial(_shipped, RUNTIMES_DIR), changes.of_yaml, partial(_as_named, read_runtime), _HARDWARE),
    Format("trace", ".csv", _traces, changes.of_text, read_recording, {
        "explain": lambda _, path, n: tools.explain_trace(path, clock_mhz=(None, 100.0)[n % 2]),
        "import": lambda _, path, n: tools.import_profile(path, "kws:int8", board_of(n)),
    }),
    Format("sweep plan", ".yaml", lambda: SWEEPS, changes.of_yaml, read_plan, {}),
    Format("pipeline", ".yaml", lambda: PIPELINES, changes.of_yaml, read_pipeline, {
        "pipeline": lambda _, path, n: tools.analyze_pipeline(path, board_of(n % 4)),
    }),
    Format("budget", ".yaml", lambda: BUDGETS, changes.of_yaml, read_budget, {
        "check": lambda limits, _, n: tools.check_constraints("kws:int8", board_of(n), limits),
    }),
    Format("measurements", ".csv", lambda: MEASURED, changes.of_rows,
           partial(tools.calibrate_target, keep=False), {}),
    Format("predictions", ".csv", lambda: AGAINST, changes.of_rows, tools.validate, {}),
    Format("bundle", ".zip", _bundles, changes.of_bytes, lambda path: tools.compare_bundles(path, path), {}),
    Format("odd but legal graph", ".txt", lambda: [b"0"], lambda _, draw: b"%d" % draw.getrandbits(30), _odd, GRAPH_QUESTIONS),
    Format("session", ".db", _sessions, changes.of_bytes, read_session, {}),
)}  # fmt: skip


@cache
def seeds(name: str) -> tuple[bytes, ...]:
    return tuple(FORMATS[name].seeds())


@dataclass(frozen=True)
class Case:
    """One damaged file, which its number makes."""

    format: str
    stage: str
    number: int
    seed: int
    steps: tuple[int, ...]
    """Of each change, what its random numbers start from."""

    def content(self) -> bytes:
        made = seeds(self.format)[self.seed]
        for step in self.steps:
            made = FORMATS[self.format].change(made, Random(step))[:LARGEST_BYTES]
        return made


def case(name: str, stage: str, number: int) -> Case:
    draw = Random(f"{name}/{stage}/{number}")
    many = draw.choice((1, 1, 2, 3, 8) if stage == "parse" else (1, 1, 1, 2, 3))
    steps = tuple(draw.getrandbits(32) for _ in range(many))
    return Case(name, stage, number, draw.randrange(len(seeds(name))), steps)
