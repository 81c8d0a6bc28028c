"""Where an LLM endpoint is, as far as its address tells; loads no library of any provider."""

from __future__ import annotations

import ipaddress
from urllib.parse import parse_qsl, urlsplit, urlunsplit

from ...hardware_db.errors import UsageError
from .endpoint_settings import KEY_VARIABLE, URL_VARIABLE

HOSTED_URL = "https://api.openai.com/v1"
_LOCAL_SUFFIXES = (".local", ".localhost", ".lan", ".internal", ".home.arpa")


def is_local(url: str) -> bool:
    """Whether the address lies on this machine or in its private network."""
    host = urlsplit(url).hostname or ""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith(_LOCAL_SUFFIXES)
    return address.is_private or address.is_loopback


def checked_url(url: str) -> str:
    """Raises UsageError: no address of a server."""
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid:
        raise UsageError(
            "The address of the LLM endpoint is not one.",
            hint=f"Give {URL_VARIABLE} like http://localhost/v1, with its port.",
        )
    return url.rstrip("/")


_PATHS = ("/chat/completions", "/completions", "/responses", "/models")
"""What a URL may end in that was copied from an example of a request."""


def base_and_query(url: str) -> tuple[str, dict[str, str]]:
    """The base that requests are sent below, and the parameters that go with each, such as `api-version`."""
    parts = urlsplit(url)
    path = parts.path.rstrip("/")
    for ending in _PATHS:
        path = path.removesuffix(ending)
    return urlunsplit((parts.scheme, parts.netloc, path, "", "")), dict(parse_qsl(parts.query))


def is_azure(url: str) -> bool:
    return (urlsplit(url).hostname or "").endswith((".openai.azure.com", ".services.ai.azure.com"))


def shown_url(url: str) -> str:
    """The address without user, password, query or fragment."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    place = f"{host}:{parts.port}" if parts.port else host
    return urlunsplit((parts.scheme, place, parts.path, "", ""))


def key_for(url: str) -> str:
    """What a server in the local network is given where nobody has a key.

    Raises:
        UsageError: the server is elsewhere, and asks for one.
    """
    if is_local(url):
        return "none"
    raise UsageError(
        f"There is no key for {shown_url(url)}.",
        hint=f"Set {KEY_VARIABLE}, or point {URL_VARIABLE} to a local server; --llm offline needs neither.",
    )
