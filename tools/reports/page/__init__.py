"""The report as one interactive HTML file that loads nothing."""
