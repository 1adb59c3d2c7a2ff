"""The description as other programs make types of it."""

import json
from functools import cache
from typing import Any

from typer.testing import CliRunner

from benben.cli import app
from tests.web.in_process import site
from tests.web.site import Site

__all__ = ["site"]

# Of what is written with `omit_defaults`: what is always there.
ALWAYS = {
    "TableView": "number game options pace leaver resign listed drawn commitment playable seats",
    "SeatView": "",
    "NowView": "",
    "EventMessage": "number at event",
    "StepView": "move effects",
    "Line": "number at seat",
    "Sat": "kind seat name nonce",
    "Said": "kind seat",
}


@cache
def printed() -> dict[str, Any]:
    result = CliRunner().invoke(app, ["openapi"])
    assert result.exit_code == 0, result.output
    described: dict[str, Any] = json.loads(result.output)
    assert json.dumps(described, indent=2, sort_keys=True, ensure_ascii=False) in result.output
    return described


def test_what_is_printed_is_what_the_server_says(site: Site) -> None:
    assert printed() == site.get("openapi.json")


def test_what_may_be_left_out_is_neither_required_nor_ever_null() -> None:
    schemas = printed()["components"]["schemas"]
    for name, always in ALWAYS.items():
        assert set(schemas[name]["required"]) == set(always.split()), name
        for field, schema in schemas[name]["properties"].items():
            assert "default" not in schema, (name, field)
            assert {"type": "null"} not in schema.get("anyOf", []), (name, field)


def test_events_are_told_apart_by_their_kind() -> None:
    schemas = printed()["components"]["schemas"]
    kinds = schemas["AnyEvent"]["discriminator"]["mapping"]
    assert schemas["AnyEvent"]["discriminator"]["propertyName"] == "kind"
    for kind, where in kinds.items():
        event = schemas[where.rsplit("/", 1)[-1]]
        assert event["properties"]["kind"] == {"enum": [kind]}
        assert "kind" in event["required"]
    assert schemas["EventMessage"]["properties"]["event"]["$ref"].endswith("/AnyEvent")


def test_an_effect_has_five_items() -> None:
    effect = printed()["components"]["schemas"]["Effect"]
    assert len(effect["prefixItems"]) == effect["minItems"] == effect["maxItems"] == 5


def test_every_body_that_is_named_is_there() -> None:
    described = printed()
    for name in set(json.dumps(described).split('"#/components/schemas/')[1:]):
        assert name.split('"')[0] in described["components"]["schemas"]
