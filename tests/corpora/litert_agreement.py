"""Our verdicts beside what LiteRT's interpreter, with XNNPACK, does with .tflite files.

`python -m tests.corpora.litert_agreement FOLDER` prints the shares and every file that differs.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from edgewright.hardware_db.errors import EdgewrightError
from edgewright.tools import deployment, parse_model, score_compatibility

from .onnxruntime_agreement import RUNS, Case

_CHILD = """
import json, os, sys, tempfile
import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType

def run(path):
    resolver = OpResolverType.AUTO if sys.argv[1] == "xnnpack" else OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
    interpreter = Interpreter(model_path=path, num_threads=1, experimental_op_resolver_type=resolver)
    interpreter.allocate_tensors()
    for each in interpreter.get_input_details():
        if each["dtype"] in (np.bytes_, np.object_, np.str_):
            continue
        interpreter.set_tensor(each["index"], np.zeros(each["shape"], each["dtype"]))
    interpreter.invoke()

for line in sys.stdin:
    path = line.rstrip()
    with tempfile.TemporaryFile() as said:
        child = os.fork()
        if child == 0:
            os.dup2(said.fileno(), 1), os.dup2(said.fileno(), 2)
            try:
                run(path)
                os.write(2, b"@invoked")
            except BaseException as error:
                os.write(2, repr(error).encode())
            os._exit(0)
        os.waitpid(child, 0)
        said.seek(0)
        print(json.dumps([path, said.read().decode(errors="replace")]), flush=True)
"""


_BY_ZEROS = re.compile(r"\(\d+ != 0\)|Division by 0|input->bytes >= sizeof")
"""A model whose input is a shape, a divisor or text does not run with zeros for it."""


def interpreted(files: Sequence[Path], kernels: str = "xnnpack") -> Iterator[tuple[Path, bool, str]]:
    """Whether an inference of zeros runs, each in a process of its own: some kernels take it down.

    `kernels` is xnnpack, or builtin for LiteRT's own alone.
    """
    asked = "".join(f"{file}\n" for file in files)
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, kernels], input=asked, capture_output=True, text=True, check=True
    )
    for line in done.stdout.splitlines():
        path, said = json.loads(line)
        runs = said.endswith("@invoked")
        if runs or not _BY_ZEROS.search(said):
            yield Path(path), runs, "" if runs else said[-300:].replace("\n", " ")


def judged(files: Sequence[Path]) -> Iterator[Case]:
    where = deployment("host-x86-64", runtime="litert-xnnpack")
    for file, runs, said in interpreted(files):
        try:
            report = score_compatibility(parse_model(file), where)
        except EdgewrightError as refused:
            yield Case(file.name, False, runs, f"refused: {refused}")
            continue
        against = "; ".join(f"{op.op} {op.reason}" for op in report.ops if not op.supported)
        ours = RUNS[report.verdict]
        yield Case(file.name, ours, runs, said if ours else against[:400])


def main(folder: str) -> None:
    cases = list(judged(sorted(Path(folder).rglob("*.tflite"))))
    counts = Counter(case.outcome for case in cases)
    for outcome in ("false PASS", "false FAIL", "UNKNOWN", "right"):
        print(f"{outcome:12}{counts[outcome]:6}{counts[outcome] / max(len(cases), 1):8.2%}")
    for case in sorted(cases, key=lambda each: (each.outcome, each.name)):
        if case.outcome != "right":
            print(f"{case.outcome:12}{case.name}: {'runs' if case.runs else 'refused'}; {case.why}")


if __name__ == "__main__":
    main(*sys.argv[1:])
