"""Our verdicts beside what ONNX Runtime does with the test cases that the onnx package ships.

`python -m tests.corpora.onnxruntime_agreement [FOLDER]` prints the shares and every case that differs; with a
folder, of the .onnx files in it, which are loaded and not run.
"""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import onnx
import onnxruntime
from onnx.backend.test.loader import load_model_tests

from edgewright.hardware_db.errors import EdgewrightError
from edgewright.tools import deployment, parse_model
from edgewright.tools.api.compatibility import score_compatibility
from edgewright.tools.verdicts.verdict import Verdict

_KINDS = ("node", "simple", "pytorch-operator", "pytorch-converted", "light")
_OF_THE_MACHINE = ("Failed to construct locale", "External data path")
"""What a refusal says that another machine, or the weights beside the file, would not make."""
RUNS = {Verdict.PASS: True, Verdict.MARGINAL: True, Verdict.FAIL: False, Verdict.UNKNOWN: None}


@dataclass(frozen=True)
class Case:
    """A model beside its verdict; `ours` is None where nothing is said."""

    name: str
    ours: bool | None
    runs: bool
    why: str
    """What we say against it, or what ONNX Runtime says."""

    @property
    def of_the_machine(self) -> bool:
        return any(said in self.why for said in _OF_THE_MACHINE)

    @property
    def outcome(self) -> str:
        match self.ours:
            case None:
                return "UNKNOWN"
            case said if said == self.runs:
                return "right"
            case True:
                return "false PASS"
        return "false FAIL"


def backend_cases() -> Iterator[tuple[str, bytes]]:
    """The backend tests of the onnx package, those of training apart."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = [case for kind in _KINDS for case in load_model_tests(kind=kind)]
    for case in cases:
        if case.model is not None:
            yield case.name, case.model.SerializeToString()
        elif case.model_dir is not None:
            yield case.name, Path(case.model_dir, "model.onnx").read_bytes()


def judged(name: str, model: bytes) -> Case:
    runs, said = loads(model)
    ours, against = verdict(model)
    return Case(name, ours, runs, said if ours else against)


def loads(model: bytes) -> tuple[bool, str]:
    """Whether ONNX Runtime makes a session of it, for which it looks up the kernel of every operator."""
    options: Any = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    try:
        onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except Exception as refused:
        return False, str(refused).splitlines()[0][:300]
    return True, ""


def verdict(model: bytes) -> tuple[bool | None, str]:
    where = deployment("host-x86-64", runtime="onnxruntime")
    try:
        report = score_compatibility(parse_model(model), where)
    except EdgewrightError as refused:
        return False, f"refused: {refused}"
    against = [f"{op.op} {op.reason}" for op in report.ops if not op.supported]
    return RUNS[report.verdict], "; ".join(against)[:400]


def main(folder: str | None = None) -> None:
    print(f"onnxruntime {onnxruntime.__version__}, onnx {onnx.__version__}")
    models = backend_cases() if folder is None else _files(Path(folder))
    cases = [case for case in (judged(name, model) for name, model in models) if not case.of_the_machine]
    counts = Counter(case.outcome for case in cases)
    for outcome in ("false PASS", "false FAIL", "UNKNOWN", "right"):
        print(f"{outcome:12}{counts[outcome]:6}{counts[outcome] / len(cases):8.2%}")
    for case in sorted(cases, key=lambda each: (each.outcome, each.name)):
        if case.outcome != "right":
            print(f"{case.outcome:12}{case.name}: {case.why}")


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for file in sorted(folder.rglob("*.onnx")):
        with contextlib.suppress(OSError):
            yield file.name, file.read_bytes()


if __name__ == "__main__":
    main(*sys.argv[1:])
