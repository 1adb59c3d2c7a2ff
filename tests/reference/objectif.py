"""Objectif: an independent, naive reading of the rule sheet and its rulings.

Used in lockstep with the fast rules; it shares no code with them.
Written to be obviously right, not to be fast.
"""

from __future__ import annotations

import random
from fractions import Fraction

COLOURS = "ogbpyv"  # orange, green, blue, pink, yellow, violet: the order of every stock


class State:
    """A position: places, stocks, whose turn, secret goals."""

    def __init__(
        self, places: list[str], stocks: list[list[str]], turn: int, goals: list[str]
    ) -> None:
        self.places = places  # each as in the text: Case in lower case, Pièces in upper case
        self.stocks = stocks  # one list of lower-case letters per seat
        self.turn = turn  # seat from 0
        self.goals = goals  # one lower-case letter per seat, "?" where unknown

    @classmethod
    def parse(cls, text: str, options: dict[str, object]) -> State:
        """Read a valid position; the text alone says everything."""
        del options
        places, stocks, turn, goals = text.split(" ")
        return cls(
            places.split("/"),
            [[] if stock == "-" else list(stock.lower()) for stock in stocks.split("|")],
            int(turn) - 1,
            list(goals),
        )

    def text(self) -> str:
        """Write the position in its canonical form."""
        stocks = []
        for stock in self.stocks:
            ordered = sorted(stock, key=COLOURS.index)
            stocks.append("".join(ordered).upper() or "-")
        return " ".join(
            ["/".join(self.places), "|".join(stocks), str(self.turn + 1), "".join(self.goals)]
        )

    def is_over(self) -> bool:
        """Say whether every Pièce has been played."""
        return all(stock == [] for stock in self.stocks)

    def to_move(self) -> int | None:
        """Give the seat whose turn it is, None when the game is over."""
        return None if self.is_over() else self.turn

    def moves(self) -> list[str]:
        """List every legal move: any colour of the own stock, on any place that takes it."""
        if self.is_over():
            return []
        found = []
        for colour in COLOURS:
            if colour not in self.stocks[self.turn]:
                continue
            for number, place in enumerate(self.places, start=1):
                is_bare = len(place) == 1
                if is_bare and place == colour:
                    continue  # a bare Case refuses a Pièce of its own colour
                found.append(f"{colour}@{number}")
        return found

    def throws(self) -> dict[str, Fraction]:
        """List the chance events: there are none after the deal."""
        return {}

    def play(self, move: str) -> State:
        """Give the position after a legal move."""
        colour, number = move.split("@")
        index = int(number) - 1
        piece = colour.upper()

        stocks = [list(stock) for stock in self.stocks]
        stocks[self.turn].remove(colour)

        places = list(self.places)
        # The Case is in lower case, so only a Pièce can match here.
        if places[index].endswith(piece):
            places[index] = places[index][:-1]  # both Pièces leave the game
        else:
            places[index] = places[index] + piece

        next_turn = (self.turn + 1) % len(self.stocks)
        return State(places, stocks, next_turn, list(self.goals))

    def winners(self) -> tuple[list[int], str]:
        """Give the seats that share the win of a finished game, and what decided it."""
        if "?" in self.goals:
            raise ValueError("a finished game shows every goal")

        # Three scores per seat, in the order in which they are compared.
        most_places: list[int] = []
        most_piles: list[int] = []
        tallest_pile: list[int] = []
        for goal in self.goals:
            shown = [place for place in self.places if place[-1].lower() == goal]
            piles = [place for place in shown if len(place) > 1]
            heights = [len(pile) - 1 for pile in piles]  # in Pièces: the Case does not count
            most_places.append(len(shown))
            most_piles.append(len(piles))
            tallest_pile.append(max(heights, default=0))

        tied = list(range(len(self.goals)))
        for reason, score in [
            ("most-places", most_places),
            ("most-piles", most_piles),
            ("tallest-pile", tallest_pile),
        ]:
            best = max(score[seat] for seat in tied)
            tied = [seat for seat in tied if score[seat] == best]
            if len(tied) == 1:
                return tied, reason
        return tied, "shared"

    def shares(self) -> list[Fraction] | None:
        """Give each seat's share of the point, None while the game is on."""
        if not self.is_over():
            return None
        winners, _ = self.winners()
        return [
            Fraction(1, len(winners)) if seat in winners else Fraction(0)
            for seat in range(len(self.goals))
        ]

    def reason(self) -> str | None:
        """Say what decided the game, None while it is on."""
        if not self.is_over():
            return None
        _, reason = self.winners()
        return reason


def start(options: dict[str, object], rng: random.Random) -> State:
    """Deal a random start position."""
    players = int(str(options.get("players", 2)))
    mode = str(options.get("mode", "random"))
    first = str(options.get("first", "random"))
    if players not in (2, 3, 4):
        raise ValueError("objectif is for 2, 3 or 4 players")
    if mode not in ("random", "fair"):
        raise ValueError("the mode is random or fair")
    if mode == "fair" and players == 4:
        raise ValueError("the fair mode is for 2 or 3 players only")

    colours = rng.sample(list(COLOURS), players + 2)
    goals = rng.sample(colours, players)

    places = [colour for colour in colours for _ in range(4)]
    rng.shuffle(places)

    stocks: list[list[str]] = []
    if mode == "random":
        bag = [colour for colour in colours for _ in range(6)]
        rng.shuffle(bag)
        size = {2: 12, 3: 10, 4: 9}[players]
        for seat in range(players):
            stocks.append(bag[seat * size : (seat + 1) * size])
    else:
        of_each = {2: 3, 3: 2}[players]
        for _ in range(players):
            stocks.append([colour for colour in colours for _ in range(of_each)])

    turn = rng.randrange(players) if first == "random" else int(first) - 1
    return State(places, stocks, turn, goals)
