"""What one settled round contributes, and to whom.

Streams of luck are kept for the table, the dealer, the shoe, every patron, and every dealer
with every patron; the others for those whom they are about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from blackjack.outcomes import RoundStatus, SettledRound, WagerOutcome
from blackjack.rulebook.rule_set import RuleSet
from odds.shoe import CardCounts
from surveillance.domain.statistics.conduct import Baselines, coupons, errors, transfers
from surveillance.domain.statistics.evidence import Contribution, Entry, StreamEvidence
from surveillance.domain.statistics.hole_card import HoleCard
from surveillance.domain.statistics.indices import counted, shoe_index
from surveillance.domain.statistics.main_luck import MainLuck, has_main_game
from surveillance.domain.statistics.peers import Dealt
from surveillance.domain.statistics.side_luck import SideLuck, side_law, weight_of
from surveillance.domain.statistics.unseen import before_the_deal

CARDS_MIN: Final = 26
"""With fewer left, a round may end otherwise than by its rules; that is known before the deal."""

NOT_PLAYED: Final = (RoundStatus.INCOMPLETE, RoundStatus.UNRESOLVED)

STANDARD: Final = Baselines()

_Bets = Sequence[WagerOutcome]
_Says = Callable[[_Bets], Iterator[StreamEvidence]]


def contributions(
    played: SettledRound, rules: RuleSet, baselines: Baselines = STANDARD
) -> tuple[Contribution, ...]:
    """One for each subject that the round says something about.

    `rules` is the rule set that the round's context names. An incomplete round says nothing
    yet; it comes again when it is healed.
    """
    if played.status in NOT_PLAYED:
        return ()
    bets = [bet for bet in played.outcomes if not bet.tip]
    patrons = sorted({bet.patron for bet in bets if bet.patron})
    dealer, table = played.context.dealer, played.table
    shoe = before_the_deal(played)
    if shoe is not None and shoe.total < CARDS_MIN:
        shoe = None
    luck = _luck(played, rules, shoe)
    habits = _habits(played, rules, shoe)
    everybodys = [*luck(bets)]
    found: list[tuple[str, list[StreamEvidence]]] = [(f"table:{table}", everybodys)]
    if shoe is not None:
        found.append((f"shoe:{table}/{played.context.shoe}", everybodys))
    if dealer:
        found.append((f"dealer:{dealer}", everybodys))
    for patron in patrons:
        own = [bet for bet in bets if bet.patron == patron]
        lucky = [*luck(own)]
        found.append((f"patron:{patron}", [*lucky, *habits(own)]))
        if dealer:
            gifts = transfers(bets, own, baselines)
            found.append((f"pair:{dealer}/{patron}", [*lucky, *_said((gifts,))]))
    return tuple(
        Contribution(
            subject, Entry(played.opened_at, table, played.round, played.version, tuple(evidence))
        )
        for subject, evidence in found
        if evidence
    )


def dealt(played: SettledRound, rules: RuleSet) -> Dealt:
    """What a round counts for those who are compared with others that deal the same game."""
    bets = [bet for bet in played.outcomes if not bet.tip]
    if played.status in NOT_PLAYED:
        bets = []
    wrong, payments = errors(bets)
    with_coupon, base = coupons(_base(rules, bets))
    return Dealt(
        played.opened_at,
        played.table,
        played.round,
        played.version,
        played.context.dealer,
        payments,
        wrong,
        base,
        with_coupon,
    )


def withdrawals(
    earlier: Iterable[str], played: SettledRound, now: Iterable[Contribution]
) -> tuple[Contribution, ...]:
    """For subjects that an earlier version of the round spoke of, and this one does not."""
    empty = Entry(played.opened_at, played.table, played.round, played.version, ())
    spoken_of = {each.subject for each in now}
    return tuple(Contribution(each, empty) for each in sorted(set(earlier) - spoken_of))


def _luck(played: SettledRound, rules: RuleSet, shoe: CardCounts | None) -> _Says:
    """Results against the odds, by wager; what all subjects share is worked out once."""
    if shoe is None:
        return _nothing
    placed = {bet.wager for bet in played.outcomes}
    laws = {wager: side_law(rules, wager, shoe) for wager in rules.side_bets if wager in placed}
    sides = {
        wager: SideLuck(played, rules, wager, law, shoe)
        for wager, law in laws.items()
        if law is not None
    }
    main = MainLuck(played, rules, shoe) if has_main_game(rules) else None

    def luck(bets: _Bets) -> Iterator[StreamEvidence]:
        base = _base(rules, bets)
        if main is not None and base:
            yield from _said((main.of(base),))
        for wager, side in sides.items():
            yield from _said((side.of([bet for bet in bets if bet.wager == wager]),))

    return luck


def _habits(played: SettledRound, rules: RuleSet, shoe: CardCounts | None) -> _Says:
    """What a patron's bets and decisions say."""
    if shoe is None:
        return _nothing
    hole = HoleCard(played, rules, shoe) if has_main_game(rules) else None
    placed = {bet.wager for bet in played.outcomes}
    wagers = [name for name in (*rules.filing.base_wagers[:1], *rules.side_bets) if name in placed]
    indices = {name: shoe_index(played, rules, name, shoe) for name in wagers}

    def habits(bets: _Bets) -> Iterator[StreamEvidence]:
        for wager, index in indices.items():
            if index is None:
                continue
            cents = sum([weight_of(bet) for bet in bets if bet.wager == wager])
            if cents:
                yield counted(index, wager, cents)
        if hole is not None:
            yield from _said((hole.known_to([bet.seat for bet in bets]),))

    return habits


def _base(rules: RuleSet, bets: _Bets) -> list[WagerOutcome]:
    return [bet for bet in bets if bet.wager in rules.filing.base_wagers]


def _nothing(_bets: _Bets) -> Iterator[StreamEvidence]:
    return iter(())


def _said(evidence: Iterable[StreamEvidence | None]) -> Iterator[StreamEvidence]:
    return (each for each in evidence if each is not None)
