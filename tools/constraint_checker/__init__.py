"""One rule a kind of limit, with demand, bound, gap and terms."""
