"""When to take which class of hardware, computed out of estimates of reference models on all of them."""
