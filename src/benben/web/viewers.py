"""Somebody who looks at a table: by a seat they hold, or from outside."""

from dataclasses import dataclass

from benben.table.events import AnyEvent, Stood
from benben.table.loaded import LoadedTable
from benben.table.views import TableView, table_view
from benben.web.responses import TableOfMine


@dataclass
class Viewer:
    """By the seat they chose, or None. When seats are drawn they may sit on another in the end."""

    loaded: LoadedTable
    chosen: int | None

    @property
    def seat(self) -> int | None:
        """Where they sit now."""
        return None if self.chosen is None else self.loaded.table.order[self.chosen]

    def look(self, now: int) -> TableView:
        return table_view(self.loaded.table, self.seat, now)

    def glance(self, now: int) -> TableOfMine:
        """What somebody who sits there wants to know first."""
        table, seen = self.loaded.table, self.look(now)
        assert seen.you is not None
        return TableOfMine(
            id=self.loaded.id,
            game=seen.game,
            number=seen.number,
            you=seen.you,
            to_move=seen.to_move,
            your_turn=seen.to_move == seen.you and not seen.seats[seen.you].away,
            begun=table.begun,
            over=table.over,
            seats=seen.seats,
            rematch=seen.rematch,
        )

    def is_gone_by(self, event: AnyEvent) -> bool:
        """Whether an event has ended what a token allowed: somebody else may sit there next."""
        return isinstance(event, Stood) and event.seat == self.chosen
