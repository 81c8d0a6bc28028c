"""The served page in headless Chromium: what changes is shown, what was chosen stays, nothing else is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")


from edgewright.tools.model_formats.writer.save import save_tflite
from edgewright.tools.model_zoo.named import build_architecture
from edgewright.tools.reports.page.library import library
from stubs.chromium import FOUND, Chromium
from stubs.serving import served

pytestmark = [
    pytest.mark.skipif(FOUND is None, reason="no Chromium on this machine"),
    pytest.mark.skipif(library() is None, reason="the charting library (edgewright[page]) is not installed"),
]
READY = "document.documentElement?.dataset.ready === 'yes'"
SHOWN = "[...document.querySelectorAll('article.deployment')].find((each) => !each.hidden)"
LAYERS = f"{SHOWN}.querySelector('figure.live[data-chart=layers]')"


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_model(tmp_path, "kws")
    (tmp_path / "budget.yaml").write_text("limits: {latency: 500ms}\n")
    return tmp_path


def write_model(directory: Path, architecture: str) -> None:
    """Into a file beside it, which then takes its place, as converters that are careful do."""
    part = directory / "part"
    save_tflite(build_architecture(architecture, dtype="int8"), part)
    part.replace(directory / "model.tflite")


@pytest.fixture
def opened(directory: Path) -> Iterator[tuple[Chromium, str]]:
    given = {"model": "model.tflite", "targets": ["stm32h743zi", "nrf52840"], "budget": "budget.yaml"}
    with served(directory, given) as server, Chromium() as browser:
        browser.visit(server.address)
        browser.wait(READY)
        yield browser, server.address


def foreign(browser: Chromium, address: str) -> list[str]:
    return [url for url in browser.requests if not url.startswith(address)]


def test_a_changed_model_and_changed_limits_are_shown_and_what_was_chosen_stays(
    opened: tuple[Chromium, str], directory: Path
) -> None:
    browser, address = opened
    assert "2,656,768" in browser.run(f"{SHOWN}.textContent")
    browser.run(
        "(() => { const choice = document.querySelector('select[name=target]'); choice.value = 'nrf52840';"
        " choice.dispatchEvent(new Event('change')); })()"
    )
    browser.run(
        f"[...{LAYERS}.querySelectorAll('.choices button')].find((b) => b.textContent === 'Energy').click()"
    )
    browser.run("document.querySelector('#theme').click()")
    browser.run(f"{SHOWN}.querySelector('details').open = true")
    browser.run(f"{SHOWN}.querySelectorAll('th')[2].querySelector('button').click()")
    dark = browser.run("document.documentElement.dataset.theme")

    write_model(directory, "resnet8")
    browser.wait("document.querySelector('#live').textContent.startsWith('Made anew')")
    browser.wait(f"!{SHOWN}.textContent.includes('2,656,768')")
    assert browser.run(f"{SHOWN}.dataset.target") == "nrf52840"
    assert browser.run("document.querySelector('select[name=target]').value") == "nrf52840"
    browser.wait(f"{LAYERS}.dataset.drawn === 'Energy'")
    assert browser.run("document.documentElement.dataset.theme") == dark
    assert browser.run(f"{SHOWN}.querySelector('details').open")
    assert browser.run(f"{SHOWN}.querySelectorAll('th')[2].getAttribute('aria-sort')") == "ascending"

    assert browser.run(f"{SHOWN}.querySelector('.verdict').textContent") != "FAIL"
    (directory / "budget.yaml").write_text("limits: {latency: 1ms}\n")
    browser.wait(f"{SHOWN}.querySelector('.verdict').textContent === 'FAIL'")
    assert (browser.complaints, foreign(browser, address)) == ([], [])


def test_a_model_that_is_broken_for_now_leaves_the_page_and_says_so(
    opened: tuple[Chromium, str], directory: Path
) -> None:
    browser, _ = opened
    before = browser.run(f"{SHOWN}.textContent")
    (directory / "model.tflite").write_bytes(b"half of it")
    browser.wait("document.querySelector('#live').classList.contains('wrong')")
    assert "model.tflite" in browser.run("document.querySelector('#live').textContent")
    assert browser.run(f"{SHOWN}.textContent") == before
    write_model(directory, "kws")
    browser.wait("document.querySelector('#live').textContent.startsWith('Made anew')")


def test_a_model_that_cannot_be_read_at_first_is_shown_once_it_can(directory: Path) -> None:
    (directory / "model.tflite").write_bytes(b"half of it")
    given = {"model": "model.tflite", "targets": ["stm32h743zi"]}
    with served(directory, given) as server, Chromium() as browser:
        browser.visit(server.address)
        browser.wait("document.querySelector('#wrong')")
        write_model(directory, "kws")
        browser.wait("document.querySelector('article.deployment')")


def test_without_a_model_the_page_asks_for_one(directory: Path) -> None:
    with served(directory) as server, Chromium(360) as browser:
        browser.visit(server.address)
        assert (
            browser.run("[...document.querySelectorAll('#models option')].map((o) => o.value)")[0]
            == "model.tflite"
        )
        browser.run("document.querySelector('input[name=model]').value = 'model.tflite'")
        browser.run("document.querySelector('input[name=targets]').value = 'stm32h743zi, nrf52840'")
        browser.run("document.querySelector('input[name=latency_ms]').value = '1ms'")
        browser.run("document.querySelector('form.asked').requestSubmit()")
        browser.wait(READY)
        assert browser.run("document.querySelectorAll('article.deployment').length") == 2
        assert browser.run(f"{SHOWN}.querySelector('.verdict').textContent") == "FAIL"
        assert (browser.complaints, foreign(browser, server.address)) == ([], [])
