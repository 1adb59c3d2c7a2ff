"""The server against its own description: what it says of itself is so, whatever is asked."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import FlakyStrategyDefinition
from schemathesis import Response
from schemathesis.checks import (
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
)

from tests.sizes import LONG
from tests.web.site import Person, Site

CHECKS = [
    content_type_conformance,
    not_a_server_error,
    response_schema_conformance,
    status_code_conformance,
]
ALWAYS_THE_SAME = settings(
    database=None,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    max_examples=12 if LONG else 4,
    stateful_step_count=20,
    suppress_health_check=list(HealthCheck),
)
OPEN, SIT = "POST /api/tables", "POST /api/tables/{table}/seats/{seat}"
WHEN = {"move": "legal", "resign": "legal", "rematch": "result"}  # what a table then has
GAMES, MOST_GAMES = 15 if LONG else 5, 150  # of the state machine, most of which do not come far
GOOD = ("game", "leaver", "listed", "drawn")  # of a table: with these alone there can be one


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    with requests.Session() as session:
        yield session


@pytest.fixture(scope="module")
def api(site: Site) -> Any:
    config = schemathesis.Config.from_dict(
        {
            "max-stream-events": 1,  # a stream has no end
            "phases": {"stateful": {"inference": {"algorithms": []}}},  # we have links
        }
    )
    return schemathesis.openapi.from_url(f"{site.http.base_url}/api/openapi.json", config=config)


@pytest.mark.slow
def test_every_operation_answers_as_described(
    site: Site, api: Any, session: requests.Session
) -> None:
    asked: Counter[str] = Counter()

    for operation in api.get_all_operations():
        found = operation.ok()

        @ALWAYS_THE_SAME
        @given(case=found.as_strategy())
        def ask(case: Any) -> None:
            asked[case.operation.label] += 1
            case.call_and_validate(checks=CHECKS, session=session)

        ask()
    paths = site.get("openapi.json")["paths"]
    assert set(asked) == {f"{how.upper()} {path}" for path in paths for how in paths[path]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("without", "reached"),
    [
        ("nothing", {"forget", "leave", "record", "events", "mine"}),
        ("forget|leave|reclaim|events|record|mine", {"move", "resign", "rematch"}),
    ],
)
def test_whole_games_go_as_described(
    site: Site, api: Any, session: requests.Session, without: str, reached: set[str]
) -> None:
    """Who can leave mostly leaves before there is a game, so there is one without."""
    done: Counter[str] = Counter()
    failures: list[Exception] = []
    games = 0

    class Playing(api.exclude(path_regex=without).as_state_machine()):  # type: ignore[misc]
        """Follows the links; three times of four it knows what no link can say."""

        def setup(self) -> None:
            nonlocal games
            games += 1
            self.people: list[Person] = []
            self.steps = 0

        def before_call(self, case: Any) -> None:
            self.steps += 1
            if self.steps % 4 == 0:
                return
            if case.operation.label == OPEN and isinstance(case.body, dict):
                good = {name: case.body[name] for name in GOOD if name in case.body}
                case.body = good | {"players": 2}
            elif case.operation.label == SIT:
                table = case.path_parameters["table"]
                case.path_parameters["seat"] = sum(who.table == table for who in self.people)
                case.body = {"name": f"Ann{len(self.people)}", "nonce": "n"}
            else:
                self._make_good(case, case.operation.label.rsplit("/", 1)[-1])

        def _make_good(self, case: Any, deed: str) -> None:
            """By somebody who can do it now, if it is known when that is."""
            for person in self.people if deed in WHEN else ():
                answer = site.http.get(f"/api/tables/{person.table}", headers=person.headers)
                if answer.is_success and answer.json().get(WHEN[deed]):
                    case.path_parameters["table"] = person.table
                    case.headers.update(person.headers)
                    if deed == "move":
                        case.body = {"move": answer.json()["legal"][0]["move"]}

        def after_call(self, response: Response, case: Any) -> None:
            super().after_call(response, case)
            if 200 <= response.status_code < 300:
                done[case.operation.label] += 1
                if case.operation.label == SIT:
                    table = case.path_parameters["table"]
                    self.people.append(Person(site, table, response.json()["token"]))

        def get_call_kwargs(self, _: Any) -> dict[str, Any]:
            return {"session": session}

        def validate_response(self, response: Response, case: Any, **_: Any) -> None:
            try:
                case.validate_response(response, checks=CHECKS)
            except Exception as failure:  # of a check
                failures.append(failure)
                raise

    def missing() -> set[str]:
        return reached - {label.rsplit("/", 1)[-1] for label in done}

    while games < GAMES or (missing() and games < MOST_GAMES):
        # The luck of a table is not Hypothesis's: when a game goes another way, it begins anew.
        with suppress(FlakyStrategyDefinition):
            seed(games)(Playing).run(settings=ALWAYS_THE_SAME)
        assert not failures
    assert not missing()
