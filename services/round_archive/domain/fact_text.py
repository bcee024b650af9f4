"""Every fact as a person at the table would say it.

The words are of what a device reported, not of what it should have been: what is wrong with it
is a finding.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from blackjack.cards.card import Card
from blackjack.facts import (
    DEALER,
    Action,
    BetsClosed,
    CardBurned,
    CardDealt,
    CardExposed,
    CardsRemoved,
    ControllerRestarted,
    CouponDropped,
    CouponExpired,
    CouponIssued,
    CouponPresented,
    CouponVoided,
    CutCardReached,
    DealerArrived,
    DealerLeft,
    DealerPeeked,
    DeviceFact,
    DeviceFaulted,
    DeviceJoined,
    DeviceRecovered,
    Fact,
    GapDeclared,
    HalfBackReturned,
    HeartbeatSent,
    HoleCardRevealed,
    InsuranceTaken,
    IrregularityRuled,
    MoneyFact,
    PatronFact,
    PatronLeft,
    PatronSeated,
    PaymentFact,
    Place,
    PlayerActed,
    PromotionDefined,
    PromotionFact,
    RatingRecorded,
    ReadCorrected,
    RoundClosed,
    RoundOpened,
    RoundVoided,
    RuleSetActivated,
    Ruling,
    SettlementCorrected,
    ShoeCounted,
    ShoeFact,
    ShoeKind,
    ShoeLoaded,
    ShuffleCompleted,
    SupervisorAssigned,
    TableClosed,
    TableFact,
    TableOpened,
    UpcardReplaced,
    WagerChanged,
    WagerCollected,
    WagerPaid,
    WagerPlaced,
    WagerReturned,
)
from blackjack.money import format_cents
from round_archive.domain.money_text import describe_money, format_chips, format_slip, patron_suffix

Titles = Mapping[str, str]
"""What a wager, or a place of the layout, is called at this table."""

NO_TITLES: Final[Titles] = MappingProxyType({})
_SHOES: Final = {
    ShoeKind.SHOE: "shoe",
    ShoeKind.CONTINUOUS: "continuous shuffler",
    ShoeKind.DEALING_MACHINE: "dealing machine",
}
_RULINGS: Final = {
    Ruling.PLAY_ON: "play goes on",
    Ruling.VOID_ROUND: "the round is void",
    Ruling.VOID_HAND: "the hand is void",
    Ruling.CARD_DEAD: "the card is dead",
    Ruling.FOR_PLAYER: "for the player",
}
_ACTIONS: Final = {
    Action.HIT: "hits",
    Action.STAND: "stands",
    Action.DOUBLE: "doubles",
    Action.SPLIT: "splits",
    Action.SURRENDER: "surrenders",
}


def describe(fact: Fact, titles: Titles = NO_TITLES) -> str:
    """What happened, in words; a fact that has none does not pass the type checker.

    >>> say(PlayerActed(3, Action.DOUBLE, cents=2500))
    'seat 3 doubles for $25.00'
    """
    match fact:
        case RoundOpened():
            return f"round {fact.round} opens"
        case WagerPlaced():
            beside = f" with coupon {fact.coupon}" if fact.coupon else ""
            placed = f"{format_cents(fact.cents)} placed{beside}{patron_suffix(fact.patron)}"
            return f"{_wager(fact, titles)}: {placed}"
        case WagerChanged():
            return f"{_wager(fact, titles)}: the chips are now {format_cents(fact.cents)}"
        case BetsClosed():
            return "bets are closed"
        case CardDealt():
            return _dealt(fact, _card(fact.card), titles)
        case CardExposed():
            return _exposed(fact, titles)
        case UpcardReplaced():
            return f"the dealer's up card is replaced by {_card(fact.card)}"
        case HoleCardRevealed():
            return f"the dealer's hole card is shown: {_card(fact.card)}"
        case DealerPeeked():
            has = "a blackjack" if fact.blackjack else "no blackjack"
            return f"the dealer peeks: {has}"
        case InsuranceTaken():
            if fact.even_money:
                return f"seat {fact.seat} takes even money"
            return f"seat {fact.seat} takes insurance{_for(fact.cents)}"
        case PlayerActed():
            return f"{_spot(fact.seat, fact.hand)} {_ACTIONS[fact.action]}{_for(fact.cents)}"
        case HalfBackReturned():
            amount = f" of {format_cents(fact.cents)}" if fact.cents else ""
            return f"seat {fact.seat} takes the Half Back wager{amount} back"
        case CardsRemoved():
            whose = "the dealer" if fact.seat == DEALER else _spot(fact.seat, fact.hand)
            return f"the cards of {whose} are taken away"
        case WagerPaid():
            return f"{_wager(fact, titles)} paid {format_cents(fact.cents)}"
        case WagerCollected():
            return f"{_wager(fact, titles)} collected: {format_cents(fact.cents)}"
        case WagerReturned():
            return f"{_wager(fact, titles)} returned: {format_cents(fact.cents)}"
        case IrregularityRuled():
            return _ruled(fact, titles)
        case RoundVoided():
            return f"supervisor {fact.supervisor} voids the round{_why(fact.reason)}"
        case RoundClosed():
            return "the round is over"
        case SettlementCorrected():
            moved = "pays" if fact.cents >= 0 else "takes back"
            return (
                f"supervisor {fact.supervisor} {moved} {format_cents(abs(fact.cents))} on "
                f"{_wager(fact, titles)} of round {fact.round}{_why(fact.reason)}"
            )
        case _:
            return _describe_between(fact, titles)


def _describe_between(
    fact: TableFact | ShoeFact | MoneyFact | PatronFact | PromotionFact | DeviceFact,
    titles: Titles,
) -> str:
    """What belongs to the table, its money and its devices rather than to the round."""
    match fact:
        case TableOpened():
            slip = format_slip(fact.slip, fact.signers)
            return f"the table opens with {format_chips(fact.inventory)}{slip}"
        case TableClosed():
            slip = format_slip(fact.slip, fact.signers)
            return f"the table closes with {format_chips(fact.inventory)}{slip}"
        case RuleSetActivated():
            return f"the table plays by rule set {fact.rule_set[:12]} from the next round on"
        case DealerArrived():
            return f"dealer {fact.licence} arrives"
        case DealerLeft():
            return f"dealer {fact.licence} leaves"
        case SupervisorAssigned():
            return f"supervisor {fact.licence} takes over"
        case ShoeLoaded():
            decks = "1 deck" if fact.decks == 1 else f"{fact.decks} decks"
            return f"{_SHOES[fact.kind]} {fact.shoe} is loaded with {decks}"
        case ShuffleCompleted():
            counted = f", {fact.cards} cards counted" if fact.cards else ""
            return f"the shuffle is done{counted}{_why(fact.fault)}"
        case CardBurned():
            return f"{_card(fact.card)} is burned"
        case CutCardReached():
            return "the cut card is reached"
        case ShoeCounted():
            return f"the shoe is counted: {fact.remaining} cards are left"
        case PatronSeated():
            return f"patron {fact.patron} sits down at seat {fact.seat}"
        case PatronLeft():
            who = f"patron {fact.patron}" if fact.patron else "the patron"
            return f"{who} leaves seat {fact.seat}"
        case RatingRecorded():
            return (
                f"patron {fact.patron} is rated: {fact.minutes} minutes at "
                f"{format_cents(fact.average_wager_cents)}"
            )
        case PromotionDefined():
            return f"promotion {fact.terms.name} is defined ({fact.promotion[:12]})"
        case CouponIssued():
            return f"coupon {fact.serial} is issued{patron_suffix(fact.patron)}"
        case CouponVoided():
            return f"coupon {fact.serial} is voided{_why(fact.reason)}"
        case CouponExpired():
            return f"coupon {fact.serial} expires"
        case CouponPresented():
            title = _title(fact.wager, titles)
            patron = patron_suffix(fact.patron)
            return f"seat {fact.seat} {title}: coupon {fact.serial} is presented{patron}"
        case CouponDropped():
            return f"coupon {fact.serial} goes into the drop box"
        case DeviceJoined():
            return f"device {fact.device} reports for duty"
        case DeviceFaulted():
            return f"device {fact.device} fails{_why(fact.reason)}"
        case DeviceRecovered():
            return f"device {fact.device} works again"
        case ReadCorrected():
            return (
                f"the reading of event {fact.corrects_seq} is corrected to "
                f"{_card(fact.card)}{_why(fact.reason)}"
            )
        case GapDeclared():
            return (
                f"events {fact.first_seq} to {fact.last_seq} are declared lost{_why(fact.reason)}"
            )
        case ControllerRestarted():
            return f"the table's controller restarts{_why(fact.reason)}"
        case HeartbeatSent():
            return "the table's controller says that it is there"
        case _:
            return describe_money(fact)


def place_of(fact: Fact) -> tuple[int, int]:
    """The seat and the hand that a fact is about; 0 for the dealer, the table, or no hand."""
    seat: int = getattr(fact, "seat", DEALER)
    hand: int = getattr(fact, "hand", 0) if seat != DEALER else 0
    return seat, hand


def describe_covered(fact: Fact, titles: Titles = NO_TITLES) -> str:
    """What happened without the card, where it was dealt face down; empty for all else.

    >>> from blackjack.cards.card import card
    >>> say_covered(CardDealt(DEALER, card("7C"), face_up=False))
    'a card to the dealer, face down'
    """
    if isinstance(fact, CardDealt) and not fact.face_up and fact.card is not None:
        return _dealt(fact, "a card", titles)
    return ""


# Parts of a sentence ---------------------------------------------------------------------


def _dealt(fact: CardDealt, card: str, titles: Titles) -> str:
    down = "" if fact.face_up else ", face down"
    if fact.place is Place.DISCARD:
        return f"{card} goes to the discards{down}"
    if fact.place is not Place.HAND:
        return f"{card} goes to the spot {_title(fact.place.value, titles)}{down}"
    whose = "the dealer" if fact.seat == DEALER else _spot(fact.seat, fact.hand)
    return f"{card} to {whose}{down}"


def _exposed(fact: CardExposed, titles: Titles) -> str:
    if fact.place is not Place.HAND:
        return f"the card on {_title(fact.place.value, titles)} is turned: {_card(fact.card)}"
    whose = "the dealer" if fact.seat == DEALER else _spot(fact.seat, fact.hand)
    return f"card {fact.position} of {whose} is shown: {_card(fact.card)}"


def _ruled(fact: IrregularityRuled, titles: Titles) -> str:
    where = "the table" if fact.seat == DEALER else _spot(fact.seat, fact.hand)
    wager = f" {_title(fact.wager, titles)}" if fact.wager else ""
    what = fact.irregularity.value.replace("_", " ")
    return (
        f"supervisor {fact.supervisor} rules on {where}{wager}, {what}: "
        f"{_RULINGS[fact.ruling]}{_why(fact.note)}"
    )


def _wager(
    fact: WagerPlaced | WagerChanged | PaymentFact,
    titles: Titles,
) -> str:
    hand: int = getattr(fact, "hand", 1)
    tip = " for the dealer" if fact.tip else ""
    return f"{_spot(fact.seat, hand)} {_title(fact.wager, titles)}{tip}"


def _title(wager: str, titles: Titles) -> str:
    return titles.get(wager) or wager.replace("_", " ")


def _spot(seat: int, hand: int) -> str:
    return f"seat {seat} hand {hand}" if hand > 1 else f"seat {seat}"


def _card(card: Card | None) -> str:
    return card.sign if card is not None else "a card that was not read"


def _for(cents: int) -> str:
    return f" for {format_cents(cents)}" if cents else ""


def _why(reason: str) -> str:
    return f": {reason}" if reason else ""
