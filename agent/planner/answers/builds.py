"""What makes a build fail that oversteps a limit, or takes more than the version before: ready to paste."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache

from ....hardware_db.errors import LimitsError
from ....tools.core.records import dataclass
from ...pages import sections_of
from ...patterns import compiled
from ...registry import tool_named
from ...spelling import Option
from ..bench import Answering, is_named
from ..query import LIMITS, Query, Role
from ..want import Want
from ..words import patterns
from .passages import quoted
from .phrases import joined, lines, said

_SAYS = patterns("builds")
_SYSTEMS = {
    "github": ".github/workflows/edge-check.yaml", "gitlab": ".gitlab-ci.yml", "jenkins": "Jenkinsfile",
    "make": "Makefile", "hook": ".git/hooks/pre-commit",
}  # fmt: skip
"""What the words call it, and the title of the block on the page that shows its job."""
_REPORTS = {"junit": "junit > junit.xml", "sarif": "sarif > check.sarif", "comment": "markdown > check.md"}
_FIGURES = ("arena", "latency", "energy", "model")
"""As a budget file calls what may not grow."""
_EXACT = (Role.RAM_BYTES, Role.PRICE_USD)
"""Limits of what is no estimate."""
_SETTINGS = {Role.RUNTIME: "-r {}", Role.CLOCK_MHZ: "--clock {}MHz", Role.BATCH: "--batch {}"}
_UNITS = {"ms": "ms", "hz": "/s", "bytes": "B", "uj": "uJ", "mw": "mW", "usd": "USD"}
"""How the name of a limit ends, and how its unit is typed."""
_TYPED = compiled(r"[\w./µ]+")
_PERCENT = compiled(r"(\d+(?:\.\d+)?) ?(?:%|per ?cent)", re.IGNORECASE)
_BLOCK = compiled(r'^```\w+ title="(?P<title>[^"]+)"\n.*?^```$', re.DOTALL | re.MULTILINE)
_CHECK = compiled(r"^(?P<before>.*?)edgewright check [^'#\n]*(?P<after>'?)$", re.MULTILINE)


@dataclass(frozen=True)
class Checks:
    """Lines of a shell, and how they end."""

    commands: tuple[str, ...]
    ends: str


@cache
def _options() -> Mapping[Role, Option]:
    """How a limit is typed; a figure that is claimed is held against the same."""
    options = tool_named("check_constraints").arguments.options()
    found = {role: options[role.value] for role in LIMITS}
    return found | {Role.CLAIMED_MS: found[Role.LATENCY_MS], Role.CLAIMED_UJ: found[Role.ENERGY_UJ]}


def asks(query: Query) -> bool:
    """Whether a build is to fail where a limit is overstepped, or the command is asked for that tells it."""
    says = {name for name in ("build", "fails", "checks") if _SAYS[name].search(query.question)}
    if not says:
        return False
    limits = tuple(_options())
    if "build" in says and says & {"fails", "checks"}:
        named = bool(_allowed(query) and query.says(Role.TARGET, Role.MODEL))
        if "fails" in says or named or query.says(*limits):
            return named or query.says(*limits)
    if Want.PRODUCT in query.wants:
        return query.says(*limits) or (query.has(*limits) and "build" in says)
    return False


def job(query: Query, _wants: Sequence[Want]) -> Answering:
    """The job of the system that is named, or the command alone, with what the question names."""
    yield from ()
    checks = _against_before(query) if not query.has(*_options()) else check(query)
    title = next((_SYSTEMS[name] for name in _SYSTEMS if _SAYS[name].search(query.question)), "")
    offline = _offline() if _SAYS["offline"].search(query.question) else ""
    if not title:
        return lines(told(checks), offline, "" if offline else "From docs/ci.md.")
    block, place = _blocks()[title]
    first = told(checks) if len(checks.commands) == 1 else f"Each check {checks.ends}"
    block = block.replace(_INSTALL, f"{_INSTALL.partition('./')[0]}{_FROM_FOLDER}") if offline else block
    return lines(first, _filled(block, checks.commands), f"From {place}.", offline)


_INSTALL, _FROM_FOLDER = "pip install ./edgewright", "--no-index --find-links wheelhouse edgewright"


def _offline() -> str:
    """How a runner without internet gets what it needs, by the page."""
    section = next(one for one in sections_of("ci.md") if one.heading == "A runner without internet")
    return lines(quoted(section), section.text.rpartition("\n\n")[2])


def told(checks: Checks) -> str:
    """One command within its sentence, several in a block."""
    if len(checks.commands) == 1:
        return f"`{checks.commands[0]}` {checks.ends}"
    return "\n".join([f"Each {checks.ends}", "```sh", "set -e", *checks.commands, "```"])


@cache
def _blocks() -> Mapping[str, tuple[str, str]]:
    """Title → block of code of the page, and where it stands."""
    return {
        found["title"]: (found[0], section.place)
        for section in sections_of("ci.md")
        for found in _BLOCK.finditer(section.text)
    }


def _filled(block: str, commands: Sequence[str]) -> str:
    """A job with these commands in place of the page's own."""
    doubled = [one.replace("$", "$$") if f'"{_SYSTEMS["make"]}"' in block else one for one in commands]
    return _CHECK.sub(lambda at: "\n".join(f"{at['before']}{one}{at['after']}" for one in doubled), block)


def check(query: Query) -> Checks:
    """The command that judges the limits of the question, and how it ends."""
    limits = [(role, option) for role, option in _options().items() if query.has(role)]
    flags = " ".join(f"{option.names[0]} {_value(query, role)}" for role, option in limits)
    in_words = joined((said(query, role) for role, _ in limits), "or") or "a limit"
    targets = _targets(query)
    board = said(query, Role.TARGET) if query.says(Role.TARGET) else ""
    called = f" on {board}" if limits and board and [board] != targets and len(targets) == 1 else ""
    estimated = any(role not in _EXACT for role, _ in limits)
    passes = ", and passes where only the interval reaches over it" if estimated else ""
    ends = f"ends with exit code 10 where {in_words}{called} fails, 11 where one cannot be known{passes}."
    commands = (
        f"edgewright check {model} -t {target} {_settings(query)}{flags}{_report(query)}"
        for model in _models(query)
        for target in targets
    )
    if not query.has(Role.MODEL) and patterns("commands")["folder"].search(query.question):
        return Checks(tuple(f"for model in *.tflite; do {one} || exit; done" for one in commands), ends)
    return Checks(tuple(commands), ends)


def _allowed(query: Query) -> str:
    """How much more than the version before is allowed, as it is typed; empty where none of that is asked."""
    if not _SAYS["grows"].search(query.question):
        return ""
    percent = _PERCENT.search(query.question)
    return f"{percent[1] if percent else 0}%"


def _against_before(query: Query) -> Checks:
    """The command that compares with the version before; one figure alone needs a budget file."""
    allowed, model = _allowed(query), _models(query)[0]
    figure = next((name for name in _FIGURES if _SAYS[name].search(query.question)), "")
    asked = "--budget budget.yaml" if figure else f"--max-regression {allowed}"
    file = f"; budget.yaml holds `regression: {{{figure}: {allowed}}}`" if figure else ""
    takes = f"{figure or 'a figure'} takes over {allowed} more than on main"
    options = f"{_settings(query)}{asked} --baseline before.tflite{_report(query)}"
    return Checks(
        (
            f"git fetch --depth 1 origin main && git show FETCH_HEAD:{model} > before.tflite",
            *(f"edgewright check {model} -t {target} {options}" for target in _targets(query)),
        ),
        f"ends with exit code 10 where {takes}{file}.",
    )


def _report(query: Query) -> str:
    named = next((name for name in _REPORTS if _SAYS[name].search(query.question)), "")
    return f" --format {_REPORTS[named]}" if named else ""


def _settings(query: Query) -> str:
    """The kernels, clock and batch that are said, each with a space behind it; of several boards, here."""
    several = len(_targets(query)) > 1
    return "".join(
        f"{text.format(_plain(query, role))} "
        for role, text in _SETTINGS.items()
        if (query.says(role) if several else query.has(role))
    )


def _plain(query: Query, role: Role) -> str:
    number = query.number(role) if role is not Role.RUNTIME else None
    return query.text(role) if number is None else f"{number:g}"


def _value(query: Query, role: Role) -> str:
    """As it was said, where the command takes that for the same; a rate of all streams together."""
    option, number = _options()[role], query.number(role) or 0.0
    words = said(query, role).replace(" ", "")
    if role is Role.RATE_HZ and query.has(Role.DEVICES):
        number *= query.number(Role.DEVICES) or 1.0
    with suppress(LimitsError):
        if _TYPED.fullmatch(words) and abs(float(option.value(words)) - number) <= 1e-6 * number:
            return words
    return f"{number:g}{_UNITS[role.value.rpartition('_')[2]]}"


def _models(query: Query) -> list[str]:
    """A network by name in the type that is said."""
    names = list(dict.fromkeys(query.all(Role.MODEL)))
    dtype = query.text(Role.DTYPE)
    typed = [f"{name}:{dtype}" if dtype and is_named(name) and ":" not in name else name for name in names]
    in_folder = patterns("commands")["folder"].search(query.question) is not None
    return typed or ['"$model"' if in_folder else "MODEL"]


def _targets(query: Query) -> list[str]:
    return list(dict.fromkeys(query.all(Role.TARGET))) or ["TARGET"]
