"""Amounts owed on main wagers, Half Back and insurance: obvious code, straight from the rules.

This is a second opinion for the engine's, so it shares nothing with it but the words of
the trade. Clauses are those of `domain.md` section 10 and of the filings.
"""

from __future__ import annotations

from fractions import Fraction

from blackjack.cards.card import ACE, Card
from blackjack.money import Rounding
from blackjack.outcomes import Result
from blackjack.rulebook.house_rules import INSURANCE, PostedLimits, RuleSetSpec
from blackjack.rulebook.promotions import PromotionKind, Terms
from table_simulator.domain.record import (
    ExpectedWager,
    JudgedBet,
    PlacedBet,
    PlayedHand,
    PlayedSeat,
)

Ratio = tuple[int, int]
EVEN: Ratio = (1, 1)
BIG_WIN_CENTS = 3_000_00


def total(cards: list[Card], *, free_ace: bool = False) -> int:
    """The best count of a hand; under a free-ace coupon the first card counts as an ace."""
    points = sum(card.points for card in cards)
    has_ace = any(card.rank == ACE for card in cards)
    if free_ace:
        points += 1 - cards[0].points
        has_ace = True
    return points + 10 if has_ace and points <= 11 else points


def is_soft(cards: list[Card], *, free_ace: bool = False) -> bool:
    """Whether an ace of the hand counts eleven."""
    hard = sum(card.points for card in cards)
    if free_ace:
        hard += 1 - cards[0].points
    return total(cards, free_ace=free_ace) != hard


def is_blackjack(cards: list[Card]) -> bool:
    """An ace and a ten-valued card, and nothing else."""
    return len(cards) == 2 and total(cards) == 21


def is_natural(hand: PlayedHand) -> bool:
    """21 with the first two cards of an unsplit hand."""
    return (
        len(hand.cards) == 2
        and not hand.is_split
        and total(hand.cards, free_ace=hand.free_ace) == 21
    )


def dealer_must_draw(cards: list[Card], *, hits_soft_17: bool) -> bool:
    count = total(cards)
    return count < 17 or (count == 17 and hits_soft_17 and is_soft(cards))


def in_chips(numerator: int, denominator: int, limits: PostedLimits, *, to_player: bool) -> int:
    """A fraction of cents, brought to whole chips for or against the player by the named rule."""
    chip = limits.smallest_chip_cents * denominator
    up = to_player == (limits.rounding is Rounding.FAVOUR_PLAYER)
    whole = -(-numerator // chip) if up else numerator // chip
    return whole * limits.smallest_chip_cents


def winnings(exact: Fraction, limits: PostedLimits, *, fractional: bool) -> int:
    """Only odds with a fraction can need rounding: chips pay whole multiples in kind."""
    if not fractional:
        return int(exact)
    return in_chips(exact.numerator, exact.denominator, limits, to_player=True)


def won(bet: PlacedBet, outcome: str, pays: Ratio, spec: RuleSetSpec) -> ExpectedWager:
    """Chips at the odds and the coupon at its own, rounded as one sum."""
    chips = bet.stake_cents * Fraction(*pays)
    owed = winnings(chips, spec.limits, fractional=pays[1] > 1)
    coupon_owed = 0
    if bet.coupon:
        coupon, odds = _coupon_pays(bet.coupon.terms, outcome)
        both = chips + coupon * Fraction(*odds)
        fractional = pays[1] > 1 or odds[1] > 1
        coupon_owed = winnings(both, spec.limits, fractional=fractional) - owed
    return _expected(bet, Result.WON, outcome, owed + coupon_owed, 0, coupon_owed)


def _coupon_pays(terms: Terms, outcome: str) -> tuple[int, Ratio]:
    """A bonus on a hand pays its face for that hand; chips' worth pays its own odds."""
    if terms.kind is PromotionKind.HAND_BONUS:
        return terms.face_cents, (int(outcome == terms.bonus_outcome), 1)
    odds = terms.natural_pays if outcome == "natural" else terms.pays
    return terms.face_cents, (odds.win, odds.stake)


def lost(bet: PlacedBet, outcome: str = "loss") -> ExpectedWager:
    return _expected(bet, Result.LOST, outcome, 0, bet.stake_cents)


def pushed(bet: PlacedBet, outcome: str) -> ExpectedWager:
    return _expected(bet, Result.PUSHED, outcome, 0, 0)


def returned(bet: PlacedBet) -> ExpectedWager:
    """Half Back, given back on 13 to 16 [filing 004, rule 17]."""
    return _expected(bet, Result.RETURNED, "returned", 0, 0)


def surrendered(bet: PlacedBet, spec: RuleSetSpec) -> ExpectedWager:
    """Half the stake is taken, an odd half in the player's favor unless the house rules differ."""
    half = in_chips(bet.stake_cents, 2, spec.limits, to_player=False)
    return _expected(bet, Result.SURRENDERED, "surrender", 0, half)


def not_settled(bet: PlacedBet) -> ExpectedWager:
    """A wager of another filing on the same layout."""
    return _expected(bet, Result.NOT_SETTLED, "", 0, 0)


def judge_hand(hand: PlayedHand, dealer: list[Card], spec: RuleSetSpec) -> list[JudgedBet]:
    """Every bet that rides on the hand, against the dealer's hand as it lies at the end."""
    return [(bet, _judge(bet, hand, dealer, spec)) for bet in hand.bets]


def _judge(
    bet: PlacedBet, hand: PlayedHand, dealer: list[Card], spec: RuleSetSpec
) -> ExpectedWager:
    natural_odds = spec.house.natural_pays
    player = total(hand.cards, free_ace=hand.free_ace)
    house = total(dealer)
    if hand.took_even_money:
        return won(bet, "even_money", EVEN, spec)
    if hand.is_surrendered:
        return surrendered(bet, spec)
    if is_natural(hand):
        if is_blackjack(dealer):
            return pushed(bet, "blackjack_push")
        return won(bet, "natural", (natural_odds.win, natural_odds.stake), spec)
    if player > 21:
        return lost(bet, "bust")
    if is_blackjack(dealer):
        return lost(bet, "dealer_blackjack")
    if house > 21:
        return won(bet, "dealer_bust", EVEN, spec)
    if player > house:
        return won(bet, "win", EVEN, spec)
    if player < house:
        return lost(bet)
    return pushed(bet, "push")


def judge_insurance(seat: PlayedSeat, dealer: list[Card]) -> JudgedBet:
    """Two to one if the dealer has blackjack."""
    bet = seat.insurance
    if bet is None or bet.wager != INSURANCE:
        raise LookupError(f"seat {seat.number} has no insurance")
    if is_blackjack(dealer):
        return bet, _expected(bet, Result.WON, "dealer_blackjack", bet.stake_cents * 2, 0)
    return bet, lost(bet)


def big_wins(
    seats: list[PlayedSeat], expected: list[ExpectedWager], other_cents: dict[int, int]
) -> frozenset[str]:
    """Patrons whose winnings in the round pass $3,000; tips are the dealer's.

    What other filings pay counts too: it is won, by whatever rule.
    """
    patrons = {seat.number: seat.patron or f"seat {seat.number}" for seat in seats}
    sums: dict[str, int] = {}
    for seat, cents in other_cents.items():
        sums[patrons[seat]] = sums.get(patrons[seat], 0) + cents
    for wager in expected:
        if not wager.tip:
            patron = patrons[wager.seat]
            sums[patron] = sums.get(patron, 0) + wager.owed_cents
    return frozenset(patron for patron, cents in sums.items() if cents > BIG_WIN_CENTS)


def _expected(
    bet: PlacedBet, result: Result, outcome: str, owed: int, taken: int, coupon_owed: int = 0
) -> ExpectedWager:
    return ExpectedWager(
        bet.seat,
        bet.hand,
        bet.wager,
        bet.tip,
        bet.stake_cents,
        result,
        outcome,
        owed,
        taken,
        coupon_owed,
    )
