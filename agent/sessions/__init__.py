"""Saved conversations: found again, gone on with, replayed and handed on. Light until one is gone on with."""
