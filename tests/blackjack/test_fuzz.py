"""Nonsense never breaks the fold: it is reported, the state stays sound, what follows settles."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blackjack.cards.card import DECK, card
from blackjack.facts import (
    Action,
    BetsClosed,
    CardDealt,
    CardsRemoved,
    DealerPeeked,
    Event,
    Fact,
    HalfBackReturned,
    HeartbeatSent,
    HoleCardRevealed,
    InsuranceTaken,
    Place,
    PlayerActed,
    RoundClosed,
    RoundOpened,
    RuleSetActivated,
    ShoeLoaded,
    UpcardReplaced,
    WagerChanged,
    WagerCollected,
    WagerPaid,
    WagerPlaced,
    WagerReturned,
)
from blackjack.findings import Finding, Kind, Withdrawal
from blackjack.outcomes import Payment, Result, SettledRound
from blackjack.play.table import EVENTS_KEPT_MAX, JUMP_MAX, Table, fold
from blackjack.rulebook.house_rules import RuleSetSpec
from blackjack.rulebook.rule_set import compose
from table_simulator.days.randomness import play
from table_simulator.domain.games import GAMES
from table_simulator.domain.specs import specs
from tests.plain import plain, weight
from tests.strategies import facts
from wire.settlement import encode_record

SPEC = RuleSetSpec(
    game="double_action_iii", decks=6, paytables={"double_action": 1, "match_madness": 1}
)
KNOWN_RULES = RuleSetActivated(compose(SPEC).hash, SPEC)
SOUND_ROUND: list[Fact] = [
    KNOWN_RULES,
    ShoeLoaded("fresh", 6),
    RoundOpened("sound"),
    WagerPlaced(1, "main", 2500),
    WagerPlaced(1, "double_action", 500),
    BetsClosed(),
    CardDealt(1, card("8H")),
    CardDealt(0, card("9H")),
    CardDealt(1, card("TH")),
    CardDealt(0, card("TS"), face_up=False),
    WagerPaid(1, "double_action", 25000),
    PlayerActed(1, Action.STAND),
    HoleCardRevealed(card("TS")),
    WagerCollected(1, "main", 2500),
    RoundClosed(),
]


def numbered(facts_: list[Fact]) -> list[Event]:
    return [Event("T1", at + 1, at * 1_000_000, fact) for at, fact in enumerate(facts_)]


def assert_sound_after(facts_: list[Fact]) -> None:
    """Whatever came before, a correct round afterwards settles to the cent."""
    table, steps = fold(Table.new("T1"), numbered([*facts_, *SOUND_ROUND]))
    last: SettledRound = steps[-1].rounds[-1]
    assert [(outcome.wager, outcome.result, outcome.owed_cents) for outcome in last.outcomes] == [
        ("double_action", Result.WON, 25000),
        ("main", Result.LOST, 0),
    ]
    assert all(outcome.payment is Payment.EXACT for outcome in last.outcomes)
    assert weight(plain(table)) < 200_000


@given(st.lists(facts(), max_size=40))
def test_any_facts_in_any_order(nonsense: list[Fact]) -> None:
    assert_sound_after(nonsense)


seats = st.integers(0, 4)
hands = st.integers(1, 5)
cents = st.integers(-5, 50_000)
read = st.none() | st.sampled_from(DECK)
base = st.sampled_from(["main", "half_back", "insurance"])
wagers = base | st.sampled_from(["double_action", "match_me", "no such wager"])

in_a_round: st.SearchStrategy[Fact] = st.one_of(
    st.builds(WagerPlaced, st.integers(0, 10), wagers, cents),
    st.builds(WagerChanged, seats, base, cents),
    st.just(BetsClosed()),
    st.builds(CardDealt, seats, read, hands, st.booleans(), st.sampled_from(Place)),
    st.builds(PlayerActed, seats, st.sampled_from(Action), hands, cents),
    st.builds(InsuranceTaken, seats, cents, st.booleans()),
    st.builds(UpcardReplaced, read),
    st.builds(HoleCardRevealed, read),
    st.builds(DealerPeeked, st.booleans()),
    st.builds(HalfBackReturned, seats, cents),
    st.builds(CardsRemoved, seats, hands),
    st.builds(WagerPaid, seats, wagers, cents, hands),
    st.builds(WagerCollected, seats, wagers, cents, hands),
    st.builds(WagerReturned, seats, wagers, cents, hands),
    st.just(RoundClosed()),
)


@given(st.sampled_from(GAMES), st.integers(0, 100), st.lists(in_a_round, max_size=60))
def test_plausible_facts_of_a_round_in_any_order(game: str, at: int, nonsense: list[Fact]) -> None:
    choices = specs(game)
    spec = choices[at % len(choices)]
    opening: list[Fact] = [
        RuleSetActivated(compose(spec).hash, spec),
        ShoeLoaded("S", spec.decks),
        RoundOpened("R"),
        WagerPlaced(1, "main", 1000),
        WagerPlaced(2, "main", 1000),
    ]
    assert_sound_after([*opening, *nonsense])


@given(st.sampled_from(GAMES), st.integers(0, 2**32), st.integers(1, 40))
def test_a_day_with_facts_lost_doubled_swapped_and_altered(
    game: str, seed: int, damage: int
) -> None:
    rng = Random(seed)
    choices = specs(game)
    events = play(seed=seed, table_id="T1", spec=rng.choice(choices), rounds=4).events
    damaged = [event.fact for event in events]
    for _ in range(damage):
        at = rng.randrange(len(damaged))
        match rng.randrange(4):
            case 0:
                del damaged[at]
            case 1:
                damaged.insert(rng.randrange(len(damaged)), damaged[at])
            case 2:
                other = rng.randrange(len(damaged))
                damaged[at], damaged[other] = damaged[other], damaged[at]
            case _:
                damaged[at] = altered(damaged[at], rng)
    assert_sound_after(damaged)


def altered(fact: Fact, rng: Random) -> Fact:
    """The same fact with one field changed to something it should not be."""
    fields = [field for field in msgspec.structs.fields(fact) if field.type in (int, bool)]
    if not fields:
        return fact
    field = rng.choice(fields)
    choices = [False, True] if field.type is bool else [-1, 0, 1, 2, 7, 11, 10**12]
    return msgspec.structs.replace(fact, **{field.name: rng.choice(choices)})


@pytest.mark.parametrize(
    ("nonsense", "kind"),
    [
        ([CardDealt(5, card("AS"))], Kind.OUT_OF_PLACE),
        ([KNOWN_RULES, RoundOpened("R"), CardDealt(5, card("AS"))], Kind.DEAL_ORDER),
        ([WagerPaid(1, "main", 500)], Kind.PAID_LOSER),
        ([RoundOpened("R"), WagerPaid(1, "main", 500)], Kind.PAID_LOSER),
        ([WagerCollected(1, "main", 500)], Kind.TOOK_WINNER),
        ([RoundOpened("R"), WagerCollected(1, "main", 500)], Kind.TOOK_WINNER),
        ([RoundOpened("R"), WagerChanged(1, "main", 500)], Kind.NO_SUCH_WAGER),
        ([RoundOpened("R"), WagerPlaced(1, "main", -500)], Kind.BAD_AMOUNT),
        ([RoundOpened("R"), PlayerActed(4, Action.HIT)], Kind.NO_SUCH_HAND),
        ([RoundOpened("R"), RoundOpened("R2")], Kind.OUT_OF_PLACE),
        ([ShoeLoaded("S", 0)], Kind.BAD_AMOUNT),
        ([HoleCardRevealed(card("AS"))], Kind.OUT_OF_PLACE),
    ],
    ids=lambda each: each.value if isinstance(each, Kind) else "",
)
def test_nonsense_is_reported_by_its_kind(nonsense: list[Fact], kind: Kind) -> None:
    _, steps = fold(Table.new("T1"), numbered(nonsense))
    assert kind in [finding.kind for step in steps for finding in step.findings]
    assert_sound_after(nonsense)


def test_a_hit_after_a_bust_changes_nothing_of_the_hand() -> None:
    opening: list[Fact] = [
        RuleSetActivated(compose(SPEC).hash, SPEC), ShoeLoaded("S", 6), RoundOpened("R"),
        WagerPlaced(1, "main", 1000), BetsClosed(),
        CardDealt(1, card("TS")), CardDealt(0, card("6S")),
        CardDealt(1, card("6H")), CardDealt(0, card("TH"), face_up=False),
        PlayerActed(1, Action.HIT), CardDealt(1, card("9C")),
        PlayerActed(1, Action.HIT), CardDealt(1, card("2C")), RoundClosed(),
    ]  # fmt: skip
    _, steps = fold(Table.new("T1"), numbered(opening))
    kinds = [finding.kind for step in steps for finding in step.findings]
    assert kinds == [Kind.ACTION_FORBIDDEN, Kind.CARD_UNASKED, Kind.UNCOLLECTED]
    hand = next(hand for hand in steps[-1].rounds[0].hands if hand.seat == 1)
    assert hand.cards == (card("TS"), card("6H"), card("9C"))


def test_a_ninth_ace_of_spades_is_impossible() -> None:
    spec = msgspec.structs.replace(SPEC, decks=8)
    burns: list[Fact] = [CardDealt(1, card("AS"))] * 9
    stream = [RuleSetActivated(compose(spec).hash, spec), ShoeLoaded("S", 8), *burns]
    _, steps = fold(Table.new("T1"), numbered(stream))
    found = [e for step in steps for e in step.findings if e.kind is Kind.IMPOSSIBLE_CARD]
    assert [finding.seq for finding in found] == [len(stream)]


@given(st.lists(facts(), max_size=30))
def test_whatever_comes_out_can_be_written(nonsense: list[Fact]) -> None:
    """A service must be able to emit every output of the engine."""
    _, steps = fold(Table.new("T1"), numbered([*nonsense, *SOUND_ROUND]))
    for step in steps:
        records: list[SettledRound | Finding | Withdrawal] = []
        records += [*step.rounds, *step.findings, *step.withdrawals]
        assert all(encode_record(record) for record in records)


@given(
    st.sampled_from(GAMES),
    st.integers(0, 2**32),
    st.lists(st.tuples(st.integers(0, 400), st.integers(-50, 10**13), st.booleans()), max_size=12),
)
def test_numbers_that_repeat_jump_and_conflict(
    game: str, seed: int, damage: list[tuple[int, int, bool]]
) -> None:
    """Wrong, far and foreign numbers are reported; the true stream settles as if they were not."""
    spec = Random(seed).choice(specs(game))
    events = play(seed=seed, table_id="T1", spec=spec, rounds=3).events
    mixed = list(events)
    for at, number, foreign in damage:
        place = at % len(mixed)
        stray = msgspec.structs.replace(
            mixed[place], seq=number, table="T2" if foreign else "T1", fact=HeartbeatSent()
        )
        if foreign or number > len(events) + JUMP_MAX + 1 or number < 1:
            mixed.insert(place, stray)
    _, clean = fold(Table.new("T1"), events)
    table, steps = fold(Table.new("T1"), mixed)
    assert [settled_round for step in steps for settled_round in step.rounds] == [
        settled_round for step in clean for settled_round in step.rounds
    ]
    assert len(table.events) <= EVENTS_KEPT_MAX


def test_heartbeats_without_end_take_no_memory_without_end() -> None:
    beats = [HeartbeatSent()] * (2 * EVENTS_KEPT_MAX + 10)
    table, _ = fold(Table.new("T1"), numbered(list(beats)))
    assert len(table.events) <= EVENTS_KEPT_MAX


def test_a_round_without_end_takes_no_memory_without_end() -> None:
    flood: list[Fact] = [RoundOpened("R"), WagerPlaced(1, "main", 500), BetsClosed()]
    flood += [CardDealt(1, DECK[at % 52]) for at in range(2_000)]
    flood += [PlayerActed(1, Action.HIT) for _ in range(2_000)]
    flood += [WagerPlaced(1 + at % 90, f"w{at}", 500) for at in range(2_000)]
    table, _ = fold(Table.new("T1"), numbered(flood))
    assert weight(plain(table.state)) < 60_000
