"""What mails, feeds and the pages behind their links say: nothing loads the catalogues there."""

from uuid import NAMESPACE_URL, UUID, uuid5

from benben.core.registry import info

_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "turn": "Your turn: {game}",
        "start": "Everyone is here, open the table to start: {game}",
        "feed": "Benben: your turns at {game}",
        "mail": (
            "It is your turn in a game of {game}:\n{table}\n\n"
            "You asked for this reminder at the table. To stop all mail from {host}:\n{stop}\n"
        ),
        "confirmation-subject": "Please confirm: reminders from {host}",
        "confirmation": (
            "Somebody, probably you, has asked {host} to send an e-mail to this address whenever "
            "it is their turn in a game of {game}.\n\n"
            "If it was you, please confirm within two days:\n{confirm}\n\n"
            "If it was not, ignore this mail: you will get no other because of it. "
            "To never get mail from {host} at all:\n{stop}\n"
        ),
        "confirm": "Somebody has asked for e-mail reminders to your address. Was it you?",
        "confirm-button": "Yes, remind me",
        "which": "A game of {game}: see the table",
        "confirmed": "Thank you: you will get an e-mail when it is your turn.",
        "others": "These have been asked for too. Leave those that are not yours: they will lapse.",
        "nothing-waits": "There is nothing to confirm.",
        "stop": "Stop all e-mail from this site to your address, at every table?",
        "stop-button": "Stop all e-mail",
        "stopped": (
            "You will get no more e-mail from this site, whoever asks for it. Only a fingerprint "
            "of your address is kept, to remember that."
        ),
        "allow-button": "Allow e-mail again",
        "allowed": "E-mail can be asked for again at a table. You will be asked to confirm it.",
        "no-such-link": "This link is no longer valid.",
    },
    "fr": {
        "turn": "À vous de jouer : {game}",
        "start": "Tout le monde est là, ouvrez la table pour commencer : {game}",
        "feed": "Benben : vos tours à {game}",
        "mail": (
            "C’est à vous de jouer dans une partie de {game}\u00a0:\n{table}\n\n"
            "Vous avez demandé ce rappel à la table. "
            "Pour ne plus recevoir aucun e-mail de {host}\u00a0:\n{stop}\n"
        ),
        "confirmation-subject": "À confirmer : rappels de {host}",
        "confirmation": (
            "Quelqu’un, sans doute vous, a demandé à {host} d’envoyer un e-mail à cette adresse "
            "chaque fois que vient son tour dans une partie de {game}.\n\n"
            "Si c’est vous, confirmez-le dans les deux jours\u00a0:\n{confirm}\n\n"
            "Sinon, ignorez ce message\u00a0: cette demande n’en entraînera aucun autre. "
            "Pour ne plus jamais recevoir d’e-mail de {host}\u00a0:\n{stop}\n"
        ),
        "confirm": "Des rappels par e-mail ont été demandés pour votre adresse. Est-ce vous\u202f?",
        "confirm-button": "Oui, envoyez-moi les rappels",
        "which": "Une partie de {game}\u00a0: voir la table",
        "confirmed": "Merci\u00a0: vous recevrez un e-mail quand ce sera à vous de jouer.",
        "others": (
            "Ces rappels ont aussi été demandés. Laissez ceux qui ne sont pas les vôtres\u00a0: "
            "ces demandes expireront."
        ),
        "nothing-waits": "Il n’y a rien à confirmer.",
        "stop": "Ne plus recevoir aucun e-mail de ce site, pour aucune table\u202f?",
        "stop-button": "Ne plus rien recevoir",
        "stopped": (
            "Vous ne recevrez plus aucun e-mail de ce site, qui que ce soit qui le demande. Pour "
            "s’en souvenir, le site ne garde qu’une empreinte de votre adresse."
        ),
        "allow-button": "Autoriser de nouveau les e-mails",
        "allowed": (
            "On peut de nouveau demander des e-mails à une table. "
            "Il vous sera demandé de les confirmer."
        ),
        "no-such-link": "Ce lien n’est plus valable.",
    },
}
LANGUAGES = tuple(_WORDS)


def worded(language: str, key: str, **parts: str) -> str:
    """`game` among the parts is a game's name, and becomes its title."""
    if "game" in parts:
        parts["game"] = info(parts["game"]).titles[language]
    return _WORDS[language][key].format(**parts)


def turn_id(table: str, number: int) -> UUID:
    """The same for the same turn, wherever and however often it is told."""
    return uuid5(NAMESPACE_URL, f"benben:{table}:{number}")
