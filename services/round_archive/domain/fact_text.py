"""A sentence for every fact, as people at a table put it.

A sentence states what a device reported, not what should have happened: an error is a finding.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from blackjack.cards.card import Card
from blackjack.display_names import wager_name
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
from blackjack.rulebook.house_rules import INSURANCE, MAIN
from round_archive.domain.money_text import describe_money, format_chips, format_slip, patron_suffix

Titles = Mapping[str, str]
"""Names of wagers and places of the layout at this table, by code."""

NO_TITLES: Final[Titles] = MappingProxyType({})
_SHOES: Final = {
    ShoeKind.SHOE: "shoe",
    ShoeKind.CONTINUOUS: "continuous shuffler",
    ShoeKind.DEALING_MACHINE: "dealing machine",
}
_RULINGS: Final = {
    Ruling.PLAY_ON: "play on",
    Ruling.VOID_ROUND: "round void",
    Ruling.VOID_HAND: "hand void",
    Ruling.CARD_DEAD: "card dead",
    Ruling.FOR_PLAYER: "decided for the player",
}
_COMMON_WAGERS: Final = {MAIN: "the main bet", INSURANCE: "insurance"}
_ACTIONS: Final = {
    Action.HIT: "hits",
    Action.STAND: "stands",
    Action.DOUBLE: "doubles",
    Action.SPLIT: "splits",
    Action.SURRENDER: "surrenders",
}


def describe(fact: Fact, titles: Titles = NO_TITLES) -> str:
    """The sentence of a fact; a fact without one does not pass the type checker.

    >>> describe(PlayerActed(3, Action.DOUBLE, cents=2500))
    'seat 3 doubles for $25.00'
    """
    match fact:
        case RoundOpened():
            return f"round {fact.round} opens"
        case WagerPlaced():
            coupon = f" with coupon {fact.coupon}" if fact.coupon else ""
            stake = f"{format_cents(fact.cents)}{_on_wager(fact, titles)}"
            return f"seat {fact.seat} bets {stake}{coupon}{patron_suffix(fact.patron)}"
        case WagerChanged():
            cents = format_cents(fact.cents)
            return f"seat {fact.seat} changes the chips{_on_wager(fact, titles)} to {cents}"
        case BetsClosed():
            return "the dealer closes the bets"
        case CardDealt():
            return _dealt(fact, _card(fact.card), titles)
        case CardExposed():
            return _exposed(fact, titles)
        case UpcardReplaced():
            return f"the dealer replaces the up card with {_card(fact.card)}"
        case HoleCardRevealed():
            return f"the dealer shows the hole card: {_card(fact.card)}"
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
            return f"seat {fact.seat} takes back the Half Back wager{amount}"
        case CardsRemoved():
            owner = "the dealer" if fact.seat == DEALER else _spot(fact.seat, fact.hand)
            return f"the dealer removes the cards of {owner}"
        case WagerPaid():
            cents = format_cents(fact.cents)
            return f"the dealer pays {_spot_of(fact)} {cents}{_on_wager(fact, titles)}"
        case WagerCollected():
            cents = format_cents(fact.cents)
            return f"the dealer collects {cents} from {_spot_of(fact)}{_on_wager(fact, titles)}"
        case WagerReturned():
            cents = format_cents(fact.cents)
            return f"the dealer returns {cents} to {_spot_of(fact)}{_on_wager(fact, titles)}"
        case IrregularityRuled():
            return _ruled(fact, titles)
        case RoundVoided():
            return f"supervisor {fact.supervisor} voids the round{_why(fact.reason)}"
        case RoundClosed():
            return "the round ends"
        case SettlementCorrected():
            amount = format_cents(abs(fact.cents))
            moved = f"pays {amount} to" if fact.cents >= 0 else f"takes back {amount} from"
            return (
                f"supervisor {fact.supervisor} {moved} {_spot_of(fact)}{_on_wager(fact, titles)} "
                f"of round {fact.round}{_why(fact.reason)}"
            )
        case _:
            return _describe_between(fact, titles)


def _describe_between(
    fact: TableFact | ShoeFact | MoneyFact | PatronFact | PromotionFact | DeviceFact,
    titles: Titles,
) -> str:
    """The sentence of a fact about the table, its money or its devices."""
    match fact:
        case TableOpened():
            slip = format_slip(fact.slip, fact.signers)
            return f"the table opens with {format_chips(fact.inventory)}{slip}"
        case TableClosed():
            slip = format_slip(fact.slip, fact.signers)
            return f"the table closes with {format_chips(fact.inventory)}{slip}"
        case RuleSetActivated():
            return f"rule set {fact.rule_set[:12]} applies from the next round on"
        case DealerArrived():
            return f"dealer {fact.licence} arrives"
        case DealerLeft():
            return f"dealer {fact.licence} leaves"
        case SupervisorAssigned():
            return f"supervisor {fact.licence} takes over"
        case ShoeLoaded():
            decks = "1 deck" if fact.decks == 1 else f"{fact.decks} decks"
            return f"the dealer loads {_SHOES[fact.kind]} {fact.shoe} with {decks}"
        case ShuffleCompleted():
            counted = f", {fact.cards} cards counted" if fact.cards else ""
            return f"the shuffle ends{counted}{_why(fact.fault)}"
        case CardBurned():
            return f"the dealer burns {_card(fact.card)}"
        case CutCardReached():
            return "the cut card comes out"
        case ShoeCounted():
            return f"shoe counted: {fact.remaining} cards left"
        case PatronSeated():
            return f"patron {fact.patron} sits down at seat {fact.seat}"
        case PatronLeft():
            who = f"patron {fact.patron}" if fact.patron else "the patron"
            return f"{who} leaves seat {fact.seat}"
        case RatingRecorded():
            return (
                f"rating of patron {fact.patron}: {fact.minutes} minutes, average bet "
                f"{format_cents(fact.average_wager_cents)}"
            )
        case PromotionDefined():
            return f"promotion {fact.terms.name} defined ({fact.promotion[:12]})"
        case CouponIssued():
            return f"coupon {fact.serial} issued{patron_suffix(fact.patron)}"
        case CouponVoided():
            return f"coupon {fact.serial} voided{_why(fact.reason)}"
        case CouponExpired():
            return f"coupon {fact.serial} expired"
        case CouponPresented():
            title = _title(fact.wager, titles)
            patron = patron_suffix(fact.patron)
            return f"seat {fact.seat} presents coupon {fact.serial} for {title}{patron}"
        case CouponDropped():
            return f"the dealer drops coupon {fact.serial} into the drop box"
        case DeviceJoined():
            return f"device {fact.device} joins"
        case DeviceFaulted():
            return f"device {fact.device} fails{_why(fact.reason)}"
        case DeviceRecovered():
            return f"device {fact.device} recovers"
        case ReadCorrected():
            return (
                f"reading of event {fact.corrects_seq} corrected to "
                f"{_card(fact.card)}{_why(fact.reason)}"
            )
        case GapDeclared():
            return f"events {fact.first_seq} to {fact.last_seq} declared lost{_why(fact.reason)}"
        case ControllerRestarted():
            return f"the table's controller restarts{_why(fact.reason)}"
        case HeartbeatSent():
            return "the table's controller sends a heartbeat"
        case _:
            return describe_money(fact)


def place_of(fact: Fact) -> tuple[int, int]:
    """The seat and the hand of a fact; 0 for the dealer, the table, or no hand."""
    seat: int = getattr(fact, "seat", DEALER)
    hand: int = getattr(fact, "hand", 0) if seat != DEALER else 0
    return seat, hand


def describe_covered(fact: Fact, titles: Titles = NO_TITLES) -> str:
    """The sentence without the card, where it was dealt face down; empty for all else.

    >>> from blackjack.cards.card import card
    >>> describe_covered(CardDealt(DEALER, card("7C"), face_up=False))
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
    owner = "the dealer" if fact.seat == DEALER else _spot(fact.seat, fact.hand)
    return f"{card} to {owner}{down}"


def _exposed(fact: CardExposed, titles: Titles) -> str:
    if fact.place is not Place.HAND:
        return (
            f"the dealer turns the card on {_title(fact.place.value, titles)}: {_card(fact.card)}"
        )
    owner = "the dealer" if fact.seat == DEALER else _spot(fact.seat, fact.hand)
    return f"the dealer shows card {fact.position} of {owner}: {_card(fact.card)}"


def _ruled(fact: IrregularityRuled, titles: Titles) -> str:
    where = "the table" if fact.seat == DEALER else _spot(fact.seat, fact.hand)
    wager = f", {_title(fact.wager, titles)}" if fact.wager else ""
    irregularity = fact.irregularity.value.replace("_", " ")
    return (
        f"supervisor {fact.supervisor} rules on {where}{wager}, {irregularity}: "
        f"{_RULINGS[fact.ruling]}{_why(fact.note)}"
    )


def _on_wager(fact: WagerPlaced | WagerChanged | PaymentFact, titles: Titles) -> str:
    tip = " for the dealer" if fact.tip else ""
    return f" on {_title(fact.wager, titles)}{tip}"


def _spot_of(fact: PaymentFact) -> str:
    return _spot(fact.seat, getattr(fact, "hand", 1))


def _title(wager: str, titles: Titles) -> str:
    return titles.get(wager) or _COMMON_WAGERS.get(wager) or wager_name(wager)


def _spot(seat: int, hand: int) -> str:
    return f"seat {seat} hand {hand}" if hand > 1 else f"seat {seat}"


def _card(card: Card | None) -> str:
    return card.sign if card is not None else "an unread card"


def _for(cents: int) -> str:
    return f" for {format_cents(cents)}" if cents else ""


def _why(reason: str) -> str:
    return f": {reason}" if reason else ""
