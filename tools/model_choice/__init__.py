"""Which model to take for a task: published models with their published accuracy, under limits."""
