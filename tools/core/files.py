"""Files to read, which have an end, and files written, which get their name when they are complete."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO

from ...hardware_db.errors import EdgewrightError, InputError, UsageError


def regular_file(path: str | os.PathLike[str]) -> Path:
    """The path of a file to read: pipes and devices, which need not end, are no such files.

    Raises:
        InputError: it is there and is no regular file.
    """
    given = Path(path)
    with contextlib.suppress(OSError, ValueError):
        if not stat.S_ISREG(given.stat().st_mode):
            raise InputError(
                f"{str(path)!r} cannot be read: it is no regular file.", hint="Copy what it holds into one."
            )
    return given


def file_named(name: str | os.PathLike[str], folder: Path | None = None) -> Path | None:
    """The file that a name means, which a plan or a table may hold; None where there is none, as for a name
    that no file could have.

    Args:
        folder: what the name is read from; None takes the working directory.
    """
    path = (folder or Path()) / os.path.expanduser(name)
    return path if os.path.isfile(path) else None


def save_whole(
    content: bytes | str | Callable[[], bytes], path: str | os.PathLike[str], *, force: bool = False
) -> int:
    """Write `content` to `path`, and return the number of bytes.

    Args:
        content: text is written as UTF-8; a function is called only once the path is known to be free.
        path: its folder must be there.
        force: overwrite a file.

    Raises:
        UsageError: the file exists and `force` is not set, it is a folder, or its folder is missing or takes
            no new files.
        EdgewrightError: the disk is full.
    """
    target = Path(path)
    if target.is_dir():
        raise UsageError(f"{str(target)!r} is a folder.", hint="Give the name of a file in it.")
    if target.exists() and not force:
        raise _there_already(target)
    if not target.parent.is_dir():
        raise UsageError(f"There is no folder {str(target.parent)!r}.", hint="Make it first.")
    data = content() if callable(content) else content.encode() if isinstance(content, str) else content
    with whole_file(target, new=not force) as file:
        file.write(data)
    return len(data)


def _there_already(path: Path) -> UsageError:
    return UsageError(f"{str(path)!r} exists already.", hint="Overwrite it with --force (force=True).")


def made_folder(folder: Path) -> Path:
    """The folder, made with those above it where it is not there.

    Raises:
        UsageError: it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"{str(folder)!r} cannot be made: {error.strerror}.", hint="Choose another folder."
        ) from None
    return folder


_NOTHING_LEFT = "Nothing was left behind."
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def not_written(written: str, folder: Path, error: OSError, state: str = _NOTHING_LEFT) -> EdgewrightError:
    """A disk that is full, or a folder that takes no new files: one that is read-only, or /proc.

    Args:
        written: what was to be written.
        state: what is there now.
    """
    if error.errno in _FULL:
        return EdgewrightError(
            f"{written} could not be written: {error.strerror}.",
            hint=f"{state} Free some space or choose another folder.",
        )
    why = "" if error.errno == errno.ENOENT else f" ({error.strerror})"
    return UsageError(
        f"{written} could not be written: the folder {str(folder)!r} takes no new files{why}.",
        hint=f"{state} Choose another folder.",
    )


@contextlib.contextmanager
def whole_file(path: Path, *, state: str = _NOTHING_LEFT, new: bool = False) -> Iterator[IO[bytes]]:
    """A file that gets its name, in place of one that has it, once all of it is written.

    Args:
        state: what is there where that fails.
        new: never in place of another, not even of one that a second process wrote meanwhile.

    Raises:
        UsageError: the folder takes no new files, or the name of a new one is taken.
        EdgewrightError: the disk is full.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        nameless = _nameless(path.parent)
        with part.open("wb") if nameless is None else os.fdopen(nameless, "wb") as file:
            yield file
            file.flush()
            if nameless is not None:  # a link follows what it stands for
                os.link(f"/proc/self/fd/{nameless}", path if new else part, src_dir_fd=nameless)
        if not new:
            part.replace(path)
        elif nameless is None:
            _name_new(part, path)
    except FileExistsError:
        raise _there_already(path) from None
    except OSError as error:
        raise not_written(repr(str(path)), path.parent, error, state) from error
    finally:
        part.unlink(missing_ok=True)


def _name_new(part: Path, path: Path) -> None:
    """
    Raises:
        FileExistsError: another has the name.
    """
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path)) from None
        part.replace(path)


def _nameless(folder: Path) -> int | None:
    """A file that has no name yet, so that nothing is left of it where the process is killed; None where the
    system or the folder has no such files."""
    flag = getattr(os, "O_TMPFILE", 0)
    if not flag or not os.path.isdir("/proc/self/fd"):
        return None
    try:
        return os.open(folder, flag | os.O_RDWR, 0o666)
    except OSError as error:
        if error.errno in (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL):
            return None
        raise


def save_all(
    files: Mapping[str, bytes | str], folder: str | os.PathLike[str], *, force: bool = False
) -> tuple[str, ...]:
    """Write all files into `folder`, which is made if it is not there, and return their paths.

    Every file is whole before the first gets its name, which is the last of them.

    Raises:
        UsageError: the folder is a file, or the folder above it does not exist; or a file exists and `force`
            is not set; or the folder takes no new files. Nothing is left behind then.
        EdgewrightError: the disk is full. Nothing is left behind then.
    """
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise UsageError(f"{str(target)!r} is a file.", hint="Give a folder.")
    if not target.parent.is_dir():
        raise UsageError(f"There is no folder {str(target.parent)!r}.", hint="Make it first.")
    there = [name for name in files if (target / name).exists() or (target / name).is_symlink()]
    if there and not force:
        raise UsageError(
            f"{', '.join(there)} in {str(target)!r} would be overwritten.",
            hint="Say so with --force (force=True).",
        )
    made = not target.exists()
    try:
        target.mkdir(exist_ok=True)
        with contextlib.ExitStack() as written:
            for name, content in files.items():
                (target / name).parent.mkdir(parents=True, exist_ok=True)
                out = written.enter_context(whole_file(target / name))
                out.write(content.encode() if isinstance(content, str) else content)
                out.flush()
    except BaseException as error:
        if made:
            shutil.rmtree(target, ignore_errors=True)
        if isinstance(error, OSError):
            raise not_written("The files", target.parent if made else target, error) from None
        raise
    return tuple(str(target / name) for name in files)
