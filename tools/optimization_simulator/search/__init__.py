"""Which combinations of changes are tried, and what comes out."""
