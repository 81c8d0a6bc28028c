"""What cannot be written says why, and nothing is left behind."""

import errno
import os
from pathlib import Path

import pytest

from edgewright.hardware_db.errors import EdgewrightError, UsageError
from edgewright.tools import add_target
from edgewright.tools.core.files import save_all, save_whole


@pytest.mark.parametrize(
    ("cause", "kind", "advice"),
    [
        (errno.ENOSPC, EdgewrightError, "Free some space"),
        (errno.EROFS, UsageError, "takes no new files (Read-only file system)"),
        (errno.EACCES, UsageError, "takes no new files (Permission denied)"),
        (errno.ENOENT, UsageError, "takes no new files."),
    ],
)
def test_a_full_disk_asks_for_space_and_a_folder_that_takes_no_files_for_another(
    cause: int, kind: type[EdgewrightError], advice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(cause, os.strerror(cause))

    monkeypatch.setattr(Path, "open", refuse)
    monkeypatch.setattr(os, "replace", refuse)
    monkeypatch.setattr(os, "link", refuse)
    for write in (
        lambda: save_whole(b"model", tmp_path / "kws.tflite"),
        lambda: save_all({"a": b"1"}, tmp_path),
    ):
        with pytest.raises(EdgewrightError) as raised:
            write()
        assert type(raised.value) is kind
        assert advice in str(raised.value)
        assert ("space" in str(raised.value)) == (cause == errno.ENOSPC)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="there is no /proc")
def test_proc_takes_no_new_files() -> None:
    with pytest.raises(UsageError, match="takes no new files"):
        save_whole(b"model", "/proc/kws.tflite")
    with pytest.raises(UsageError, match="takes no new files"):
        save_all({"a.csv": "1"}, "/proc/tables")


@pytest.mark.parametrize("nameless", [True, False])
def test_a_new_file_never_takes_the_place_of_one_that_another_process_wrote_meanwhile(
    nameless: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not nameless:
        monkeypatch.setattr("edgewright.tools.core.files._nameless", lambda _folder: None)
    path = tmp_path / "kws.tflite"

    def slow() -> bytes:
        path.write_bytes(b"theirs")
        return b"ours"

    with pytest.raises(UsageError, match="exists already"):
        save_whole(slow, path)
    assert path.read_bytes() == b"theirs"
    assert [*tmp_path.iterdir()] == [path]
    assert save_whole(b"ours", path, force=True) == 4
    assert path.read_bytes() == b"ours"
    assert [*tmp_path.iterdir()] == [path]


def test_a_file_system_without_links_takes_new_files_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_links(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr("edgewright.tools.core.files._nameless", lambda _folder: None)
    monkeypatch.setattr(os, "link", no_links)
    save_whole(b"model", tmp_path / "kws.tflite")
    with pytest.raises(UsageError, match="exists already"):
        save_whole(b"other", tmp_path / "kws.tflite")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"model"]


def test_a_board_that_cannot_be_written_whole_leaves_the_one_that_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = add_target("drone", like="nrf52840", directory=tmp_path / "boards", source="manual")
    before = board.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(EdgewrightError, match="could not be written"):
        add_target("drone", like="rp2040", directory=tmp_path / "boards", source="manual", force=True)
    assert board.read_bytes() == before
    assert [*board.parent.iterdir()] == [board]
