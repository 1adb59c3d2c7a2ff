"""The strongest player of objectif: reads the others' goals, hides its own, and searches.

net.py       what a position is worth if all goals were known, and how well each is known
belief.py    who may have which goal, by how everybody has moved
reader.py    follows a game and keeps what its moves tell
tree.py      the search over all that may be
player.py    the player
training.py  where the nets come from
"""
