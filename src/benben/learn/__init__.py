"""Learning a game: its rulebook, and a lesson that is played."""
