"""Follows how-to pages in a copy of the repository in which their changes were made: `python -m …newcomer PAGES`.

Prints a JSON document: of each page the steps whose output is another one than the page shows.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from .pages import MODELS, follow
from .reader import Reader


def main(pages: list[str]) -> None:
    found = {}
    for page in pages:
        reader = Reader(Path.cwd())
        for model in MODELS:
            reader.command(f"edgewright models write {model} -o {model}.tflite --force")
        found[page] = [
            (step._asdict(), printed) for step, printed in follow(Path(page), reader, written=True)
        ]
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1:])
