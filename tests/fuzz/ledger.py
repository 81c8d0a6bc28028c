"""What was tried and found so far, in a file, so that counts go on where they stopped."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from tests.fuzz.formats import FORMATS, Case
from tests.fuzz.trial import Outcome, run


@dataclass
class Tally:
    """Of one format, in parsing or in all tools."""

    next: int = 0
    """Number of the first case that was not tried."""
    taken: int = 0
    calls: int = 0
    found: dict[str, str] = field(default_factory=dict)
    """Each thing that is wrong, and the file that shows it."""
    mended: int = 0


class Ledger:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file = folder / "counts.json"
        kept = json.loads(self._file.read_text()) if self._file.exists() else {}
        self.tallies = {name: Tally(**kept.get(name, {})) for name in sorted(_parts())}

    def save(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        part = self._file.with_suffix(".part")
        part.write_text(json.dumps({name: asdict(tally) for name, tally in self.tallies.items()}, indent=1))
        part.replace(self._file)

    def take(self, outcome: Outcome) -> None:
        """Counts it."""
        case = outcome.case
        tally = self.tallies[f"{case.format}/{case.stage}"]
        tally.next, tally.calls = max(tally.next, case.number + 1), tally.calls + outcome.calls
        tally.taken += outcome.taken
        for told in outcome.wrong:
            label = kind_of(told)
            if label not in tally.found and stands(case, label):
                tally.found[label] = self._kept(minimised(case, label), label, told)

    def _kept(self, case: Case, label: str, told: str) -> str:
        """The smallest case that shows it, as a file and as what makes it again."""
        name = re.sub(r"\W+", "_", f"{case.format}-{case.stage}-{label}")[:120]
        (self.folder / "found").mkdir(parents=True, exist_ok=True)
        file = self.folder / "found" / f"{name}{FORMATS[case.format].suffix}"
        file.write_bytes(case.content())
        file.with_name(f"{name}.json").write_text(json.dumps({"told": told, **asdict(case)}, default=list))
        return file.name

    def replay(self) -> list[str]:
        """Tries again what was found; what no longer shows is mended, and what does is told."""
        told = []
        for name, tally in self.tallies.items():
            for label, file in list(tally.found.items()):
                kept = json.loads((self.folder / "found" / file).with_suffix(".json").read_text())
                said = kept.pop("told")
                case = Case(**kept | {"steps": tuple(kept["steps"])})
                if shows(case, label):
                    told.append(f"{name}: {said} ({file})")
                else:
                    del tally.found[label]
                    tally.mended += 1
        return told


def _parts() -> list[str]:
    return [
        f"{f.name}/{stage}"
        for f in FORMATS.values()
        for stage in ("parse", "ask")
        if stage == "parse" or f.ask
    ]


def kind_of(told: str) -> str:
    """Without the figures and words of the one case."""
    head = re.split(r": (?=\[|\()|, \d", told)[0]
    named = re.match(r"[\w ]+: \w+ at \S+", told)
    return named.group(0) if named else re.sub(r"\d+", "N", head)[:100]


def stands(case: Case, label: str) -> bool:
    """What was slow once, on a machine that others use, is slow if it is so again."""
    is_time = label.endswith(": slow") or label.startswith("process: not done")
    return not is_time or shows(case, label)


def shows(case: Case, label: str) -> bool:
    return any(kind_of(told) == label for outcome in run([case]) for told in outcome.wrong)


def minimised(case: Case, label: str) -> Case:
    """As few of its changes as still show the same."""
    for step in case.steps:
        less = replace(case, steps=tuple(s for s in case.steps if s != step))
        if less.steps != case.steps and shows(less, label):
            case = less
    return case
