"""The notebook runs from top to bottom, and its outputs are those that are stored in it."""

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOK = Path(__file__).resolve().parents[2] / "docs" / "python.ipynb"
LARGEST_BYTES = 100_000


def outputs(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """What a notebook shows below a cell: what it prints, and the value of its last line."""
    body = ast.parse(source).body
    last = body.pop() if isinstance(body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), "<cell>", "exec"), names)
        value = None if last is None else eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
    shown = [
        {"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(keepends=True)}
    ]
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = value._repr_html_().splitlines(keepends=True)
        shown.append({"data": data, "execution_count": None, "metadata": {}, "output_type": "execute_result"})
    return shown if printed.getvalue() else shown[1:]


def test_the_notebook_shows_what_its_cells_give(update_snapshots: bool) -> None:
    stored = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    wrong = []
    for cell in (cell for cell in stored["cells"] if cell["cell_type"] == "code"):
        now = outputs("".join(cell["source"]), names)
        if cell["outputs"] != now:
            wrong.append((cell["id"], now))
            cell["outputs"] = now
    if update_snapshots:
        NOTEBOOK.write_text(json.dumps(stored, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        return
    if wrong:
        pytest.fail(
            f"{NOTEBOOK.name} is stale (refresh it with --update-snapshots): {wrong}"[:4000], pytrace=False
        )


def test_the_notebook_is_small() -> None:
    assert NOTEBOOK.stat().st_size < LARGEST_BYTES
