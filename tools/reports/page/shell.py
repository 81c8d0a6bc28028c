"""One HTML file: the deployments, the switch among them, the style, and scripts that alone may run."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from importlib import resources

from ....hardware_db.errors import install_line
from ...core.document import Document
from ...core.render.cells import Cells
from ...core.render.style import STYLE
from ...core.sanitize import clean_text, escape
from ..content import document_of
from ..results import Results
from .fragment import LiveFragment
from .library import EXTRA, library
from .overview import overview

_NO_CHARTS = (
    f"Charts to hover over and zoom in need the charting library: {install_line(EXTRA)}, then make the "
    "page again. The drawings and tables here are complete."
)
_ROOM = 3_700_000
"""Characters of all deployments; the library and what all share take a megabyte more."""
_WITHOUT_SCRIPT = "article.deployment[hidden]{display:block!important}"


def page(views: Sequence[Results], *, charts: bool = True, before: str = "", version: str = "") -> str:
    """One file that opens anywhere and loads nothing.

    Args:
        views: the deployments, the one that is shown at first in front.
        charts: carry the charting library, where it is installed.
        before: HTML that comes first, such as what was asked and answered; nothing in it may run.
        version: of what a server shows, which it is asked for changes of; else the page asks for nothing.
    """
    code = library() if charts else None
    live = _text("live.js") if version else None
    scripts = [part for part in (code, _text("script.js"), live) if part]
    documents = [document_of(view) for view in views]
    title = _title(views, Cells(documents[0]).text(documents[0].title))
    said = _within(documents, live=code is not None)
    articles = "\n".join(
        f'<article class="deployment" id="d{at}" data-at="{at}" {_axes_of(view)}{" hidden" if at else ""}>'
        f"{inside}</article>"
        for at, (view, inside) in enumerate(zip(views, said, strict=True))
    )
    heading = f"<h1>{escape(title)}</h1>" if len(views) > 1 else ""
    without = "" if code or not charts else f'<p class="caption">{escape(_NO_CHARTS)}</p>'
    main = f"{before}{heading}{without}{overview(views, live=code is not None)}\n{articles}"
    return _file(title, _controls(views), main, scripts, version)


def _within(documents: Sequence[Document], *, live: bool) -> list[str]:
    """Each deployment as HTML: in full as far as the page has room, the last ones in brief beyond it."""
    said = [LiveFragment(document, live=live).markup() for document in documents]
    room, at = sum(map(len, said)), len(said)
    while room > _ROOM and at > 1:
        at -= 1
        brief = LiveFragment(documents[at], live=live, brief=True).markup()
        room -= len(said[at]) - len(brief)
        said[at] = brief
    return said


def page_without_figures(title: str, main: str, version: str = "") -> str:
    """What a server shows where there is nothing to show yet: it is asked for changes under `version`."""
    return _file(title, "", main, [_text("live.js")] if version else [], version)


def file_of_charts(title: str, main: str) -> str:
    """A file with charts and no deployment. Only where the charting library is installed."""
    scripts = [part for part in (library(), _text("script.js")) if part]
    return _file(
        clean_text(title),
        _controls([]),
        f'<article class="deployment" id="d0" data-at="0">{main}</article>',
        scripts,
        "",
    )


def _file(title: str, controls: str, main: str, scripts: Sequence[str], version: str) -> str:
    versioned = f' data-version="{escape(version)}"' if version else ""
    return (
        f'<!doctype html>\n<html lang="en"{versioned}><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy(scripts, asks=bool(version))}">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}{_text('style.css')}</style>"
        f"<noscript><style>{_WITHOUT_SCRIPT}</style></noscript></head><body>\n"
        f"{controls}<main>{main}</main>\n"
        f"{''.join(f'<script>{script}</script>' for script in scripts)}\n</body></html>\n"
    )  # fmt: skip


def _title(views: Sequence[Results], alone: str) -> str:
    if len(views) == 1:
        return alone
    models = dict.fromkeys(view.model.name for view in views)
    return clean_text(f"{' and '.join(models)} on {len(views)} deployments")


def _policy(scripts: Sequence[str], *, asks: bool) -> str:
    """No request but to the page's own server, where it has one, and no script but these: whatever a model
    file says cannot run.
    """
    digests = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"
    own = "; connect-src 'self'; form-action 'self'" if asks else ""
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src {allowed}{own}"


def _text(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


_AXES = ("target", "runtime", "clock", "type", "batch", "model")
"""What the deployments of a page may differ in, as the switch names it."""


def _values(view: Results) -> tuple[str, ...]:
    ref = view.performance.deployment
    kind = view.transform or view.performance.dtype or "unknown"
    return (ref.target, ref.runtime, f"{ref.clock_mhz:g} MHz", kind, f"{ref.batch}", view.model.name)


def _axes_of(view: Results) -> str:
    pairs = zip(_AXES, _values(view), strict=True)
    return " ".join(f'data-{axis}="{escape(clean_text(value))}"' for axis, value in pairs)


def _controls(views: Sequence[Results]) -> str:
    columns = zip(_AXES, zip(*map(_values, views), strict=True), strict=bool(views))
    switches = "".join(
        _switch(axis, list(dict.fromkeys(map(clean_text, values))))
        for axis, values in columns
        if len(set(values)) > 1
    )
    switch = f'<div class="switch">{switches}</div>' if switches else ""
    buttons = '<button type="button" id="theme">Dark</button><button type="button" id="print">Print</button>'
    inside = f'{switch}{buttons}<div class="contents"></div>'
    return f'<nav class="controls" aria-label="Deployment and view" hidden>{inside}</nav>'


def _switch(axis: str, values: list[str]) -> str:
    offered = "".join(f"<option>{escape(value)}</option>" for value in values)
    return f'<label>{axis.capitalize()} <select name="{axis}">{offered}</select></label>'
