"""A match between seats: its record, who may see what of it, and where it is kept."""
