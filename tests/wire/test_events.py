"""Events survive the wire, and nothing else passes for one."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from blackjack import facts as engine
from blackjack.cards.card import DECK, card
from blackjack.facts import (
    BetsClosed,
    CardDealt,
    ChipCount,
    Event,
    HeartbeatSent,
    IrregularityRuled,
    PlayerActed,
    RoundOpened,
    RuleSetActivated,
    ShoeCounted,
    TrayObserved,
    WagerPaid,
)
from blackjack.rulebook.house_rules import HouseRules, PostedLimits, RuleSetSpec
from blackjack.rulebook.promotions import Terms
from casino.table.v1 import facts_table_pb2, rules_pb2
from casino.table.v1.cards_pb2 import Card as WireCard
from casino.table.v1.event_pb2 import TableEvent
from tests.strategies import FACTS, events, structs
from wire import NotAnEvent, Unwritable, decode_event, encode_event
from wire.events import EVENT_BYTES_MAX, MEMBERS
from wire.promotions import read_terms, write_terms
from wire.rules import read_rule_set, write_rule_set
from wire.vocabulary import CARD_NUMBERS, CARDS

AT = 1_772_395_200_250_000  # 2026-03-01T20:00:00.25Z
DEALT = Event("T-07", 3, AT, CardDealt(2, card("AS")), "shoe-1", 990, previous=bytes(range(32)))

EXAMPLES_A_FACT = settings().max_examples // 5  # there are many facts, and most are small
EVENTS = {kind: events(kind) for kind in FACTS}


def message(**changes: Any) -> TableEvent:
    """A sound event as a message, for a test to spoil."""
    made = TableEvent.FromString(encode_event(DEALT))
    for name, value in changes.items():
        setattr(made, name, value)
    return made


def reason(data: bytes) -> str:
    with pytest.raises(NotAnEvent) as caught:
        decode_event(data)
    return caught.value.reason


# The round trip ------------------------------------------------------------------------


@pytest.mark.parametrize("kind", FACTS, ids=lambda kind: kind.__name__)
@settings(max_examples=EXAMPLES_A_FACT)
@given(data=st.data())
def test_every_fact_survives_the_wire(kind: type[engine.Fact], data: st.DataObject) -> None:
    event = data.draw(EVENTS[kind])
    written = encode_event(event)
    read = decode_event(written)
    assert replace(read, digest=b"") == event
    assert encode_event(read) == written


@given(events(), st.integers(0, 2**60))
def test_the_digest_is_over_the_bytes_and_the_ingest_time_is_kept(event: Event, at: int) -> None:
    written = encode_event(event)
    read = decode_event(written, ingested_at=at)
    assert read.digest == hashlib.sha256(written).digest()
    assert read.ingested_at == at


def test_every_fact_has_a_place_in_the_contract() -> None:
    contract = {field.name for field in TableEvent.DESCRIPTOR.oneofs_by_name["fact"].fields}
    assert set(MEMBERS) == set(FACTS)
    assert set(MEMBERS.values()) == contract


@given(structs(RuleSetSpec))
def test_a_rule_set_survives_the_wire(spec: RuleSetSpec) -> None:
    assert read_rule_set(write_rule_set(spec)) == spec


@given(structs(Terms))
def test_promotion_terms_survive_the_wire_with_their_hash(terms: Terms) -> None:
    read = read_terms(write_terms(terms))
    assert read == terms
    assert read.hash == terms.hash


# What is left out ----------------------------------------------------------------------


def test_a_hand_or_a_confidence_that_is_left_out_is_the_first_and_certain() -> None:
    spoilt = message(confidence_permille=0)
    spoilt.card_dealt.ClearField("hand")
    event = decode_event(spoilt.SerializeToString())
    assert event.confidence == 1000
    assert isinstance(event.fact, CardDealt)
    assert event.fact.hand == 1
    assert event.fact.face_up


def test_a_ruling_on_hand_0_stays_a_ruling_on_every_hand() -> None:
    ruled = IrregularityRuled(
        engine.Irregularity.MISDEAL, engine.Ruling.VOID_ROUND, supervisor="S-1"
    )
    event = decode_event(encode_event(replace(DEALT, fact=ruled)))
    assert event.fact == ruled


def test_a_rule_set_that_states_nothing_has_the_defaults_of_the_engine() -> None:
    sparse = rules_pb2.RuleSetDefinition(game="half_back", decks=6)
    assert read_rule_set(sparse) == RuleSetSpec("half_back", 6, {}, HouseRules(), PostedLimits())


def test_a_house_rule_that_is_stated_as_false_is_not_the_default() -> None:
    stated = rules_pb2.RuleSetDefinition(house=rules_pb2.HouseRules(insurance=False))
    assert read_rule_set(stated).house == HouseRules(insurance=False)


def test_a_fact_of_a_later_contract_may_have_more_fields() -> None:
    later = encode_event(DEALT) + bytes([0xFA, 0x7F, 0x01, 0x00])  # field 2047, one byte
    assert replace(decode_event(later), digest=b"") == DEALT


# Cards and enumerations ----------------------------------------------------------------


def test_card_numbers_are_the_deck_in_its_order() -> None:
    assert [CARD_NUMBERS[one] for one in DECK] == list(range(1, 53))
    assert CARDS[0] is None
    for one in DECK:
        assert CARDS[CARD_NUMBERS[one]] is one
        name = "CARD_" + one.words.upper().replace(" ", "_")
        assert WireCard.Value(name) == CARD_NUMBERS[one]


# Golden bytes: the format of the log cannot drift --------------------------------------

GOLDEN = {
    "card dealt": DEALT,
    "unread hole card": replace(DEALT, fact=CardDealt(0, None, face_up=False, shoe_index=9)),
    "wager paid": replace(DEALT, fact=WagerPaid(2, "double_action", 2500, hand=2)),
    "money taken back": replace(
        DEALT,
        fact=engine.SettlementCorrected("R-1", 2, "main", -500, "overpaid", "S-1"),
    ),
    "bets closed": Event("T-07", 1, AT, BetsClosed()),
    "player hit": Event("T-07", 2, AT, PlayerActed(2, engine.Action.HIT)),
    "tray": replace(DEALT, fact=TrayObserved((ChipCount(500, 40), ChipCount(2500, 20)))),
    "rule set": replace(
        DEALT,
        fact=RuleSetActivated("ab12", RuleSetSpec("half_back", 6, {"upcard_bonus": 2})),
    ),
}
GOLDEN_BYTES: dict[str, str] = {
    "card dealt": (
        "0a04542d303710031a20000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
        "220673686f652d3128de07320b08c0b592cd061080e59a773a0408021028"
    ),
    "unread hole card": (
        "0a04542d303710031a20000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
        "220673686f652d3128de07320b08c0b592cd061080e59a773a0420013009"
    ),
    "wager paid": (
        "0a04542d303710031a20000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
        "220673686f652d3128de07320b08c0b592cd061080e59a774a160802120d646f75626c655f616374696f"
        "6e18c4132002"
    ),
    "money taken back": (
        "0a04542d303710031a20000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
        "220673686f652d3128de07320b08c0b592cd061080e59a77b204270a03522d3110021a046d61696e208c"
        "fcffffffffffffff012a086f766572706169643203532d31"
    ),
    "bets closed": "0a04542d30371001320b08c0b592cd061080e59a776a00",
    "player hit": "0a04542d30371002320b08c0b592cd061080e59a775a0408021001",
    "tray": (
        "0a04542d303710031a20000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
        "220673686f652d3128de07320b08c0b592cd061080e59a77b2060e0a0508f40310280a0508c4131014"
    ),
    "rule set": (
        "0a04542d303710031a20000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
        "220673686f652d3128de07320b08c0b592cd061080e59a77b2014e0a046162313212460a0968616c665f"
        "6261636b10061a100a0c7570636172645f626f6e75731002221f08001204080310021801200128003001"
        "3804400048005001580160006884072a0410321801"
    ),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_the_bytes_of_an_event_are_what_they_were(name: str) -> None:
    assert encode_event(GOLDEN[name]).hex() == GOLDEN_BYTES[name]
    read = decode_event(bytes.fromhex(GOLDEN_BYTES[name]))
    assert replace(read, digest=b"") == GOLDEN[name]


# What is no event ----------------------------------------------------------------------


@given(st.binary(max_size=200))
def test_random_bytes_are_an_event_or_not_and_nothing_else(data: bytes) -> None:
    with suppress(NotAnEvent):
        decode_event(data)


@given(events(), st.data())
def test_spoilt_bytes_are_an_event_or_not_and_nothing_else(
    event: Event, data: st.DataObject
) -> None:
    written = bytearray(encode_event(event))
    for _ in range(data.draw(st.integers(1, 4))):
        written[data.draw(st.integers(0, len(written) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(written)))
    with suppress(NotAnEvent):
        decode_event(bytes(written[:cut]))


def test_bytes_that_end_too_soon_are_no_event() -> None:
    assert reason(encode_event(DEALT)[:-1]) == "the bytes are no TableEvent, or were cut off"


def test_text_that_is_not_utf_8_is_no_event() -> None:
    spoilt = encode_event(DEALT).replace(b"T-07", b"T-\xff7")
    assert reason(spoilt) == "the bytes are no TableEvent, or were cut off"


def test_an_event_has_a_fact() -> None:
    assert reason(b"").startswith("no fact is set")


def test_an_event_names_its_table_and_its_place() -> None:
    assert reason(message(table_id="").SerializeToString()) == "table_id is not stated"
    assert "from 1" in reason(message(table_seq=0).SerializeToString())


def test_an_event_has_a_time_that_a_clock_can_show() -> None:
    untimed = message()
    untimed.ClearField("device_time")
    assert reason(untimed.SerializeToString()) == "device_time is not stated"
    for seconds, nanos in [(0, 5), (-1, 0), (253_402_300_800, 0), (1, -1), (1, 1_000_000_000)]:
        spoilt = message()
        spoilt.device_time.seconds = seconds
        spoilt.device_time.nanos = nanos
        assert "out of range" in reason(spoilt.SerializeToString())


def test_confidence_ends_at_a_thousand() -> None:
    spoilt = message(confidence_permille=1001).SerializeToString()
    assert reason(spoilt) == "confidence_permille is 1001, above 1000"


@pytest.mark.parametrize("size", [1, 20, 31, 33, 64])
def test_a_hash_has_32_bytes_or_none(size: int) -> None:
    spoilt = message(previous_hash=bytes(size)).SerializeToString()
    assert reason(spoilt) == f"previous_hash has {size} bytes, not 0 or 32"
    with pytest.raises(Unwritable, match=f"previous_hash has {size} bytes"):
        encode_event(replace(DEALT, previous=bytes(size)))


def test_a_round_that_opens_has_a_name() -> None:
    spoilt = message()
    spoilt.round_opened.SetInParent()
    assert reason(spoilt.SerializeToString()) == "round_opened: round is not stated"
    with pytest.raises(Unwritable, match="round_opened: round is not stated"):
        encode_event(replace(DEALT, fact=RoundOpened("")))


@pytest.mark.parametrize("number", [53, -1, -52, 2**31 - 1])
def test_a_card_outside_the_deck_is_no_card(number: int) -> None:
    """A list would have taken -1 for the king of spades."""
    spoilt = message()
    setattr(spoilt.card_dealt, "card", number)  # noqa: B010 - the stubs know only true cards
    assert reason(spoilt.SerializeToString()) == f"card_dealt: card {number} is not known"


def test_an_unknown_number_of_an_enumeration_is_refused_by_name() -> None:
    spoilt = message()
    setattr(spoilt.card_dealt, "place", 9)  # noqa: B010
    assert reason(spoilt.SerializeToString()) == "card_dealt: place 9 is not known"


def test_an_action_must_be_stated() -> None:
    spoilt = message()
    spoilt.player_acted.seat = 2
    assert reason(spoilt.SerializeToString()) == "player_acted: action is not stated"


@pytest.mark.parametrize(
    ("member", "why"),
    [
        ("read_corrected", "read_corrected: card is not stated"),
        ("promotion_defined", "promotion_defined: terms is not stated"),
        ("irregularity_ruled", "irregularity_ruled: irregularity is not stated"),
    ],
)
def test_what_a_fact_cannot_do_without_must_be_stated(member: str, why: str) -> None:
    spoilt = message()
    getattr(spoilt, member).SetInParent()
    assert reason(spoilt.SerializeToString()) == why


def test_a_counted_shoe_names_true_cards_only() -> None:
    spoilt = message()
    spoilt.shoe_counted.cards.append(WireCard.Value("CARD_UNSPECIFIED"))
    assert reason(spoilt.SerializeToString()) == "shoe_counted: card is not stated"
    assert (
        ShoeCounted(1, (card("2C"),))
        == decode_event(encode_event(replace(DEALT, fact=ShoeCounted(1, (card("2C"),))))).fact
    )


def test_an_event_is_not_larger_than_its_limit() -> None:
    assert "more than the 65536" in reason(bytes(EVENT_BYTES_MAX + 1))


# What cannot be written ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (replace(DEALT, table=""), "names its table"),
        (replace(DEALT, seq=0), "from 1"),
        (replace(DEALT, seq=2**64), "card_dealt: "),
        (replace(DEALT, at=999_999), "after 1970"),
        (replace(DEALT, at=10**18), "out of range"),
        (replace(DEALT, confidence=0), "confidence runs from 1"),
        (replace(DEALT, confidence=1001), "confidence runs from 1"),
        (replace(DEALT, fact=CardDealt(-1, None)), "card_dealt: "),
        (replace(DEALT, fact=WagerPaid(1, "main", 2**63)), "wager_paid: "),
        (replace(DEALT, fact=WagerPaid(1, "\ud800", 1)), "wager_paid: "),
        (replace(DEALT, fact=engine.RoundOpened("R" * EVENT_BYTES_MAX)), "more than the 65536"),
        (replace(DEALT, device="d" * 257), "device_id has 257 characters, more than 256"),
        (replace(DEALT, fact=engine.RoundOpened("R" * 257)), "round has 257 characters"),
    ],
)
def test_what_no_reader_would_take_back_is_not_written(event: Event, why: str) -> None:
    with pytest.raises(Unwritable, match=why):
        encode_event(event)


def test_an_empty_fact_is_still_set() -> None:
    written = encode_event(replace(DEALT, fact=HeartbeatSent()))
    assert decode_event(written).fact == HeartbeatSent()


def test_a_chip_count_may_be_negative_so_that_the_engine_can_say_so() -> None:
    inventory = (ChipCount(-500, -1),)
    written = encode_event(replace(DEALT, fact=TrayObserved(inventory)))
    assert decode_event(written).fact == TrayObserved(inventory)
    assert facts_table_pb2.ChipCount(denomination_cents=-500, count=-1).count == -1
