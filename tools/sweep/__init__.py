"""Many models on many deployments: a plan becomes a table, whatever stops it half-way."""
