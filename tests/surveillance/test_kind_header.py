"""Table events that surveillance does not need are skipped by the header that names their kind."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from confluent_kafka import Message

from blackjack.cards.card import card
from blackjack.facts import CardDealt, ChipsSold, Event, Fact
from runtime.kafka import topic_reader
from runtime.kafka.records import Headers
from runtime.metrics import Metrics
from runtime.positions import Partition, Position
from surveillance.kafka.pace import Pace
from surveillance.kafka.table_event_filter import Sieve
from surveillance.metrics import Figures
from wire import encode_event, headers
from wire.topics import TABLE_EVENTS

NOON = 1_772_395_200_000_000
CARD: Fact = CardDealt(2, card("AS"))
MONEY: Fact = ChipsSold(10_000)


def message(seq: int, fact: Fact | None, kind: bytes | None) -> Message:
    """A message; without a fact, one whose bytes no parser reads."""
    at = NOON + seq * 1_000_000
    value = b"\xff" if fact is None else encode_event(Event("T-1", seq, at, fact))
    beside: Headers = [(headers.INGESTED_AT, headers.write_ingested_at(at))]
    if kind is not None:
        beside.append((headers.KIND, kind))
    return Message(
        topic=TABLE_EVENTS, partition=0, offset=seq, key=b"T-1", value=value, headers=beside
    )


@pytest.fixture
def sieve(monkeypatch: pytest.MonkeyPatch) -> Sieve:
    monkeypatch.setattr(topic_reader, "count_partitions", lambda *_: 1)
    monkeypatch.setattr(topic_reader, "read", lambda *_, **__: [])
    sieve = Sieve(
        "unused:9092",
        lambda _: "2026-03-01",
        Figures(Metrics("surveillance", version="0")),
        None,
        Pace(),
        prefix="",
        ready=lambda: None,
    )
    sieve.assigned([Position(TABLE_EVENTS, 0, 0)])
    return sieve


def outputs(sieve: Sieve, given: Sequence[Message]) -> list[bytes | None]:
    return [output.value for output in sieve.transform(given)]


def test_a_card_is_not_parsed_where_the_header_names_it(
    sieve: Sieve, monkeypatch: pytest.MonkeyPatch
) -> None:
    list(sieve.transform([message(1, CARD, b"card_dealt")]))
    monkeypatch.setattr("surveillance.kafka.table_event_filter._read", no_parsing_of_cards)
    assert outputs(sieve, [message(2, CARD, b"card_dealt")]) == []


def no_parsing_of_cards(*_: object) -> Event:
    raise AssertionError("parsed")


@pytest.mark.parametrize("kind", [None, b"card_eaten", b"chips_sold"])
def test_without_a_header_of_another_kind_an_event_is_parsed(
    sieve: Sieve, kind: bytes | None
) -> None:
    list(sieve.transform([message(1, CARD, None)]))
    assert outputs(sieve, [message(2, MONEY, kind)]) != []


def test_the_header_changes_no_sighting(sieve: Sieve) -> None:
    facts: list[Fact] = [MONEY, *[CARD] * 100, MONEY, *[CARD] * 100]
    with_kinds = [message(seq, fact, headers.write_kind(fact)) for seq, fact in enumerate(facts, 1)]
    without = [message(seq, fact, None) for seq, fact in enumerate(facts, 1)]
    first = outputs(sieve, without)
    sieve.revoked([Partition(TABLE_EVENTS, 0)])
    assert outputs(sieve, with_kinds) == first


def test_bytes_that_cannot_be_parsed_end_nothing(sieve: Sieve) -> None:
    given = [message(1, CARD, None), message(2, None, b"card_dealt"), message(3, MONEY, None)]
    assert outputs(sieve, given) != []
