"""Firmware as it was linked: what an ELF or a linker's map holds, set against what was predicted."""
