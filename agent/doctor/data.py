"""Whether hardware, coefficients and what the user set can be read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from ...hardware_db.coefficients import load_coefficients
from ...hardware_db.coefficients.flash import load_flash_fit
from ...hardware_db.configuration import (
    HARDWARE_VARIABLE,
    Configuration,
    configuration_file,
    read_configuration,
)
from ...hardware_db.errors import EdgewrightError
from ...hardware_db.index import user_problems
from ...hardware_db.loader import load_runtime, load_target, shipped_ids
from ...hardware_db.measurements import digest, rows
from ...hardware_db.user_files import Directories, directories, user_files
from ...tools.ethos_u.process import vela_version
from ..llm.endpoint_address import checked_url, shown_url
from .findings import Finding, Grade, broken

_AGAIN = "Install edgewright again: pip install --force-reinstall . in its checkout"


def hardware(own: Directories | None = None) -> Iterator[Finding]:
    """Whether what ships can be read; None of the user's own directories takes those of the configuration."""
    unread = own is None and _configuration_problem()
    yield _not_read() if unread else _read("database", partial(_database, own))
    yield _read("coefficients", _coefficients)
    yield _vela()


def _read(about: str, read: Callable[[], str]) -> Finding:
    """What `read` tells of a part of the package; damage to a file of the package is a problem."""
    try:
        return Finding(area="hardware", about=about, grade=Grade.OK, found=read())
    except (EdgewrightError, OSError, ValueError) as error:
        message = error.message if isinstance(error, EdgewrightError) else str(error).partition("\n")[0]
        return Finding(
            area="hardware", about=about, grade=Grade.PROBLEM, found=f"cannot be read: {message}",
            next_step=_AGAIN,
        )  # fmt: skip


def _not_read() -> Finding:
    found = f"{len(shipped_ids('target'))} targets are there; whether they load is not known yet"
    step = "Mend the configuration first: nothing loads without it"
    return Finding(area="hardware", about="database", grade=Grade.NOTE, found=found, next_step=step)


def _database(where: Directories | None) -> str:
    targets, runtimes = shipped_ids("target"), shipped_ids("runtime")
    own = {*user_files("target", where), *user_files("runtime", where)}
    for name in targets:
        if name not in own:
            load_target(name, where)
    for name in runtimes:
        if name not in own:
            load_runtime(name, where)
    return f"{len(targets)} targets and {len(runtimes)} runtimes load"


def _coefficients() -> str:
    load_flash_fit()
    text = f"fitted to {len(rows()):,} published measurements"
    if load_coefficients().data_sha256 != digest():
        raise ValueError("the coefficients were fitted to other measurements than those that are here")
    return text


def _vela() -> Finding:
    version = vela_version()
    if os.environ.get("EDGEWRIGHT_VELA", "").casefold() == "off":
        found = "switched off by EDGEWRIGHT_VELA; its published limits answer for Ethos-U"
        return Finding(area="hardware", about="vela", grade=Grade.NOTE, found=found)
    found = f"{version} answers for Ethos-U" if version else "none; its published limits answer for Ethos-U"
    return Finding(area="hardware", about="vela", grade=Grade.OK, found=found)


def configuration(own: Directories | None = None) -> Iterator[Finding]:
    """The file, what it sets, and the directories of the user's own hardware."""
    file = configuration_file()
    try:
        configured = read_configuration()
    except EdgewrightError as error:
        yield broken("configuration", "file", error)
        return
    yield _file(file, configured)
    try:
        places = directories() if own is None else own
    except EdgewrightError as error:
        yield broken("configuration", "hardware directories", error)
        return
    for place in places:
        yield _directory(place)
    for problem in user_problems(places):
        yield broken("configuration", Path(problem.file).name or "hardware file", problem)


def _configuration_problem() -> bool:
    try:
        directories()
    except EdgewrightError:
        return True
    return False


def _file(file: Path | None, configured: Configuration) -> Finding:
    if file is None or not file.exists():
        where = "there is no home directory" if file is None else f"{file} does not exist"
        found = f"none: {where}; everything is at its default"
        return Finding(area="configuration", about="file", grade=Grade.OK, found=found)
    sets = ", ".join(_sets(configured)) or "nothing"
    return Finding(area="configuration", about="file", grade=Grade.OK, found=f"{file} sets {sets}")


def _sets(configured: Configuration) -> Iterator[str]:
    llm = configured.llm
    if configured.hardware_dirs and not os.environ.get(HARDWARE_VARIABLE):
        yield f"hardware_dirs = {', '.join(map(str, configured.hardware_dirs))}"
    if llm.model:
        yield f"llm.model = {llm.model}"
    if llm.base_url:
        yield f"llm.base_url = {safe_url(llm.base_url)}"
    if llm.api_key_variable:
        yield f"llm.api_key_variable = {llm.api_key_variable}"


def safe_url(url: str) -> str:
    """For eyes: a user, a password or a query may be secret."""
    try:
        return shown_url(checked_url(url))
    except EdgewrightError:
        return "no address"


def _directory(place: Path) -> Finding:
    names = [*user_files("target", (place,)), *user_files("runtime", (place,))]
    shadowed = sorted({*names} & {*shipped_ids("target"), *shipped_ids("runtime")})
    found = f"{place}: {len(names)} files" + (f": {', '.join(names[:8])}" if names else "")
    if shadowed:
        found += f"; instead of ours: {', '.join(shadowed[:8])}"
    grade = Grade.OK if names and not shadowed else Grade.NOTE
    step = "" if names else "edgewright targets add NAME --like TARGET -o DIRECTORY writes one"
    return Finding(area="configuration", about="hardware directory", grade=grade, found=found, next_step=step)
