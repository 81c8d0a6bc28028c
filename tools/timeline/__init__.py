"""A model's run on a deployment, operator by operator: what is in memory, how long each takes."""
