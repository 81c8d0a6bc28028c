"""The report's page in headless Chromium: charts to hover over, a switch among deployments, tables that sort."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from edgewright.tools import write_report
from edgewright.tools.reports.page.library import library
from stubs.chromium import FOUND, Chromium
from stubs.hostile_model import CANARY, write_hostile_model

pytestmark = [
    pytest.mark.skipif(FOUND is None, reason="no Chromium on this machine"),
    pytest.mark.skipif(library() is None, reason="the charting library (edgewright[page]) is not installed"),
]
READY = "document.documentElement.dataset.ready === 'yes'"
TARGETS = ["stm32h743zi", "nrf52840", "max78000", "host-x86-64"]


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("page")


@pytest.fixture(scope="module")
def several(kept: Path) -> Path:
    file = kept / "several.html"
    write_report("kws:int8", TARGETS, file, {"latency_ms": 50})
    return file


@pytest.fixture(scope="module")
def browser() -> Iterator[Chromium]:
    with Chromium() as started:
        yield started


@pytest.fixture
def opened(browser: Chromium, several: Path) -> Chromium:
    browser.resize(1280, 900)
    browser.open(several)
    browser.wait(READY)
    return browser


def test_the_page_draws_every_chart_without_a_complaint_or_a_request(opened: Chromium) -> None:
    shown = "[...document.querySelectorAll('figure.live')].filter((each) => each.offsetParent)"
    assert opened.run(f"{shown}.length") >= 5
    assert opened.run(f"{shown}.every((each) => each.querySelector('svg'))")
    assert (opened.complaints, opened.requests) == ([], [])


def test_pictures_of_one_deployment_are_drawn_in_words_and_without_a_complaint(
    browser: Chromium, kept: Path
) -> None:
    file = kept / "one.html"
    write_report("mobilenet_v2:int8", "stm32h743zi", file, {"latency_ms": 100})
    browser.open(file)
    browser.wait(READY)
    said = "document.querySelector('figure[data-chart={}] svg').textContent"
    assert "CONV_2D" in browser.run(said.format("attribution_sunburst"))
    assert "mobilenet_v2:int8" in browser.run(said.format("flamegraph"))
    assert (browser.complaints, browser.requests) == ([], [])


def test_pointing_at_a_dot_tells_its_figures(opened: Chromium) -> None:
    x, y = opened.run(
        "(() => { const mark = document.querySelector('#all .mark-symbol path').getBoundingClientRect();"
        " return [mark.x + mark.width / 2, mark.y + mark.height / 2]; })()"
    )
    opened.point(x, y)
    opened.wait("document.querySelector('#vg-tooltip-element.visible')")
    words = opened.run("document.querySelector('#vg-tooltip-element').textContent")
    assert "Latency" in words
    assert " ms" in words or " µs" in words


def test_another_target_shows_another_deployment_and_its_charts(opened: Chromium) -> None:
    opened.run(
        "(() => { const choice = document.querySelector('select[name=target]'); choice.value = 'nrf52840';"
        " choice.dispatchEvent(new Event('change')); })()"
    )
    shown = "[...document.querySelectorAll('article.deployment')].filter((each) => !each.hidden)"
    assert opened.run(f"{shown}.map((each) => each.dataset.target)") == ["nrf52840"]
    opened.wait(f"{shown}[0].querySelectorAll('figure.live svg').length >= 3")
    assert opened.run("document.querySelector('select[name=clock]').value") == "64 MHz"
    assert opened.complaints == []


def test_a_chart_shows_another_figure_at_a_button(opened: Chromium) -> None:
    layers = "document.querySelector('article:not([hidden]) figure[data-chart=layers]')"
    button = f"[...{layers}.querySelectorAll('.choices button')].find((b) => b.textContent === 'MACs')"
    opened.run(f"{button}.click()")
    opened.wait(f"{layers}.dataset.drawn === 'MACs'")
    assert opened.run(f"{button}.getAttribute('aria-pressed')") == "true"
    assert "MACs" in opened.run(f"{layers}.querySelector('svg').textContent")
    assert opened.complaints == []


def test_all_figures_of_all_boards_stand_beside_each_other_and_say_what_is_not_known(
    opened: Chromium,
) -> None:
    names = "[...document.querySelectorAll('#all figure')].map((each) => each.dataset.chart)"
    assert opened.run(names) == [
        "deployments-latency", "deployments-energy", "deployments-arena", "deployments-price",
        "deployments-flash", "hardware_comparison_radar", "pareto_latency_energy",
    ]  # fmt: skip
    for figure, unknown in (("energy", 1), ("latency", 0)):
        said = opened.run(f"document.querySelector('#all [data-chart=deployments-{figure}] svg').textContent")
        assert said.count("unknown") == unknown
    assert "Not known: " in opened.run(
        "document.querySelector('[data-chart=hardware_comparison_radar] figcaption').textContent"
    )


def test_a_column_sorts_by_figures_and_unknown_ones_come_last(opened: Chromium) -> None:
    at = opened.run(
        "[...document.querySelectorAll('#all > .scroll th')].findIndex((each) => each.textContent === 'Energy')"
    )
    opened.run(f"document.querySelectorAll('#all > .scroll th')[{at}].querySelector('button').click()")
    cells = opened.run(
        f"[...document.querySelectorAll('#all > .scroll tbody tr')].map((row) => row.cells[{at}])"
        ".map((cell) => cell.dataset.v === undefined ? cell.textContent : Number(cell.dataset.v))"
    )
    known = [value for value in cells if not isinstance(value, str)]
    assert known == sorted(known)
    assert cells[len(known) :] == ["unknown"] * (len(cells) - len(known))


def test_what_is_not_known_is_a_word_and_no_bar(opened: Chromium) -> None:
    cells = "[...document.querySelectorAll('#all tr[data-at=\"3\"] td')].map((each) => each.textContent)"
    assert "unknown" in opened.run(cells)
    assert not opened.run(
        "[...document.querySelectorAll('#all td.n')].some((each) => each.dataset.v === '0')"
    )


@pytest.mark.parametrize("width", [360, 800, 1280])
def test_nothing_reaches_beyond_the_screen(width: int, browser: Chromium, several: Path) -> None:
    browser.resize(width, 800)
    browser.open(several)
    browser.wait(READY)
    assert browser.run("document.documentElement.scrollWidth") <= width
    clipped = (
        "[...document.querySelectorAll('figure.live')].filter((each) => each.offsetParent)"
        ".filter((each) => each.querySelector('svg').getBoundingClientRect().right > innerWidth).length"
    )
    assert browser.run(clipped) == 0
    words = (
        "[...document.querySelectorAll('figure.live svg')].filter((each) => each.checkVisibility())"
        ".flatMap((each) => [...each.querySelectorAll('.role-mark text')].filter((text) => text.textContent"
        " && text.getBoundingClientRect().right > each.getBoundingClientRect().right + 1))"
        ".map((text) => text.textContent)"
    )
    assert browser.run(words) == []


def test_on_paper_no_table_is_cut_and_no_button_is_left(browser: Chromium, several: Path) -> None:
    browser.resize(688, 1000)  # A4 between margins of 14 mm
    browser.open(several)
    browser.wait(READY)
    browser.call("Emulation.setEmulatedMedia", media="print")
    try:
        assert browser.run("document.documentElement.scrollWidth") <= 688
        shown = (
            "[...document.querySelectorAll('button:not(.sort), select')].filter((e) => e.checkVisibility())"
        )
        assert browser.run(f"{shown}.length") == 0
    finally:
        browser.call("Emulation.setEmulatedMedia", media="")


def test_each_section_of_the_shown_deployment_is_a_link_away(opened: Chromium) -> None:
    listed = "[...document.querySelectorAll('.contents a')]"
    assert opened.run(f"{listed}.map((each) => each.textContent)")[:3] == [
        "Verdict", "Time and energy", "What holds it back"
    ]  # fmt: skip
    opened.run(f"{listed}[2].click()")
    opened.wait(
        "(() => { const top = document.querySelector('article:not([hidden]) h2[id$=\"-2\"]')"
        ".getBoundingClientRect().top; return top >= 0 && top < innerHeight / 3; })()"
    )
    opened.wait(f"{listed}[2].hasAttribute('aria-current')")
    assert opened.complaints == []


def test_a_deployment_is_chosen_by_the_keyboard(opened: Chromium) -> None:
    opened.run("document.querySelector('#all tr[data-at=\"1\"] a').focus()")
    opened.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", code="Enter", text="\r",
                windowsVirtualKeyCode=13)  # fmt: skip
    opened.call("Input.dispatchKeyEvent", type="keyUp", key="Enter", code="Enter", windowsVirtualKeyCode=13)
    opened.wait("document.querySelector('article:not([hidden])').dataset.target === 'nrf52840'")
    assert opened.run("document.activeElement.tagName") == "H1"


def test_names_out_of_a_model_file_are_text_in_charts_and_tool_tips(browser: Chromium, kept: Path) -> None:
    model = write_hostile_model(kept / "<script>alert(1)<|![x](y).tflite")
    file = kept / "hostile.html"
    write_report(model, "stm32l4r5zi", file)
    browser.open(file)
    browser.wait(READY)
    assert CANARY in browser.run("document.body.textContent")
    assert browser.run("document.querySelectorAll('script').length") == browser.run(
        "document.querySelectorAll('script[type=\"application/json\"], body > script').length"
    )
    assert (browser.complaints, browser.requests) == ([], [])


def test_a_page_of_two_hundred_layers_is_small_and_paints_within_a_second(
    browser: Chromium, kept: Path
) -> None:
    file = kept / "long.html"
    written = write_report("efficientnet_lite4:int8", "raspberry-pi-4b", file, in_depth=False)
    assert written.bytes < 5_000_000
    browser.open(file)
    browser.wait(READY)
    painted = browser.run("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    assert painted < 1_000
