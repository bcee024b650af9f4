"""Bets: placed, changed, closed, and judged when they close."""

from __future__ import annotations

from typing import Final

from blackjack.display_names import bet_name
from blackjack.facts import WagerChanged, WagerPlaced
from blackjack.findings import Kind
from blackjack.money import format_cents
from blackjack.play.bet_closing import called_in_time, in_time, note_close
from blackjack.play.chip_moves import WAGERS_MAX, adopt_stray, change_late, leave_stray, place_late
from blackjack.play.coupons import attach_coupons
from blackjack.play.deal import plan_deal
from blackjack.play.round import BETTING, DEALING, Round
from blackjack.play.state import TableState
from blackjack.play.wagers import SEATS_MAX, Wager, WagerKey
from blackjack.rulebook.citations import cite
from blackjack.rulebook.house_rules import HALF_BACK, INSURANCE, MAIN
from blackjack.rulebook.rule_set import RuleSet
from blackjack.rulebook.state_rules import (
    PLAYERS_RULE,
    SPOTS_MAX,
    SPOTS_RULE,
    WAGER_RULE,
    wager_cents_max,
)

AMOUNT_CENTS_MAX: Final = 10**11
"""A thousand million dollars: no amount at a table is larger, so a larger one is an error."""


def sound_amount(
    state: TableState, cents: int, *, seat: int, wager: str, zero: bool = False
) -> bool:
    """Whether an amount can be true; if not, it is reported and the fact has no effect."""
    if (0 if zero else 1) <= cents <= AMOUNT_CENTS_MAX:
        return True
    state.note(
        Kind.BAD_AMOUNT,
        f"Invalid amount {format_cents(cents)}" + (f": {bet_name(seat, 1, wager)}" if seat else ""),
        "convention: amounts are positive cents",
        detail=f"expected more than $0.00, at most {format_cents(AMOUNT_CENTS_MAX)}; not counted",
        seat=seat,
        wager=wager,
        cents=cents,
        per_event=True,
    )
    return False


def place(state: TableState, played: Round, fact: WagerPlaced) -> None:
    """Chips on a spot before the bets close; a second placing on the same spot adds to it."""
    seat, kind = fact.seat, fact.wager
    if fact.coupon:
        played.presented.setdefault(fact.coupon, -seat if 1 <= seat <= SPOTS_MAX else 0)
    if not (0 < fact.cents <= AMOUNT_CENTS_MAX) and not sound_amount(
        state, fact.cents, seat=seat, wager=kind, zero=bool(fact.coupon)
    ):
        return
    if not 1 <= seat <= SPOTS_MAX:
        state.note(
            Kind.SPOT_COUNT,
            f"Bet of {format_cents(fact.cents)} on spot {seat}",
            SPOTS_RULE,
            detail=f"a table has at most {SPOTS_MAX} wagering areas",
            seat=seat,
            wager=kind,
            cents=fact.cents,
        )
        if not 1 <= seat <= SEATS_MAX:
            return
    key: WagerKey = (seat, 1, kind, fact.tip)
    patron = fact.patron or state.patrons.get(seat, "")
    if not in_time(state, played):
        place_late(state, played, key, fact.cents, patron)
        return
    wager = played.wagers.get(key)
    if wager is None:
        if len(played.wagers) < WAGERS_MAX:
            wager = played.wagers[key] = Wager(key, fact.cents, patron)
            wager.in_action = kind != INSURANCE  # It is offered when the dealer shows an ace.
            adopt_stray(played, wager)
    else:
        wager.stake = wager.chips = wager.unit = wager.stake + fact.cents
        if patron and wager.patron and patron != wager.patron:
            _note_two_players(state, seat, wager.patron, patron)
        wager.patron = wager.patron or patron


def change(state: TableState, played: Round, fact: WagerChanged) -> None:
    """The chips on a spot now amount to so much."""
    if not sound_amount(state, fact.cents, seat=fact.seat, wager=fact.wager, zero=True):
        return
    key: WagerKey = (fact.seat, fact.hand, fact.wager, fact.tip)
    if not in_time(state, played):
        change_late(state, played, key, fact.cents)
        return
    wager = played.wagers.get(key)
    if wager is None:
        state.note(
            Kind.NO_SUCH_WAGER,
            f"Bet changed that was never placed: {bet_name(fact.seat, fact.hand, fact.wager)}",
            "convention: a wager is placed before it is changed",
            seat=fact.seat,
            hand=fact.hand,
            wager=fact.wager,
        )
    elif fact.cents == 0:
        del played.wagers[key]
        leave_stray(state, played, wager)
    else:
        wager.stake = wager.chips = wager.unit = fact.cents


def close(state: TableState, played: Round) -> None:
    """Bets are final: judge them, and lay down who is to be dealt what."""
    if played.closed_by_card:
        played.closed_by_card = False
        called_in_time(state, played)
        note_close(state, played)
        return
    if played.phase != BETTING:
        state.note(
            Kind.OUT_OF_PLACE,
            "Bets closed twice in one round",
            "convention: bets close once a round",
            subject="bets closed",
        )
        return
    note_close(state, played)
    _settle_bets(state, played)


def close_by_card(state: TableState, played: Round) -> None:
    """A card dealt before bets were closed closes them."""
    played.closed_by_card = True
    note_close(state, played)
    _settle_bets(state, played)


def _settle_bets(state: TableState, played: Round) -> None:
    """No more bets: judge those that are there, and lay down who is to be dealt what."""
    played.phase = DEALING
    attach_coupons(state, played)
    _judge_state_maximum(state, played)
    rules = played.rules
    if rules is not None:
        _judge_wagers(state, played, rules)
        _judge_spots(state, played, rules)
    plan_deal(played)


def _judge_state_maximum(state: TableState, played: Round) -> None:
    """The State's maximum holds whatever is played."""
    most = wager_cents_max(played.opened_at)
    for wager in played.wagers.values():
        if wager.stake > most:
            _note_wager(
                state,
                wager,
                Kind.STATE_MAXIMUM,
                f"Over the State maximum by {format_cents(wager.stake - most)}",
                WAGER_RULE,
                f"the State allows {format_cents(most)} on that day",
            )


def _judge_wagers(state: TableState, played: Round, rules: RuleSet) -> None:
    filing = rules.filing
    limits = rules.spec.limits
    posted = limits.wagers
    most = wager_cents_max(played.opened_at)
    for wager in played.wagers.values():
        kind, stake = wager.kind, wager.stake
        if (
            kind not in filing.base_wagers
            and kind not in rules.paytables
            and kind not in limits.other_wagers
        ):
            _note_wager(
                state,
                wager,
                Kind.UNKNOWN_WAGER,
                "Bet that the game does not have",
                cite(rules, "game"),
                f"{filing.title} has no wager of this name",
            )
        limit = posted.get(kind)
        if limit is None or wager.tip:
            continue
        if limit.cents_max and most >= stake > limit.cents_max:
            _note_wager(
                state,
                wager,
                Kind.HOUSE_MAXIMUM,
                f"Over the table maximum by {format_cents(stake - limit.cents_max)}",
                "posted limits",
                f"the posted maximum is {format_cents(limit.cents_max)}",
            )
        elif stake < limit.cents_min and not wager.coupon:
            _note_wager(
                state,
                wager,
                Kind.HOUSE_MINIMUM,
                f"Under the table minimum by {format_cents(limit.cents_min - stake)}",
                "posted limits",
                f"the posted minimum is {format_cents(limit.cents_min)}",
            )


def _note_wager(
    state: TableState, wager: Wager, kind: Kind, what: str, rule: str, detail: str
) -> None:
    bet = bet_name(wager.seat, wager.hand, wager.kind, tip=wager.tip)
    state.note(
        kind,
        f"{what}: {bet}, bet {format_cents(wager.stake)}",
        rule,
        detail=detail,
        seat=wager.seat,
        hand=wager.hand,
        wager=wager.kind,
        patron=wager.patron,
        cents=wager.stake,
        subject="tip" if wager.tip else "",
    )


def _judge_spots(state: TableState, played: Round, rules: RuleSet) -> None:
    filing = rules.filing
    spots: dict[int, list[Wager]] = {}
    for key in sorted(played.wagers):
        if not played.wagers[key].tip:
            spots.setdefault(key[0], []).append(played.wagers[key])
    for seat, mine in spots.items():
        by_kind = {wager.kind: wager for wager in mine}
        other = next((wager.patron for wager in mine if wager.patron != mine[0].patron), "")
        if other and mine[0].patron:
            _note_two_players(state, seat, mine[0].patron, other)
        if filing.base_wagers and MAIN not in by_kind:
            state.note(
                Kind.NO_MAIN_WAGER,
                f"Side bet with no main bet: seat {seat}",
                cite(rules, "main.required"),
                seat=seat,
                patron=mine[0].patron,
            )
        if HALF_BACK in filing.base_wagers and MAIN in by_kind:
            main, half = by_kind[MAIN].stake, by_kind.get(HALF_BACK)
            if half is None or half.stake != main:
                state.note(
                    Kind.HALF_BACK_UNEQUAL,
                    f"Half Back wager {format_cents(half.stake if half else 0)} on seat {seat}, "
                    f"main bet {format_cents(main)}",
                    cite(rules, "half_back.equal"),
                    detail="the two bets must be equal",
                    seat=seat,
                    wager=HALF_BACK,
                    patron=by_kind[MAIN].patron,
                )
        _judge_wager_count(state, rules, seat, mine)


def _note_two_players(state: TableState, seat: int, one: str, other: str) -> None:
    if state.once(f"players {seat}"):
        state.note(
            Kind.ONE_PLAYER,
            f"Two patrons bet on spot {seat}: {one} and {other}",
            PLAYERS_RULE,
            seat=seat,
            patron=other,
        )


def _judge_wager_count(state: TableState, rules: RuleSet, seat: int, mine: list[Wager]) -> None:
    """Where the layout offers more wagers than four, a player makes four, one of them small."""
    filing = rules.filing
    more = filing.more_wagers
    offered = len(filing.base_wagers) + len(filing.side_bets) + len(rules.spec.limits.other_wagers)
    if more is None or offered <= more.wagers_max or len(mine) < more.wagers_max:
        return
    if len(mine) > more.wagers_max:
        state.note(
            Kind.FOUR_WAGERS,
            f"Too many wagers on seat {seat}: {len(mine)} made, {more.wagers_max} allowed",
            f"{filing.title}, {more.clause}",
            detail=f"the layout offers {offered} wagers",
            seat=seat,
        )
    elif min(wager.stake for wager in mine) > more.small_wager_cents_max:
        state.note(
            Kind.FIVE_DOLLARS,
            f"No wager of {format_cents(more.small_wager_cents_max)} or less on seat {seat}: "
            f"{len(mine)} made",
            f"{filing.title}, {more.clause}",
            detail=f"of {more.wagers_max} wagers one is at most "
            f"{format_cents(more.small_wager_cents_max)}",
            seat=seat,
        )
