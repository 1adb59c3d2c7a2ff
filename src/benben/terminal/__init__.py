"""Playing at a terminal: boards as letters and colours, moves typed, games told in words.

Everything is drawn from what positions say of themselves (`drawing`, `diagram`, `effects`); only
`palette.py` and `words.py` know a game's name, and do without for a game they do not know.
"""
