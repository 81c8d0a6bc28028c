"""What a model costs over time: duty cycle, battery life, and the clock that costs least."""
