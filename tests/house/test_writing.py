"""One writer: what the package writes for a user gets its name when all of it is written."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WRITER = "tools/core/files.py"
REQUESTS = {
    "tools/api/kept_figures.py", "tools/conversion/convert.py", "tools/host_runs/candidates.py",
    "tools/host_runs/ceilings.py", "tools/host_runs/golden.py", "tools/host_runs/host.py",
    "tools/optimization_simulator/applied/accuracy.py", "tools/optimization_simulator/applied/apply.py",
    "tools/optimization_simulator/applied/process.py", "tools/sweep/job.py",
}  # fmt: skip
"""Into a temporary folder of their own, for a process that they start."""
DEVELOPERS = (
    "hardware_db/generate.py", "hardware_db/registered_onnxruntime.py", "tools/calibration/arenas.py",
    "tools/calibration/fit/", "tools/calibration/importer.py", "tools/calibration/work.py",
    "tools/model_zoo/builders.py",
)  # fmt: skip
"""What `make calibrate` and the like write into the checkout."""
OTHERS = {
    "cli.py": 'open(os.devnull, "w")',
    "tools/core/mending.py": "a copy of what is damaged",
    "agent/sessions/mending.py": "the same",
    "tools/core/platform.py": "a lock, which holds nothing",
}


def written_by(file: Path) -> Iterator[int]:
    """Lines that write a file by its name."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Attribute(attr="write_text" | "write_bytes" | "copy2" | "copyfile" | "copy_tree"):
                yield node.lineno
            case ast.Attribute(attr="open") | ast.Name(id="open"):
                modes = [
                    each.value
                    for each in (*node.args, *(k.value for k in node.keywords if k.arg == "mode"))
                    if isinstance(each, ast.Constant) and isinstance(each.value, str)
                ]
                if any(
                    len(mode) <= 3 and set(mode) & set("wax") and set(mode) <= set("wabxt+") for mode in modes
                ):
                    yield node.lineno


def test_what_is_written_for_a_user_goes_through_one_writer() -> None:
    files = [
        path
        for top in ("agent", "commands", "hardware_db", "prompts", "tools")
        for path in sorted((ROOT / top).rglob("*.py"))
    ] + [ROOT / "cli.py", ROOT / "start.py"]
    names = {path.relative_to(ROOT).as_posix(): path for path in files}
    found = {
        f"{name}:{line}"
        for name, path in names.items()
        if name not in {WRITER, *REQUESTS, *OTHERS}
        and not name.startswith(DEVELOPERS)
        and "worker" not in path.stem
        for line in written_by(path)
    }
    assert found == set()
    assert [*written_by(ROOT / WRITER)]
    assert {*REQUESTS, *OTHERS} <= {*names}
