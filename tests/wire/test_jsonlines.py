"""The log as text: what is written is read back, and mistakes are named."""

from __future__ import annotations

import json
from collections.abc import Iterable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from blackjack.cards.card import card
from blackjack.facts import (
    CardDealt,
    ControllerRestarted,
    Event,
    Fact,
    HeartbeatSent,
    RoundOpened,
)
from blackjack.findings import Finding
from blackjack.play.table import Table, fold
from casino.table.v1.event_pb2 import TableEvent
from tests.strategies import events
from wire import NotAnEvent, Unwritable, decode_event, encode_event
from wire.chain import digest
from wire.json_lines import event_from_json, event_to_json, frame_to_json

AT = 1_772_395_200_250_000
ENVELOPE = '"tableId":"T-07","tableSeq":"3","deviceTime":"2026-03-01T20:00:00.250Z"'
DEALT = Event("T-07", 3, AT, CardDealt(2, card("AS")))


def findings_of(stream: Iterable[Event]) -> list[Finding]:
    _, steps = fold(Table.new("T-07"), stream)
    return [finding for step in steps for finding in step.findings]


@given(events())
def test_an_event_survives_text(event: Event) -> None:
    line = event_to_json(event)
    assert "\n" not in line
    assert replace(event_from_json(line), digest=b"") == event


@given(events())
def test_a_chained_stream_keeps_its_digests_through_text(event: Event) -> None:
    read = decode_event(encode_event(event))
    assert event_from_json(event_to_json(read), chained=True) == read


@given(events(), st.integers(0, 2**50))
def test_a_frame_keeps_its_bytes_and_its_ingest_time(event: Event, at: int) -> None:
    frame = encode_event(event)
    assert event_from_json(frame_to_json(frame, ingested_at=at)) == decode_event(
        frame, ingested_at=at
    )


def test_a_line_reads_as_plain_json() -> None:
    line = f'{{{ENVELOPE},"cardDealt":{{"seat":2,"card":"CARD_ACE_OF_SPADES"}}}}'
    assert event_to_json(DEALT) == line
    assert event_from_json(line) == DEALT


def test_a_line_that_a_person_typed_may_be_looser() -> None:
    line = """ {"table_id": "T-07", "table_seq": 3, "device_time": "2026-03-01T12:00:00.25-08:00",
                "card_dealt": {"seat": 2, "card": 40, "place": null}} """
    assert event_from_json(line) == DEALT


def test_a_line_without_previous_hash_has_no_digest_unless_the_stream_is_chained() -> None:
    line = event_to_json(DEALT)
    assert event_from_json(line).digest == b""
    assert event_from_json(line, chained=True).digest == digest(encode_event(DEALT))
    linked = replace(DEALT, previous=b"p" * 32)
    assert event_from_json(event_to_json(linked)).digest == digest(encode_event(linked))


def test_a_line_that_starts_a_chain_has_a_digest_for_the_next_to_name() -> None:
    first = replace(DEALT, seq=1)
    restarted = replace(DEALT, fact=ControllerRestarted("power cut"))
    assert event_from_json(event_to_json(first)).digest == digest(encode_event(first))
    assert event_from_json(event_to_json(restarted)).digest == digest(encode_event(restarted))


@pytest.mark.parametrize("chained", [True, False])
def test_a_chained_stream_read_as_text_is_whole_to_the_engine(chained: bool) -> None:
    beat, restart = HeartbeatSent(), ControllerRestarted("power cut")
    facts: list[Fact] = [beat, beat, restart, beat]
    lines: list[str] = []
    previous = b""
    for seq, fact in enumerate(facts, start=1):
        starts = isinstance(fact, ControllerRestarted)
        event = Event("T-07", seq, AT + seq, fact, previous=b"" if starts else previous)
        lines.append(event_to_json(event))
        previous = digest(encode_event(event))
    assert findings_of(event_from_json(line, chained=chained) for line in lines) == []
    del lines[1]
    assert findings_of(event_from_json(line, chained=chained) for line in lines) != []


def test_a_stream_that_somebody_typed_has_no_chain_to_break() -> None:
    lines = [event_to_json(Event("T-07", seq, AT + seq, HeartbeatSent())) for seq in range(1, 5)]
    assert findings_of(event_from_json(line) for line in lines) == []


def test_an_event_of_foreign_bytes_is_not_told_without_them() -> None:
    """Fields in another order say the same, and have another digest."""
    told = TableEvent.FromString(encode_event(DEALT))
    told.card_dealt.hand = 1
    frame = told.SerializeToString(deterministic=True)
    event = decode_event(frame)
    assert event.fact == DEALT.fact
    with pytest.raises(Unwritable, match="digest is that of other bytes"):
        event_to_json(event)
    assert event_from_json(frame_to_json(frame)) == event


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "not JSON: Expecting value at character 1"),
        ('{"tableId":', "not JSON: Expecting value at character 12"),
        ("[1]", "a line must be one JSON object, in braces"),
        ('{"tableSeq":NaN}', "NaN is no number"),
        ('{"tableId":"a","tableId":"b"}', 'the key "tableId" stands twice in one object'),
        ('{"tableId":"a","table_id":"b"}', '"tableId" and "table_id" are the same field'),
        ("{" + '"x":{' * 5000 + "}" * 5001, "the JSON is nested too deeply"),
        ('{"tableID":"a"}', 'there is no field "tableID" in TableEvent; did you mean "tableId"?'),
        ('{"tableId":7}', "tableId: 7 is not a text in quotes"),
        ('{"tableId":"\\ud800"}', 'tableId: "\\ud800" is not a text in quotes'),
        (
            '{"tableSeq":1.5}',
            "tableSeq: 1.5 is not a whole number from 0 to 18446744073709551615",
        ),
        ('{"previousHash":"***"}', 'previousHash: "***" is not bytes written in base64'),
        (
            '{"deviceTime":"2026-13-01T00:00:00Z"}',
            'deviceTime: "2026-13-01T00:00:00Z" is not a time such as "2026-03-01T20:15:00.250Z"',
        ),
        ('{"cardDealt":[]}', "cardDealt: [] is not an object in braces"),
        (
            '{"cardDealt":{"seat":-1}}',
            "cardDealt.seat: -1 is not a whole number from 0 to 4294967295",
        ),
        (
            '{"cardDealt":{"seat":true}}',
            "cardDealt.seat: true is not a whole number from 0 to 4294967295",
        ),
        (
            '{"cardDealt":{"faceDown":"yes"}}',
            'cardDealt.faceDown: "yes" is not true or false, without quotes',
        ),
        (
            '{"cardDealt":{"card":"CARD_ACE_OF_SPADE"}}',
            'cardDealt.card: "CARD_ACE_OF_SPADE" is not a Card; did you mean CARD_ACE_OF_SPADES?',
        ),
        ('{"cardDealt":{"card":77}}', "cardDealt.card: 77 is not the number of a Card"),
        ('{"cardDealt":{"card":true}}', "cardDealt.card: true is not a Card"),
        ('{"shoeCounted":{"cards":5}}', "shoeCounted.cards: 5 is not a list in brackets"),
        ('{"shoeCounted":{"cards":[null]}}', "shoeCounted.cards[0]: null is not a Card"),
        (
            '{"ruleSetActivated":{"definition":{"paytables":{"x":"y"}}}}',
            'ruleSetActivated.definition.paytables.x: "y" is not a whole number from 0 to'
            " 4294967295",
        ),
        (
            '{"roundClosed":{},"betsClosed":{}}',
            '"roundClosed" and "betsClosed" are both given, and only one may be',
        ),
        (f"{{{ENVELOPE}}}", "no fact is set, or one that this contract does not know"),
        ('{"betsClosed":{}}', "table_id is not stated"),
        ('{"event":"/w=="}', "the bytes are no TableEvent, or were cut off"),
        ('{"event":"","seq":1}', 'there is no field "seq" in IngestedEvent'),
    ],
)
def test_what_is_wrong_with_a_line_is_said_in_plain_words(line: str, reason: str) -> None:
    with pytest.raises(NotAnEvent) as caught:
        event_from_json(line)
    assert caught.value.reason == reason


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
NAMES = st.sampled_from(
    [name for field in TableEvent.DESCRIPTOR.fields for name in (field.name, field.camelcase_name)]
)


@given(st.text(max_size=60))
def test_random_text_is_an_event_or_not_and_nothing_else(line: str) -> None:
    with pytest.raises(NotAnEvent):
        event_from_json(line)


@given(st.dictionaries(NAMES | st.just("event"), JSON, max_size=4))
def test_random_objects_are_an_event_or_not_and_nothing_else(fields: dict[str, object]) -> None:
    with suppress(NotAnEvent):
        event_from_json(json.dumps(fields))


@given(events(), st.data())
def test_a_line_with_one_value_exchanged_is_an_event_or_not(
    event: Event, data: st.DataObject
) -> None:
    fields = json.loads(event_to_json(event))
    inner = data.draw(st.sampled_from([fields, *(v for v in fields.values() if type(v) is dict)]))
    if inner:
        inner[data.draw(st.sampled_from(sorted(inner)))] = data.draw(JSON)
    with suppress(NotAnEvent):
        event_from_json(json.dumps(fields))


def test_an_opened_round_is_told_in_any_script() -> None:
    event = replace(DEALT, fact=RoundOpened("Раунд 1 ♠"))
    assert "Раунд 1 ♠" in event_to_json(event)
    assert event_from_json(event_to_json(event)) == event
