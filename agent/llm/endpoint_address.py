"""Where an LLM endpoint is, as far as its address tells; loads no library of any provider."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit, urlunsplit

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
