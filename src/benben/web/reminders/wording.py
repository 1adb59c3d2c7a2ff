"""What reminders say, in mail and feeds: they are read outside the pages and their catalogues."""

from uuid import NAMESPACE_URL, UUID, uuid5

from benben.core.registry import info

_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "turn": "Your turn: {game}",
        "feed": "Benben: your turns at {game}",
        "mail": (
            "It is your turn at a table of {game}:\n{table}\n\n"
            "This reminder was asked for at the table. To have no more of them:\n{stop}\n"
        ),
        "stop": "No more reminders of this table of {game}?",
        "stop-button": "No more of them",
        "stopped": "There will be no more reminders of this table.",
    },
    "fr": {
        "turn": "À vous de jouer : {game}",
        "feed": "Benben : vos tours à {game}",
        "mail": (
            "C’est à vous de jouer à une table de {game} :\n{table}\n\n"
            "Ce rappel a été demandé à la table. Pour ne plus en recevoir :\n{stop}\n"
        ),
        "stop": "Ne plus recevoir de rappels de cette table de {game} ?",
        "stop-button": "Ne plus en recevoir",
        "stopped": "Il n’y aura plus de rappels de cette table.",
    },
}


def worded(language: str, key: str, **parts: str) -> str:
    """`game` among the parts is a game's name, and becomes its title."""
    if "game" in parts:
        parts["game"] = info(parts["game"]).titles[language]
    return _WORDS[language][key].format(**parts)


def turn_id(table: str, number: int) -> UUID:
    """The same for the same turn, wherever and however often it is told."""
    return uuid5(NAMESPACE_URL, f"benben:{table}:{number}")
