"""What intents can be answered without."""

from __future__ import annotations

from .intent import Intent

_ABOUT_DATABASE = frozenset((Intent.RUNTIME, Intent.LIST_TARGETS, Intent.LIST_RUNTIMES, Intent.VALIDATE))
_ABOUT_US = frozenset((Intent.HELP, Intent.ACCURACY))
NEEDS_NO_TARGET = _ABOUT_DATABASE | _ABOUT_US | {Intent.MODEL, Intent.RECOMMEND}
NEEDS_NO_MODEL = _ABOUT_DATABASE | _ABOUT_US | {Intent.HARDWARE}
