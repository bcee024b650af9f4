"""One fact applied to the state: every fact is matched, the frequent ones first."""

from __future__ import annotations

from re import sub
from typing import TypeVar, assert_never

from blackjack.facts import (
    BetsClosed,
    CardBurned,
    CardDealt,
    CardExposed,
    CardsRemoved,
    ChipsExchanged,
    ChipsRedeemed,
    ChipsSold,
    ControllerRestarted,
    CouponDropped,
    CouponExpired,
    CouponIssued,
    CouponPresented,
    CouponVoided,
    CreditAccepted,
    CreditSent,
    CutCardReached,
    DealerArrived,
    DealerLeft,
    DealerPeeked,
    DeviceFact,
    DeviceFaulted,
    DeviceJoined,
    DeviceRecovered,
    DropBoxRemoved,
    DropCounted,
    Event,
    FillIssued,
    FillReceived,
    GapDeclared,
    HalfBackReturned,
    HeartbeatSent,
    HoleCardRevealed,
    InsuranceTaken,
    IrregularityRuled,
    MoneyFact,
    Observation,
    PatronFact,
    PatronLeft,
    PatronSeated,
    PlayerActed,
    PromotionDefined,
    PromotionFact,
    RatingRecorded,
    ReadCorrected,
    RoundClosed,
    RoundFact,
    RoundOpened,
    RoundVoided,
    RuleSetActivated,
    SettlementCorrected,
    ShoeCounted,
    ShoeFact,
    ShoeLoaded,
    ShuffleCompleted,
    SupervisorAssigned,
    TableClosed,
    TableFact,
    TableOpened,
    TicketIssued,
    TipDropped,
    TrayObserved,
    UpcardReplaced,
    WagerChanged,
    WagerCollected,
    WagerPaid,
    WagerPlaced,
    WagerReturned,
)
from blackjack.findings import Kind
from blackjack.play import (
    betting,
    coupons,
    deal,
    decisions,
    insurance,
    procedure,
    rulings,
    table_money,
)
from blackjack.play.bet_closing import note_close
from blackjack.play.clock import DEVICES_MAX, skew_us, skewed_after
from blackjack.play.opening import activate_rules, count_shoe, load_shoe, open_round, shuffle
from blackjack.play.round import BETTING
from blackjack.play.state import TableState
from blackjack.rulebook.state_rules import CLOCK_RULE, CLOCK_SKEW_US_MAX, SPOTS_MAX
from blackjack.settlement import payments
from blackjack.settlement.round_close import close_round

K = TypeVar("K")
V = TypeVar("V")


def apply(state: TableState, event: Event) -> None:
    """Apply the fact to the state, and note the findings it proves. Never raises for a fact."""
    check_clock(state, event)
    apply_fact(state, event)


def apply_fact(state: TableState, event: Event) -> None:
    """The same without a look at the clock."""
    state.event = event
    played = state.round
    if played is None:
        _apply_between_rounds(state, event)
        return
    fact = event.fact
    match fact:
        case CardDealt():
            if played.phase == BETTING:
                deal.note_early_card(state, played, fact)
                betting.close_by_card(state, played)
            elif event.at < played.close_at:
                note_close(state, played)
            deal.deal(state, played, event, fact)
        case WagerPlaced():
            betting.place(state, played, fact)
        case WagerCollected():
            payments.collect(state, played, fact)
        case WagerPaid():
            payments.pay(state, played, fact)
        case PlayerActed():
            decisions.act(state, played, fact)
        case RoundClosed():
            close_round(state, played)
        case BetsClosed():
            betting.close(state, played)
        case HoleCardRevealed():
            procedure.reveal(state, played, event, fact)
        case DealerPeeked():
            procedure.peek(state, played, fact)
        case WagerReturned():
            payments.give_back(state, played, fact)
        case CardsRemoved():
            procedure.remove_cards(state, played, fact)
        case UpcardReplaced():
            procedure.replace_upcard(state, played, event, fact)
        case CardExposed():
            procedure.expose(state, played, event, fact)
        case HalfBackReturned():
            decisions.return_half_back(state, played, fact)
        case InsuranceTaken():
            insurance.insure(state, played, fact)
        case WagerChanged():
            betting.change(state, played, fact)
        case IrregularityRuled():
            rulings.rule(state, played, fact)
            payments.judge_all(state, played)
        case RoundVoided():
            rulings.check_supervisor(state, fact.supervisor, "voided a round")
            played.void = fact.reason or "no reason given"
            played.reconsider()
            payments.judge_all(state, played)
        case SettlementCorrected():
            if fact.round == played.name:
                payments.correct(state, played, fact)
            else:
                _correct_out_of_reach(state, fact)
        case RoundOpened():
            _close_forgotten(state)
            open_round(state, event, fact)
        case _:
            _apply_anytime(state, event, fact)


def _apply_between_rounds(state: TableState, event: Event) -> None:
    fact = event.fact
    match fact:
        case RoundOpened():
            open_round(state, event, fact)
        case SettlementCorrected():
            _correct_out_of_reach(state, fact)
        case CardDealt() | UpcardReplaced():
            deal.draw(state, state.read(fact.card, event))
            _in_no_round(state, event)
        case WagerPaid() | WagerCollected() | WagerReturned():
            if not state.adrift:  # Otherwise the round's opening may be among the missing facts.
                payments.report_unplaced(state, fact)
            else:
                payments.move_chips(state, fact)
        case _ if isinstance(fact, RoundFact):
            _in_no_round(state, event)
        case _:
            _apply_anytime(state, event, fact)


def _apply_anytime(
    state: TableState,
    event: Event,
    fact: TableFact | ShoeFact | MoneyFact | PatronFact | PromotionFact | DeviceFact,
) -> None:
    """Facts that stand by themselves, in a round or between two."""
    match fact:
        case CardBurned():
            deal.draw(state, state.read(fact.card, event))
        case PatronSeated():
            if 1 <= fact.seat <= SPOTS_MAX:
                state.patrons = state.patrons | {fact.seat: fact.patron}
        case PatronLeft():
            state.patrons = _without(state.patrons, fact.seat)
        case ChipsSold():
            table_money.sell_chips(state, fact)
        case TicketIssued():
            table_money.issue_ticket(state, fact)
        case ShoeLoaded():
            load_shoe(state, fact)
        case ShuffleCompleted():
            shuffle(state, fact)
        case ShoeCounted():
            count_shoe(state, fact)
        case DealerArrived():
            state.dealer = fact.licence
        case DealerLeft():
            if state.dealer == fact.licence:
                state.dealer = ""
        case SupervisorAssigned():
            rulings.check_supervisor(state, fact.licence, "supervises a table")
            state.supervisor = fact.licence
        case RuleSetActivated():
            activate_rules(state, fact)
        case TableOpened():
            table_money.open_table(state, fact)
        case TableClosed():
            if state.round is not None:
                _close_forgotten(state)
            table_money.close_table(state, fact)
        case TrayObserved():
            table_money.observe_tray(state, fact)
        case FillReceived():
            table_money.fill(state, fact)
        case CreditSent():
            table_money.credit(state, fact)
        case PromotionDefined():
            coupons.define(state, fact)
        case CouponPresented():
            if state.round is None:
                _in_no_round(state, event)
            else:
                coupons.present(state, state.round, fact)
        case DeviceJoined():
            if fact.device in state.devices or len(state.devices) < DEVICES_MAX:
                state.devices = state.devices | {fact.device: fact.observes}
            state.faulted = _without(state.faulted, fact.device)
        case DeviceFaulted():
            _device_faulted(state, fact)
        case DeviceRecovered():
            state.faulted = _without(state.faulted, fact.device)
        case CutCardReached() | ChipsExchanged() | DropBoxRemoved() | TipDropped():
            pass
        case FillIssued() | CreditAccepted() | DropCounted() | ChipsRedeemed():
            pass  # Reported by the cage and the count room: for the books, not the table.
        case RatingRecorded() | CouponIssued() | CouponVoided() | CouponExpired():
            pass  # Other services decide what these mean across tables.
        case CouponDropped() | ControllerRestarted() | HeartbeatSent():
            pass
        case ReadCorrected() | GapDeclared():
            pass  # They concern the stream, not the table: `blackjack.play.table` acts on them.
        case _:
            assert_never(fact)


def _without(mapping: dict[K, V], key: K) -> dict[K, V]:
    return {other: value for other, value in mapping.items() if other != key}


def check_clock(state: TableState, event: Event) -> None:
    """Report a device clock that is off, once until it is right again."""
    if not event.ingested_at:
        return
    state.event = event
    skew = skew_us(event)
    before, state.skewed = state.skewed, skewed_after(state.skewed, event)
    if abs(skew) > CLOCK_SKEW_US_MAX and event.device not in before:
        device = event.device
        state.note(
            Kind.CLOCK_SKEW,
            f"Clock of {device or 'the controller'} off by {skew / 1_000_000:+.3f} s",
            CLOCK_RULE,
            subject=f"{device} {event.seq}",
        )


def _device_faulted(state: TableState, fact: DeviceFaulted) -> None:
    if len(state.faulted) >= DEVICES_MAX and fact.device not in state.faulted:
        return
    observes = fact.observes or state.devices.get(fact.device, ())
    state.faulted = state.faulted | {fact.device: observes}
    if Observation.PAYMENTS in observes:
        state.tray.forget()
        if state.round is not None and not state.sees(Observation.PAYMENTS):
            state.round.payments_blind = True


def _close_forgotten(state: TableState) -> None:
    played = state.round
    if played is None:
        return
    if played.complete:
        state.note(
            Kind.OUT_OF_PLACE,
            f"Round {played.name} was never closed",
            "convention: a round is closed before the next begins",
            subject="not closed",
        )
    close_round(state, played)


def _in_no_round(state: TableState, event: Event) -> None:
    if state.adrift:
        return  # The round's opening may be among the missing facts.
    name = type(event.fact).__name__
    state.note(
        Kind.OUT_OF_PLACE,
        f"{_plain(name)} outside a round",
        "convention: wagers, cards and payments belong to a round",
        subject=name,
    )


def _plain(name: str) -> str:
    """The name of a fact in plain words: "Wager placed" for WagerPlaced."""
    return sub(r"(?<=.)([A-Z])", r" \1", name).capitalize()


def _correct_out_of_reach(state: TableState, fact: SettlementCorrected) -> None:
    """The round is no longer in memory, but chips moved: adjust the tray and report it."""
    what = f"round {fact.round}"
    state.note(
        Kind.OUT_OF_REACH,
        f"Correction of {what} came too late to be counted at once",
        "architecture: a round is rebuilt from its own events",
        detail="the round is settled again from the log",
        seat=fact.seat,
        wager=fact.wager,
        cents=payments.move_chips(state, fact),
        subject=what,
        per_event=True,
    )
