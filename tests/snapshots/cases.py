"""The command lines whose whole output is kept: every command, in text and as JSON, and how errors end."""

import shlex
from dataclasses import dataclass

MODELS = ("kws", "vww", "ad")
"""Architectures that are written as .tflite files into the working directory of all cases."""

PLAN = """\
models: [kws.tflite, vww.tflite]
targets: [stm32h743zi, nrf52840]
transforms: [none, prune-25]
clocks: [max, 50%]
limits: {latency: 200ms, ram: 256KiB}
"""
BUDGET = "limits: {latency: 20ms, ram: 64KiB, flash: 512KiB}\n"
MEASURED = """\
model_name,input_shape,device,core,runtime,dtype,clock_mhz,latency_ms
MobileNetV2,1x224x224x3,Raspberry Pi 4B,Cortex-A72 x1,ncnn,float32,1500,150
nobody knows,,Raspberry Pi 4B,Cortex-A72 x1,ncnn,float32,1500,150
"""
TRACE = """\
"Event","Tag","Ticks"
0,CONV_2D,1393512
1,DEPTHWISE_CONV_2D,468230
2,CONV_2D,1461044
3,DEPTHWISE_CONV_2D,467981
4,CONV_2D,1460127
5,DEPTHWISE_CONV_2D,468102
6,CONV_2D,9120903
7,DEPTHWISE_CONV_2D,468077
8,CONV_2D,1460390
9,AVERAGE_POOL_2D,42211
10,RESHAPE,1876
11,FULLY_CONNECTED,6410
12,SOFTMAX,5127
"""
FILES = {"kws_l4r5.csv": TRACE, "plan.yaml": PLAN, "budget.yaml": BUDGET, "measured.csv": MEASURED}


@dataclass(frozen=True)
class Case:
    """`line` is what stands behind `edgewright`; `code` its exit code; `written` a file to keep as well;
    `first`: a line that runs before; `varies`: values differ from run to run and from machine to machine, so only the fields are kept;
    `machine`: on a machine that is made up (`machine.py`), and with no session but that of `first`."""

    name: str
    line: str
    code: int = 0
    written: str | None = None
    varies: bool = False
    first: str = ""
    machine: bool = False

    @property
    def words(self) -> list[str]:
        return shlex.split(self.line)

    @property
    def is_json(self) -> bool:
        return "--json" in self.words


_FITS = 'ask --llm offline --no-save "Will kws.tflite fit on an STM32H743 and what holds it back?"'

CASES = (
    Case("help", "--help"),
    Case("version", "--version"),
    Case("inspect_kws", "inspect kws.tflite"),
    Case("inspect_kws_json", "inspect kws.tflite --json"),
    Case("inspect_resnet50", "inspect resnet50"),
    Case("analyze_kws", "analyze kws.tflite -t stm32h743zi"),
    Case("analyze_kws_json", "analyze kws.tflite -t stm32h743zi --json"),
    Case("roofline_kws", "roofline kws.tflite -t stm32h743zi"),
    Case("roofline_vww_json", "roofline vww.tflite -t esp32s3 --json"),
    Case("roofline_mobilenet_v2_gpu", "roofline mobilenet_v2 -t jetson-orin-nano-8gb"),
    Case("estimate_vww", "estimate vww.tflite -t nrf52840 --clock 32MHz"),
    Case("estimate_kws_json", "estimate kws.tflite -t stm32l4r5zi --json"),
    Case("estimate_resnet50_cpu", "estimate resnet50 -t raspberry-pi-4b --threads 4"),
    Case("estimate_vww_ethos_u_json", "estimate vww.tflite -t ethos-u55-128 --json"),
    Case("estimate_mobilenet_v2_coral", "estimate mobilenet_v2:int8 -t coral-usb"),
    Case("evidence_kws", "evidence kws.tflite -t stm32l4r5zi"),
    Case("evidence_kws_json", "evidence kws.tflite -t stm32l4r5zi --json"),
    Case("compat_kws", "compat kws.tflite -t stm32h743zi -r tflm-reference"),
    Case("compat_vww_ethos_u", "compat vww.tflite -t ethos-u55-128"),
    Case("compat_mobilenet_v2_json", "compat mobilenet_v2 -t coral-usb --json"),
    Case("memory_vww", "memory vww.tflite -t stm32h743zi"),
    Case("memory_kws_json", "memory kws.tflite -t nrf52840 --reserve 32KiB --json"),
    Case("memory_best_order_kws", "memory kws.tflite -t stm32h743zi --best-order"),
    Case("memory_best_order_kws_json", "memory kws.tflite -t stm32h743zi --best-order -o ordered.tflite --json"),
    Case("timeline_kws", "timeline kws.tflite -t stm32h743zi"),
    Case("timeline_vww_json", "timeline vww.tflite -t stm32h743zi --no-levers --json"),
    Case("code_kws", "code kws.tflite -t stm32h743zi"),
    Case("code_kws_json", "code kws.tflite -t stm32h743zi --one-type --json"),
    Case("report_kws", "report kws.tflite -t stm32h743zi --max-latency 50ms -o kws.md", written="kws.md"),
    Case("report_kws_page", "report kws.tflite -t stm32h743zi --max-latency 50ms --no-charts -o kws.html", written="kws.html"),
    Case("report_kws_json", "report kws.tflite -t nrf52840 --max-latency 50ms -o nrf.md --json"),
    Case("check_kws_pass", "check kws.tflite -t stm32h743zi --max-latency 50ms --max-ram 64KiB"),
    Case("check_kws_pass_json", "check kws.tflite -t stm32h743zi --max-latency 50ms --json"),
    Case("check_vww_fail", "check vww.tflite -t nrf52840 --max-latency 120ms --max-ram 64KiB", 10),
    Case("check_vww_fail_json", "check vww.tflite -t nrf52840 --max-latency 50ms --json", 10),
    Case("check_kws_budget_markdown", "check kws.tflite -t nrf52840 --budget budget.yaml --format markdown", 10),
    Case("check_kws_baseline_sarif", "check kws.tflite -t stm32h743zi --baseline vww.tflite --format sarif"),
    Case("check_kws_unknown", "check kws.tflite -t host-x86-64 --max-energy 1mJ", 11),
    Case("check_kws_unknown_json", "check kws.tflite -t host-x86-64 --max-energy 1mJ --json", 11),
    Case("optimize_kws", "optimize kws.tflite -t stm32h743zi"),
    Case("optimize_kws_json", "optimize kws.tflite -t stm32h743zi --goal ram --json"),
    Case("optimize_techniques", "optimize kws.tflite -t stm32h743zi --technique prune-30"),
    Case("limit_input", "limit vww -t stm32h743zi --variable input --max-latency 200ms"),
    Case("limit_rate_json", "limit kws.tflite -t nrf52840 --variable rate --json"),
    Case("limit_none", "limit mobilenet_v2 -t stm32h743zi --variable input --max-ram 512KiB", 10),
    Case("recommend_kws", "recommend kws.tflite --max-latency 50ms"),
    Case("recommend_vww_json", "recommend vww.tflite --max-latency 200ms --class npu --top 5 --json"),
    Case("compare_vww", "compare vww.tflite -t stm32h743zi -t esp32s3 -t nrf52840"),
    Case("compare_kws_json", "compare kws.tflite -t stm32h743zi -t nrf52840/tflm-reference --json"),
    Case("sweep", "sweep plan.yaml -o sweep --tree"),
    Case("sweep_json", "sweep plan.yaml -o sweep-json --json"),
    Case("energy_kws", "energy kws.tflite -t nrf52840 --rate 1/s --battery CR2032"),
    Case("energy_kws_json", "energy kws.tflite -t stm32l4r5zi --every 10s --battery 'LiPo 500 mAh' --json"),
    Case("frequency_kws", "frequency kws.tflite -t stm32h743zi"),
    Case("frequency_kws_json", "frequency kws.tflite -t nrf52840 --clocks 32MHz,64MHz --json"),
    Case("profile_kws", "profile kws.tflite --repeat 4 --no-calibrate", machine=True),
    Case("profile_kws_json", "profile kws.tflite --repeat 2 --json", varies=True),
    Case("import_kws_json", "import kws_l4r5.csv -m kws.tflite -t stm32l4r5zi -r tflm-cmsis-nn --clock 120MHz --json"),
    Case("validate", "validate --against measured.csv"),
    Case("validate_json", "validate --against measured.csv --json"),
    Case("targets_list", "targets list --class npu"),
    Case("targets_list_json", "targets list --core cortex-m4 --json"),
    Case("targets_show", "targets show nrf52840"),
    Case("targets_show_json", "targets show stm32h743zi --json"),
    Case("targets_diff", "targets diff stm32h743zi nrf52840"),
    Case("targets_diff_json", "targets diff stm32h743zi nrf52840 --json"),
    Case("runtimes_list", "runtimes list"),
    Case("runtimes_show_json", "runtimes show tflm-cmsis-nn --json"),
    Case("runtimes_list_json", "runtimes list --json"),
    Case("models_list_json", "models list --json"),
    Case("models_list", "models list"),
    Case("ask_fit", _FITS),
    Case("ask_fit_json", f"{_FITS} --json"),
    Case("ask_speed", 'ask --llm offline --no-save "How fast does mobilenet_v2 run on a Jetson Orin Nano?"'),
    Case("ask_memory", 'ask --llm offline --no-save "How much RAM does vww.tflite need on an ESP32-S3?"'),
    Case("ask_battery", 'ask --llm offline --no-save "How long does kws.tflite run on an nRF52840 from a CR2032 once a second?"'),
    Case("ask_board", 'ask --llm offline --no-save "Which microcontroller runs kws.tflite in under 20 ms?"'),
    Case("ask_compare_json", 'ask --llm offline --no-save --json "Compare stm32h743zi and nrf52840 for kws.tflite"'),
    Case("ask_optimize", 'ask --llm offline --no-save "What would make vww.tflite faster on an nRF52840?"'),
    Case("sessions_list", "sessions list", machine=True, first='ask --llm offline "How many MACs does kws have?"'),
    Case("sessions_show", "sessions show 2", machine=True, first='ask --llm offline "How many MACs does kws have?"'),
    Case("sessions_list_none", "sessions list", machine=True),
    Case("sessions_list_json", "sessions list --json", varies=True, first='ask --llm offline "How fast is kws on an nRF52840?"'),
    Case("doctor", "doctor", machine=True),
    Case("doctor_json", "doctor --json", varies=True),
    Case("error_no_target", "roofline kws.tflite", 2),
    Case("error_unit", "check kws.tflite -t stm32h743zi --max-ram 100ms", 2),
    Case("error_runtime", "roofline kws.tflite -t stm32h743zi -r tensorrt", 2),
    Case("error_clock_json", "roofline kws.tflite -t stm32h743zi --clock 900MHz --json", 2),
    Case("error_command", "rooflin kws.tflite", 2),
    Case("error_file", "inspect nowhere.tflite", 3),
    Case("error_target", "roofline kws.tflite -t stm32h473", 3),
    Case("error_target_ambiguous", "roofline kws.tflite -t stm32h7", 3),
    Case("error_model_broken", "inspect plan.yaml", 3),
)  # fmt: skip
