"""Why a wager came out as it did, in a sentence that a person can check.

A sentence is made when it is displayed, from the outcome, the cards and the rules. What follows
from these is not stored: `WagerOutcome.arithmetic` holds only the rest, such as why a round
is void or how an aggregate limit is shared. Engines before 4 stored every sentence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from blackjack.cards.card import Card
from blackjack.cards.hand import Hand
from blackjack.facts import DEALER, Place
from blackjack.money import EVEN_MONEY, TWO_TO_ONE, Odds, format_cents
from blackjack.outcomes import DealerPlace, HandCards, Result, SettledRound, WagerOutcome
from blackjack.play.round import Round
from blackjack.play.wagers import Wager
from blackjack.rulebook.house_rules import HALF_BACK, INSURANCE, MAIN
from blackjack.rulebook.rule_set import RuleSet
from blackjack.settlement.judgments import Owed
from blackjack.settlement.side_bets import SideBetRole

_ON_THE_HAND: Final = (MAIN, HALF_BACK, INSURANCE)
_PLAYER_ROLES: Final = (SideBetRole.FIRST, SideBetRole.SECOND, SideBetRole.THIRD)
_DEALER_ROLES: Final = {
    SideBetRole.UP: DealerPlace.UP,
    SideBetRole.REPLACEMENT: DealerPlace.REPLACED,
    SideBetRole.HOLE: DealerPlace.HOLE,
    SideBetRole.MATCH_ME: DealerPlace.MATCH_ME,
    SideBetRole.MATCH_ME_2: DealerPlace.MATCH_ME_2,
}
Shown = Mapping[SideBetRole, Card]
"""The cards that a side bet looks at, as far as they were read."""


class _WagerResult(NamedTuple):
    """The fields that a wager in play and a settled one have in common."""

    wager: str
    result: Result
    outcome: str
    stake_cents: int
    owed_cents: int
    taken_cents: int


def explain(outcome: WagerOutcome, settled: SettledRound, rules: RuleSet | None) -> str:
    """The arithmetic of a settled wager; the odds are left out where the rules are not known."""
    if outcome.arithmetic:
        return outcome.arithmetic
    result = _WagerResult(
        outcome.wager,
        outcome.result,
        outcome.outcome,
        outcome.stake_cents,
        outcome.owed_cents,
        outcome.taken_cents,
    )
    held = {hand.hand: hand for hand in settled.hands if hand.seat == outcome.seat}
    if rules is not None and outcome.wager in rules.paytables:
        return _explain_side_bet(result, rules, _cards_of(settled, held))
    if outcome.wager not in _ON_THE_HAND:
        return _explain_unknown(result)
    hand = held.get(outcome.hand)
    dealer = Hand(DEALER)
    for laid in settled.dealer:
        if laid.in_hand:
            dealer.add(laid.card)
    return _explain_hand(result, rules, _hand_of(hand) if hand is not None else None, dealer)


def explain_due(played: Round, wager: Wager, due: Owed) -> str:
    """The arithmetic of a wager in play, by the cards that are shown."""
    if due.arithmetic:
        return due.arithmetic
    result = _WagerResult(
        wager.kind, due.result, due.outcome, wager.stake, due.cents, due.taken_cents
    )
    rules = played.rules
    if rules is not None and wager.kind in rules.paytables:
        return _explain_side_bet(result, rules, _cards_shown(played, wager.seat))
    return _explain_hand(result, rules, played.hand(wager.seat, wager.hand), played.dealer)


def _explain_hand(
    result: _WagerResult, rules: RuleSet | None, hand: Hand | None, dealer: Hand
) -> str:
    stake = format_cents(result.stake_cents)
    if result.wager == INSURANCE:
        if result.result is Result.WON:
            return _won("insurance", TWO_TO_ONE, result)
        return f"no dealer blackjack: {stake} lost"
    story = _story(hand, dealer, result.outcome) if hand is not None else _plain(result.outcome)
    if result.result is Result.PUSHED:
        return f"{story}: {stake} returned"
    if result.result is Result.WON:
        odds: Odds | None = EVEN_MONEY
        if result.outcome == "natural":
            odds = rules.spec.house.natural_pays if rules is not None else None
        return _won(f"{story},", odds, result)
    return f"{story}: {format_cents(result.taken_cents)} lost"


def _explain_unknown(result: _WagerResult) -> str:
    """A side bet of a rule set that is not known here: nothing but the amounts."""
    if result.result is Result.WON:
        return _won(_plain(result.outcome), None, result)
    return f"{_plain(result.outcome)}: {format_cents(result.taken_cents)} lost"


def _explain_side_bet(result: _WagerResult, rules: RuleSet, cards: Shown) -> str:
    row = rules.paytables[result.wager].row(result.outcome)
    if row is None:
        return f"{_lost(rules, result.wager, cards)}. {format_cents(result.taken_cents)} lost."
    if result.result is Result.PUSHED:
        stake = format_cents(result.stake_cents)
        return f"{_plain(row.outcome)}, {row.pays}: {stake} returned"
    return _won(f"{_plain(row.outcome)},", row.pays, result)


def _won(story: str, odds: Odds | None, result: _WagerResult) -> str:
    pays = f"{story} {odds}" if odds is not None else story.removesuffix(",")
    return f"{pays} on {format_cents(result.stake_cents)} = {format_cents(result.owed_cents)}"


def _lost(rules: RuleSet, wager: str, cards: Shown) -> str:
    """The cards that made no winning combination."""
    side_bet = rules.side_bet(wager)
    looked_at = [role for role in side_bet.roles if role in cards]
    if SideBetRole.REPLACEMENT in side_bet.roles:  # The hole card only decides what a win pays.
        looked_at = [role for role in looked_at if role is not SideBetRole.HOLE]
    mine = _signs([cards[role] for role in looked_at if role in _PLAYER_ROLES])
    theirs = _signs([cards[role] for role in looked_at if role not in _PLAYER_ROLES])
    if mine and SideBetRole.UP in looked_at and SideBetRole.HOLE in looked_at:
        up, hole = _signs([cards[SideBetRole.UP]]), _signs([cards[SideBetRole.HOLE]])
        return f"No match: your {mine} and the up card {up} against the hole card {hole}"
    verdict = "No match" if side_bet.evaluator.startswith("match") else "No winning combination"
    if mine and theirs:
        return f"{verdict}: your {mine} against the dealer's {theirs}"
    if mine:
        return f"{verdict}: your {mine}"
    return f"{verdict}: the dealer's {theirs}" if theirs else verdict


def _signs(cards: Sequence[Card]) -> str:
    return " ".join(card.sign.replace("T", "10") for card in cards)


def _cards_of(settled: SettledRound, held: Mapping[int, HandCards]) -> Shown:
    """The cards of a settled round: a split took the second card to the second hand."""
    firsts: tuple[Card | None, ...] = held[1].cards if 1 in held else ()
    if 2 in held:
        firsts = (*firsts[:1], *held[2].cards[:1])
    laid = {laid_card.place: laid_card.card for laid_card in settled.dealer}
    dealt: dict[SideBetRole, Card | None] = dict(zip(_PLAYER_ROLES, firsts, strict=False))
    dealt |= {role: laid.get(place) for role, place in _DEALER_ROLES.items()}
    if DealerPlace.REPLACED in laid:  # The up card as first dealt, and the one in its place.
        dealt[SideBetRole.UP] = laid[DealerPlace.REPLACED]
        dealt[SideBetRole.REPLACEMENT] = laid.get(DealerPlace.UP)
    return {role: card for role, card in dealt.items() if card is not None}


def _cards_shown(played: Round, seat: int) -> Shown:
    dealt: dict[SideBetRole, Card | None] = dict(
        zip(_PLAYER_ROLES, played.firsts.get(seat, ()), strict=False)
    )
    dealt[SideBetRole.UP] = played.original_up
    dealt[SideBetRole.REPLACEMENT] = played.replacement[0] if played.replacement else None
    dealt[SideBetRole.HOLE] = played.hole_card if played.hole_shown else None
    for role, place in (
        (SideBetRole.MATCH_ME, Place.MATCH_ME),
        (SideBetRole.MATCH_ME_2, Place.MATCH_ME_2),
    ):
        dealt[role] = played.table_places.get(place) if place in played.exposed else None
    return {role: card for role, card in dealt.items() if card is not None}


def _hand_of(held: HandCards) -> Hand:
    hand = Hand(held.seat, held.hand)
    hand.free_ace = held.free_ace
    hand.from_split = held.from_split
    for card in held.cards:
        hand.add(card)
    return hand


def _story(hand: Hand, dealer: Hand, outcome: str) -> str:
    """The comparison in a few words."""
    total, against = _total(hand), _total(dealer)
    match outcome:
        case "win":
            return f"{total} against {against}"
        case "loss":
            return f"{total} loses to {against}"
        case "dealer_bust":
            return f"dealer bust, {total} stands"
        case "bust":
            return f"bust with {hand.hard}"
        case "push":
            return f"push at {total}"
        case "natural":
            return "natural"
        case "dealer_blackjack":
            return f"{total} against a dealer blackjack"
        case "blackjack_push":
            return "natural against a dealer blackjack"
        case "even_money":
            return "even money on a natural"
        case "ruled_for_player":
            return "ruled for the patron"
        case _:
            return _plain(outcome)


def _total(hand: Hand) -> str:
    return str(hand.total) if hand.known else "a hand not fully read"


def _plain(code: str) -> str:
    return code.replace("_", " ")
