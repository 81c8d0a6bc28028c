"""Time, energy and power of each layer on a deployment, as tables; one deployment is a table of one row."""
