from edgewright.tools import DeploymentTable, Limits, ModelGraph, deployment, estimate_many
from edgewright.tools.graph.builder import GraphBuilder
from edgewright.tools.model_zoo.named import build_architecture
from edgewright.tools.verdicts.judge import FAIL, MARGINAL, PASS, UNKNOWN, Judged
from edgewright.tools.verdicts.rules import RULES, judged

BOARDS = ("stm32h743zi", "nrf52840", "host-x86-64")


def rows(model: ModelGraph, limits: Limits, *targets: str) -> dict[str, Judged]:
    places = DeploymentTable(deployment(target) for target in targets)
    return {part.name: part for part in judged(estimate_many(model, places), places, limits)}


def test_every_rule_says_in_its_docstring_what_it_demands() -> None:
    texts = [rule.__doc__ or "" for rule in RULES]
    assert all(" must " in text for text in texts)
    assert len(set(texts)) == len(RULES)


def test_one_limit_gives_each_row_its_own_verdict_and_sentence() -> None:
    latency = rows(build_architecture("kws:int8"), Limits(latency_ms=30), *BOARDS)["latency"]
    assert latency.verdict.tolist() == [PASS, FAIL, PASS]
    assert "too much" in latency.sentence(1)
    assert "to spare" in latency.sentence(0)


def test_the_tighter_of_limit_and_memory_binds_row_by_row() -> None:
    ram = rows(build_architecture("kws:int8"), Limits(ram_bytes=400 * 1024), *BOARDS)["ram"]
    assert ram.bound.tolist() == [400 * 1024, 256 * 1024, 400 * 1024]
    assert "the limit is 400 KiB" in ram.sentence(0)
    assert "nrf52840" in ram.sentence(1)


def test_a_limit_that_does_not_bind_is_not_what_the_user_could_give_way_in() -> None:
    wide = rows(build_architecture("kws:int8"), Limits(ram_bytes=1 << 40), *BOARDS)["ram"]
    assert wide.field is None


def test_an_operator_without_a_kernel_is_named_with_the_reason_and_not_by_the_files_words() -> None:
    b = GraphBuilder("odd")
    x = b.input((1, 16))
    graph = b.build(outputs=[b.op("CUSTOM", [x], (1, 16), custom_code="Mystery")])
    operators = rows(graph, Limits(), "stm32h743zi")["operators"]
    assert operators.verdict.tolist() == [FAIL]
    sentence = operators.sentence(0)
    assert sentence.startswith("1 of 1 operators does not run on tflm-cmsis-nn: CUSTOM (0): ")
    assert "Mystery" not in sentence


def test_an_interval_that_crosses_the_bound_is_marginal_and_no_figure_is_unknown() -> None:
    free = rows(build_architecture("kws:int8"), Limits(latency_ms=1e6), "nrf52840")["latency"].demand
    assert free is not None
    inside = float(free.value[0] + free.high[0]) / 2
    limits = Limits(latency_ms=inside, energy_uj=1.0)
    found = rows(build_architecture("kws:int8"), limits, "nrf52840", "host-x86-64")
    assert found["latency"].verdict[0] == MARGINAL
    assert found["energy"].verdict[1] == UNKNOWN


def test_what_was_measured_on_the_very_target_runs_there_although_its_memory_is_not_known() -> None:
    of = rows(build_architecture("yolov8s"), Limits(), "hailo-8", "coral-usb")
    assert [of[name].verdict.tolist()[0] for name in ("operators", "ram", "flash")] == [PASS] * 3
    assert of["ram"].verdict.tolist()[1] == UNKNOWN
    assert rows(build_architecture("yolov8s"), Limits(ram_bytes=1), "hailo-8")["ram"].verdict[0] == FAIL
