"""Language models on a target: whether they fit, and how many tokens a second."""
