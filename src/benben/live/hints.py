"""Hints: what a strong player thinks of a decision, for the player who has to make it."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from benben.bots.entrants import Entrant
from benben.core.errors import BenbenError
from benben.core.game import Game
from benben.core.player import Cancelled, Thought, Turn
from benben.live.session import PendingHint, TableSession
from benben.table.actions import AskHint
from benben.table.table import Refused

if TYPE_CHECKING:
    from benben.live.tables import Tables


class Hints:
    """Thinks about hints at the server that is asked, also on servers where bots do not think."""

    def __init__(self, tables: "Tables") -> None:
        self._tables = tables

    async def advise(
        self,
        session: TableSession,
        action: AskHint,
        adviser: Callable[[Game], Entrant],
        key: str | None = None,
    ) -> tuple[int, Thought]:
        """The number of the event by which a hint counts, and the thought it is made of.

        It is returned only when the event is stored. Refused if the hint may not be given, or the
        game has moved on.
        """
        try:
            async with session.lock:
                await session.check(action)
        except BenbenError as error:
            raise session.at_number(error) from None
        hint = self._pending(session, adviser)
        try:
            thought = await asyncio.shield(hint.thought)  # others may wait for it too
        except Cancelled:
            stale = Refused("stale", "the table has moved on since the hint was asked for")
            raise session.at_number(stale) from None
        given = replace(action, number=None, about=hint.position)
        return await session.submit(given, key), thought

    def _pending(self, session: TableSession, adviser: Callable[[Game], Entrant]) -> PendingHint:
        """The thought about a decision, which is started once."""
        known, table = session.hint, session.table
        if known is not None and known.turn == session.turn and not _failed(known.thought):
            return known
        assert table.start is not None
        assert table.position is not None
        player, cancelled = adviser(table.game), threading.Event()
        turn = Turn.at(table.start, table.moves, table.position, player.budget, cancelled=cancelled)
        thought = self._tables.start(self._think(player, turn, session.opener or session.id))
        thought.add_done_callback(_failed)  # retrieves the exception: nobody may wait any more
        session.hint = PendingHint(session.turn, table.position, thought, cancelled)
        return session.hint

    async def _think(self, player: Entrant, turn: Turn, opener: str) -> Thought:
        await self._tables.wait_for_bots(turn.view.game.name)
        return await self._tables.bot_pool.think(player.player, turn, opener)


def _failed(thought: asyncio.Task[Thought]) -> bool:
    """Whether a thought has ended without a result."""
    return thought.done() and (thought.cancelled() or thought.exception() is not None)
