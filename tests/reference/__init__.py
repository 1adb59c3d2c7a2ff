"""Independent, naive readings of the four sheets, to play in lockstep with the rules."""
