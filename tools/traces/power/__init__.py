"""Power over time: cut into layers, integrated, split and fitted."""
