"""Stands for the interpreter of a converter: it writes the file that lies beside it, and doubles its samples.

What it is asked for is noted, so that a test sees what a real one would have been given.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
import zipfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent


def main() -> None:
    request = json.loads(Path("request.json").read_text())
    asked = json.loads((HERE / "asked.json").read_text()) if (HERE / "asked.json").exists() else []
    held = zipfile.ZipFile(request["file"]).infolist() if request["source"] == "pt2" else []
    request["members"] = {member.filename: member.file_size for member in held}
    (HERE / "asked.json").write_text(json.dumps([*asked, request]))
    if (HERE / "fails").exists():
        raise ValueError("no rule for this operator")
    if (HERE / "hangs").exists():
        time.sleep(600)
    if request["step"] == "convert":
        shutil.copyfile(HERE / "made.tflite", "converted.tflite")
        shutil.copyfile(HERE / "inputs.json", "inputs.json")
        return
    with np.load("samples.npz") as loaded:
        np.savez("outputs.npz", np.load(HERE / "outputs.npy")[: len(loaded["arr_0"])])


if __name__ == "__main__":
    sys.exit(main())
