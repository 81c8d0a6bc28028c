"""Results as charts: Vega-Lite specifications with the rows that they draw."""
