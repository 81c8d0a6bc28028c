"""How many of the questions that people ask find a page that answers them, and how many others find nothing.

`questions.tsv`: eighty, written before search and pages, by the hand that then wrote what pages call things: it flatters.
`found_questions.tsv`: titles of issue threads, word for word, and testers' questions. First score 30 of 65 answered, 36 of 40 others
rejected; weights and what pages call things were then chosen with both files in view.
`later_questions.tsv`: other titles, asked once after that. First score 18 of 30 answered (4 by a wrong page), 19 of 20 others rejected.
All three are training since and hold the level only.
"""

import csv
from pathlib import Path

import pytest

from edgewright.agent.library import search_pages

HERE = Path(__file__).parent
NOW_CALLED = {"terms": "glossary"}
FLOORS = {"questions.tsv": (60, 20), "found_questions.tsv": (58, 36), "later_questions.tsv": (26, 18)}
"""Answered by one of the pages that may, and rejected rightly, of those in the file."""


def asked(file: str) -> list[tuple[str, set[str]]]:
    with (HERE / file).open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        (row["question"], {NOW_CALLED.get(page, page) for page in (row["pages"] or "").split()})
        for row in rows
    ]


@pytest.mark.parametrize("file", FLOORS)
def test_questions_of_the_field_find_their_page_and_others_none(file: str) -> None:
    found = [(search_pages(question, limit=1), pages) for question, pages in asked(file)]
    answered = sum(bool(best) and Path(best[0].page).stem in pages for best, pages in found if pages)
    rejected = sum(not best for best, pages in found if not pages)
    assert (answered, rejected) >= FLOORS[file]
    assert rejected >= FLOORS[file][1]
