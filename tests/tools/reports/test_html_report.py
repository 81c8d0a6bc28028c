"""A report says what the tools found, in one file that loads nothing and runs nothing."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest

from edgewright.tools import Limits, UsageError, deployment, evidence
from edgewright.tools.core.document import place
from edgewright.tools.core.numbers import written
from edgewright.tools.core.paths import resolve
from edgewright.tools.core.render.cells import Cells
from edgewright.tools.core.render.data import data
from edgewright.tools.core.render.markdown import markdown
from edgewright.tools.core.units import show
from edgewright.tools.cost_model.performance_estimate import Bound
from edgewright.tools.model_zoo.named import build_architecture
from edgewright.tools.reports.content import document_of
from edgewright.tools.reports.kinds import flops_of, kinds_of
from edgewright.tools.reports.page.shell import page
from edgewright.tools.reports.results import Results, results_of
from edgewright.tools.reports.roofline_drawing import roofline_drawing
from edgewright.tools.reports.write import write_report
from edgewright.tools.roofline.layer_drawing import layer_drawing
from stubs.hostile_model import CANARY, write_hostile_model

KWS = build_architecture("kws", dtype="int8")
LOADS = {"src", "href", "srcset", "data", "action", "background", "poster", "xlink:href", "formaction"}
RUNS = {"iframe", "object", "embed", "link", "base", "form", "img", "image", "use", "foreignobject"}


def digest(script: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() + "'"


class Seen(HTMLParser):
    """Every tag with its attributes, the text outside of tags, and tags left open."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.scripts: list[str] = []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)
        else:
            self.words.append(data)

    @property
    def may_not_run(self) -> list[str]:
        """Scripts whose digest the page's policy does not name."""
        policy = next(value for _, value in self.attributes if value.startswith("default-src"))
        return [each for each in self.scripts if digest(each) not in policy]


@pytest.fixture(scope="module")
def judged() -> Results:
    return results_of(KWS, "stm32l4r5zi", Limits(latency_ms=10, ram_bytes=64 << 10))


CASES = [
    ("kws:int8", "stm32l4r5zi"),
    ("resnet50", "a100-sxm4-80gb"),
    ("kws:int8", "hailo-8"),
    ("kws:int8", "ch32v003"),
]


@pytest.mark.parametrize(("model", "target"), CASES)
def test_the_page_loads_nothing_and_runs_its_own_script_alone(model: str, target: str) -> None:
    markup = page([results_of(model, target)], charts=False)
    seen = Seen(markup)
    assert not seen.open
    assert not RUNS & set(seen.tags)
    assert not LOADS & {name for name, _ in seen.attributes}
    assert not [name for name, _ in seen.attributes if name.startswith("on")]
    assert (len(seen.scripts), seen.may_not_run) == (1, [])
    assert not re.search(r"url\(|@import|javascript:|expression\(", markup)
    assert "default-src 'none'" in markup


@pytest.mark.parametrize(("model", "target"), CASES)
def test_every_section_is_there_and_no_word_of_python_is(model: str, target: str) -> None:
    results = results_of(model, target)
    document = document_of(results)
    words = " ".join(Seen(page([results], charts=False)).words)
    for section in document.sections:
        assert section.title in words
    assert [s.title for s in document.sections][:3] == ["Verdict", "Time and energy", "What holds it back"]
    assert not re.search(r"\b(?:None|nan|inf|True|False)\b", words)


def test_figures_stand_with_interval_and_basis(judged: Results) -> None:
    words = Seen(page([judged], charts=False)).words
    for path in ("performance.latency_ms", "memory.flash"):
        figure = resolve(path, judged.by_name)
        assert written(figure, interval=True, basis=True) in words
        assert written(figure) in words


def test_the_verdict_and_what_fails_come_first(judged: Results) -> None:
    document = document_of(judged)
    cells = Cells(document)
    failed = next(check for check in judged.checks.checks if check.verdict == "FAIL")
    assert (cells.text(document.verdict), failed.name) == ("FAIL", "latency")
    assert failed.statement in cells.text(document.summary[0])
    words = Seen(page([judged], charts=False)).words
    assert words.index("FAIL") < words.index("Verdict")
    assert any(cells.text(place(judged.checks.deployment, "checks.deployment")) in each for each in words)


def test_what_is_not_known_is_said_and_never_nought() -> None:
    results = results_of("kws:int8", "host-x86-64")
    assert results.performance.energy_uj.value is None
    document = document_of(results)
    energy = next(figure for name, figure in document.figures if name == "Energy")
    assert Cells(document).text(energy) == "unknown"


def test_as_data_every_figure_carries_its_path_and_its_value(judged: Results) -> None:
    document = document_of(judged)
    latency = next(each for each in data(document)["figures"] if each["name"] == "Latency")
    figure = judged.performance.latency_ms
    assert latency["figures"] == [
        {"path": "performance.latency_ms", "text": latency["text"], "value": figure.value, "unit": "ms",
         "low": figure.low, "high": figure.high, "basis": figure.basis.value}
    ]  # fmt: skip
    assert json.loads(json.dumps(data(document))) == data(document)


def test_kinds_of_layers_add_up_to_the_whole(judged: Results) -> None:
    roof, estimate = judged.roofline, judged.performance
    kinds = kinds_of(judged.model, judged.roofline)
    assert {k.op: k.layers for k in kinds} == Counter(layer.op for layer in roof.layers)
    assert sum(k.latency_ms or 0 for k in kinds) == pytest.approx(estimate.latency_ms.value)
    assert sum(k.share or 0 for k in kinds) == pytest.approx(1)
    conv = next(k for k in kinds if k.op == "CONV_2D")
    macs = sum(layer.macs or 0 for layer in estimate.layers if layer.op == "CONV_2D")
    assert conv.gops == pytest.approx(2 * macs / (conv.latency_ms or 0) / 1e6, rel=0.05)


@pytest.mark.parametrize("batch", [1, 4])
def test_work_is_that_of_the_batch(batch: int) -> None:
    results = results_of("resnet50:float16", deployment("a100-sxm4-80gb", batch=batch))
    flop = sum(flop or 0.0 for flop in flops_of(results.model, results.roofline))
    assert flop == pytest.approx(2 * batch * results.model.macs, rel=0.02)


def test_no_dot_lies_above_the_roofs(judged: Results) -> None:
    roof = judged.roofline
    for kind in kinds_of(judged.model, judged.roofline):
        if kind.can_be_placed:
            assert (kind.gops or 0) <= (roof.peak_gops or 0)


def test_each_kind_has_one_dot_and_each_layer_one_bar(judged: Results) -> None:
    roof = judged.roofline
    drawn = roofline_drawing(judged.model, judged.roofline)
    placed = [kind for kind in kinds_of(judged.model, judged.roofline) if kind.can_be_placed]
    assert drawn.count("<circle") == len(placed) > 2
    bars = layer_drawing(roof).count("<title>layer ")
    assert bars == len(roof.layers)


def test_a_layer_without_a_time_is_marked_and_has_no_bar(judged: Results) -> None:
    roof = judged.roofline
    untold = {"latency_ms": None, "share": None, "bound": Bound.UNKNOWN}
    layers = (roof.layers[0].model_copy(update=untold), *roof.layers[1:])
    partly = roof.model_copy(update={"layers": layers})
    drawn = layer_drawing(partly)
    assert "layer 0 (CONV_2D): unknown, time unknown" in drawn
    assert ">?</text>" in drawn
    kinds = kinds_of(judged.model, partly)
    conv = next(kind for kind in kinds if kind.op == "CONV_2D")
    assert (conv.latency_ms, conv.gops, conv.bound) == (None, None, Bound.UNKNOWN)


def test_names_out_of_the_model_are_text_and_never_markup(tmp_path: Path) -> None:
    file = write_hostile_model(tmp_path / "<script>alert(1)<|![x](y).tflite")
    results = results_of(file, "stm32l4r5zi")
    document = document_of(results)
    markup = page([results], charts=False)
    seen = Seen(markup)
    assert not RUNS & set(seen.tags)
    assert not LOADS & {name for name, _ in seen.attributes}
    assert (len(seen.scripts), seen.may_not_run) == (1, [])
    assert any(CANARY in words for words in seen.words)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", markup)
    text = markdown(document)
    assert "<script>" not in text
    assert "![x](" not in text


def test_markdown_says_the_same_without_drawings(judged: Results) -> None:
    document = document_of(judged)
    text = markdown(document)
    assert text.startswith("# FAIL: ")
    assert "<svg" not in text
    for section in document.sections:
        assert f"## {section.title}" in text
    assert show(judged.performance.latency_ms.value, "ms") in text


def test_the_same_results_make_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.html", "b.html"):
        write_report(KWS, "stm32l4r5zi", tmp_path / name)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_a_file_that_is_there_stays_unless_forced(tmp_path: Path) -> None:
    file = tmp_path / "r.html"
    file.write_text("mine")
    with pytest.raises(UsageError, match="--force"):
        write_report(KWS, "stm32l4r5zi", file)
    assert file.read_text() == "mine"
    written = write_report(KWS, "stm32l4r5zi", file, force=True)
    assert written.bytes == file.stat().st_size
    assert [path.name for path in tmp_path.iterdir()] == ["r.html"]


@pytest.mark.parametrize("name", ["r.pdf", "report", "r.html.exe"])
def test_another_ending_is_refused_before_anything_is_computed(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.html or \.md"):
        write_report("no such model", "stm32l4r5zi", tmp_path / name)


def test_the_measurements_and_the_sources_are_named(judged: Results) -> None:
    words = " ".join(Seen(page([judged], charts=False)).words)
    nearest = evidence(KWS, "stm32l4r5zi").nearest[0]
    assert f"({nearest.id})" in words
    assert next(iter(judged.place.target.sources.values())).title in words
