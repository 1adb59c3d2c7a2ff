"""What bots are called at a table: proper names, so that three of a level can be told apart."""

from hashlib import sha256

# Short enough for four on a phone, said alike in French and English, and beginning with a
# consonant: "au tour de Nefer".
NAMES = (
    "Bak",
    "Beki",
    "Dedi",
    "Djau",
    "Hapi",
    "Hori",
    "Kemi",
    "Kena",
    "Maya",
    "Menna",
    "Meri",
    "Nebi",
    "Nefer",
    "Pami",
    "Paser",
    "Rami",
    "Reni",
    "Sabu",
    "Sobek",
    "Tami",
    "Teti",
    "Tiya",
    "Wadi",
    "Zaya",
)


def bot_names(seed: str, count: int) -> tuple[str, ...]:
    """Names for the bots of a table, the same whenever it is asked; no two begin alike.

    >>> bot_names("a table", 3)
    ('Hori', 'Nebi', 'Bak')
    """
    shuffled = sorted(NAMES, key=lambda name: sha256(f"{seed} {name}".encode()).digest())
    by_initial = {name[0]: name for name in reversed(shuffled)}  # the first of each letter stays
    return tuple(name for name in shuffled if by_initial[name[0]] == name)[:count]
