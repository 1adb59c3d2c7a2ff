"""The mails that the server sends. They have no tokens, and no text that a player wrote."""

from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import localtime
from urllib.parse import urlsplit
from uuid import NAMESPACE_URL, UUID, uuid4, uuid5

from benben.store.mail import Reminder
from benben.web.settings import Settings
from benben.web.wording import worded

LONGEST_LINE = 998  # of a header: a link that is broken up into shorter ones is encoded, and lost


def turn_message(
    reminder: Reminder, game: str, number: int, stop: str, settings: Settings
) -> EmailMessage:
    """A reminder of the turn that began with an event; `stop` is the key that ends all mail."""
    table = f"{settings.address}/t/{reminder.table}"
    host = _host(settings)
    words = {"game": game, "table": table, "host": host, "stop": _stop_link(stop, settings)}
    mail = _message(reminder, turn_id(reminder.table, number), stop, settings)
    mail.set_content(worded(reminder.language, "reminder.mail", **words))
    mail["Subject"] = worded(reminder.language, "reminder.turn", game=game)
    return mail


def confirmation_message(
    reminder: Reminder, game: str, key: str, stop: str, settings: Settings
) -> EmailMessage:
    """A request to confirm an address, with the key by which its owner does so."""
    confirm, host = f"{settings.address}/mail/{key}/confirm", _host(settings)
    words = {"game": game, "confirm": confirm, "host": host, "stop": _stop_link(stop, settings)}
    mail = _message(reminder, uuid4(), stop, settings)
    mail.set_content(worded(reminder.language, "reminder.confirmation", **words))
    mail["Subject"] = worded(reminder.language, "reminder.confirmation-subject", host=host)
    return mail


def _message(reminder: Reminder, id_: UUID, stop: str, settings: Settings) -> EmailMessage:
    assert settings.mail_from is not None
    mail = EmailMessage()
    mail["From"] = settings.mail_from
    mail["To"] = Address(addr_spec=reminder.address)
    mail["Date"] = localtime()
    mail["Message-ID"] = f"<{id_}@{settings.mail_from.domain}>"
    mail["Auto-Submitted"] = "auto-generated"
    mail["Content-Language"] = reminder.language
    mail["List-Unsubscribe"] = f"<{_stop_link(stop, settings)}>"
    mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"  # RFC 8058
    mail.policy = mail.policy.clone(max_line_length=LONGEST_LINE)
    return mail


def _stop_link(key: str, settings: Settings) -> str:
    return f"{settings.address}/mail/{key}/stop"


def _host(settings: Settings) -> str:
    return urlsplit(settings.address).netloc


def turn_id(table: str, number: int) -> UUID:
    """The id of a turn in mails and feeds, which is always the same."""
    return uuid5(NAMESPACE_URL, f"benben:{table}:{number}")
