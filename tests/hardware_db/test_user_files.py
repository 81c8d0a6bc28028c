import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from edgewright.hardware_db import load_target, resolve_target, target_ids
from edgewright.hardware_db.errors import HardwareFileError, InputError, UsageError
from edgewright.hardware_db.index import user_problems
from edgewright.hardware_db.loader import TARGETS_DIR
from edgewright.hardware_db.user_files import set_default
from edgewright.tools import estimate_performance, get_target, list_targets, plan_memory

Write = Callable[[str, str], None]


@pytest.fixture
def write(tmp_path: Path) -> Iterator[Write]:
    """Puts a file into a user's directory that is in use."""
    (tmp_path / "runtimes").mkdir()

    def add(name: str, text: str) -> None:
        (tmp_path / name).write_text(text)
        folder = tmp_path.with_name(f"{tmp_path.name}-{len(list(tmp_path.rglob('*.yaml')))}")
        folder.symlink_to(tmp_path)
        set_default([folder])

    set_default([tmp_path])
    yield add
    set_default(None)


VARIANT = """\
extends: stm32h743zi
id: drone-board
name: Drone board
aliases: [Our drone]
sources:
  schematic: {title: Drone board schematic, where: boards/drone.pdf sheet 2, date: 2026-01-01, kind: board-file}
cores:
- id: cm7
  clock_max_mhz: {value: 400, unit: MHz, source: schematic, locator: clock tree}
"""


def test_a_board_of_ones_own_says_only_where_it_differs(write: Write) -> None:
    write("drone-board.yaml", VARIANT)
    board, chip = resolve_target("our drone"), load_target("stm32h743zi")
    assert board.cores[0].clock_max_mhz.value == 400
    assert board.cores[0].isa == chip.cores[0].isa
    assert board.memories == chip.memories
    assert "drone-board" in target_ids()
    assert "drone-board" in {t.id for t in list_targets().targets}
    assert plan_memory("kws", "drone-board").fits


def test_the_shipped_target_keeps_its_names_beside_its_variant(write: Write) -> None:
    write("drone-board.yaml", VARIANT)
    assert resolve_target("Nucleo H743").id == "stm32h743zi"
    assert "drone-board" in {t.id for t in list_targets(core="cortex-m7").targets}


def test_a_file_of_a_shipped_id_goes_before_it(write: Write) -> None:
    write(
        "stm32h743zi.yaml",
        VARIANT.replace("id: drone-board", "id: stm32h743zi").replace("aliases: [Our drone]\n", ""),
    )
    assert load_target("stm32h743zi").cores[0].clock_max_mhz.value == 400
    assert get_target("Nucleo H743").clock_max_mhz == 400


POWERED = """\
extends: nrf52840
id: sensor-node
name: Sensor node
sources:
  own: {title: Our power meter, where: lab notebook, date: 2026-01-01, kind: measured}
supply_v: {value: 3, unit: V, source: own, locator: bench supply}
power:
- id: run
  active_ua_per_mhz: {value: 52, unit: µA/MHz, source: own, locator: page 2}
price_usd: {value: 4.5, unit: USD, source: own, locator: invoice}
"""


def test_adding_power_and_a_price_to_a_target_leaves_its_latency(write: Write) -> None:
    write("sensor-node.yaml", POWERED)
    node, chip = (estimate_performance("kws", name) for name in ("sensor-node", "nrf52840"))
    assert node.latency_ms == chip.latency_ms
    assert node.power_mw.value is not None


def test_a_board_with_other_silicon_is_not_taken_for_the_one_that_was_measured(write: Write) -> None:
    write("drone-board.yaml", VARIANT)
    assert load_target("drone-board").measured_as == "drone-board"


def test_files_that_extend_each_other_are_told_as_a_circle(write: Write) -> None:
    write("one.yaml", "extends: two\nid: one\n")
    write("two.yaml", "extends: one\nid: two\n")
    with pytest.raises(HardwareFileError, match="circle"):
        load_target("one")


def test_a_base_that_is_not_there_is_named_with_the_nearest(write: Write) -> None:
    write("one.yaml", "extends: stm32h743\nid: one\n")
    with pytest.raises(HardwareFileError, match="stm32h743zi"):
        load_target("one")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("id: bad\nname: Bad\nflavour: sweet\n", "flavour"),
        (VARIANT.replace("id: drone-board", "id: bad").replace("value: 400", "value: -400"), "clock_max_mhz"),
        ("id: &a [*a]\n", "bad.yaml"),
        ("id: !!python/object/apply:os.system ['true']\n", "bad.yaml"),
    ],
)
def test_a_broken_file_is_told_and_the_shipped_database_works_on(write: Write, text: str, told: str) -> None:
    write("bad.yaml", text)
    assert load_target("stm32l4r5zi").id == "stm32l4r5zi"
    assert "bad" not in {t.id for t in list_targets().targets}
    (problem,) = user_problems()
    assert told in str(problem)
    with pytest.raises(HardwareFileError):
        load_target("bad")


def test_a_directory_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        set_default([tmp_path / "nowhere"])


def test_a_board_without_a_core_is_told_so(write: Write) -> None:
    shipped = (TARGETS_DIR / "mt7621a.yaml").read_text()
    bare = re.sub(r"(?ms)^cores:.*?^memories:", "cores: []\nmemories:", shipped)
    write("bare.yaml", re.sub(r"(?m)^(id|name): .*$", r"\1: bare", bare))
    with pytest.raises(InputError, match="bare has no core to run on"):
        plan_memory("kws", "bare")
