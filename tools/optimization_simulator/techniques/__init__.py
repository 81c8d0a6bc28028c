"""Changes that can be simulated: each makes another graph or deployment, or says why it cannot."""
