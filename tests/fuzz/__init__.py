"""Damaged and odd input of every format that is read, through parsers and tools: `python -m tests.fuzz`."""
