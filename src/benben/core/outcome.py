"""How a game ended."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Result:
    """A share of one point per seat, and the id of the rule or tie-break that decided."""

    shares: tuple[float, ...]
    reason: str

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that share the best result."""
        best = max(self.shares)
        return tuple(seat for seat, share in enumerate(self.shares) if share == best)
