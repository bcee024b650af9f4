"""The start of a round: the rule set, the shoe, and the opening itself."""

from __future__ import annotations

from typing import Final

from blackjack.cards.shoe import Shoe
from blackjack.facts import (
    Event,
    Observation,
    RoundOpened,
    RuleSetActivated,
    ShoeCounted,
    ShoeKind,
    ShoeLoaded,
    ShuffleCompleted,
)
from blackjack.findings import Kind
from blackjack.play.clock import moment
from blackjack.play.round import Round
from blackjack.play.state import TableState
from blackjack.rulebook.rule_set import NotFiled, RuleSet, compose
from blackjack.rulebook.state_rules import APPROVAL_RULE

NAMES_KEPT: Final = 64
"""Names of rounds that are remembered, so that a repeated one is noticed."""


def activate_rules(state: TableState, fact: RuleSetActivated) -> None:
    """The table plays by another rule set from the next round on."""
    state.rule_set = fact.rule_set
    state.rules = state.catalogue.get(fact.rule_set)
    if state.rules is None and fact.definition is not None:
        state.rules = _define(state, fact)
        if state.rules is not None:
            state.rule_set = state.rules.hash
    if state.rules is None and fact.definition is None:
        state.note(
            Kind.UNKNOWN_RULES,
            f"Rule set {fact.rule_set[:12]} is not published",
            APPROVAL_RULE,
            detail="rounds are settled once it is published",
            subject=fact.rule_set,
        )
    _check_decks(state)


def _define(state: TableState, fact: RuleSetActivated) -> RuleSet | None:
    """Make the rule set that came along, if a filing allows it and its hash is this one.

    A definition without a hash is named by the hash of its content.
    """
    definition = fact.definition
    if definition is None:
        return None
    try:
        rules = compose(definition)
    except NotFiled as rejected:
        state.note(
            Kind.UNAPPROVED_RULES,
            "Rule set not allowed by the filings",
            APPROVAL_RULE,
            detail=str(rejected),
            subject=fact.rule_set,
        )
        return None
    if fact.rule_set and rules.hash != fact.rule_set:
        state.note(
            Kind.UNAPPROVED_RULES,
            f"Rule set {fact.rule_set[:12]} does not match its definition",
            APPROVAL_RULE,
            detail=f"the definition has the hash {rules.hash[:12]}",
            subject=fact.rule_set,
        )
        return None
    return rules


def load_shoe(state: TableState, fact: ShoeLoaded) -> None:
    decks = fact.decks if 1 <= fact.decks <= 8 else 0
    state.shoe = Shoe(fact.shoe, decks, fact.kind)
    if not decks:
        state.note(
            Kind.BAD_AMOUNT,
            f"Invalid shoe: {fact.decks} decks",
            "card conservation: 1 to 8 decks",
            subject=fact.shoe,
        )
    _check_decks(state)


def _check_decks(state: TableState) -> None:
    rules, shoe = state.rules, state.shoe
    if rules is not None and shoe.decks and shoe.decks != rules.spec.decks:
        state.note(
            Kind.UNAPPROVED_DECKS,
            f"Wrong number of decks: {shoe.decks} in the shoe, {rules.spec.decks} in the rule set",
            APPROVAL_RULE,
            subject=f"{shoe.name} {rules.hash}",
        )


def shuffle(state: TableState, fact: ShuffleCompleted) -> None:
    """The cards are back and mixed; a shuffler that counts them reports missing ones."""
    shoe = state.shoe
    if fact.fault:
        state.note(
            Kind.SHUFFLER_FAULT,
            f"Shuffler fault: {fact.fault}",
            "card conservation",
            per_event=True,
        )
    if fact.cards and shoe.decks and fact.cards != 52 * shoe.decks and state.round is None:
        _note_count(
            state, fact.cards - 52 * shoe.decks, f"{fact.cards} cards counted by the shuffler"
        )
    if state.round is None:
        shoe.reshuffle()


def count_shoe(state: TableState, fact: ShoeCounted) -> None:
    """Cards seen and cards left must be whole decks; where a gap hid some, nothing is reported."""
    shoe = state.shoe
    if not shoe.decks or not shoe.complete or shoe.kind is not ShoeKind.SHOE:
        return
    for card in shoe.surplus(fact.cards):
        state.note(
            Kind.IMPOSSIBLE_CARD,
            f"Impossible card: {card.words}, dealt and counted more than {shoe.decks} times",
            "card conservation",
            subject=f"count {card.name}",
        )
    off = shoe.dealt + max(fact.remaining, len(fact.cards)) - 52 * shoe.decks
    missing = shoe.missing(fact.cards) if fact.cards else ()
    if off:
        named = f": {', '.join(card.sign for card in missing)}" if len(missing) == -off else ""
        _note_count(state, off, f"{shoe.dealt} cards dealt, {fact.remaining} left", named)


def _note_count(state: TableState, off: int, story: str, named: str = "") -> None:
    shoe = state.shoe
    cards = "1 card" if abs(off) == 1 else f"{abs(off)} cards"
    state.note(
        Kind.SHOE_SHORT,
        f"Shoe {cards} {'over' if off > 0 else 'short'}{named}",
        "card conservation",
        detail=f"{story}; {shoe.decks} decks are {52 * shoe.decks} cards",
        subject=f"{shoe.name} {state.event.seq if state.event else ''}",
    )


def open_round(state: TableState, event: Event, fact: RoundOpened) -> None:
    """A round begins; limits and the gaming day are those of this moment."""
    if state.is_open is False:
        state.note(
            Kind.OUT_OF_PLACE,
            f"Round {fact.round} opened at a closed table",
            "convention: rounds are played at open tables",
            subject=fact.round,
        )
    state.adrift = False
    name = fact.round
    if name in state.recent:
        name = f"{fact.round}#{event.seq}"
        state.note(
            Kind.OUT_OF_PLACE,
            f"Round {fact.round} opened twice: this one is recorded as {name}",
            "convention: a round's name is its own",
            subject=name,
        )
    state.recent = (*state.recent[-NAMES_KEPT + 1 :], name)
    state.round = Round(
        name=name,
        rules=state.rules,
        context=state.context(),
        opened_at=moment(event),
        first_seq=event.seq,
    )
    if not state.sees(Observation.PAYMENTS):
        state.round.payments_blind = True
    if not state.rule_set:
        state.note(
            Kind.UNKNOWN_RULES,
            f"Round {fact.round} opened with no rule set",
            APPROVAL_RULE,
        )
