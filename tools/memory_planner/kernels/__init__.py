"""Scratch buffers and structures of the kernel libraries."""
