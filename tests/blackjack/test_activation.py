"""Which rules a table plays by: named, defined, rejected, or published later."""

from __future__ import annotations

import msgspec
import pytest

from blackjack.cards.card import card
from blackjack.facts import (
    BetsClosed,
    CardDealt,
    Event,
    Fact,
    HoleCardRevealed,
    RoundClosed,
    RoundOpened,
    RuleSetActivated,
    WagerPaid,
    WagerPlaced,
)
from blackjack.findings import Kind
from blackjack.outcomes import Result, RoundStatus
from blackjack.play.table import Table, fold, publish
from blackjack.rulebook.house_rules import HouseRules, RuleSetSpec
from blackjack.rulebook.rule_set import FILED, compose
from table_simulator.days.randomness import play_day

HOUSE = HouseRules(dealer_hits_soft_17=True, late_surrender=True)
SPEC = RuleSetSpec(game="skweezit", decks=6, paytables={"skweezit": 1}, house=HOUSE)
ROUND: list[Fact] = [
    RoundOpened("R1"),
    WagerPlaced(1, "main", 2000),
    BetsClosed(),
    CardDealt(1, card("AS")),
    CardDealt(0, card("6H")),
    CardDealt(1, card("KS")),
    CardDealt(0, card("TH"), face_up=False),
    WagerPaid(1, "main", 3000),
    HoleCardRevealed(card("TH")),
    RoundClosed(),
]


def stream(first: Fact) -> list[Event]:
    return [Event("T1", at + 1, at * 1_000_000, fact) for at, fact in enumerate([first, *ROUND])]


def test_a_definition_without_a_hash_names_itself() -> None:
    _, steps = fold(Table.new("T1"), stream(RuleSetActivated("", SPEC)))
    assert [finding for step in steps for finding in step.findings] == []
    assert steps[-1].rounds[0].context.rule_set == compose(SPEC).hash


def test_a_definition_that_does_not_match_its_hash_is_rejected() -> None:
    _, steps = fold(Table.new("T1"), stream(RuleSetActivated("00" * 32, SPEC)))
    kinds = [finding.kind for step in steps for finding in step.findings]
    assert kinds == [Kind.UNAPPROVED_RULES]
    assert steps[-1].rounds[0].status is RoundStatus.UNRESOLVED


def test_rules_that_no_filing_allows_are_rejected_with_every_reason() -> None:
    spec = msgspec.structs.replace(SPEC, decks=3, paytables={"skweezit": 9})
    _, steps = fold(Table.new("T1"), stream(RuleSetActivated("", spec)))
    found = [finding for step in steps for finding in step.findings]
    assert found[0].kind is Kind.UNAPPROVED_RULES
    assert found[0].text == "Rule set not allowed by the filings"
    assert "3 decks" in found[0].detail


def test_a_round_under_an_unknown_hash_settles_once_it_is_published() -> None:
    rules = compose(SPEC)
    table, steps = fold(Table.new("T1"), stream(RuleSetActivated(rules.hash)))
    waiting = steps[-1].rounds[0]
    assert waiting.status is RoundStatus.UNRESOLVED
    assert [outcome.result for outcome in waiting.outcomes] == [Result.UNDETERMINED]
    _, step = publish(table, FILED.with_(rules))
    settled = step.rounds[0]
    assert (settled.version, settled.cause) == (2, "definition published")
    assert settled.status is RoundStatus.SETTLED
    assert [(outcome.outcome, outcome.owed_cents) for outcome in settled.outcomes] == [
        ("natural", 3000)
    ]
    assert [withdrawal.id for withdrawal in step.withdrawals] == [
        finding.id for one in steps for finding in one.findings
    ]


def under(event: Event, *, decks: int | None) -> Event:
    """The event, where it names rules: an unknown hash, or so many decks of no filing."""
    fact = event.fact
    if not isinstance(fact, RuleSetActivated):
        return event
    definition = None
    if decks is not None and fact.definition is not None:
        definition = msgspec.structs.replace(fact.definition, decks=decks)
    activated = RuleSetActivated(rule_set="0" * 64, definition=definition)
    return msgspec.structs.replace(event, fact=activated)


@pytest.mark.parametrize(
    ("decks", "kind"), [(None, Kind.UNKNOWN_RULES), (7, Kind.UNAPPROVED_RULES)]
)
def test_no_game_is_judged_by_the_deal_of_another_while_its_rules_are_unknown(
    decks: int | None, kind: Kind
) -> None:
    streams: dict[str, list[Event]] = {}
    for event in play_day(seed=1, tables=10, rounds=20):
        streams.setdefault(event.table, []).append(under(event, decks=decks))
    for name, events in streams.items():
        steps = fold(Table.new(name), events)[1]
        assert {finding.kind for step in steps for finding in step.findings} == {kind}
        settled = [settled_round for step in steps for settled_round in step.rounds]
        assert {settled_round.status for settled_round in settled} == {RoundStatus.UNRESOLVED}
