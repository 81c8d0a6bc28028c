"""Questions about the field and the product are answered out of docs/, and nothing else is."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from edgewright.agent.library import search_pages
from edgewright.agent.pages import sections

LONGEST_SUMMARY = 80


@pytest.mark.parametrize(
    ("question", "page", "heading"),
    [
        ("What is a ridge point?", "concepts/roofline.md", "Ridge point"),
        ("what is operational intensity", "concepts/arithmetic-intensity.md", ""),
        ("What does quantisation mean?", "concepts/quantization.md", ""),
        ("What does quantization mean?", "concepts/quantization.md", ""),
        ("tensor arenna", "concepts/tensor-arena.md", None),
        ("What is the difference between PSRAM and TCM?", "concepts/memory.md", None),
        ("Can I see this in a browser?", "serve.md", ""),
        ("Is there a REST API?", "serve.md", "The same documents for programs"),
        ("show the estimate on the graph in Model Explorer", "report.md", "In Google's Model Explorer"),
    ],
)
def test_a_question_finds_the_section_that_answers_it(question: str, page: str, heading: str | None) -> None:
    best, *_ = search_pages(question)
    assert best.page == page
    assert heading is None or best.section == heading


@pytest.mark.parametrize(
    "question",
    ["", "   ", "?", "the of and", "12 345", "Who painted the Mona Lisa?", '"', "a OR b NOT *", "🙂" * 500],
)
def test_what_the_pages_do_not_speak_of_finds_nothing(question: str) -> None:
    assert search_pages(question) == ()


def test_long_questions_are_searched_too() -> None:
    assert search_pages("what is a tensor arena? " * 5_000)[0].page == "concepts/tensor-arena.md"


def test_no_more_passages_are_found_than_were_asked_for() -> None:
    assert [len(search_pages("tensor arena", limit=limit)) for limit in (1, 2, 5)] == [1, 2, 5]


def test_several_threads_may_search_at_once() -> None:
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(search_pages, ["What is a tensor arena?"] * 64))
    assert len(set(found)) == 1


@pytest.mark.parametrize(
    "section",
    [s for s in sections() if s.page.startswith("concepts/")],
    ids=lambda s: f"{s.page}#{s.heading}",
)
def test_a_concept_is_answered_by_its_first_paragraph(section: object) -> None:
    assert 8 <= len(section.summary.split()) <= LONGEST_SUMMARY  # type: ignore[attr-defined]
    assert section.summary.endswith(".")  # type: ignore[attr-defined]


def test_every_page_of_concepts_names_its_sources() -> None:
    cited = {section.page for section in sections() if section.sources}
    assert {section.page for section in sections() if section.page.startswith("concepts/")} <= cited
