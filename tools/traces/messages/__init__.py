"""Lines that a runtime, a linker or a compiler printed: the figures and names in them."""
