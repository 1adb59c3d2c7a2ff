"""What is counted and timed, for Prometheus.

Each server has a registry of its own, so several can be in one process. Labels are few: the route
as it is described, never a path. Requests are counted here, in plain numbers, and told when
Prometheus asks: the counters of its client are for many threads, and take longer.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable
from itertools import accumulate

from prometheus_client import (
    CollectorRegistry,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

CONTENT_TYPE = "text/plain; version=0.0.4"  # the framework adds the charset
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
        self._requests = _Requests()
        self._registry.register(self._requests)
        self._commits = Histogram(
            "benben_commit_seconds",
            "How long the store took for all that waited, in one transaction.",
            buckets=_SECONDS,
            registry=self._registry,
        )

    def answered(self, method: str, status: int) -> None:
        """The answer to a request has begun."""
        self._requests.answered[_known(method), status] += 1

    def took(self, route: str, method: str, status: int, seconds: float) -> None:
        """The answer to a request has ended."""
        key = route, _known(method), status // 100
        took = self._requests.took.get(key)
        if took is None:
            took = self._requests.took[key] = _Took()
        took.add(seconds)

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


class _Took:
    """How long some requests took: how many of them up to each of `_SECONDS`, and in all."""

    def __init__(self) -> None:
        self.counts = [0] * (len(_SECONDS) + 1)  # the last: longer than all of these
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(_SECONDS, seconds)] += 1
        self.sum += seconds

    @property
    def buckets(self) -> list[tuple[str, float]]:
        """As Prometheus has them: each holds what is in those before it."""
        return list(zip((*map(str, _SECONDS), "+Inf"), accumulate(self.counts), strict=True))


class _Requests(Collector):
    """All that were answered, by one thread."""

    def __init__(self) -> None:
        self.answered: Counter[tuple[str, int]] = Counter()  # by method and status
        self.took: dict[tuple[str, str, int], _Took] = {}  # by route, method, and hundreds of it

    def collect(self) -> Iterable[Metric]:
        answered = CounterMetricFamily(
            "benben_requests", "Requests answered.", labels=["method", "status"]
        )
        for (method, status), count in self.answered.items():
            answered.add_metric([method, str(status)], count)
        yield answered
        took = HistogramMetricFamily(
            "benben_request_seconds",
            "From the arrival of a request to the end of its answer; not of streams.",
            labels=["route", "method", "status"],
        )
        for (route, method, hundreds), times in self.took.items():
            took.add_metric([route, method, f"{hundreds}xx"], times.buckets, times.sum)
        yield took


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
