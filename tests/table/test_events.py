"""Every kind of event declares how it is handled."""

import typing

import pytest

from benben.table import events
from benben.table.events import AnyEvent, Event, SeatEvent, Traits


def test_a_kind_that_does_not_declare_its_traits_fails_at_import() -> None:
    with pytest.raises(TypeError, match="Undeclared does not declare its traits"):

        class Undeclared(Event, frozen=True, tag="undeclared"):
            seat: int


def test_traits_are_not_inherited() -> None:
    with pytest.raises(TypeError, match="Later does not declare its traits"):

        class Later(events.Said, frozen=True, tag="later"):
            """It would be public without anybody having said so."""


def test_traits_say_whether_a_kind_is_public() -> None:
    with pytest.raises(TypeError, match="public"):
        Traits()  # type: ignore[call-arg]


def test_every_kind_can_be_read_back() -> None:
    kinds = {
        each for each in vars(events).values() if isinstance(each, type) and issubclass(each, Event)
    }
    assert kinds == {Event, SeatEvent, *typing.get_args(AnyEvent)}


def test_only_the_deal_holds_secrets() -> None:
    assert [kind for kind in typing.get_args(AnyEvent) if not kind.traits.public] == [events.Began]
