import json
import subprocess
import sys
from pathlib import Path


def edgewright(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "edgewright.cli", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_own_measurements_keep_the_contract(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text(
        "model_name,input_shape,device,core,runtime,dtype,clock_mhz,latency_ms\n"
        "MobileNetV2,1x224x224x3,Raspberry Pi 4B,Cortex-A72 x1,ncnn,float32,1500,150\n"
        "nobody knows,,Raspberry Pi 4B,Cortex-A72 x1,ncnn,float32,1500,150\n",
        encoding="utf-8",
    )
    run = edgewright("validate", "--against", file, "--json")
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert list(found) == ["schema_version", "tool", "inputs", "result", "assumptions", "warnings"]
    assert found["inputs"]["against"] == str(file)
    summary, group = found["result"]["groups"]
    assert (summary["class"], summary["runtime"], summary["scheme"]) == ("cpu", "all", "against")
    assert (group["runtime"], group["n"], group["models"]) == ("ncnn", 1, 1)
    assert found["result"]["unpredicted"][0]["ids"] == ["line 3"]


def test_a_table_that_is_not_there_is_one_line() -> None:
    run = edgewright("validate", "--against", "/none.csv")
    assert run.returncode == 3
    assert run.stderr.startswith("edgewright: '/none.csv' cannot be read")
