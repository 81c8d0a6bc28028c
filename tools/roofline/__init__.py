"""Which roof binds a model and each of its layers."""
