"""Sending a mail by SMTP."""

import smtplib
import ssl
from contextlib import suppress
from email.message import EmailMessage

from benben.web.settings import MailServer

TIMEOUT = 10.0  # seconds for one answer of the mail server


class NotEncrypted(Exception):
    """The mail server offers no TLS, so the password was not sent."""

    def __init__(self) -> None:
        super().__init__(
            "the mail server offers no encryption (STARTTLS), so the password was not sent: "
            "use smtps://, or smtp+plain:// to send it unencrypted"
        )


def send(mail: EmailMessage, server: MailServer) -> None:
    """Send a mail. Raise NotEncrypted, or an error of smtplib.

    Errors after the server has accepted the mail are ignored.
    """
    client = _connected(server)
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
        encrypted = server.tls
        if not encrypted and client.has_extn("starttls"):
            client.starttls(context=context)
            encrypted = True
        if server.user and not (encrypted or server.login_in_clear):
            raise NotEncrypted
        if server.user:
            client.login(server.user, server.password)
    except BaseException:
        client.close()
        raise
    return client
