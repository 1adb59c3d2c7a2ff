"""Signals of what happens at the tables of this process, for other parts of the server."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from benben.table.events import AnyEvent

if TYPE_CHECKING:
    from benben.live.session import TableSession


@dataclass(frozen=True, slots=True)
class EventStored:
    """This server has stored an event and applied it to its table."""

    session: "TableSession"
    event: AnyEvent


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """This server has given a seat, as chosen, to the token with this hash."""

    session: "TableSession"
    player: int
    token: str


@dataclass(frozen=True, slots=True)
class SeatLost:
    """The token with this hash holds no seat at the table any more."""

    session: "TableSession"
    token: str


@dataclass(frozen=True, slots=True)
class ReminderDue:
    """The player to move has been waited for long enough to be reminded."""

    session: "TableSession"


S = TypeVar("S", EventStored, SeatTaken, SeatLost, ReminderDue)


class Signals:
    """Callbacks by kind of signal. They run at once, on the event loop, and must not raise."""

    def __init__(self) -> None:
        self._callbacks: defaultdict[type, list[Callable[[Any], None]]] = defaultdict(list)

    def subscribe(self, kind: type[S], callback: Callable[[S], None]) -> None:
        self._callbacks[kind].append(callback)

    def send(self, signal: EventStored | SeatTaken | SeatLost | ReminderDue) -> None:
        for callback in self._callbacks[type(signal)]:
            callback(signal)
