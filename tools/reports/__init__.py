"""Results as documents for people and for machines that gate builds."""
