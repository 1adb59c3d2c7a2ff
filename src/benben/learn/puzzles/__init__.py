"""Puzzles: positions in which one move stands out, and who judges that."""
