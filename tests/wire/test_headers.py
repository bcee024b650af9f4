"""The kind of a fact beside its event: readers that do not need it skip the message."""

from __future__ import annotations

import pytest
from hypothesis import given

from blackjack.facts import Event, Fact
from tests.strategies import FACTS, events
from wire import encode_event
from wire.events import MEMBERS, tags_of
from wire.headers import read_kind, write_kind

TAGS = {kind: tags_of([MEMBERS[kind]]) for kind in FACTS}


@given(events())
def test_the_kind_survives_the_header(event: Event) -> None:
    assert read_kind(write_kind(event.fact)) == MEMBERS[type(event.fact)]


@pytest.mark.parametrize("header", [None, b"", b"CardDealt", b"card_dealt ", b"\xff"])
def test_a_header_that_names_no_fact_counts_as_absent(header: bytes | None) -> None:
    assert read_kind(header) == ""


@given(events())
def test_the_bytes_of_an_event_hold_the_tag_of_its_fact(event: Event) -> None:
    assert TAGS[type(event.fact)].search(encode_event(event))


@pytest.mark.parametrize("kind", FACTS)
def test_every_fact_of_the_contract_has_a_kind(kind: type[Fact]) -> None:
    assert read_kind(MEMBERS[kind].encode()) == MEMBERS[kind]
