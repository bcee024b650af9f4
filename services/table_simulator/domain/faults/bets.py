"""Faults of betting: bets that move too late, and bets that no limit allows."""

from __future__ import annotations

from blackjack.facts import (
    Action,
    CardDealt,
    PlayerActed,
    WagerChanged,
    WagerPlaced,
)
from blackjack.rulebook.house_rules import HALF_BACK, MAIN
from table_simulator.domain.faults.draft import StreamDraft
from table_simulator.domain.faults.round_view import OUR_WAGERS, RoundView
from table_simulator.domain.games import DOUBLE_ACTION, SKWEEZIT, UPCARD_BONUS

STATE_MAXIMUM_CENTS = 400_00


def past_post(draft: StreamDraft) -> str:
    """Chips are added to a bet when all cards of the first deal are seen."""

    def candidates(view: RoundView) -> list[int]:
        simple = [seat for seat in view.seats() if view.is_simple(seat)]
        return [seat for seat in simple if view.stake(seat, MAIN)]

    view, seat = draft.pick(candidates)
    after = _end_of_deal(view)
    draft.add(after, WagerChanged(seat, MAIN, view.stake(seat, MAIN) + 25_00))
    return view.id


def raised_in_the_deal(draft: StreamDraft) -> str:
    """Chips are added to a bet when the first card is on the table."""

    def candidates(view: RoundView) -> list[int]:
        simple = [seat for seat in view.seats() if view.is_simple(seat)]
        return [seat for seat in simple if view.stake(seat, MAIN)]

    view, seat = draft.pick(candidates)
    first_card = view.first(CardDealt)[0]
    draft.add(first_card, WagerChanged(seat, MAIN, view.stake(seat, MAIN) + 100_00))
    return view.id


def capped_under_a_double(draft: StreamDraft) -> str:
    """A side bet rises with the chips of a double on the main wager."""

    def candidates(view: RoundView) -> list[tuple[int, int, str]]:
        return [
            (place, fact.seat, wager)
            for place, fact in view.of(PlayerActed)
            if fact.action is Action.DOUBLE
            for wager in sorted(OUR_WAGERS - {MAIN, HALF_BACK})
            if view.stake(fact.seat, wager) and not _is_settled(view, place, fact.seat, wager)
        ]

    view, (place, seat, wager) = draft.pick(candidates)
    draft.add(place, WagerChanged(seat, wager, view.stake(seat, wager) + 50_00))
    return view.id


def _is_settled(view: RoundView, place: int, seat: int, wager: str) -> bool:
    return any(settled < place for settled, _ in view.settlements(seat, wager))


def pinch(draft: StreamDraft) -> str:
    """Chips leave a bet when all cards of the first deal are seen; only the rest is collected."""
    view, seat = draft.pick(lambda view: _lost_more_than(view, 10_00))
    stake = view.stake(seat, MAIN)
    draft.add(_end_of_deal(view), WagerChanged(seat, MAIN, stake - 5_00))
    draft.alter(view.settlements(seat, MAIN)[0][0], cents=stake - 5_00)
    return view.id


def lost_bet_withdrawn(draft: StreamDraft) -> str:
    """A player takes a lost bet away before the dealer collects it."""
    view, seat = draft.pick(lambda view: _lost_more_than(view, 0))
    draft.put(view.settlements(seat, MAIN)[0][0], WagerChanged(seat, MAIN, 0))
    return view.id


def _lost_more_than(view: RoundView, cents: int) -> list[int]:
    """Seats that lost their whole main wager, if it was more than this."""
    return [seat for seat in view.lost(MAIN) if view.stake(seat, MAIN) > cents]


def _end_of_deal(view: RoundView) -> int:
    """The place of the hole card."""
    return next(place for place, fact in view.of(CardDealt) if fact.seat == 0 and not fact.face_up)


def restake(draft: StreamDraft, view: RoundView, seat: int, wager: str, cents: int) -> None:
    """Another stake for a wager that lost and nothing else: placed so, and taken so."""
    for place, _ in view.placings(seat, wager):
        draft.alter(place, cents=cents)
    for place, _ in view.settlements(seat, wager):
        draft.alter(place, cents=cents)


def state_maximum(draft: StreamDraft) -> str:
    """$450 on both wagers of Half Back, where the house posts no maximum of its own."""
    view, seat = draft.pick(lambda view: _lost_both(view))
    restake(draft, view, seat, MAIN, STATE_MAXIMUM_CENTS + 50_00)
    restake(draft, view, seat, HALF_BACK, STATE_MAXIMUM_CENTS + 50_00)
    return view.id


def _lost_both(view: RoundView) -> list[int]:
    return [seat for seat in view.lost(MAIN) if seat in view.lost(HALF_BACK)]


def house_maximum(draft: StreamDraft) -> str:
    view, seat = draft.pick(lambda view: view.lost(MAIN))
    restake(draft, view, seat, MAIN, 350_00)
    return view.id


def house_minimum(draft: StreamDraft) -> str:
    view, seat = draft.pick(lambda view: view.lost(MAIN))
    restake(draft, view, seat, MAIN, 2_00)
    return view.id


def half_back_unequal(draft: StreamDraft) -> str:

    def candidates(view: RoundView) -> list[int]:
        return [seat for seat in _lost_both(view) if view.stake(seat, MAIN) <= 300_00]

    view, seat = draft.pick(candidates)
    restake(draft, view, seat, HALF_BACK, view.stake(seat, MAIN) + 5_00)
    return view.id


def spot_count(draft: StreamDraft) -> str:
    """The last seat of the round turns out to be a tenth one."""
    view, last = draft.pick(lambda view: [max(view.seats())])
    for place, fact in view.facts:
        if getattr(fact, "seat", 0) == last:
            draft.alter(place, seat=10)
    return view.id


def one_player(draft: StreamDraft) -> str:
    """A second patron adds chips to a spot that is taken, and takes them back in time."""

    def candidates(view: RoundView) -> list[tuple[int, WagerPlaced]]:
        return [
            (place, fact)
            for place, fact in view.of(WagerPlaced)
            if fact.patron and fact.wager == MAIN and not fact.tip and not fact.coupon
        ]

    view, (place, fact) = draft.pick(candidates)
    draft.add(place, WagerPlaced(fact.seat, MAIN, 5_00, "other-patron"))
    draft.add(place, WagerChanged(fact.seat, MAIN, fact.cents))
    return view.id


def second_patron_on_a_side_bet(draft: StreamDraft) -> str:
    """The main wager is one patron's, the side bet beside it another's."""

    def candidates(view: RoundView) -> list[tuple[int, WagerPlaced]]:
        known = {fact.seat for _, fact in view.of(WagerPlaced) if fact.patron}
        return [
            (place, fact)
            for place, fact in view.of(WagerPlaced)
            if fact.seat in known and fact.wager not in (MAIN, HALF_BACK) and not fact.tip
        ]

    view, (place, fact) = draft.pick(candidates)
    main, _ = view.placings(fact.seat, MAIN)[0]
    draft.alter(main, patron="first-patron")
    draft.alter(place, patron="other-patron")
    return view.id


def four_wagers(draft: StreamDraft) -> str:
    """Every wager of a layout that offers five, by one player."""

    def candidates(view: RoundView) -> list[int]:
        return [
            seat
            for seat in view.seats()
            if view.stake(seat, SKWEEZIT) and len(_wagers(view, seat)) == 4
        ]

    view, seat = draft.pick(candidates)
    missing = next(
        wager
        for wager in ("lucky_ladies", "royal_match", "in_between")
        if wager not in _wagers(view, seat)
    )
    draft.add(view.placings(seat, SKWEEZIT)[-1][0], WagerPlaced(seat, missing, 3_00))
    return view.id


def _wagers(view: RoundView, seat: int) -> set[str]:
    """The wagers of the seat when bets are closed."""
    placed = {fact.wager for _, fact in view.of(WagerPlaced) if fact.seat == seat}
    return {wager for wager in placed if view.stake(seat, wager)}


def five_dollars(draft: StreamDraft) -> str:
    """Four wagers on a layout that offers five, none of them within $5."""

    def candidates(view: RoundView) -> list[int]:
        return [
            seat
            for seat in view.lost(SKWEEZIT)
            if len(_wagers(view, seat)) == 4 and view.stake(seat, MAIN) > 5_00
        ]

    view, seat = draft.pick(candidates)
    for wager in _wagers(view, seat) - {MAIN}:
        restake(draft, view, seat, wager, 8_00)
    return view.id


def unknown_wager(draft: StreamDraft) -> str:
    """A bet on something the layout does not have."""
    view, seat = draft.pick(lambda view: view.seats())
    draft.add(view.of(WagerPlaced)[-1][0], WagerPlaced(seat, "perfect_pairs", 5_00))
    return view.id


def no_main_wager(draft: StreamDraft) -> str:
    """A side bet alone: the main chips were never there, and no player acts on the hand."""

    def candidates(view: RoundView) -> list[int]:
        return [
            seat
            for seat in view.seats()
            if view.is_simple(seat)
            and len(view.seats()) > 1
            and any(view.stake(seat, side) for side in (DOUBLE_ACTION, SKWEEZIT, UPCARD_BONUS))
            and len([1 for _, fact in view.of(CardDealt) if fact.seat == seat]) == 2
        ]

    view, seat = draft.pick(candidates)
    for place, _ in view.placings(seat, MAIN) + view.settlements(seat, MAIN):
        draft.drop(place)
    for place, fact in view.of(PlayerActed):
        if fact.seat == seat:
            draft.drop(place)
    return view.id
