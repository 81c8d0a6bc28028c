"""How far estimates are from measurements, and whether an estimate keeps to physics."""
