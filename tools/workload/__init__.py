"""What a stream of events, or a job of so many inferences, takes: devices, time, energy and money."""
