"""The public functions, one module a question."""
