"""Rule sets that houses could post: every filed paytable, under many house rules."""

from __future__ import annotations

from itertools import cycle
from typing import Final

from blackjack.money import Odds, Rounding
from blackjack.rulebook.house_rules import (
    HALF_BACK,
    MAIN,
    DoubleOn,
    HouseRules,
    PostedLimits,
    RuleSetSpec,
    SplitBy,
    WagerLimit,
)
from table_simulator.domain import games
from table_simulator.domain.oracle.paytables import DECKS, options

STANDARD_HOUSES: Final = (
    HouseRules(late_surrender=True),
    HouseRules(dealer_hits_soft_17=True, double_after_split=False, split_by=SplitBy.VALUE),
    HouseRules(double_on=DoubleOn.HARD_9_TO_11, hands_max=3, insurance=False, even_money=False),
    HouseRules(
        dealer_hits_soft_17=True, double_for_less=True, resplit_aces=True, hit_split_aces=True
    ),
    HouseRules(double_on=DoubleOn.HARD_10_TO_11, even_money=False, late_surrender=True),
    HouseRules(natural_pays=Odds(6, 5), resplit_aces=True, hands_max=4),
)

HALF_BACK_HOUSES: Final = tuple(
    HouseRules(
        dealer_hits_soft_17=soft,
        double_on=DoubleOn.HARD_9_TO_11,
        resplit_aces=resplit,
        hit_split_aces=hit,
    )
    for soft, resplit, hit in ((False, False, False), (True, True, False), (True, True, True))
)


def _limits(
    sides: tuple[str, ...], *, chip: int, rounding: Rounding, others: tuple[str, ...] = ()
) -> PostedLimits:
    wagers = {wager: WagerLimit(1_00, 25_00) for wager in sides}
    wagers[MAIN] = WagerLimit(5_00, 300_00)
    return PostedLimits(wagers, chip, rounding, others)


_ROUNDINGS: Final = (
    (50, Rounding.FAVOUR_PLAYER),
    (1_00, Rounding.FAVOUR_PLAYER),
    (1_00, Rounding.FAVOUR_HOUSE),
)


def specs(game: str) -> tuple[RuleSetSpec, ...]:
    """Every number of decks and every paytable option at least once."""
    return _SPECS[game]


def _double_action() -> list[RuleSetSpec]:
    found = []
    sides = games.SIDE_WAGERS[games.DOUBLE_ACTION_III]
    choices = cycle(zip(STANDARD_HOUSES, _ROUNDINGS * 2, strict=True))
    for decks in DECKS[games.DOUBLE_ACTION_III]:
        for option in range(len(options(games.DOUBLE_ACTION_III, games.DOUBLE_ACTION, decks))):
            house, (chip, rounding) = next(choices)
            limits = _limits(sides, chip=chip, rounding=rounding)
            if option % 2:
                limits.wagers[games.DOUBLE_ACTION] = WagerLimit(1_00, 10_00, 500_00)
                limits.wagers[games.MATCH_MADNESS] = WagerLimit(1_00, 10_00, 600_00)
            paytables = {games.DOUBLE_ACTION: option + 1, games.MATCH_MADNESS: option % 2 + 1}
            found.append(RuleSetSpec(games.DOUBLE_ACTION_III, decks, paytables, house, limits))
    return found


def _match_madness() -> list[RuleSetSpec]:
    game = games.MATCH_MADNESS_GAME
    found = []
    for decks in DECKS[game]:
        for option in range(1, len(options(game, games.MATCH_ME, decks)) + 1):
            limits = _limits(games.SIDE_WAGERS[game], chip=50, rounding=Rounding.FAVOUR_PLAYER)
            del limits.wagers[MAIN]
            if option == 2:
                limits.wagers[games.MATCH_ME] = WagerLimit(1_00, 25_00, 1_250_00)
            paytables = {games.MATCH_ME: option, games.MATCH_ME_2: option}
            found.append(RuleSetSpec(game, decks, paytables, HouseRules(), limits))
    return found


def _skweezit() -> list[RuleSetSpec]:
    """Half of the layouts carry bonus wagers of other filings beside it."""
    game = games.SKWEEZIT_BLACKJACK
    found = []
    for number, decks in enumerate(DECKS[game]):
        chip, rounding = _ROUNDINGS[number % 3]
        others = ("lucky_ladies", "royal_match", "in_between") if number % 2 else ()
        limits = _limits((games.SKWEEZIT,), chip=chip, rounding=rounding, others=others)
        if number > 3:
            limits.wagers[games.SKWEEZIT] = WagerLimit(1_00, 10_00, 500_00)
        house = STANDARD_HOUSES[number % len(STANDARD_HOUSES)]
        found.append(RuleSetSpec(game, decks, {games.SKWEEZIT: 1}, house, limits))
    return found


def _dead_mans_hand() -> list[RuleSetSpec]:
    """Paytables 1-3 go with aces split once, 4 and 5 with aces split three times."""
    game = games.DEAD_MANS_HAND_GAME
    found = []
    for decks in DECKS[game]:
        for option in range(1, 6):
            chip, rounding = _ROUNDINGS[(decks + option) % 3]
            house = HouseRules(
                dealer_hits_soft_17=option % 2 == 0,
                late_surrender=option in (1, 5),
                resplit_aces=option >= 4,
                hit_split_aces=(decks + option) % 4 == 0,
                split_by=SplitBy.VALUE if decks == 5 else SplitBy.RANK,
            )
            limits = _limits((games.DEAD_MANS_HAND,), chip=chip, rounding=rounding)
            found.append(RuleSetSpec(game, decks, {games.DEAD_MANS_HAND: option}, house, limits))
    return found


def _half_back() -> list[RuleSetSpec]:
    game = games.HALF_BACK_BLACKJACK
    found = []
    houses = cycle(HALF_BACK_HOUSES)
    for decks in DECKS[game]:
        for option in range(1, 7):
            chip, rounding = _ROUNDINGS[option % 3]
            limits = _limits((games.UPCARD_BONUS,), chip=chip, rounding=rounding)
            limits.wagers[MAIN] = WagerLimit(5_00, 0)
            limits.wagers[HALF_BACK] = limits.wagers[MAIN]
            paytables = {games.UPCARD_BONUS: option}
            found.append(RuleSetSpec(game, decks, paytables, next(houses), limits))
    return found


_SPECS: Final[dict[str, tuple[RuleSetSpec, ...]]] = {
    games.DOUBLE_ACTION_III: tuple(_double_action()),
    games.MATCH_MADNESS_GAME: tuple(_match_madness()),
    games.SKWEEZIT_BLACKJACK: tuple(_skweezit()),
    games.DEAD_MANS_HAND_GAME: tuple(_dead_mans_hand()),
    games.HALF_BACK_BLACKJACK: tuple(_half_back()),
}
