"""How large, slow or often: the furthest value of one variable that still meets the limits."""
