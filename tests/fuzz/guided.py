"""`python -m tests.fuzz.guided FORMAT [options of libFuzzer]`: files that reach new code are damaged further.

With atheris, which instruments the package as it is imported. Stops at the first file that is neither read nor
refused with an error of the package's own, and keeps it; `-max_total_time=60` ends it after a minute.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
import tempfile
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))  # where the stubs are
FOUND = ROOT / ".build" / "fuzz" / "guided"


def main() -> None:
    atheris = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["edgewright"]):
        from edgewright.tools import EdgewrightError
        from tests.fuzz.formats import FORMATS, LARGEST_BYTES, seeds

    name, *options = sys.argv[1:] or ["tflite"]
    kind, corpus = FORMATS[name], FOUND / name.replace(" ", "-")
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(name)):
        (corpus / f"seed-{number}").write_bytes(seed)
    folder = Path(tempfile.mkdtemp(prefix="edgewright-guided-"))

    def read(content: bytes) -> None:
        path = folder / f"model{kind.suffix}"
        path.write_bytes(content)
        with contextlib.suppress(EdgewrightError):
            kind.read(path)

    def damaged(content: bytes, most: int, seed: int) -> bytes:
        return kind.change(content, Random(seed))[:most]

    limits = ["-timeout=10", "-rss_limit_mb=2048", f"-max_len={LARGEST_BYTES}", f"-artifact_prefix={FOUND}/"]
    atheris.Setup([sys.argv[0], *limits, *options, str(corpus)], read, custom_mutator=damaged)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
