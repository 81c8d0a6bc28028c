"""Messages of runtimes, linkers and compilers are explained by their page, with their own figures first."""

import pytest

from edgewright.agent.messages import PAGE as ERRORS
from edgewright.agent.messages import section_on_message
from edgewright.agent.pages import sections_of
from edgewright.agent.planner import Planner
from edgewright.agent.workspace import Workspace

PAGE = "docs/concepts/errors.md"
OF_EDGE_TPU, FEW = "Model not quantized", "Few operators on the Edge TPU"


def answered(question: str) -> str:
    return Planner(Workspace()).ask(question).answer


def test_an_arena_that_is_too_small_is_told_by_its_own_figures_and_by_the_board() -> None:
    answer = Planner(Workspace()).ask(
        'On a Nano 33 BLE I get "Arena size is too small for all buffers. Needed 136704 but only 98304 was available."'
    )
    assert answer.answer.startswith("38,400 B are missing")
    assert "nrf52840 has 256 KiB of RAM" in answer.answer
    assert f"From {PAGE}, The arena is too small." in answer.answer
    assert [call["name"] for call in answer.tool_calls] == ["explain_message"]
    assert not answer.marked


def test_the_largest_arena_beside_an_overflow_is_reckoned() -> None:
    answer = answered(
        "region dram0_0_seg overflowed by 21456 bytes. tensor_arena[180*1024], plain ESP32 without PSRAM"
    )
    assert "at most 162,864 B" in answer
    assert "PSRAM is large and slow" not in answer


def test_whether_a_named_network_fits_is_told_too() -> None:
    answer = answered(
        "kws on an nrf52840: Failed to resize buffer. Requested: 52288, available 40960, missing: 11328"
    )
    assert "It fits: arena 22.3 KiB" in answer


@pytest.mark.parametrize(
    ("question", "section"),
    [
        ("the log: Didn't find op for builtin opcode 'MEAN'", "An operator is not registered"),
        ("FULLY_CONNECTED version '12'. An older version of this builtin might be supported.",
         "An operator's version is too new"),
        ("it ends in HardFault_Handler when Invoke is called", "Hard fault or panic while it runs"),
        ("Stack overflow in task main has been detected, esp32", "Stack overflow"),
        ("arm-none-eabi-ld: region `FLASH' overflowed by 38412 bytes", "Flash overflows"),
        ("trtexec: No importer registered for op: NonMaxSuppression", "TensorRT does not take a layer"),
        ("Warning: Unsupported TensorFlow Lite semantics for SPLIT_V. Placing on CPU instead",
         "An NPU compiler leaves operators to the CPU"),
        ("my jetson says CUDA error: no kernel image is available for execution", "No kernel image for the GPU"),
        ("Model provided is schema version 0 not equal to supported version 3", "Schema version"),
        ("INFO: Created TensorFlow Lite XNNPACK delegate for CPU.", "The XNNPACK line"),
        ("edgetpu_compiler: Model not quantized, and it is float16", OF_EDGE_TPU),
        ("Number of operations that will run on CPU: 71, what is wrong with my network", FEW),
        ("it says Model not quantized, the other time 1 operation mapped to Edge TPU, 63 run on CPU", OF_EDGE_TPU),
        ("Model successfully compiled but not all operations are supported by the Edge TPU.", FEW),
        ("ERROR: Attempting to use a delegate that only supports static-sized tensors with a graph that has "
         "dynamic-sized tensors.", "Tensors without a fixed size"),
        ("[E] [TRT] Network has dynamic or shape inputs, but no optimization profile has been defined.",
         "TensorRT: a dynamic input without a profile"),
        ("[W] [TRT] Your ONNX model has been generated with INT64 weights, while TensorRT does not natively support "
         "INT64. Attempting to cast down to INT32.", "TensorRT: INT64 weights"),
        ("Parsing failed with recommendations for end node names: ['conv41', 'conv52']",
         "The Hailo parser refuses a layer"),
        ("UnsupportedShuffleLayerError in op /model.10/attn/Reshape", "The Hailo parser refuses a layer"),
        ('Fatal: Meet unsupported operator: Abs(name="/Abs")', "RKNN does not take an operator"),
        ("E RKNN: unsupport cpu Min op; rknn fallback cpu failed; rknn_init fail! ret=-1",
         "RKNN does not take an operator"),
        ("load_pytorch: The following operators are not implemented: ['aten::format', 'aten::conv2d']",
         "RKNN does not take an operator"),
        ("conv.cc Hybrid models are not supported on TFLite Micro. Node CONV_2D failed to invoke with status 1",
         "Types do not match"),
        ("trtexec --onnx=parts.onnx on a TX2, after some minutes: Killed", "The process is killed"),
        ("the script that makes the engine ends with exit code 137", "The process is killed"),
    ],
)  # fmt: skip
def test_each_kind_of_message_finds_its_section_through_the_planner(question: str, section: str) -> None:
    answer = answered(question)
    assert f"From {PAGE}, {section}." in answer
    assert "I did not take into account" not in answer


@pytest.mark.parametrize(
    "question",
    [
        "does kws fit an nrf52840 with 20 KiB of RAM?",
        "Which operators of vww run on the CPU of an ethos-u55 board?",
        "how large must the tensor arena of kws be",
        "which runtime is fastest for kws on stm32h743zi",
        "is the flash of an rp2040 large enough for mobilenet_v2?",
    ],
)
def test_questions_that_quote_no_message_are_left_alone(question: str) -> None:
    assert section_on_message(question) is None


def test_a_message_that_no_wording_knows_is_said_to_be_strange_and_never_answered_by_a_neighbour() -> None:
    answer = answered("quuxrt: [E] FROB_STATUS_BAD: could not splice the gronk (code 77)")
    assert answer.startswith("I do not know this very message.")
    assert "77" not in answer


def test_names_of_operators_in_a_message_are_no_unknown_boards() -> None:
    answer = answered('I get "Node CONV_2D (number 2) failed to prepare with status 1" on AllocateTensors')
    assert "I do not know the chip" not in answer
    assert f"From {PAGE}" in answer


def test_each_wording_of_a_message_leads_to_its_own_section() -> None:
    wordings = [
        (one.replace("…", "x"), section) for section in sections_of(ERRORS) for one in section.messages
    ]
    assert len(wordings) > 100
    elsewhere = []
    for wording, section in wordings:
        found = section_on_message(wording)
        if found is None or found.heading != section.heading:
            elsewhere.append(wording)
    assert elsewhere == []


@pytest.mark.parametrize(
    ("question", "operators"),
    [
        ('edgetpu_compiler: "Model not quantized", it is mobilenet_v2', "all 65 operators of mobilenet_v2"),
        ("Vela: MEAN is not supported on the NPU. Placing on CPU instead. vww on an ensemble-e7", "all 31 operators of vww"),
    ],
)  # fmt: skip
def test_what_the_npu_takes_of_a_network_is_said_beside_the_message(question: str, operators: str) -> None:
    answer = answered(question)
    assert operators in answer
    assert "mapped so, an inference takes" in answer


@pytest.mark.parametrize(
    ("question", "on_cpu"),
    [
        ("mobilenet_v2 in float32 on an i.MX 93, how long?", True),
        ("mobilenet_v2 in int8 on an i.MX 93, how long?", False),
        ("kws in float32 on an nRF52840, how long?", False),
    ],
)
def test_a_type_that_the_npu_does_not_take_is_said_to_run_on_the_cpu(question: str, on_cpu: bool) -> None:
    answer = answered(question)
    assert answer.startswith("Nothing of it runs on the NPU") == on_cpu
    assert ("In int8 it takes" in answer) == on_cpu


@pytest.mark.parametrize(
    ("ram", "says"),
    [("a 128k RAM chip", "74 KiB remain"), ("an MCU with 48 KB of RAM", "too little"), ("", "")],
)
def test_an_arena_that_is_too_small_is_no_fault_of_the_chip_whose_ram_would_do(ram: str, says: str) -> None:
    message = "Failed to resize buffer. Requested: 55296, available 38912, missing: 16384"
    answer = answered(f"{message}. I have {ram}, why does it not fit" if ram else message)
    assert "the array that the program declares" in answer
    assert says in answer
    assert "38912 would do" not in answer
    assert "38912 are" not in answer


def test_pytorch_out_of_memory_is_told_why_in_16_bits_and_what_to_do() -> None:
    answer = answered(
        "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 224.00 MiB. I only load Mistral 7B "
        "with AutoModelForCausalLM on my RTX 3060 12GB. Why?"
    )
    first, *_ = answer.split("\n")
    assert "in the 16 bits that PyTorch takes" in first
    assert "no, it does not fit: 13.5 GiB of weights" in first
    assert "In Q8_0, the widest that does, it fits" in answer
    assert "weights in 8 or 4 bits" in answer
