from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from edgewright.hardware_db import load_runtime, load_target, target_ids
from edgewright.hardware_db.errors import EdgewrightError
from edgewright.tools import Deployment, deployment, firmware_code, parse_model, plan_memory, write_firmware
from edgewright.tools.codegen.operators import ADD_METHODS, CUSTOM_METHODS
from edgewright.tools.graph import DType, ModelGraph, Op, Subgraph, Tensor
from edgewright.tools.model_formats.writer.tflite import write_tflite
from edgewright.tools.model_zoo.named import build_architecture

HOST = deployment("host-x86-64", "tflm-reference")
H743 = deployment("stm32h743zi", "tflm-cmsis-nn")
Build = Callable[..., Any]


def chain(kinds: Sequence[str], dtype: DType = DType.INT8, custom: Sequence[str] = ()) -> ModelGraph:
    tensors = tuple(Tensor(i, f"t{i}", (1, 8), dtype) for i in range(len(kinds) + len(custom) + 1))
    ops = [Op(i, kind, (i,), (i + 1,)) for i, kind in enumerate(kinds)]
    ops += [
        Op(len(kinds) + i, "CUSTOM", (len(kinds) + i,), (len(kinds) + i + 1,), custom_code_untrusted=name)
        for i, name in enumerate(custom)
    ]
    sub = Subgraph("main", tensors, tuple(ops), (0,), (len(ops),))
    return ModelGraph("chain", "tflite", "0" * 64, 4000, (sub,))


def constant(code: str) -> int:
    return int(re.findall(r"kTensorArenaSize = (\d+);", code)[0])


@pytest.mark.parametrize("name", ["kws", "vww", "ic", "ad"])
def test_the_program_compiles_and_registers_each_operator_once(name: str, compile_and_run: Build) -> None:
    graph = build_architecture(name, dtype="int8")
    code = firmware_code(graph, H743)
    ran = compile_and_run(code.files)
    kinds = {op.kind for op in graph.ops}
    assert ran.operators == ran.capacity == len(code.operators) == len(kinds)
    assert {f"Add{added}" for added in ran.added} == {ADD_METHODS[kind] for kind in kinds}
    assert ran.arena_bytes == code.arena_bytes
    assert ran.aligned


def test_an_operator_that_only_a_branch_uses_is_registered_too(compile_and_run: Build) -> None:
    main = chain(["RELU", "IF"]).subgraphs[0]
    branch = chain(["TANH", "RELU"]).subgraphs[0]
    graph = ModelGraph("if", "tflite", "0" * 64, 900, (main, branch))
    ran = compile_and_run(firmware_code(graph, H743).files, "TENSOR_ARENA_SIZE=4096")
    assert ran.added == ["Relu", "If", "Tanh"]


def test_every_method_of_the_resolver_is_called_by_its_name(compile_and_run: Build) -> None:
    graph = chain(sorted(ADD_METHODS), custom=sorted(CUSTOM_METHODS))
    code = firmware_code(graph, H743)
    ran = compile_and_run(code.files, "TENSOR_ARENA_SIZE=4096")
    assert ran.operators == len(ADD_METHODS) + len(CUSTOM_METHODS) == 118


def test_the_interpreters_own_operators_can_all_be_registered() -> None:
    for runtime in ("tflm-reference", "tflm-cmsis-nn", "tflm-esp-nn", "tflm-mvp"):
        for operator in load_runtime(runtime).operators:
            custom = operator.removeprefix("CUSTOM:")
            assert custom in CUSTOM_METHODS if custom != operator else operator in ADD_METHODS


def test_kernels_of_one_type_are_named_where_all_operators_have_it(compile_and_run: Build) -> None:
    graph = build_architecture("kws", dtype="int8")
    ran = compile_and_run(firmware_code(graph, H743, one_type=True).files)
    assert {"Conv2D CONV_2D_INT8", "FullyConnected FULLY_CONNECTED_INT8", "Softmax SOFTMAX_INT8"} <= set(
        ran.added
    )
    assert "Reshape" in ran.added


def test_a_float_model_keeps_the_whole_kernels(compile_and_run: Build) -> None:
    ran = compile_and_run(firmware_code("kws:float32", H743, one_type=True).files)
    assert not any(" " in added for added in ran.added)


def test_operators_of_two_types_keep_the_whole_kernel() -> None:
    tensors = tuple(
        Tensor(i, "", (1, 8), t) for i, t in enumerate((DType.INT8, DType.INT8, DType.INT16, DType.INT16))
    )
    ops = (Op(0, "SOFTMAX", (0,), (1,)), Op(1, "QUANTIZE", (1,), (2,)), Op(2, "SOFTMAX", (2,), (3,)))
    graph = ModelGraph("two", "tflite", "0" * 64, 900, (Subgraph("", tensors, ops, (0,), (3,)),))
    assert "AddSoftmax()" in firmware_code(graph, H743, one_type=True).files["model_runner.cc"]


HOSTILE = [
    'x"); system("rm -rf ~"); ("',
    "a\\",
    "line\nbreak",
    "*/ int evil; /*",
    "??/",
    "",
    "naïve ☃",
    "%s%n",
    "class",
    "9lives",
    "x" * 200,
]


def test_names_of_custom_operators_cannot_leave_their_literal(compile_and_run: Build) -> None:
    code = firmware_code(chain(["RELU"], custom=HOSTILE), H743)
    source = code.files["model_runner.cc"]
    symbols = re.findall(r"^TFLMRegistration\* (\w+)\(\);$", source, flags=re.MULTILINE)
    assert len(symbols) == len(set(symbols)) == len(HOSTILE)
    extra = '#include "tensorflow/lite/micro/stub_common.h"\n' + "\n".join(
        f"TFLMRegistration* {symbol}() {{ static TFLMRegistration made; return &made; }}"
        for symbol in symbols
    )
    ran = compile_and_run(code.files, "TENSOR_ARENA_SIZE=4096", extra=extra)
    assert ran.operators == len(HOSTILE) + 1
    for name in HOSTILE:
        assert f"add custom {name}".rstrip() in ran.output
    assert "evil" not in re.sub(r'"[^"]*"', "", source)
    assert any("custom" in note for note in code.notes)


def test_two_spellings_of_one_symbol_stay_apart() -> None:
    source = firmware_code(chain([], custom=["RegisterOperator0", "a b"]), H743).files["model_runner.cc"]
    symbols = re.findall(r"^TFLMRegistration\* (\w+)\(\);$", source, flags=re.MULTILINE)
    assert len(set(symbols)) == 2


def test_an_arena_that_nobody_can_plan_is_left_to_the_builder(
    compile_and_run: Build, compiler: str, tmp_path: Path
) -> None:
    code = firmware_code(chain(["RELU"], custom=["mine"]), H743)
    assert code.arena_bytes is None
    assert "#error" in code.files["model_runner.h"]
    extra = '#include "tensorflow/lite/micro/stub_common.h"\nTFLMRegistration* Register_mine() { return new TFLMRegistration; }'
    assert compile_and_run(code.files, "TENSOR_ARENA_SIZE=8192", extra=extra).arena_bytes == 8192
    done = subprocess.run(
        [compiler, "-fsyntax-only", str(tmp_path / "model_runner.h")], capture_output=True, check=False
    )
    assert done.returncode != 0


@pytest.mark.parametrize("source", ["kws", "vww"])
def test_the_arena_is_the_planned_one_rounded_up_to_sixteen(source: str) -> None:
    plan = plan_memory(source, H743)
    size = constant(firmware_code(source, H743).files["model_runner.h"])
    assert size % 16 == 0
    assert 0 <= size - int(plan.arena.high or 0) < 16


def test_a_small_model_gets_room_for_what_its_kernels_look_at_while_they_prepare() -> None:
    graph = chain(["RELU"])
    plan = plan_memory(graph, H743)
    assert constant(firmware_code(graph, H743).files["model_runner.h"]) > (plan.arena_set_up_bytes or 0)


@pytest.mark.parametrize("name", ["kws", "ic", "ad"])
def test_tflite_micro_sets_up_in_the_arena_of_the_code_and_not_in_much_less(
    name: str, tmp_path: Path
) -> None:
    runtime = pytest.importorskip("tflite_micro.python.tflite_micro.runtime")
    model = tmp_path / "model.tflite"
    model.write_bytes(write_tflite(build_architecture(name, dtype="int8")))
    size = firmware_code(parse_model(model), HOST).arena_bytes
    assert size is not None
    runtime.Interpreter.from_file(str(model), arena_size=size)
    with pytest.raises(RuntimeError):
        runtime.Interpreter.from_file(str(model), arena_size=int(size * 0.9) // 16 * 16)


def test_published_models_set_up_in_the_arena_of_their_code(shared_models: Path) -> None:
    runtime = pytest.importorskip("tflite_micro.python.tflite_micro.runtime")
    seen = 0
    small = sorted((shared_models / "edgemark_reconstructed").glob("FC_[0-3]__q_full_int_only.tflite"))
    for model in (*sorted((shared_models / "mlperf-tiny").glob("*.tflite"))[:6], *small):
        try:
            runtime.Interpreter.from_file(str(model), arena_size=1 << 24)
        except RuntimeError:
            continue
        size = firmware_code(parse_model(model), HOST).arena_bytes
        assert size is not None
        runtime.Interpreter.from_file(str(model), arena_size=size)
        seen += 1
    assert seen


def test_a_model_that_does_not_fit_says_so_beside_its_code() -> None:
    code = firmware_code("resnet50", H743)
    assert code.files
    assert any(warning.startswith("It does not fit") for warning in code.warnings)


def test_resource_variables_are_counted(compile_and_run: Build) -> None:
    tensors = tuple(Tensor(i, "", (1, 8), DType.INT8) for i in range(4))
    ops = tuple(
        Op(i, "VAR_HANDLE", (), (i + 1,), options={"shared_name_untrusted": name})
        for i, name in enumerate(("state", "state", 'other"; x'))
    )
    graph = ModelGraph("v", "tflite", "0" * 64, 900, (Subgraph("", tensors, ops, (0,), (3,)),))
    assert "variables 2" in compile_and_run(firmware_code(graph, H743).files, "TENSOR_ARENA_SIZE=4096").output


def test_inputs_and_outputs_have_type_size_and_scale() -> None:
    header = firmware_code("kws", H743).files["model_runner.h"]
    assert "constexpr size_t kInput0Elements = 490;" in header
    assert "int8_t* Input0();" in header
    assert "kInput0Scale" in header
    assert "float* Input0();" in firmware_code("kws:float32", H743).files["model_runner.h"]


def test_a_type_without_a_name_in_cpp_is_handed_over_untyped(compile_and_run: Build) -> None:
    code = firmware_code(chain(["RELU"], DType.FLOAT16), H743)
    assert "void* Input0();" in code.files["model_runner.h"]
    compile_and_run(code.files, "TENSOR_ARENA_SIZE=4096")


def test_an_operator_that_the_interpreter_lacks_gives_the_reason_and_no_code() -> None:
    code = firmware_code(chain(["RELU", "HASHTABLE"]), H743)
    assert code.files == {}
    assert "HASHTABLE" in code.why_not


MICRO = [
    (name, runtime)
    for name in target_ids()
    for runtime in load_target(name).runtimes
    if runtime.startswith("tflm-") and load_target(name).target_class.value in ("mcu", "npu")
]


def test_the_code_of_every_toolchain_compiles(compile_and_run: Build) -> None:
    """One target a vendor."""
    by_vendor = {load_target(name).vendor: (name, runtime) for name, runtime in MICRO}
    sources = {}
    for name, runtime in by_vendor.values():
        code = firmware_code("kws", deployment(name, runtime))
        paths = {Path(k).name: v for k, v in code.files.items()}
        text = {k: v for k, v in paths.items() if k.startswith("model_runner")}
        sources[text["model_runner.cc"]] = text
    assert len(sources) >= 4
    for text in sources.values():
        assert compile_and_run(text).operators == 6


def test_the_arena_lies_in_the_region_of_the_plan() -> None:
    plan = plan_memory("kws", H743)
    hint = next(hint for hint in plan.linker if hint.part == "arena")
    source = firmware_code("kws", H743).files["model_runner.cc"]
    assert hint.declaration in source
    assert hint.script in source


def test_espressif_gets_a_whole_project_with_pinned_sources() -> None:
    code = firmware_code("kws", deployment("esp32-s3", "tflm-esp-nn"))
    component = yaml.safe_load(code.files["main/idf_component.yml"])
    assert component["dependencies"]["espressif/esp-tflite-micro"] == "1.4.0"
    assert "project.cmake" in code.files["CMakeLists.txt"]
    sources = re.findall(r'"([a-z_]+\.cc)"', code.files["main/CMakeLists.txt"])
    assert {f"main/{name}" for name in sources} - {"main/model_data.cc"} <= set(code.files)
    assert code.commands[-1] == "idf.py set-target esp32s3 build"
    assert code.commands[-1] in code.files["README.md"]


@pytest.mark.parametrize("target", ["esp32", "esp32-s3", "esp32-c3", "esp32-p4"])
def test_cmake_turns_the_model_into_the_array_of_the_header(target: str, tmp_path: Path) -> None:
    if shutil.which("cmake") is None:
        pytest.skip("no cmake on this machine")
    write_firmware(firmware_code("kws", target), tmp_path / "project")
    (tmp_path / "project" / "model.tflite").write_bytes(bytes(range(40)))
    script = tmp_path / "project" / "main" / "model_data.cmake"
    subprocess.run(["cmake", "-P", str(script)], check=True, capture_output=True)
    written = script.with_name("model_data.cc").read_text(encoding="utf-8")
    assert written.startswith('#include "model_runner.h"')
    assert "model_data[] = {\n0x00,0x01," in written
    assert written.endswith("0x27,\n};\n")


@pytest.mark.parametrize("where", [H743, deployment("rp2040")], ids=lambda where: where.target.id)
def test_the_command_turns_a_model_into_the_array(where: Deployment, tmp_path: Path, compiler: str) -> None:
    if shutil.which("xxd") is None or shutil.which("sh") is None:
        pytest.skip("no xxd on this machine")
    code = firmware_code("kws", where)
    (tmp_path / "model.tflite").write_bytes(bytes(range(40)))
    for name, text in code.files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    subprocess.run(["sh", "-c", code.commands[-1]], cwd=tmp_path, check=True)
    stubs = Path(__file__).parents[2] / "stubs" / "tflm"
    subprocess.run(
        [compiler, "-c", "-Wall", "-Werror", f"-I{stubs}", "model_data.cc"], cwd=tmp_path, check=True
    )
    assert bytes(range(40)) in (tmp_path / "model_data.o").read_bytes()


def test_an_npu_gets_one_operator_and_the_rest_stays() -> None:
    code = firmware_code("kws", deployment("alif-e7", "ethos-u"))
    assert code.operators[0] == "AddEthosU"
    assert len(code.operators) < 6
    assert code.commands[0].startswith("vela model.tflite --accelerator-config ethos-u55-")
    assert "model_vela.tflite" in code.commands[1]


def test_a_model_that_vela_compiled_before_is_not_compiled_again() -> None:
    code = firmware_code(chain(["SOFTMAX"], custom=["ethos-u"]), deployment("alif-e7", "ethos-u"))
    assert set(code.operators) == {"AddSoftmax", "AddEthosU"}
    assert not any("vela" in command for command in code.commands)


@pytest.mark.parametrize(
    ("target", "runtime", "command"),
    [
        (
            "stm32h743zi",
            "x-cube-ai",
            "stedgeai generate --model model.tflite --name network --output generated --target stm32h7",
        ),
        ("stm32n657x0", "neural-art", "--st-neural-art"),
        ("stm32h743zi", "tinyengine", "GenerateSourceFilesFromTFlite"),
    ],
)
def test_where_a_tool_writes_the_program_there_is_its_command_alone(
    target: str, runtime: str, command: str
) -> None:
    code = firmware_code("kws", deployment(target, runtime))
    assert code.files == {}
    assert command in code.commands[0]
    assert "nothing to paste" in code.why_not


def test_where_nothing_was_read_that_is_said() -> None:
    code = firmware_code("kws", deployment("max78000", "ai8x"))
    assert (code.files, code.commands) == ({}, ())
    assert "ai8x" in code.why_not


def test_no_deployment_raises() -> None:
    graph = build_architecture("kws", dtype="int8")
    for name in target_ids():
        for runtime in load_target(name).runtimes:
            try:
                where = deployment(name, runtime)
            except EdgewrightError:
                continue
            if runtime.startswith("tflm-") and name != "host-x86-64":
                continue
            code = firmware_code(graph, where)
            assert code.files or code.commands or code.why_not


def test_the_litert_snippet_runs(tmp_path: Path) -> None:
    pytest.importorskip("ai_edge_litert.interpreter")
    code = firmware_code("kws", deployment("host-x86-64", "litert-xnnpack", threads=2))
    assert "num_threads=2" in code.files["run_model.py"]
    (tmp_path / "model.tflite").write_bytes(write_tflite(build_architecture("kws", dtype="int8")))
    (tmp_path / "run_model.py").write_text(code.files["run_model.py"], encoding="utf-8")
    import sys

    done = subprocess.run(
        [sys.executable, "run_model.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "(1, 12) int8"


@pytest.mark.parametrize("runtime", ["onnxruntime", "openvino", "litert-xnnpack", "edgetpu"])
def test_snippets_for_machines_are_python_and_name_the_threads(runtime: str) -> None:
    name = next(n for n in target_ids() if runtime in load_target(n).runtimes)
    text = firmware_code("kws", deployment(name, runtime)).files["run_model.py"]
    compile(text, "run_model.py", "exec")
    assert re.search(r"(num_threads=|intra_op_num_threads = |INFERENCE_NUM_THREADS\": )1", text)
