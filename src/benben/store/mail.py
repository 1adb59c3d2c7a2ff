"""Reminders of turns by feed and mail, confirmations of addresses, and quotas.

A reminder belongs to a seat. Its address gets no mail of turns before its owner has confirmed it,
and is stored no longer than needed. A mailbox has what all reminders to an address share: the mails
of today, and whether its owner has stopped all mail. Its key is a hash of the address.

Confirmations go to people who have not asked for them. So there are also daily limits for each
sender, each table and the whole server.
"""

from dataclasses import dataclass

from sqlalchemy import Column, ColumnElement, Connection, Update, case, delete, or_, select, update

from benben.core.errors import BenbenError
from benben.store.database import insert_new
from benben.store.part import Part
from benben.store.schema import mail_counts, mailboxes, reminders, tokens
from benben.table.tokens import hashed, new_token

DAY = 24 * 3600 * 1000
CONFIRM_WITHIN = 2 * DAY  # then a link expires, and the addresses it was for are deleted
REMEMBERED = 30 * DAY  # since the last mail: its link to stop all mail is valid this long
DAILY_TOTAL = 200  # confirmations in a day, by all servers together
DAILY_EACH = 5  # requests in a day that need a confirmation: for one sender, and for one table
_SERVER = "server"  # the key of the total
_GMAIL = ("gmail.com", "googlemail.com")


@dataclass(frozen=True)
class Reminder:
    """How the holder of a seat, as chosen, is reminded of their turn."""

    table: str
    seat: int
    feed: str  # the hash of its key
    address: str  # for mail; empty for none
    language: str
    known: int  # the last event whose turn needs no mail any more
    unconfirmed: int | None = None  # since when its address has waited to be confirmed

    @property
    def confirmed(self) -> bool:
        return bool(self.address) and self.unconfirmed is None


@dataclass(frozen=True)
class Mailbox:
    """What the links in a mail to an address give access to."""

    hash: str
    language: str  # of the last mail
    stopped: bool


@dataclass(frozen=True)
class MailQuota:
    """How many confirmations a sender may ask for in a day."""

    sender: str  # the hash of the sender's network address
    each: int = DAILY_EACH
    total: int = DAILY_TOTAL


class TooMuchMail(BenbenError):
    """A request for mail exceeds a daily quota; nothing was stored."""

    def __init__(self, scope: str) -> None:
        self.scope = scope  # "server", "table" or "sender"
        super().__init__("too many confirmation mails were asked for today: try again tomorrow")


def mailbox_hash(address: str) -> str:
    """The hash of a mailbox: ann+games@example.org is the same as Ann@example.org.

    Gmail ignores dots, and has two domains.
    """
    local, domain = _mailbox_of(address)
    if domain in _GMAIL:
        local, domain = local.replace(".", "") or local, _GMAIL[0]
    return hashed(f"{local}@{domain}")


def _former_hash(address: str) -> str:
    """The hash made by versions without the rule for Gmail: their stopped boxes stay stopped."""
    return hashed("@".join(_mailbox_of(address)))


def _mailbox_of(address: str) -> tuple[str, str]:
    """The local part without what follows a plus sign, and the domain, both in lower case."""
    local, _, domain = address.lower().rpartition("@")
    return local.partition("+")[0] or local, domain


class Reminders(Part):
    """Reminders, and the mailboxes of their addresses."""

    # ---- Of seats

    def set(self, reminder: Reminder, at: int, quota: MailQuota | None = None) -> Reminder | None:
        """Replace the reminder of a seat; returns it as stored, or None if the seat is free.

        An address waits to be confirmed, unless it was confirmed for this seat before. One whose
        owner has stopped all mail is not stored. It counts against the quota like any other, so
        the difference cannot be seen.

        :raises TooMuchMail: the request needs a confirmation, and the quota is used up
        """
        self._reader.check(reminder.table, reminder.feed, reminder.address, reminder.language)
        seat = (tokens.c.table_id == reminder.table) & (tokens.c.seat == reminder.seat)
        this = _of(reminder.table, reminder.seat)
        box = mailbox_hash(reminder.address) if reminder.address else None
        same = select(reminders.c.seat).where(
            this, reminders.c.address == reminder.address, reminders.c.unconfirmed.is_(None)
        )
        known = () if box is None else (box, _former_hash(reminder.address))
        stopped = select(mailboxes.c.hash).where(mailboxes.c.hash.in_(known), mailboxes.c.stopped)

        def transaction(connection: Connection) -> Reminder | TooMuchMail | None:
            if connection.execute(select(tokens.c.hash).where(seat)).first() is None:
                return None
            mails = box is not None and connection.execute(stopped).first() is None
            confirmed = mails and connection.execute(same).first() is not None
            if quota is not None and box is not None and not confirmed:
                scope = _take_quota(connection, reminder.table, quota, at)
                if scope is not None:
                    return TooMuchMail(scope)
            row = {
                "table_id": reminder.table,
                "seat": reminder.seat,
                "feed": reminder.feed,
                "address": reminder.address if mails else "",
                "language": reminder.language,
                "known": reminder.known,
                "mailbox": box if mails else None,
                "unconfirmed": at if mails and not confirmed else None,
            }
            connection.execute(delete(reminders).where(this))
            insert_new(connection, reminders, row)
            return Reminder(*connection.execute(_reminders.where(this)).one())

        done = self._writer.do_blocking(transaction)
        if isinstance(done, TooMuchMail):
            raise done
        return done

    def of_seat(self, table: str, seat: int) -> Reminder | None:
        return self._reader.first(Reminder, _reminders.where(_of(table, seat)), table)

    def by_feed(self, feed: str) -> Reminder | None:
        """The reminder whose feed has the key with this hash."""
        return self._reader.first(Reminder, _reminders.where(reminders.c.feed == feed), feed)

    def drop(self, table: str, seat: int) -> None:
        drop = delete(reminders).where(_of(table, seat))
        self._writer.do_blocking(lambda connection: connection.execute(drop) and None)

    # ---- Mail: `claim_…` returns the key of the link that stops all mail; None: send no mail

    def claim_turn(self, reminder: Reminder, number: int, at: int, most: int) -> str | None:
        """Claim the mail for the turn that came by this event, at most `most` a day.

        Of several servers that try, one sends it.
        """
        due = _same(reminder) & reminders.c.unconfirmed.is_(None) & (reminders.c.address != "")

        def transaction(connection: Connection) -> str | None:
            done = connection.execute(update(reminders).where(due).values(known=number))
            return _count(connection, reminder, at, most) if done.rowcount == 1 else None

        return self._writer.do_blocking(transaction)

    def return_turn(self, reminder: Reminder, number: int, at: int) -> None:
        """Undo the claim: the mail could not be sent."""
        claimed = (reminders.c.feed == reminder.feed) & (reminders.c.known == number)

        def transaction(connection: Connection) -> None:
            back = update(reminders).where(claimed).values(known=reminder.known)
            if connection.execute(back).rowcount == 1:
                _uncount(connection, reminder, at)

        self._writer.do_blocking(transaction)

    def claim_confirmation(
        self, reminder: Reminder, link: str, at: int, most: int, total: int = DAILY_TOTAL
    ) -> str | None:
        """Claim a mail with the link of this hash, unless an earlier link is still valid.

        One link confirms every waiting reminder of an address. At most `total` are sent a day.
        """
        waits = _same(reminder) & reminders.c.unconfirmed.is_not(None)
        free = or_(
            mailboxes.c.link.is_(None),
            mailboxes.c.link == link,  # ours, if this is a retry
            mailboxes.c.linked <= at - CONFIRM_WITHIN,
        )

        def transaction(connection: Connection) -> str | None:
            _clean_up(connection, at)
            if connection.execute(select(reminders.c.seat).where(waits)).first() is None:
                return None
            if not _take(connection, _SERVER, at, total):
                return None
            stop = _count(connection, reminder, at, most, free, link=link, linked=at)
            if stop is None:
                _give_back(connection, _SERVER, at)
            return stop

        return self._writer.do_blocking(transaction)

    def return_confirmation(self, reminder: Reminder, link: str, at: int) -> None:
        """Undo the claim: the mail could not be sent."""
        ours = mailboxes.c.link == link

        def transaction(connection: Connection) -> None:
            back = update(mailboxes).where(ours).values(link=None)
            if connection.execute(back).rowcount == 1:
                _uncount(connection, reminder, at)
                _give_back(connection, _SERVER, at)

        self._writer.do_blocking(transaction)

    # ---- What the owner of an address does by the links in mails

    def by_link(self, link: str, at: int) -> Mailbox | None:
        """The mailbox to which a link of this hash was sent, if it is still valid."""
        valid = (mailboxes.c.link == link) & (mailboxes.c.linked > at - CONFIRM_WITHIN)
        return self._reader.first(Mailbox, _mailboxes.where(valid), link)

    def waiting(self, box: Mailbox, at: int) -> list[Reminder]:
        """The reminders that its owner can confirm, the newest first."""
        theirs = (reminders.c.mailbox == box.hash) & (reminders.c.unconfirmed > at - CONFIRM_WITHIN)
        order = reminders.c.unconfirmed.desc(), reminders.c.table_id, reminders.c.seat
        return self._reader.each(Reminder, _reminders.where(theirs).order_by(*order))

    def confirm(self, box: Mailbox, feed: str, at: int) -> bool:
        """Confirm the address of a reminder; False if it does not wait to be confirmed.

        If no other reminder waits, the link becomes invalid, and another can be requested.
        """
        self._reader.check(feed)
        its = reminders.c.mailbox == box.hash
        this = (reminders.c.feed == feed) & (reminders.c.unconfirmed > at - CONFIRM_WITHIN)
        others = select(reminders.c.seat).where(its, reminders.c.unconfirmed.is_not(None))

        def transaction(connection: Connection) -> bool:
            done = connection.execute(update(reminders).where(its, this).values(unconfirmed=None))
            if connection.execute(others).first() is None:
                used = update(mailboxes).where(mailboxes.c.hash == box.hash)
                connection.execute(used.values(link=None))
            return done.rowcount == 1

        return self._writer.do_blocking(transaction)

    def by_stop_key(self, key: str) -> Mailbox | None:
        return self._reader.first(Mailbox, _mailboxes.where(mailboxes.c.stop == key), key)

    def stop_all(self, box: Mailbox) -> None:
        """Send nothing to an address until `allow`, and delete it from all tables."""

        def transaction(connection: Connection) -> None:
            stop = update(mailboxes).where(mailboxes.c.hash == box.hash)
            connection.execute(stop.values(stopped=True, link=None))
            _drop_address(connection, reminders.c.mailbox == box.hash)

        self._writer.do_blocking(transaction)

    def allow(self, box: Mailbox) -> None:
        """Undo `stop_all`: mail can be requested again, and confirmed."""

        again = update(mailboxes).where(mailboxes.c.hash == box.hash).values(stopped=False)
        self._writer.do_blocking(lambda connection: connection.execute(again) and None)


_REMINDER = "table_id", "seat", "feed", "address", "language", "known", "unconfirmed"
_reminders = select(*(reminders.c[name] for name in _REMINDER))
_mailboxes = select(mailboxes.c.hash, mailboxes.c.language, mailboxes.c.stopped)


def expire_reminders(connection: Connection, at: int) -> None:
    """Delete addresses that were not confirmed in time, and the counts of earlier days.

    The feeds stay.
    """
    _drop_address(connection, reminders.c.unconfirmed <= at - CONFIRM_WITHIN)
    connection.execute(delete(mail_counts).where(mail_counts.c.day < at // DAY))


def _of(table: str, seat: int) -> ColumnElement[bool]:
    return (reminders.c.table_id == table) & (reminders.c.seat == seat)


def _same(reminder: Reminder) -> ColumnElement[bool]:
    """The row of a reminder if it is unchanged, also by mails of other servers."""
    return (reminders.c.feed == reminder.feed) & (reminders.c.known == reminder.known)


def _drop_address(connection: Connection, which: ColumnElement[bool]) -> None:
    no_mail = {"address": "", "mailbox": None, "unconfirmed": None}
    connection.execute(update(reminders).where(which).values(no_mail))


def _count(
    connection: Connection,
    reminder: Reminder,
    at: int,
    most: int,
    free: ColumnElement[bool] | None = None,
    **values: str | int,
) -> str | None:
    """Count one more mail today, within the limit. One statement, so it is atomic."""
    box, c = mailbox_hash(reminder.address), mailboxes.c
    new = {"hash": box, "stop": new_token(), "language": "", "day": at // DAY, "sent": 0}
    insert_new(connection, mailboxes, new | {"stopped": False, "linked": 0})
    allowed = (c.hash == box) & ~c.stopped
    if free is not None:
        allowed &= free
    counted = _one_more(c.sent, allowed, at, most).values(language=reminder.language, **values)
    return connection.execute(counted.returning(c.stop)).scalar()


def _uncount(connection: Connection, reminder: Reminder, at: int) -> None:
    this = mailboxes.c.hash == mailbox_hash(reminder.address)
    connection.execute(_one_less(mailboxes.c.sent, this, at))


def _clean_up(connection: Connection, at: int) -> None:
    """Delete mailboxes without reminders to which no mail was sent for long."""
    used = select(reminders.c.mailbox).where(reminders.c.mailbox.is_not(None))
    old = (mailboxes.c.day < (at - REMEMBERED) // DAY) & ~mailboxes.c.stopped
    connection.execute(delete(mailboxes).where(old, mailboxes.c.hash.not_in(used)))


# ---- Quotas: one statement each, so they are atomic


def _take_quota(connection: Connection, table: str, quota: MailQuota, at: int) -> str | None:
    """Count one request for the table and the sender; returns the quota that is used up, if any.

    The total counts mails when they are sent, and is only checked here.
    """
    c, today = mail_counts.c, at // DAY
    full = (c.key == _SERVER) & (c.day == today) & (c.confirmations >= quota.total)
    if connection.execute(select(c.key).where(full)).first() is not None:
        return "server"
    of_table = f"table {table}"
    if not _take(connection, of_table, at, quota.each):
        return "table"
    if not _take(connection, f"sender {quota.sender}", at, quota.each):
        _give_back(connection, of_table, at)
        return "sender"
    return None


def _take(connection: Connection, key: str, at: int, most: int) -> bool:
    """Count one more today; False if there are `most` already."""
    c = mail_counts.c
    insert_new(connection, mail_counts, {"key": key, "day": at // DAY, "confirmations": 0})
    return connection.execute(_one_more(c.confirmations, c.key == key, at, most)).rowcount == 1


def _give_back(connection: Connection, key: str, at: int) -> None:
    c = mail_counts.c
    connection.execute(_one_less(c.confirmations, c.key == key, at))


# ---- Counts of a day


def _one_more(count: Column[int], which: ColumnElement[bool], at: int, most: int) -> Update:
    """Add one to a count of the row's `day`, which is set to today, unless it is `most` already."""
    day, today = count.table.c.day, at // DAY
    free = which & ((day != today) | (count < most))
    new = {"day": today, count.name: case((day == today, count + 1), else_=1)}
    return update(count.table).where(free).values(new)


def _one_less(count: Column[int], which: ColumnElement[bool], at: int) -> Update:
    """Subtract one from a count of today."""
    same = which & (count.table.c.day == at // DAY) & (count > 0)
    return update(count.table).where(same).values({count.name: count - 1})
