"""Side bets at a table: who looks at which card, and what the paytable makes of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import product
from typing import Final

from blackjack.cards import DECK, Card
from blackjack.citing import NEVER_GUESSED, VIDEO_UNCLEAR
from blackjack.comparing import with_coupon
from blackjack.facts import Place, ShoeKind
from blackjack.filings import Dealing, Paytable
from blackjack.hands import Hand
from blackjack.judgements import Owed
from blackjack.money import dollars, winnings
from blackjack.outcomes import Result
from blackjack.round import Round
from blackjack.rule_set import RuleSet
from blackjack.side_bets import LOSS, Role, SideBet
from blackjack.side_bets.dead_mans_hand import is_set
from blackjack.state import State
from blackjack.wagers import Wager

UNREAD_MAX: Final = 2
"""Unread cards that are tried one by one (52 each); beyond that only the bounds are stated."""


class _Unread:
    """Stands for a card that lies on the table and was not read."""


UNREAD: Final = _Unread()
_Seen = Card | bool | int | _Unread | None


def owed_on_side_bet(state: State, played: Round, rules: RuleSet, wager: Wager) -> Owed | None:
    """What a side bet is owed by its paytable, None while its cards are not all there."""
    paytable = rules.paytables[wager.kind]
    if _dealt_short(played, rules, wager.seat):
        return Owed(
            Result.VOID,
            "short_hand",
            f"{rules.filing.title}, convention: a short hand is void",
            f"too few cards were dealt to the spot: {dollars(wager.stake)} goes back",
        )
    outcomes = possible_outcomes(state, played, rules, wager)
    if not outcomes:
        return _never_decided(played, paytable, wager)
    if wager.for_player and len(outcomes) > 1:
        best = max(outcomes, key=lambda each: _pays(rules, paytable, wager, each))
        decided = _decided(rules, paytable, wager, best)
        return Owed(
            decided.result,
            decided.outcome,
            VIDEO_UNCLEAR,
            decided.arithmetic,
            cents=decided.cents,
            taken_cents=decided.taken_cents,
            least_cents=decided.cents,
            most_cents=decided.cents,
        )
    if len(outcomes) == 1:
        return _decided(rules, paytable, wager, next(iter(outcomes)))
    each = [_decided(rules, paytable, wager, outcome) for outcome in sorted(outcomes)]
    least, most = min(one.least_cents for one in each), max(one.most_cents for one in each)
    return Owed(
        Result.UNDETERMINED,
        "card_not_read",
        NEVER_GUESSED,
        f"a card was not read: {dollars(least)} to {dollars(most)}",
        least_cents=least,
        most_cents=most,
    )


def possible_outcomes(
    state: State, played: Round, rules: RuleSet, wager: Wager, *, shown_only: bool = False
) -> set[str]:
    """Every outcome the cards allow; one where all were read, none while undecided.

    With `shown_only`, as the table itself can know it: a hole card that only the shoe has
    read does not count.
    """
    side_bet = rules.side_bet(wager.kind)
    judge: Callable[..., str | None] = side_bet.judge
    seat = wager.seat
    seen = [look(played, seat, shown_only) for look in _looks(side_bet)]
    blanks = [at for at, value in enumerate(seen) if value is UNREAD]
    if not blanks:
        outcome = judge(*seen)
        return set() if outcome is None else {outcome}
    if len(blanks) > UNREAD_MAX:
        return {LOSS, *(row.outcome for row in rules.paytables[wager.kind].rows)}
    candidates = _candidates(state)
    outcomes: set[str] = set()
    for guess in product(candidates, repeat=len(blanks)):
        for at, card in zip(blanks, guess, strict=True):
            seen[at] = card
        outcome = judge(*seen)
        if outcome is None:
            return set()
        outcomes.add(outcome)
    return outcomes


def _candidates(state: State) -> list[Card]:
    """What an unread card can be: any card of which the shoe is not known to be out."""
    shoe = state.shoe
    if not shoe.decks or shoe.kind is not ShoeKind.SHOE:
        return list(DECK)
    return [card for card in DECK if shoe.seen[card.index] < shoe.decks] or list(DECK)


def _firsts(played: Round, seat: int, at: int) -> Card | _Unread | None:
    cards = played.firsts.get(seat)
    return _known(cards[at]) if cards is not None and at < len(cards) else None


def _hole(played: Round, shown_only: bool) -> Card | _Unread | None:
    if played.hole < 0 or (shown_only and not played.hole_shown):
        return None
    return _known(played.hole_card)


_Look = Callable[[Round, int, bool], _Seen]

_LOOKS: Final[dict[Role, _Look]] = {
    Role.FIRST: lambda played, seat, _: _firsts(played, seat, 0),
    Role.SECOND: lambda played, seat, _: _firsts(played, seat, 1),
    Role.THIRD: lambda played, seat, _: _firsts(played, seat, 2),
    Role.UP: lambda played, _, __: _known(played.original_up) if played.up >= 0 else None,
    Role.REPLACEMENT: lambda played, _, __: (
        _known(played.replacement[0]) if played.replacement else None
    ),
    Role.HOLE: lambda played, _, shown_only: _hole(played, shown_only),
    Role.MATCH_ME: lambda played, _, __: _on_place(played, Place.MATCH_ME),
    Role.MATCH_ME_2: lambda played, _, __: _on_place(played, Place.MATCH_ME_2),
    Role.DEALER_BLACKJACK: lambda played, _, shown_only: (
        played.dealer_blackjack_shown if shown_only else played.dealer_blackjack
    ),
    Role.SPLIT: lambda played, seat, _: len(played.hands.get(seat, ())) > 1,
    Role.SETS: lambda played, seat, _: _sets(played, seat),
}
"""How each role is filled at a table: by the round, the seat, and what the table may know."""


@cache
def _looks(side_bet: SideBet) -> tuple[_Look, ...]:
    return tuple(_LOOKS[role] for role in side_bet.roles)


def _known(card: Card | None) -> Card | _Unread:
    return UNREAD if card is None else card


def _on_place(played: Round, place: Place) -> Card | _Unread | None:
    if place not in played.table_places:
        return None
    return _known(played.table_places[place])


def _sets(played: Round, seat: int) -> int | None:
    """Hands of the spot that began with an ace and an eight, once its play is over."""
    hands = played.hands.get(seat, [])
    if not played.closing and played.turn <= seat and not all(_over(hand) for hand in hands):
        return None
    return sum(
        1
        for hand in hands
        if len(hand.cards) >= 2
        and (first := hand.cards[0]) is not None
        and (second := hand.cards[1]) is not None
        and is_set(first, second)
    )


def _over(hand: Hand) -> bool:
    return hand.done and not hand.due


def first_cards(rules: RuleSet) -> int:
    """How many cards a spot is dealt before anybody decides anything."""
    return 3 if rules.filing.dealing is Dealing.MATCH_MADNESS else 2


def _dealt_short(played: Round, rules: RuleSet, seat: int) -> bool:
    """Whether the round ends and the spot never got the cards the wager looks at."""
    if not played.closing:
        return False
    dealt = played.firsts.get(seat, [])
    return len(dealt) < first_cards(rules)


def _never_decided(played: Round, paytable: Paytable, wager: Wager) -> Owed | None:
    if not played.closing:
        return None
    most = max(_row_pays(paytable, wager, row.outcome) for row in paytable.rows)
    return Owed(
        Result.UNDETERMINED,
        "card_not_dealt",
        NEVER_GUESSED,
        f"a card that decides it is not in the log: {dollars(0)} to {dollars(most)}",
        most_cents=most,
    )


def _row_pays(paytable: Paytable, wager: Wager, outcome: str) -> int:
    row = paytable.row(outcome)
    return 0 if row is None else wager.stake * row.pays.win // row.pays.stake


def _pays(rules: RuleSet, paytable: Paytable, wager: Wager, outcome: str) -> int:
    return _decided(rules, paytable, wager, outcome).cents


def _decided(rules: RuleSet, paytable: Paytable, wager: Wager, outcome: str) -> Owed:
    row = paytable.row(outcome)
    stake = wager.stake
    clause = rules.clauses[wager.kind]
    if row is None:
        return Owed(
            Result.LOST,
            LOSS,
            clause,
            f"no win: {dollars(stake)} taken",
            taken_cents=stake,
        )
    if row.pays.is_push:
        return Owed(
            Result.PUSHED, row.outcome, clause, f"{row.label}, push: {dollars(stake)} goes back"
        )
    limits = rules.spec.limits
    cents = winnings(
        stake, row.pays, chip_cents=limits.smallest_chip_cents, rounding=limits.rounding
    )
    return with_coupon(
        rules,
        wager,
        natural=False,
        due=Owed(
            Result.WON,
            row.outcome,
            clause,
            f"{row.label} {row.pays} on {dollars(stake)} = {dollars(cents)}",
            cents=cents,
            least_cents=cents,
            most_cents=cents,
        ),
    )
