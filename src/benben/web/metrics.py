"""What is counted, and how it is told to Prometheus."""

from collections import Counter
from collections.abc import Mapping

from benben.table.tables import Tables

_METHODS = ("GET", "POST", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE")


class Counts:
    """Requests of one server since its start."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, int]] = Counter()

    def request(self, method: str, status: int) -> None:
        self.requests[method if method in _METHODS else "OTHER", status] += 1


def written(counts: Counts, tables: Tables, streams: int, ready: bool) -> str:
    """The text Prometheus reads."""
    lines: list[str] = []

    def tell(name: str, kind: str, about: str, values: Mapping[str, int]) -> None:
        lines.append(f"# HELP benben_{name} {about}")
        lines.append(f"# TYPE benben_{name} {kind}")
        lines.extend(f"benben_{name}{labels} {value}" for labels, value in values.items())

    tell("ready", "gauge", "Whether people can play every game.", {"": ready + 0})
    tell("tables_live", "gauge", "Tables in memory.", {"": tables.loaded})
    tell("streams_open", "gauge", "Open streams of events.", {"": streams})
    tell("events_stored_total", "counter", "Events stored by this server.", {"": tables.stored})
    tell("moves_total", "counter", "Moves among them.", {"": tables.moves})
    tell("bot_thoughts_total", "counter", "Thoughts that bots began.", {"": tables.thoughts})
    requests = {
        f'{{method="{method}",status="{status}"}}': count
        for (method, status), count in sorted(counts.requests.items())
    }
    tell("requests_total", "counter", "Requests answered.", requests)
    return "\n".join(lines) + "\n"
