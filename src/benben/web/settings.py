"""The settings of a server, each an environment variable described in docs/command-line.md.

They are not command line options, as one holds a password, which other users of the machine could
read there.
"""

import logging
import re
from collections.abc import Mapping
from email.headerregistry import Address
from email.utils import parseaddr
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Annotated, Any, Literal, get_type_hints
from urllib.parse import SplitResult, unquote, urlsplit

import msgspec
from msgspec import Meta

from benben.core.errors import BenbenError
from benben.live.presence import GRACE_SECONDS
from benben.live.tables import BOT_MOVE_SECONDS
from benben.store.mail import DAILY_EACH, DAILY_TOTAL, DAY
from benben.web.reach import parsed_address
from benben.web.sse import KEEP_ALIVE

log = logging.getLogger("benben.web")

LONGEST_ADDRESS = 254
MAIL_PAUSES = (60.0, 60.0, 600.0, 3600.0, 6 * 3600.0)  # seconds before each try
_NOT_VARIABLES = ("mail_each", "mail_pauses", "bot_delay", "grace", "keep_alive")
_PORTS = {"smtp": 587, "smtp+plain": 587, "smtps": 465}
_ATOM, _LABEL = r"[\w!#$%&'*+/=?^`{|}~-]+", r"[a-z\d](?:[a-z\d-]*[a-z\d])?"
_MAIL = re.compile(rf"{_ATOM}(?:\.{_ATOM})*@{_LABEL}(?:\.{_LABEL})*", re.ASCII | re.IGNORECASE)


def is_mail_address(text: str) -> bool:
    """Whether a text is a plain mail address, without characters that are special in a header."""
    return len(text) <= LONGEST_ADDRESS and _MAIL.fullmatch(text) is not None


class SiteUrl(str):
    """A URL without a path."""


class Networks(tuple[IPv4Network | IPv6Network, ...]):
    """Networks of addresses."""


class MailServer:
    """The SMTP server that takes outgoing mail."""

    def __init__(self, url: str) -> None:
        parts = _split(url)
        _require(parts.scheme in _PORTS)
        self.host, self.port = str(parts.hostname), parts.port or _PORTS[parts.scheme]
        self.tls = parts.scheme == "smtps"  # from the first byte; else by STARTTLS if offered
        self.user, self.password = unquote(parts.username or ""), unquote(parts.password or "")
        _require(bool(self.user) == bool(self.password))
        plain, address = parts.scheme == "smtp+plain", parsed_address(self.host)
        local = self.host == "localhost" or (address is not None and address.is_loopback)
        # Whether the password may be sent even if the server offers no TLS.
        self.login_in_clear = plain or local
        if plain and self.user and not local:
            log.warning("BENBEN_SMTP_URL: the password is sent unencrypted if there is no TLS")


def _variable(field: str) -> str | None:
    """The environment variable of a field of Settings; None for what tests set."""
    return None if field in _NOT_VARIABLES else f"BENBEN_{field.upper()}"


class Settings(msgspec.Struct, frozen=True, rename=_variable):
    """One field for each environment variable; its description is what an error says to write."""

    address: Annotated[
        SiteUrl, Meta(description="the site's public URL, such as https://games.example.org")
    ] = SiteUrl()
    smtp_url: Annotated[
        MailServer | None,
        Meta(
            description="smtp://user:password@host:port, or smtps://…, and percent-encode special "
            "characters: %40 for @"
        ),
    ] = None
    mail_from: Annotated[
        Address | None, Meta(description="benben@example.org or Benben <benben@example.org>")
    ] = None
    # Mails a day to one address, of all kinds.
    mail_daily_limit: Annotated[int, Meta(ge=1, le=1000)] = 20
    # Mails a day that ask to confirm an address, of all servers together.
    mail_daily_total: Annotated[int, Meta(ge=1, le=100_000)] = DAILY_TOTAL
    # Days after which a table is closed whose game has not begun.
    expiry_days: Annotated[int, Meta(ge=1, le=3650)] = 7
    # The size of all uploaded records.
    records_max_mb: Annotated[int, Meta(ge=1, le=9999)] = 1000
    metrics_from: Annotated[
        Networks, Meta(description="addresses or networks, such as 192.0.2.7 or 10.0.0.0/8")
    ] = Networks()
    # Read by benben.bots.exact, which runs without a server too.
    solve: Annotated[
        Literal["0", "1"], Meta(description="1 to let the server solve games, or 0")
    ] = "0"
    # Not variables: tests set them.
    mail_each: int = DAILY_EACH  # confirmations a day for one sender, and for one table
    mail_pauses: tuple[float, ...] = MAIL_PAUSES
    bot_delay: float = BOT_MOVE_SECONDS
    grace: float = GRACE_SECONDS  # while people who have disconnected count as present
    keep_alive: float = KEEP_ALIVE

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> "Settings":
        """Read environment variables. Raise BenbenError for the first that is not valid."""
        given = {name: environment[name] for name in cls.variables() if environment.get(name)}
        try:
            settings = msgspec.convert(given, cls, strict=False, dec_hook=_parse)
        except msgspec.ValidationError as error:
            name = str(error).rpartition("$.")[2].rstrip("`")
            hint = get_type_hints(cls, include_extras=True)[cls.variables()[name]]
            form = hint.__metadata__[0]
            words = form.description or f"a whole number from {form.ge} to {form.le}"
            # Not raised from the error, which may quote a password.
            raise BenbenError(f"{name}: write {words}") from None
        if settings.smtp_url is not None and settings.mail is None:
            missing = [each for each in ("BENBEN_ADDRESS", "BENBEN_MAIL_FROM") if each not in given]
            log.warning("no mail is sent: %s is not set", " and ".join(missing))
        return settings

    @classmethod
    def variables(cls) -> dict[str, str]:
        """The fields of all environment variables."""
        names = zip(cls.__struct_encode_fields__, cls.__struct_fields__, strict=True)
        return {name: field for name, field in names if name.startswith("BENBEN_")}

    @property
    def mail(self) -> MailServer | None:
        """The mail server, if mail can be sent."""
        return self.smtp_url if self.address and self.mail_from is not None else None

    @property
    def expiry_ms(self) -> int:
        return self.expiry_days * DAY

    def may_read_metrics(self, host: str) -> bool:
        """Whether a client is on this machine, or in a network that is allowed."""
        address = parsed_address(host)
        if address is None:
            return False
        return address.is_loopback or any(address in each for each in self.metrics_from)


def _parse(kind: type, text: str) -> Any:
    """Parse a value of a type that msgspec does not know. Raise ValueError if it is not valid."""
    if kind is Networks:
        return Networks(ip_network(each) for each in text.replace(",", " ").split())
    if kind is Address:
        name, address = parseaddr(text)
        _require(is_mail_address(address) and text.isprintable())
        return Address(name, addr_spec=address)
    if kind is SiteUrl:
        url = _split(text)
        _require(url.scheme in ("http", "https") and not url.username and (url.port or 1) > 0)
        return SiteUrl(f"{url.scheme}://{url.netloc}")
    return MailServer(text)


def _split(text: str) -> SplitResult:
    """Split a URL that has a host, and no path, query or fragment."""
    url = urlsplit(text)
    _require(bool(url.hostname) and url.path in ("", "/") and not (url.query or url.fragment))
    return url


def _require(valid: bool) -> None:
    if not valid:
        raise ValueError
