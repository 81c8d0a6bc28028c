"""Pages about targets, runtimes and architectures."""
