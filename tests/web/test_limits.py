"""Limits hold for everything that costs something, however its path is spelled."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection, HTTPResponse
from itertools import count
from pathlib import Path

import pytest

from benben.web.errors import ApiError
from benben.web.limits import Buckets, Keys, Limits, address_key, address_keys
from tests.web.site import JSON, Site, eventually, serving

BURST = 24  # tokens: two costly requests, and not three
SLOTS = 2
PAGES = 30
# An address never gets another token.
FEW = Limits(1e-6, BURST, 0, 0, address_streams=SLOTS, page_rate=1e-6, page_burst=PAGES)

Caller = Callable[[], "Address"]

SPELLINGS: dict[str, Callable[[str], str]] = {
    "plain": lambda path: path,
    "with a query": lambda path: f"{path}?x=1",
    "with an empty query": lambda path: f"{path}?",
    "of another host": lambda path: f"http://elsewhere{path}",
    "two slashes first": lambda path: f"/{path}",
    "three slashes first": lambda path: f"//{path}",
    "two slashes within": lambda path: path.replace("/api/", "/api//"),
    "a slash last": lambda path: f"{path}/",
    "two slashes last": lambda path: f"{path}//",
    "a dot first": lambda path: f"/.{path}",
    "a dot last": lambda path: f"{path}/.",
    "there and back": lambda path: path.replace("/api/", "/api/x/../"),
    "above the root": lambda path: f"/..{path}",
    "encoded dots": lambda path: path.replace("/api/", "/api/x/%2e%2E/"),
    "an encoded letter": lambda path: path.replace("/api", "/%61pi"),
    "an encoded last letter": lambda path: f"{path[:-1]}%{ord(path[-1]):02x}",
    "encoded twice": lambda path: path.replace("/api", "/%2561pi"),
    "an encoded slash": lambda path: path.replace("/api/", "/api%2f"),
    "an encoded slash last": lambda path: f"{path}%2F",
    "an encoded slash first": lambda path: f"/%2f{path[1:]}",
    "a backslash": lambda path: path.replace("/api/", "/api\\"),
    "capitals": lambda path: path.replace("/api", "/API"),
    "capitals last": lambda path: path.rpartition("/")[0] + "/" + path.rpartition("/")[2].upper(),
    "a parameter": lambda path: f"{path};x=1",
    "an encoded space last": lambda path: f"{path}%20",
    "an encoded null last": lambda path: f"{path}%00",
}


class Address:
    """Somebody with an address of their own, who sends a path as it is."""

    def __init__(self, site: Site, host: str) -> None:
        self._port, self._buckets = site.http.base_url.port, site.state.counts.addresses
        self.host, self._headers = host, JSON | {"X-Forwarded-For": host}

    def open(
        self, path: str, method: str = "GET", body: str | None = None, token: str = ""
    ) -> tuple[HTTPConnection, HTTPResponse]:
        line = HTTPConnection("127.0.0.1", self._port, timeout=20)
        headers = self._headers | ({"Authorization": f"Bearer {token}"} if token else {})
        line.request(method, path, body, headers)
        return line, line.getresponse()

    def spend(self, tokens: float) -> None:
        """As by so many requests."""
        for key, times in address_keys(self.host):
            assert self._buckets.take(key, tokens / times) == 0

    def ask(self, path: str, method: str = "GET", body: str | None = None) -> int:
        """The status of the answer."""
        line, answer = self.open(path, method, body)
        with closing(line):
            text = answer.read()
        if answer.status in (404, 429):
            code = json.loads(text)["error"]["code"]
            assert code in ("no-such-path", "too-many-requests"), (path, code)
        return answer.status


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with serving(tmp_path_factory.mktemp("limited"), limits=FEW) as site:
        yield site


@pytest.fixture(scope="module")
def hosts() -> "count[int]":
    return count(1)


@pytest.fixture
def caller(limited: Site, hosts: Iterator[int]) -> Caller:
    """Another address each time."""
    return lambda: Address(limited, f"10.0.{next(hosts)}.1")


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_cheap_path(caller: Caller, spelling: str) -> None:
    path, address = SPELLINGS[spelling]("/api/games"), caller()
    first = address.ask(path)
    assert first == 200 or (first == 404 and spelling != "plain")
    address.spend(BURST - 2)
    assert [address.ask(path) for _ in range(2)] == [first, 429]


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize(
    ("plain", "status"), [("/api/records", 422), ("/api/bots", 400)], ids=["records", "bots"]
)
def test_a_costly_path(caller: Caller, plain: str, status: int, spelling: str) -> None:
    path, address = SPELLINGS[spelling](plain), caller()
    first = address.ask(path, "POST", "{}")
    if first in (404, 405) and spelling != "plain":  # nothing is there, or nothing to post to
        address.spend(BURST - 2)
    else:
        assert first == status
    assert [address.ask(path, "POST", "{}") for _ in range(2)] == [first, 429]


def test_a_costly_request_that_is_put_off_takes_nothing(caller: Caller) -> None:
    address = caller()
    assert [address.ask("/api/records", "POST", "{}") for _ in range(4)] == [422, 422, 429, 429]
    assert [address.ask("/api/games") for _ in range(5)] == [200] * 4 + [429]


def test_a_table_costs_more_the_higher_the_levels_of_its_bots(caller: Caller) -> None:
    def told(*levels: int) -> list[int]:
        seats: list[dict[str, int]] = [{"bot": level} if level else {} for level in levels]
        body = json.dumps({"game": "objectif", "players": len(levels), "seats": seats})
        address = caller()
        return [address.ask("/api/tables", "POST", body) for _ in range(6)]

    assert told(0, 6, 6, 6) == [201] * 3 + [429] * 3  # 1 + 18/3 tokens of 24
    assert told(0, 3, 3, 3) == [201] * 6
    assert told(0, -90, 1_000_000, 0) == [422] * 6, "what is no level costs and earns nothing"


def test_a_bot_on_a_free_seat_costs_as_much(caller: Caller) -> None:
    address, told = caller(), []
    line, answer = address.open("/api/tables", "POST", '{"game": "quadrille", "players": 2}')
    with closing(line):
        path = f"/api/tables/{json.loads(answer.read())['id']}/seats/1/bot"
    for _ in range(8):  # 1 + 6/3 tokens each, of 23
        line, answer = address.open(path, "POST", '{"level": 6}', token="unknown")
        line.close()
        told.append(answer.status)
    assert told == [401] * 7 + [429]


def test_a_table_is_known_by_a_hash_of_its_openers_address(limited: Site, caller: Caller) -> None:
    def opener(address: Address) -> str | None:
        line, answer = address.open("/api/tables", "POST", '{"game": "quadrille", "players": 2}')
        with closing(line):
            kept = limited.state.store.table(json.loads(answer.read())["id"])
        assert kept is not None
        return kept.opener

    ann, bob = caller(), caller()
    assert opener(ann) == opener(ann) != opener(bob)
    assert address_key(ann.host) not in str(opener(ann)), "nobody can compute it"


def test_a_rematch_costs_as_much_as_opening_its_table(limited: Site, caller: Caller) -> None:
    person = limited.table("pyramidis", players=4, people=1, seats=[{}, *[{"bot": 6}] * 3])[0]
    person.do("resign")
    address, told = caller(), []
    for _ in range(4):  # 1 + 18/3 tokens each, of 24: nobody is asked for a token before
        line, answer = address.open(
            f"/api/tables/{person.table}/rematch", "POST", "{}", token="unknown"
        )
        line.close()
        told.append(answer.status)
    assert told == [401] * 3 + [429]


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("kind", ["table", "bot"])
def test_streams(limited: Site, caller: Caller, kind: str, spelling: str) -> None:
    def open_streams() -> int:
        return limited.state.streams.open + limited.state.bot_streams.open

    if kind == "table":
        plain, tokens = f"/api/tables/{_table(caller())}/events", [""] * (SLOTS + 1)
    else:
        plain = "/api/bots/me/tables"
        tokens = [_token(caller(), f"Rex {spelling}"[:22] + str(i)) for i in range(SLOTS + 1)]
    path, address = SPELLINGS[spelling](plain), caller()
    eventually(lambda: open_streams() == 0, "the streams before have ended")
    with ExitStack() as lines:
        told = []
        for token in tokens:
            line, answer = address.open(path, token=token)
            lines.enter_context(closing(line))
            lines.enter_context(closing(answer))
            told.append(answer.status)
        if told[0] == 404 and spelling != "plain":
            assert told == [404] * (SLOTS + 1)
            assert open_streams() == 0
            return
        assert told == [200] * SLOTS + [429]
        eventually(lambda: open_streams() == SLOTS, "both are open")
    eventually(lambda: open_streams() == 0, "they have ended")

    def again() -> bool:
        line, answer = address.open(path, token=tokens[0])
        with closing(line), closing(answer):
            return answer.status == 200

    eventually(again, "there is room again")


def _table(address: Address) -> str:
    line, answer = address.open("/api/tables", "POST", '{"game": "quadrille"}')
    with closing(line):
        return str(json.load(answer)["id"])


def _token(address: Address, name: str) -> str:
    line, answer = address.open("/api/bots", "POST", json.dumps({"name": name}))
    with closing(line):
        return str(json.load(answer)["token"])


def test_both_kinds_of_streams_share_their_places(caller: Caller) -> None:
    table, token, address = _table(caller()), _token(caller(), "Both"), caller()
    with ExitStack() as lines:
        told = []
        for path, shown in (
            (f"/api/tables/{table}/events", ""),
            ("/api/bots/me/tables", token),
            (f"/api/tables/{table}/events", ""),
        ):
            line, answer = address.open(path, token=shown)
            lines.enter_context(closing(line))
            lines.enter_context(closing(answer))
            told.append(answer.status)
    assert told == [200, 200, 429]


def test_what_is_no_page_is_limited_also_where_nothing_is(limited: Site, caller: Caller) -> None:
    address = caller()
    described = limited.get("openapi.json")["paths"]
    free = {"/healthz", "/readyz"}
    assert [address.ask("/api/games") for _ in range(BURST + 1)][-1] == 429
    for path, methods in described.items():
        for method in methods:
            told = address.ask(path.replace("{", "").replace("}", ""), method.upper())
            assert told == (200 if path in free else 429), path
    for method, path in (
        ("GET", "/api/openapi.json"),
        ("GET", "/api/nothing"),
        ("GET", "/api"),
        ("GET", "/nothing"),
        ("GET", "/assets/nothing.js"),
        ("GET", "/t/x/y"),
        ("GET", "/index.html"),
        ("DELETE", "/api/games"),
        ("POST", "/"),
        ("POST", "/t/abc"),
        ("POST", "/healthz"),
        ("PROPFIND", "/nowhere"),
    ):
        assert address.ask(path, method) == 429, path


PICTURE = "/diagrams/quadrille/step.png"


def test_files_of_pages_are_free_and_pages_have_a_limit_of_their_own(
    limited: Site, caller: Caller
) -> None:
    address = caller()
    assert [address.ask("/api/games") for _ in range(BURST + 1)][-1] == 429
    static = Path(__file__).parents[2] / "src" / "benben" / "web" / "static"
    files = [
        f"/{each.relative_to(static).as_posix()}"
        for each in static.rglob("*.*")
        if each.suffix not in (".br", ".gz")  # sent in place of the file beside them
    ]
    assert any(each.startswith("/assets/") for each in files)
    for path in (PICTURE, *files):
        unlisted = path in ("/index.html", "/pages.json")
        assert address.ask(path) == (429 if unlisted else 200), path
    pages = ("/", "/t/abc", "/review/abc", "/new/quadrille", "/rules/objectif")
    assert [address.ask(pages[i % 5], "HEAD" if i % 2 else "GET") for i in range(PAGES)] == (
        [200] * PAGES
    )
    for path in pages:
        assert address.ask(path) == 429, path
    for path in (PICTURE, "/healthz", "/readyz"):
        assert [address.ask(path) for _ in range(3)] == [200] * 3, path


# ---- IPv6


def charged(buckets: Buckets, keys: Keys, tokens: float) -> bool:
    """Whether there were enough tokens."""
    try:
        buckets.charge(keys, tokens)
    except ApiError as error:
        assert error.status == 429
        return False
    return True


def test_wide_networks_have_a_limit_too() -> None:
    """A /48 has 65,536 networks of /64, each with an address of its own to ask from."""
    buckets = Buckets(1e-6, BURST)

    def taken(networks: Iterable[str]) -> list[bool]:
        keys = (address_keys(f"2001:db8:{each}::1") for each in networks)
        return [charged(buckets, each, 1.0) for each in keys]

    in_one_56 = taken(f"1:{i:x}" for i in range(4 * BURST + 2))
    assert in_one_56 == [True] * 4 * BURST + [False, False]
    assert taken(["1:100"]) == [True], "another /56"
    left = 12 * BURST - 1
    in_one_48 = taken(f"1:{i % 200 + 2:x}00" for i in range(left + 2))
    assert in_one_48 == [True] * left + [False, False]
    assert taken(["2:0"]) == [True], "another /48"


def test_a_request_is_counted_in_all_its_networks(limited: Site) -> None:
    def statuses(*networks: str) -> list[int]:
        return [Address(limited, f"2001:db8:{each}::1").ask("/api/games") for each in networks]

    Address(limited, "2001:db8:1:0::1").spend(4 * BURST - 1)
    assert statuses("1:1", "1:2", "1:100") == [200, 429, 200], "the last is another /56"
    Address(limited, "2001:db8:1:200::1").spend(12 * BURST - 2)
    assert statuses("1:300", "1:400", "2:0") == [200, 429, 200], "the last is another /48"


def test_what_a_wide_network_is_refused_costs_the_narrow_one_nothing() -> None:
    buckets = Buckets(1.0, 4.0, lambda: 0.0)
    wide, narrow = address_keys("2001:db8::1")[0], address_keys("2001:db8::1")[-1]
    assert (wide[1], narrow[1]) == (16, 1)
    assert buckets.take(wide[0], 4.0) == 0
    assert not charged(buckets, (narrow, wide), 1.0)
    assert charged(buckets, (narrow,), 4.0), "it was given back"
    assert len(address_keys("192.0.2.1")) == len(address_keys("nowhere")) == 1


def test_wide_networks_have_few_streams_too(limited: Site) -> None:
    table = _table(Address(limited, "10.1.0.1"))
    with ExitStack() as lines:
        told = []
        for i in range(4 * SLOTS + 1):
            address = Address(limited, f"2001:db8:3:{i:x}::1")
            line, answer = address.open(f"/api/tables/{table}/events")
            lines.enter_context(closing(line))
            lines.enter_context(closing(answer))
            told.append(answer.status)
    assert told == [200] * 4 * SLOTS + [429]
