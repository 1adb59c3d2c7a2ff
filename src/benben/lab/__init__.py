"""Measuring players: games between bots, kept in a file, and what follows from them."""
