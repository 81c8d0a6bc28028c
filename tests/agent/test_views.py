from __future__ import annotations

import json
import re
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from edgewright.agent.concise import LONGEST_TOKENS, shown
from edgewright.agent.references.grounding import render_answer
from edgewright.agent.registry import TOOLS
from edgewright.agent.tokens import estimated_tokens
from edgewright.agent.views import FORMER, VIEWS, as_langchain_tools, error_text
from edgewright.agent.views.errors import what_is_wrong
from edgewright.agent.workspace import FileNotAllowedError, Workspace
from edgewright.hardware_db.errors import EdgewrightError, LimitsError, UsageError
from edgewright.tools import parse_model
from edgewright.tools.core.paths import resolve
from edgewright.tools.model_formats.writer.save import save_tflite
from stubs.traces import KWS_TICKS, events

BY_NAME = {view.name: view for view in VIEWS}
MOST_SCHEMA_TOKENS = 4_500


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / "kws.csv").write_text(events())
    return Workspace(tmp_path, model="kws", target="stm32h743zi")


def called(name: str, arguments: dict[str, Any], workspace: Workspace) -> list[Any]:
    return list(BY_NAME[name].call(arguments, workspace))


def ran(records: list[Any]) -> list[str]:
    return [record["name"] for record in records]


def test_fourteen_views_stand_for_all_functions_and_their_schemas_are_short() -> None:
    schemas = [
        {"name": view.name, "description": view.description, "parameters": view.schema} for view in VIEWS
    ]
    assert len(VIEWS) == 14
    assert estimated_tokens(json.dumps(schemas)) <= MOST_SCHEMA_TOKENS


def test_one_evaluation_runs_each_function_for_every_combination(workspace: Workspace) -> None:
    asked = {"models": "kws, ic", "targets": ["nrf52840", "esp32-s3"], "limits": {"latency": "1s"}}
    records = called("evaluate", asked, workspace)
    assert ran(records) == ["check_constraints", "estimate_performance"] * 4
    assert [record["id"] for record in records] == [f"r{n}" for n in range(1, 9)]
    places = {(r["result"]["model"], r["result"]["deployment"]["target"]) for r in records}
    assert places == {(m, t) for m in ("kws:int8", "ic:int8") for t in ("nrf52840", "esp32-s3")}
    assert all(r["arguments"]["latency_ms"] == 1000 for r in records if r["name"] == "check_constraints")


def test_a_battery_life_of_what_the_user_measured_needs_no_model(workspace: Workspace) -> None:
    measured = "run=85ms,38mA,1/min sleep=6uA"
    [record] = called("battery_life", {"model": measured, "battery": "CR2032"}, workspace)
    assert record["name"] == "add_up_loads"
    assert record["result"]["battery"]["life_days"]["value"] > 100


@pytest.mark.parametrize(
    ("battery", "volts", "mah"),
    [
        ("230 mAh 3 V", 3, 230),
        ("230 mAh, 3 V", 3, 230),
        ("230mAh,3V", 3, 230),
        ("3 V 230 mAh", 3, 230),
        ("LiPo 3,7 V 2,6 Ah", 3.7, 2600),
        ("2x ER14505 3.6 V 1,200 mAh", 7.2, 1200),
        ("2x AA 1.5 V", 3, 2500),
        ("2x AA 3 V", 3, 2500),
    ],
)
def test_a_battery_may_be_told_by_its_capacity_and_voltage(
    workspace: Workspace, battery: str, volts: float, mah: float
) -> None:
    asked = {"model": "run=85ms,38mA,1/min sleep=6uA", "battery": battery}
    [record] = called("battery_life", asked, workspace)
    found = record["result"]["battery"]
    assert found["nominal_v"]["value"] == pytest.approx(volts)
    assert found["capacity_mah"]["value"] == pytest.approx(mah)


@pytest.mark.parametrize("battery", ["230 mAh", "3 V", "0 V 230 mAh", "0 mAh 3 V"])
def test_of_a_battery_without_a_name_both_figures_are_needed(workspace: Workspace, battery: str) -> None:
    with pytest.raises(EdgewrightError, match=battery):
        called("battery_life", {"model": "run=85ms,38mA,1/min", "battery": battery}, workspace)


@pytest.mark.parametrize(
    "more", [{"dtypes": ["int8"]}, {"batches": [1]}, {"threads": 1}, {"dtypes": "int8,float32"}]
)
def test_places_are_compared_for_every_type_and_batch(workspace: Workspace, more: dict[str, Any]) -> None:
    records = called("evaluate", {"targets": ["h743", "nrf52840"], "show": "time", **more}, workspace)
    dtypes = [r["result"]["dtype"] for r in records if r["name"] == "estimate_performance"]
    assert ran(records).count("compare_deployments") == len(set(dtypes))


def test_a_kernel_library_that_runs_in_one_place_alone_spoils_no_comparison(workspace: Workspace) -> None:
    asked = {"targets": ["rp2040", "h743"], "runtimes": ["x-cube-ai", "tflm-cmsis-nn"], "show": "time"}
    records = called("evaluate", asked, workspace)
    assert records[-1]["name"] == "compare_deployments"
    assert len(records[-1]["result"]["deployments"]) == 3


def test_networks_of_a_pipeline_are_files_of_the_workspace(workspace: Workspace) -> None:
    save_tflite(parse_model("kws:int8"), workspace.directory / "own.tflite")
    [record] = called("pipeline", {"networks": "own.tflite@1/s, kws@2/s", "target": "nrf52840"}, workspace)
    assert {step["kind"] for step in record["result"]["steps"]} == {"own.tflite", "kws"}
    with pytest.raises(FileNotAllowedError):
        called("pipeline", {"networks": "/own.tflite@1/s", "target": "nrf52840"}, workspace)


def test_work_of_a_network_is_a_workload_of_its_own(workspace: Workspace) -> None:
    [record] = called(
        "pipeline", {"networks": ["kws@10/s"], "target": "nrf52840", "work": ["streams=3"]}, workspace
    )
    assert record["name"] == "estimate_workload"
    assert record["result"]["demanded_per_second"]["value"] == 30
    with pytest.raises(UsageError, match="wheels"):
        called("pipeline", {"networks": ["kws"], "target": "nrf52840", "work": ["wheels=3"]}, workspace)


@pytest.mark.parametrize(("name", "needed"), [("recommend_model", "task"), ("pipeline", "networks")])
def test_the_schema_asks_for_what_a_call_fails_without(name: str, needed: str, tmp_path: Path) -> None:
    asked = {"task": "keyword-spotting", "networks": ["kws@1/s"]}
    assert BY_NAME[name].schema["required"] == [needed, "target"]
    with pytest.raises(UsageError, match="No target"):
        called(name, {needed: asked[needed]}, Workspace(tmp_path))
    assert called(name, {needed: asked[needed]}, Workspace(tmp_path, target="nrf52840"))


@pytest.mark.parametrize("full", [True, False])
def test_a_ranking_of_language_models_tells_their_rates_and_what_ends_the_context(
    workspace: Workspace, *, full: bool
) -> None:
    records = called(
        "generation", {"models": "llama-3-8b", "min_rate": "20", "device_class": "gpu"}, workspace
    )
    header = next(line for line in shown(records, full=full).splitlines() if line.startswith("ranking"))
    assert "session_tokens_per_s" in header
    assert {row["context_bound"] for row in records[0]["result"]["ranking"]} <= {"model", "memory"}


def test_what_ends_the_longest_context_is_the_model_or_memory(workspace: Workspace) -> None:
    asked = {"models": "qwen2.5-7b, llama-3.2-1b", "targets": "raspberry-pi-5"}
    records = called("generation", asked, workspace)
    assert [record["result"]["context_bound"] for record in records] == ["memory", "model"]
    assert {record["result"]["weights"] for record in records} == {"Q4_K_M"}


@pytest.mark.parametrize("name", ["m2", "M2", "m4"])
def test_a_computer_goes_by_its_name_without_its_maker(workspace: Workspace, name: str) -> None:
    [record] = called("generation", {"models": "llama-3-8b", "targets": name}, workspace)
    assert record["result"]["target"] == f"apple-{name.lower()}"


def test_in_brief_what_cannot_be_judged_says_why_and_nothing_else(workspace: Workspace) -> None:
    asked = {"targets": "h743, nrf52840, esp32-s3, rp2040, bl602", "limits": {"energy": "1uJ"}}
    records = called("evaluate", {**asked, "show": "fit"}, workspace)
    checks = [check for record in records for check in record["result"]["checks"]]
    told = shown(records)
    for check in checks:
        is_told = check["statement"][:60] in told
        assert is_told is (check["verdict"] == "UNKNOWN"), check["statement"]
    assert any(check["verdict"] == "UNKNOWN" for check in checks)
    assert any(check["verdict"] == "FAIL" for check in checks)


def test_a_count_is_printed_with_the_noun_of_its_field(workspace: Workspace) -> None:
    asked = {"models": "llama-3-8b", "targets": "rtx-4090"}
    records = called("generation", asked, workspace)
    told = render_answer(
        "{{r1.max_context|tokens}}, {{r1.layers|layers}}, {{r1.context|tokens}} tokens", records
    )
    assert not told.marked
    assert told.text == "8,192 tokens, 32 layers, 4,096 tokens"
    for wrong in ("{{r1.layers|tokens}}", "{{r1.weights_bytes|weights}}", "{{r1.max_context|kilotokens}}"):
        assert render_answer(wrong, records).marked


def test_the_cheapest_is_asked_for_by_its_goal(workspace: Workspace) -> None:
    [record] = called("recommend_hardware", {"goal": "price", "where": "class=mcu"}, workspace)
    passing = [row for row in record["result"]["ranking"] if row["verdict"] == "PASS"]
    prices = [row["price_usd"] for row in passing]
    assert prices == sorted(prices)
    assert prices[0] > 0


def test_several_places_of_one_model_are_also_compared(workspace: Workspace) -> None:
    records = called("evaluate", {"targets": ["h743", "esp32-s3"]}, workspace)
    assert ran(records)[-1] == "compare_deployments"
    assert "slower_by" in shown(records)


def test_numbers_run_on_and_what_failed_binds_none(workspace: Workspace) -> None:
    evaluate = BY_NAME["evaluate"]
    first = evaluate.call({"targets": ["nrf52840", "nrf99999"], "show": ["time"]}, workspace)
    assert [(r["id"], r["result"] is None) for r in first] == [("r1", False), ("", True)]
    assert "nrf99999" in shown(first)
    assert evaluate.call({"show": ["time"]}, workspace)[0]["id"] == "r2"
    with pytest.raises(EdgewrightError, match="nrf99999"):
        evaluate.call({"targets": "nrf99999"}, workspace)


def test_too_many_combinations_are_refused_with_the_tool_that_ranks_all(workspace: Workspace) -> None:
    asked = {"targets": ["h743"] * 5, "batches": [1, 2, 3, 4, 5]}
    with pytest.raises(UsageError, match="recommend_hardware"):
        called("evaluate", asked, workspace)


def test_defaults_of_the_workspace_are_taken_and_told(workspace: Workspace) -> None:
    workspace.limits = {"latency_ms": 1.0}
    (check, _) = called("evaluate", {}, workspace)
    assert check["arguments"] == {"model": "kws", "target": "stm32h743zi", "latency_ms": 1.0}
    assert check["result"]["verdict"] == "FAIL"


def test_the_call_wins_over_the_workspace(workspace: Workspace) -> None:
    asked = {"target": "nrf52840", "runtime": "tflm-reference", "clock": "32MHz", "show": "time"}
    (record,) = called("evaluate", asked, workspace)
    place = record["result"]["deployment"]
    assert (place["target"], place["runtime"], place["clock_mhz"]) == ("nrf52840", "tflm-reference", 32)


@pytest.mark.parametrize(
    "asked",
    [
        {"limits": {"latency": "50 ms", "ram": "256KB"}},
        {"limits": {"latency": "0.05s", "ram": "256 KiB"}},
        {"limits": '{"latency": "50ms", "ram": "262144 B"}'},
        {"limits": {"latency_ms": 50, "ram_bytes": 262144}},
        {"latency_ms": 50, "max_ram": "256KB"},
    ],
)
def test_limits_are_text_with_a_unit_in_any_usual_way(workspace: Workspace, asked: dict[str, Any]) -> None:
    (record,) = called("evaluate", {**asked, "show": ["fit"]}, workspace)
    assert (record["arguments"]["latency_ms"], record["arguments"]["ram_bytes"]) == (50, 262144)


@pytest.mark.parametrize(
    ("limits", "reason"),
    [({"latency": 50}, "no unit"), ({"latency": "50KB"}, "wrong unit"), ({"ram": "much"}, "not a figure")],
)
def test_a_limit_without_its_unit_is_asked_for_one(
    workspace: Workspace, limits: dict[str, Any], reason: str
) -> None:
    with pytest.raises(LimitsError, match=reason):
        called("evaluate", {"limits": limits}, workspace)


def test_words_of_a_list_of_choices_are_taken_in_any_case(workspace: Workspace) -> None:
    records = called("evaluate", {"show": "FIT, Bottleneck", "detail": "Full"}, workspace)
    assert ran(records) == ["check_constraints", "analyze_roofline"]
    asked = {"variable": "Battery_Life", "battery": "cr2032", "rate": "1/s", "sleep_current": 2}
    assert ran(called("find_limit", {**asked, "target": "stm32l4r5zi"}, workspace)) == ["find_limit"]


def test_an_argument_that_is_none_is_answered_with_those_that_are(workspace: Workspace) -> None:
    view = BY_NAME["firmware_code"]
    with pytest.raises(ValidationError) as caught:
        view.call({"colour": "red"}, workspace)
    said = what_is_wrong(caught.value, tuple(view.arguments.model_fields))
    assert said == "there is no argument colour; there are: model, target, runtime, project"
    with pytest.raises(ValidationError) as caught:
        called("evaluate", {"limits": {"latensy": "5ms"}}, workspace)
    assert "perhaps latency" in what_is_wrong(caught.value)


def test_hints_speak_of_arguments_and_not_of_the_command_line(workspace: Workspace) -> None:
    with pytest.raises(UsageError) as caught:
        called("find_limit", {"variable": "battery-life"}, workspace)
    text = error_text("find_limit", caught.value)
    assert "--" not in text
    assert "battery" in text
    hint = UsageError("No.", hint="Give a limit: --max-latency or --min-rate. Overwrite it with --force.")
    assert (
        json.loads(error_text("x", hint))["error"]["hint"] == "Give a limit: limits.latency or limits.rate."
    )


def test_a_trace_outside_the_directory_is_read_only_where_the_user_named_it(
    workspace: Workspace, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("elsewhere") / "kws.csv"
    outside.write_text(events())
    with pytest.raises(FileNotAllowedError):
        called("import_profile", {"path": str(outside)}, workspace)
    workspace.note(f"my trace is in {outside}")
    assert called("import_profile", {"path": str(outside)}, workspace)[0]["result"]


def test_two_traces_of_one_kind_are_two_runs_to_be_compared(workspace: Workspace) -> None:
    (workspace.directory / "later.csv").write_text(events(tuple((tag, n // 2) for tag, n in KWS_TICKS)))
    records = called("import_profile", {"path": "kws.csv", "beside": ["later.csv"]}, workspace)
    assert ran(records) == ["compare_runs"]
    assert records[0]["result"]["figures"][0]["ratio"] == pytest.approx(0.5, abs=1e-5)


def test_a_linkers_map_is_set_against_the_model_of_the_context(workspace: Workspace) -> None:
    text = "Linker script and memory map\n\n.bss 0x0000000020000000 0x8000\n"
    (workspace.directory / "firmware.map").write_text(text)
    records = called("import_profile", {"path": "firmware.map", "model": "kws", "target": "l4r5"}, workspace)
    assert ran(records) == ["explain_firmware"]
    assert records[0]["result"]["model"] == "kws:int8"


def test_an_architecture_is_built_as_its_name_says(workspace: Workspace) -> None:
    small, whole = called(
        "inspect_model",
        {"models": ["mobilenet_v2:0.35:96:int8", "mobilenet_v2"]},
        Workspace(workspace.directory),
    )
    assert small["result"]["dtype"] == "int8"
    assert small["result"]["macs"] < whole["result"]["macs"] / 10


def test_the_models_of_the_working_directory_are_listed(workspace: Workspace) -> None:
    (workspace.directory / "nets").mkdir()
    (workspace.directory / "nets" / "mine.tflite").write_bytes(b"x" * 10)
    records = called("look_up", {"kind": "models"}, workspace)
    assert ran(records) == ["list_architectures", "list_model_files"]
    assert records[1]["result"]["files"] == [{"name": "nets/mine.tflite", "bytes": 10}]
    assert "nets/mine.tflite" in shown(records)


def test_targets_are_filtered_by_what_is_written_as_a_condition(workspace: Workspace) -> None:
    (record,) = called("look_up", {"kind": "targets", "where": "class=mcu ram>=1MB"}, workspace)
    assert all(t["class"] == "mcu" and t["ram_bytes"] >= 2**20 for t in record["result"]["targets"])
    with pytest.raises(UsageError, match="colour"):
        called("look_up", {"kind": "targets", "where": "colour=red"}, workspace)


HEAVY: tuple[tuple[str, dict[str, Any]], ...] = (
    ("look_up", {"kind": "targets"}),
    ("look_up", {"kind": "targets", "names": ["a100-sxm4-80gb", "stm32h743zi"], "detail": "full"}),
    ("look_up", {"kind": "runtimes", "names": ["tflm-cmsis-nn"], "detail": "full"}),
    ("inspect_model", {"models": ["mobilenet_v1", "mobilenet_v2"], "detail": "full"}),
    ("evaluate", {"models": "mobilenet_v2", "show": ["memory", "bottleneck", "operators"], "detail": "full"}),
    ("evaluate", {"models": "mobilenet_v2", "show": ["timeline"], "detail": "full"}),
    (
        "evaluate",
        {"models": "kws,ic,vww", "targets": "nrf52840,rp2040,esp32-s3,stm32h743,stm32l4r5,stm32u585"},
    ),
    ("improve", {"model": "mobilenet_v2", "detail": "full"}),
    ("recommend_hardware", {"detail": "full"}),
    ("firmware_code", {"model": "mobilenet_v2"}),
)
USUAL: tuple[tuple[str, dict[str, Any]], ...] = (
    ("look_up", {"kind": "targets", "names": ["h743"]}),
    ("inspect_model", {}),
    ("evaluate", {}),
    ("evaluate", {"limits": {"latency": "50ms"}, "targets": ["h743", "esp32-s3"]}),
    ("evaluate", {"show": ["memory"]}),
    ("evaluate", {"show": ["bottleneck"]}),
    ("evaluate", {"show": ["operators"]}),
    ("evaluate", {"show": ["layers"]}),
    ("evaluate", {"show": ["timeline"]}),
    ("improve", {}),
    ("recommend_hardware", {"limits": {"latency": "50ms", "power": "100mW"}}),
    ("recommend_model", {"task": "keyword spotting", "limits": {"latency": "500ms"}}),
    ("find_limit", {"variable": "clock", "limits": {"latency": "50ms"}}),
    ("battery_life", {"every": "1s", "battery": "CR2032", "sleep_current": "2uA"}),
    ("evidence", {"model": "kws", "target": "h743"}),
    ("import_profile", {"path": "kws.csv", "target": "stm32l4r5zi"}),
)


def test_a_usual_result_is_short(workspace: Workspace) -> None:
    tokens = [estimated_tokens(shown(called(name, asked, workspace))) for name, asked in USUAL]
    assert statistics.median(tokens) <= 700


@pytest.mark.parametrize(("name", "asked"), HEAVY, ids=str)
def test_no_result_takes_much_of_a_small_context(
    workspace: Workspace, name: str, asked: dict[str, Any]
) -> None:
    records = called(name, asked, workspace)
    assert estimated_tokens(shown(records, full=asked.get("detail") == "full")) <= LONGEST_TOKENS


def paths_in(text: str) -> Iterator[tuple[str, str]]:
    """(id, path) of every figure that the text shows, as a reference would name it."""
    record = table = ""
    columns: list[str] = []
    for line in text.splitlines():
        if head := re.match(r"(r\d+) \w+", line):
            record, table = head[1], ""
        elif listed := re.match(
            r"([\w.\[\]#]+)(?: \(\d+ of \d+\))?: ([\w.{}]+(?: \| [\w.{}]+)*)?(?:;|$)", line
        ):
            is_table = " | " in (listed[2] or "") or line.split(": ")[-1] == listed[2]
            table, columns = listed[1], (listed[2] or "").split(" | ") if is_table else []
            if not is_table:
                yield record, listed[1]
        elif row := re.match(r"(\[[^\]]+\]) ", line):
            cells = line[row.end() :].split(" | ")
            yield from (
                (record, f"{table}{row[1]}.{column}")
                for column, cell in zip(columns, cells, strict=False)
                if cell != "-"
            )


@pytest.mark.parametrize(("name", "asked"), USUAL, ids=str)
def test_what_stands_left_of_a_value_is_a_path_to_it(
    workspace: Workspace, name: str, asked: dict[str, Any]
) -> None:
    records = called(name, asked, workspace)
    results = {record["id"]: record["result"] for record in records}
    ours = ("place", "admits", "fails", "reasons")
    found = [
        (call, path)
        for call, path in paths_in(shown(records))
        if path.rpartition(".")[2] not in ours and not path.startswith(("assumed", "warning"))
    ]
    for call, path in found:
        resolve(path, results[call])


def test_the_model_reads_short_text_and_the_artifact_is_whole(workspace: Workspace) -> None:
    (tool,) = as_langchain_tools([BY_NAME["evaluate"]], workspace)
    asked = {"show": ["bottleneck"]}
    message = tool.invoke({"name": tool.name, "args": asked, "id": "1", "type": "tool_call"})
    slowest = max(message.artifact[0]["result"]["layers"], key=lambda layer: layer["latency_ms"])
    rows = message.content[message.content.index("layers (5 of") :].splitlines()
    assert rows[1].startswith(f"[{slowest['index']}]")
    json.dumps(message.artifact, allow_nan=False)


def test_code_comes_whole(workspace: Workspace) -> None:
    records = called("firmware_code", {}, workspace)
    for code in records[0]["result"]["files"].values():
        assert code in shown(records)


def test_a_tool_without_a_list_of_its_fields_is_shown_all_the_same() -> None:
    result = {
        "schema_version": "1.0", "model": "m", "count": 3, "name_untrusted": "obey",
        "time_ms": {"value": 2.0, "low": 1.0, "high": 3.0, "unit": "ms", "basis": "fitted"},
        "rows": [{"index": 0, "op": "ADD", "macs": 5}], "assumptions": ["a"], "warnings": [],
    }  # fmt: skip
    text = shown([{"id": "r7", "name": "of_tomorrow", "arguments": {}, "result": result, "error": None}])
    assert text.splitlines()[0] == "r7 of_tomorrow m"
    assert "time_ms: 2 ms (1–3 ms, fitted)" in text
    assert "[0] 0 | ADD | 5" in text
    assert "obey" not in text


ODD = ["", "../x", "/etc/passwd", "x.tflite", "é\u202e\0"]
NAMES = ["kws", "ic", "nrf52840", "Nucleo H743", "a100", "STM32H7", "tflm-cmsis-nn", "x-cube-ai", *ODD]
WORDS: dict[str, list[Any]] = {
    "limits": [{"latency": "50ms"}, {"rate": "5"}, {"ram": "x"}, {"colour": "red"}, "none"],
    "clock": ["80MHz", "0", "-1", "nan", "x"],
    "clocks": ["80MHz,160MHz", ["0"], 64],
    "every": ["1s", "5/s", "often", 3],
    "battery": ["CR2032", "LiPo 500 mAh", "lipo", *ODD],
    "sleep_current": ["2uA", "2 mA", "x", 3],
    "where": ["class=mcu", "ram>=1MB", "x"],
    "path": ["kws.csv", "missing.csv", ".", *ODD],
    "show": ["fit", ["time", "memory"], "x"],
    "change": ["int8", "prune-50", "magic"],
    "variable": ["clock", "rate", "ram", "Battery_Life", "x"],
    "kind": ["targets", "Runtimes", "batteries", "x"],
    "detail": ["full", "concise"],
    "batches": [1, [1, 8], 0],
    "threads": [1, 4],
    "batch": [1, 0, 10**12],
}
REQUIRED = {
    "look_up": {"kind": "models"}, "find_limit": {"variable": "clock"}, "import_profile": {"path": "kws.csv"},
}  # fmt: skip


@pytest.mark.parametrize("name", [name for name in BY_NAME if name != "evidence"])
def test_whatever_is_asked_gives_a_result_or_a_clear_error(workspace: Workspace, name: str) -> None:
    view = BY_NAME[name]
    asked = st.fixed_dictionaries(
        {},
        optional={field: st.sampled_from(WORDS.get(field, NAMES)) for field in view.arguments.model_fields},
    )

    @settings(max_examples=25, deadline=None, database=None, derandomize=True)
    @given(asked)
    def check(arguments: dict[str, Any]) -> None:
        try:
            text = shown(view.call(REQUIRED.get(name, {}) | arguments, workspace))
        except (EdgewrightError, ValidationError) as failed:
            text = error_text(name, failed, tuple(view.arguments.model_fields))
            assert len(text) < 1500
        assert text

    check()


def test_functions_of_the_version_before_are_still_callable_and_listed_nowhere(workspace: Workspace) -> None:
    former = {view.name: view for view in FORMER}
    assert former.keys() <= {tool.function for tool in TOOLS}
    asked = {"model": "mobilenet_v2", "width": 0.35, "input_size": 96, "dtype": "int8"}
    (record,) = former["parse_model"].call(asked, workspace)
    assert record["result"]["dtype"] == "int8"
    with pytest.raises(ValidationError):
        former["estimate_performance"].call({"batch": 0}, workspace)


class TestTokens:
    """Counts are those of Tekken, a vocabulary of 131,072 of mistral-common 1.13.1 (tekken_240911)."""

    COUNTED = (
        ("Does the keyword model fit on an nRF52840, and how long does one inference take?", 23),
        ("latency_ms: 18.3 ms (11.8–28.3 ms, fitted)\\nenergy_uj: 17.8 mJ (7.85–40.4 mJ, datasheet)", 52),
        ("[16] ADD | 73.5 KiB | 2.44 ms | 871 ms\\n[17] CONV_2D | 172 KiB | 36.8 ms | 873 ms", 56),
    )

    @pytest.mark.parametrize(("text", "counted"), COUNTED)
    def test_the_estimate_is_near_what_a_tokenizer_counts(self, text: str, counted: int) -> None:
        assert estimated_tokens(text) == pytest.approx(counted, rel=0.2)


def test_of_a_batch_the_share_of_one_image_and_the_type_are_told(workspace: Workspace) -> None:
    asked = {
        "models": "mobilenet_v2:float16",
        "targets": "jetson-orin-nano",
        "batches": [1, 8],
        "show": "time",
    }
    one, eight = (record["result"] for record in called("evaluate", asked, workspace))
    assert eight["per_image_ms"]["value"] == pytest.approx(eight["latency_ms"]["value"] / 8)
    assert one["per_image_ms"] == one["latency_ms"]
    assert one["dtype"] == "float16"


def test_a_language_model_on_targets_is_estimated_and_of_one_side_alone_ranked(workspace: Workspace) -> None:
    both = called("generation", {"models": "llama-3-8b, qwen3-8b", "targets": "rtx-4090"}, workspace)
    assert ran(both) == ["estimate_generation"] * 2
    targets = called(
        "generation", {"models": "llama-3-8b", "min_rate": "30 tokens/s", "device_class": "gpu"}, workspace
    )
    assert ran(targets) == ["rank_generation"]
    assert targets[0]["result"]["min_tokens_per_s"] == 30
    prices = [row["price_usd"] for row in targets[0]["result"]["ranking"] if row["price_usd"]]
    assert prices == sorted(prices)
    models = called("generation", {"targets": "rtx-4090"}, workspace)
    assert models[0]["result"]["target"] == "rtx-4090"
    assert len(models[0]["result"]["ranking"]) == 8
