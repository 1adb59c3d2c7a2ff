"""Metrics of a server, for Prometheus.

Each server has a registry of its own, so several can be in one process. Labels are few: the route
as it is described, never a path.
"""

from collections.abc import Callable, Iterable
from functools import cache

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, Metric
from prometheus_client.registry import Collector

CONTENT_TYPE = "text/plain; version=0.0.4"  # the framework adds the charset
NOWHERE = "none"  # the route of unknown paths, and of requests refused before routing
_METHODS = ("GET", "POST", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE")
_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

# No `_created` series: they would double the output.
disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    """The metrics of one server."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        answered = Counter(
            "benben_requests", "Requests answered.", ["method", "status"], registry=registry
        )
        took = Histogram(
            "benben_request_seconds",
            "From the arrival of a request to the end of its answer; not of streams.",
            ["route", "method", "status"],
            buckets=_SECONDS,
            registry=registry,
        )
        self._commits = Histogram(
            "benben_commit_seconds",
            "How long the store took for all that waited, in one transaction.",
            buckets=_SECONDS,
            registry=registry,
        )
        # Cached: looking up the series of labels takes longer than counting.
        self._answered: Callable[[str, int], Counter] = cache(
            lambda method, status: answered.labels(method, str(status))
        )
        self._took: Callable[[str, str, int], Histogram] = cache(
            lambda route, method, hundreds: took.labels(route, method, f"{hundreds}xx")
        )

    def answered(self, method: str, status: int) -> None:
        """Count a response that has begun."""
        self._answered(_known(method), status).inc()

    def took(self, route: str, method: str, status: int, seconds: float) -> None:
        """Record how long a request took, at the end of its response."""
        self._took(route, _known(method), status // 100).observe(seconds)

    def committed(self, seconds: float) -> None:
        """Record how long a transaction of the store took."""
        self._commits.observe(seconds)

    def gauge(self, name: str, about: str, read: Callable[[], float]) -> None:
        """Add a value that is read when Prometheus asks."""
        Gauge(f"benben_{name}", about, registry=self._registry).set_function(read)

    def counter(self, name: str, about: str, read: Callable[[], float]) -> None:
        """Add a counter that is read when Prometheus asks."""
        self._registry.register(_ReadCounter(f"benben_{name}", about, read))

    def written(self) -> bytes:
        """The metrics in Prometheus' text format."""
        return generate_latest(self._registry)


class _ReadCounter(Collector):
    """A counter with a function: `prometheus_client` has those for gauges only."""

    def __init__(self, name: str, about: str, read: Callable[[], float]) -> None:
        self._name, self._about, self._read = name, about, read

    def collect(self) -> Iterable[Metric]:
        yield CounterMetricFamily(self._name, self._about, value=self._read())


def _known(method: str) -> str:
    """The label of a method: clients can invent methods, but not labels."""
    return method if method in _METHODS else "OTHER"
