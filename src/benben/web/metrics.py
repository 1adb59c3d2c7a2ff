"""What is counted and timed, for Prometheus.

Each server has a registry of its own, so several can be in one process. Labels are few: the route
as it is described, never a path. What is counted with every request is looked up once and kept.
"""

from collections.abc import Callable, Iterable

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

CONTENT_TYPE = "text/plain; version=0.0.4"  # the framework adds the charset
MOVE = "/api/tables/{table}/move"
NOWHERE = "none"  # the route of what leads nowhere, or was put off before it was looked for
_METHODS = ("GET", "POST", "HEAD", "OPTIONS", "PUT", "PATCH", "DELETE")
_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

# When each series began would be many more lines, which nobody reads.
disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    """Of one server since its start."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._requests = Counter(
            "benben_requests",
            "Requests answered.",
            ["method", "status"],
            registry=self._registry,
        )
        self._seconds = Histogram(
            "benben_request_seconds",
            "From the arrival of a request to the end of its answer; not of streams.",
            ["route", "method", "status"],
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._commits = Histogram(
            "benben_commit_seconds",
            "How long the store took for all that waited, in one transaction.",
            buckets=_SECONDS,
            registry=self._registry,
        )
        self._counting: dict[tuple[str, int], Counter] = {}
        self._timing: dict[tuple[str, str, int], Histogram] = {}

    def answered(self, method: str, status: int) -> None:
        """The answer to a request has begun."""
        method = _known(method)
        counter = self._counting.get((method, status))
        if counter is None:
            counter = self._requests.labels(method, str(status))
            self._counting[method, status] = counter
        counter.inc()

    def took(self, route: str, method: str, status: int, seconds: float) -> None:
        """The answer to a request has ended."""
        method = _known(method)
        histogram = self._timing.get((route, method, status))
        if histogram is None:
            histogram = self._seconds.labels(route, method, f"{status // 100}xx")
            self._timing[route, method, status] = histogram
        histogram.observe(seconds)

    def committed(self, seconds: float) -> None:
        """The store has committed something."""
        self._commits.observe(seconds)

    def gauge(self, name: str, about: str, read: Callable[[], float]) -> None:
        """Something that is as it is when it is asked for."""
        self._registry.register(_Read(GaugeMetricFamily, f"benben_{name}", about, read))

    def counter(self, name: str, about: str, read: Callable[[], float]) -> None:
        """Something that is counted elsewhere."""
        self._registry.register(_Read(CounterMetricFamily, f"benben_{name}", about, read))

    def written(self) -> bytes:
        """The text Prometheus reads."""
        return generate_latest(self._registry)


class _Read(Collector):
    def __init__(
        self,
        family: type[GaugeMetricFamily | CounterMetricFamily],
        name: str,
        about: str,
        read: Callable[[], float],
    ) -> None:
        self._family, self._name, self._about, self._read = family, name, about, read

    def collect(self) -> Iterable[Metric]:
        yield self._family(self._name, self._about, value=self._read())


def _known(method: str) -> str:
    """Anybody can make up methods, but no labels."""
    return method if method in _METHODS else "OTHER"
