"""Files of measurements, explained by themselves."""
