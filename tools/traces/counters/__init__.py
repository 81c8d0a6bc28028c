"""Hardware counters: what they are called, what follows from them, and where the cycles went."""
