"""How often what is wanted and what it is about are read right: `python -m tests.evaluation.reading`.

Conversations that are in no fit are asked of the whole planner, so that a later question is read behind real answers;
single questions are read alone. `--all` takes all of them and not a sample, `--talks FILE …` other conversations,
`--answers FILE` keeps the answers there, with which the reading alone is measured the next time: a tenth of the time.
`--wrong FILE` lists what was read otherwise.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from edgewright.agent.planner import Planner
from edgewright.agent.planner.conversation import understood
from edgewright.agent.planner.left_behind import left_by
from edgewright.agent.planner.query import Query, Role
from edgewright.agent.planner.subject import SUBJECTS
from edgewright.agent.planner.want import Want
from edgewright.agent.sessions.saved import SavedCall, SavedTurn
from edgewright.agent.workspace import Workspace

from .fit import HERE
from .workplace import put_known

TALKS_EVERY, SINGLES_EVERY = 4, 4
Named = tuple[Role, float | str]
Rows = Sequence[Mapping[str, Any]]


class Read(NamedTuple):
    """A question, how it was read, and which of that is right; `subject` is None where no label says."""

    row: Mapping[str, Any]
    query: Query
    main: bool
    whole: bool
    subject: bool | None


class _Listener(Planner):
    """A conversation that keeps how its last question was read; the questions before it are read once."""

    reading = Query(question="")
    left: Query | None = None

    def _understood(self, question: str, before: Sequence[SavedTurn]) -> Query:
        if before:
            self.left = left_by(self.reading, self.left, before[-1])
        self.reading = understood(question, self.left, self.workspace.context, self.workspace.own_hardware)
        return self.reading


def heard(rows: Rows, folder: Path) -> tuple[list[Query], list[SavedTurn]]:
    """How each question of a conversation is read, and its turns, of a planner that answers all but the last."""
    talk, queries = _Listener(Workspace(folder)), list[Query]()
    for row in rows[:-1]:
        talk.ask(row["q"])
        queries.append(talk.reading)
    return [*queries, talk._understood(rows[-1]["q"], talk.session.turns)], talk.session.turns


def heard_again(rows: Rows, turns: Sequence[SavedTurn]) -> list[Query]:
    """The same behind the answers that were given once."""
    left, queries = None, list[Query]()
    for row, turn in zip(rows, [*turns, None], strict=True):
        queries.append(understood(row["q"], left, {}))
        left = left_by(queries[-1], left, turn) if turn else left
    return queries


def read_talk(rows: Rows, queries: Sequence[Query]) -> Iterator[Read]:
    """Each of its questions; a name that only answers brought in is neither right nor wrong."""
    known: dict[str, set[Named]] = {}
    for row, query in zip(rows, queries, strict=True):
        for slot in query.slots:
            if slot.text and slot.role in SUBJECTS and not slot.inherited:
                known.setdefault(slot.text.casefold(), set()).add((slot.role, slot.value))
        about = [found for name in row["about"] if (found := _named(name.casefold(), known))]
        yield _read(row, query, about, set().union(*known.values()))


def _named(name: str, known: Mapping[str, set[Named]]) -> set[Named]:
    """What goes by that name, or by a part of it."""
    return known.get(name) or next((of for text, of in known.items() if name in text or text in name), set())


def read_alone(row: Mapping[str, Any]) -> Read:
    query = understood(row["q"], None, {})
    said = {s.text.casefold(): {(s.role, s.value)} for s in query.slots if s.role in SUBJECTS and s.text}
    if "names" not in row:
        return _read(row, query, None, set())
    about = [_named(name.casefold(), said) for name, kind in row["names"] if kind in SUBJECTS]
    return _read(row, query, about, set().union(*said.values()))


def _read(
    row: Mapping[str, Any], query: Query, about: Sequence[set[Named]] | None, known: set[Named]
) -> Read:
    labels, wants = set(row["wants"]), list(map(str, query.wants))
    if labels != {Want.GENERATION} and set(wants) != {Want.GENERATION}:
        labels, wants = labels - {Want.GENERATION}, [want for want in wants if want != Want.GENERATION]
    found = {(slot.role, slot.value) for slot in query.slots if slot.role in SUBJECTS} & known
    right = about and all(found & one for one in about) and found <= set().union(*about)
    subject = None if about is None else bool(right) if about else not found
    return Read(row, query, bool(wants) and wants[0] in labels, set(wants) == labels, subject)


def line(name: str, given: Sequence[Read]) -> str:
    """Shares of what is right."""
    told = [read for read in given if read.subject is not None]
    right = Counter[str]()
    for read in given:
        right.update({"main want": read.main, "whole set": read.whole})
    shares = {of: count / len(given) for of, count in right.items()}
    if told:
        shares["subject"] = sum(map(bool, (read.subject for read in told))) / len(told)
        shares["main want and subject"] = sum(read.main and bool(read.subject) for read in told) / len(told)
    return f"{name} ({len(given)}): " + ", ".join(f"{of} {share:.1%}" for of, share in shares.items())


def _kept(turn: SavedTurn) -> dict[str, Any]:
    return {"question": turn.question, "answer": turn.answer, "records": turn.records}


def _saved(turn: Mapping[str, Any]) -> SavedTurn:
    call = SavedCall("", "", {}, ended=True, ran=turn["records"])
    return SavedTurn(turn["question"], answer=turn["answer"], calls=[call] if call.ran else [])


def read_talks(talks: Sequence[Rows], answers: Path | None) -> list[Read]:
    if answers and answers.exists():
        stored = json.loads(answers.read_text(encoding="utf-8"))
        found = [heard_again(rows, list(map(_saved, t))) for rows, t in zip(talks, stored, strict=True)]
        return [read for rows, queries in zip(talks, found, strict=True) for read in read_talk(rows, queries)]
    reads, kept = list[Read](), []
    with tempfile.TemporaryDirectory(prefix="edgewright-reading-") as folder:
        put_known(Path(folder))
        for rows in talks:
            queries, turns = heard(rows, Path(folder))
            reads += read_talk(rows, queries)
            kept.append(list(map(_kept, turns)))
    if answers:
        answers.write_text(json.dumps(kept, default=str), encoding="utf-8")
    return reads


def _rows(files: Iterable[Path]) -> list[Any]:
    return [json.loads(row) for file in files for row in file.read_text(encoding="utf-8").splitlines()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="all, which takes ten minutes")
    parser.add_argument("--talks", type=Path, nargs="+", help="files of labelled conversations")
    parser.add_argument("--answers", type=Path, help="where the answers are kept")
    parser.add_argument("--wrong", type=Path, help="where to list what was read otherwise")
    asked = parser.parse_args()
    unseen = HERE / "unseen"
    talks = [row["turns"] for row in _rows(asked.talks or sorted(unseen.glob("talks_*.jsonl")))]
    talks = talks if asked.all or asked.talks else talks[::TALKS_EVERY]
    turns = read_talks(talks, asked.answers)
    first = {id(rows[0]) for rows in talks}
    reads: dict[str, list[Read]] = {"first turns": [], "later turns": []}
    for read in turns:
        reads["first turns" if id(read.row) in first else "later turns"].append(read)
    if not asked.talks:
        singles = _rows([unseen / "asked_g0.jsonl", unseen / "asked_g2.jsonl"])
        singles = [row for row in singles if not row.get("after")][:: 1 if asked.all else SINGLES_EVERY]
        reads["single questions"] = list(map(read_alone, singles))
    for name, given in reads.items():
        print(line(name, given))
    if asked.wrong:
        asked.wrong.write_text("".join(_told(read) for given in reads.values() for read in given), "utf-8")
    return 0


def _told(read: Read) -> str:
    if read.main and read.subject is not False:
        return ""
    found = [(slot.role.value, slot.value) for slot in read.query.slots if slot.role in SUBJECTS]
    return f"{json.dumps(read.row, ensure_ascii=False)}\n    {list(map(str, read.query.wants))} {found}\n"


if __name__ == "__main__":
    sys.exit(main())
