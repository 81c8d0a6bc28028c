"""What cannot be written says why, and nothing is left behind."""

import errno
import os
from pathlib import Path

import pytest

from edgewright.hardware_db.errors import EdgewrightError, UsageError
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
