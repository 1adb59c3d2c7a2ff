"""A reminder as a mail: how it is written, and how it is handed over.

There is nothing in it that anybody else wrote, and no token: the table's link is for everybody.
"""

import smtplib
import ssl
from contextlib import suppress
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import localtime

from benben.table.store import Reminder
from benben.web.reminders.wording import turn_id, worded
from benben.web.settings import MailServer, Settings

LONGEST_LINE = 998  # of a header: a link that is broken up into shorter ones is encoded, and lost
TIMEOUT = 10.0  # seconds for one answer of the mail server


def letter(reminder: Reminder, game: str, number: int, settings: Settings) -> EmailMessage:
    """For the turn that came by the event of this number.

    The link by which no more come has the hash of the feed's key, all that is kept of it: it ends
    the reminders, but does not show the feed.
    """
    assert settings.mail is not None
    language, sender = reminder.language, settings.mail.sender
    table = f"{settings.address}/t/{reminder.table}"
    stop = f"{settings.address}/feeds/{reminder.feed}/stop"
    mail = EmailMessage()
    mail.set_content(worded(language, "mail", game=game, table=table, stop=stop))
    mail["From"] = Address(settings.mail.name, addr_spec=sender)
    mail["To"] = Address(addr_spec=reminder.address)
    mail["Subject"] = worded(language, "turn", game=game)
    mail["Date"] = localtime()
    mail["Message-ID"] = f"<{turn_id(reminder.table, number)}@{sender.rpartition('@')[2]}>"
    mail["Auto-Submitted"] = "auto-generated"
    mail["Content-Language"] = language
    mail["List-Unsubscribe"] = f"<{stop}>"
    mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"  # RFC 8058
    mail.policy = mail.policy.clone(max_line_length=LONGEST_LINE)
    return mail


def send(mail: EmailMessage, settings: Settings) -> None:
    """Hand it over; whatever smtplib raises if that fails. Then a good-bye may fail too."""
    assert settings.mail is not None
    client = _connected(settings.mail)
    try:
        client.send_message(mail)
        with suppress(OSError):
            client.quit()
    finally:
        client.close()


def _connected(server: MailServer) -> smtplib.SMTP:
    context = ssl.create_default_context()
    if server.tls:
        client: smtplib.SMTP = smtplib.SMTP_SSL(
            server.host, server.port, timeout=TIMEOUT, context=context
        )
    else:
        client = smtplib.SMTP(server.host, server.port, timeout=TIMEOUT)
    try:
        client.ehlo()
        if not server.tls and client.has_extn("starttls"):
            client.starttls(context=context)
        if server.user:
            client.login(server.user, server.password)
    except BaseException:
        client.close()
        raise
    return client
