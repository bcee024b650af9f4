"""Names of games, wagers and findings as people read them.

Screens, printed pages and sentences show these; codes are for programs. A code without a name of
its own, such as one of a later version, becomes its words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from blackjack.findings import Kind
from blackjack.rulebook.filings import FILINGS
from blackjack.rulebook.house_rules import HALF_BACK, INSURANCE, MAIN

_GAMES: Final = {game: filing.title for game, filing in FILINGS.items()}
_WAGERS: Final = {
    MAIN: "Main bet",
    HALF_BACK: "Half Back",
    INSURANCE: "Insurance",
    **{
        wager: side_bet.title
        for filing in FILINGS.values()
        for wager, side_bet in filing.side_bets.items()
    },
}
_FINDINGS: Final[Mapping[str, str]] = {
    Kind.PAID_LOSER: "Losing bet paid",
    Kind.TOOK_WINNER: "Winning bet taken",
    Kind.UNCOLLECTED: "Losing bet not collected",
    Kind.VOID_PAID: "Void bet paid",
    Kind.PAST_POST: "Past post",
    Kind.PINCH: "Pinched bet",
    Kind.STATE_MAXIMUM: "Over the State's maximum",
    Kind.HOUSE_MAXIMUM: "Over the table's maximum",
    Kind.HOUSE_MINIMUM: "Under the table's minimum",
    Kind.SPOT_COUNT: "Too many spots",
    Kind.ONE_PLAYER: "Several players on one spot",
    Kind.FOUR_WAGERS: "More than four wagers",
    Kind.FIVE_DOLLARS: "Fourth wager over $5",
    Kind.AGGREGATE: "Over the aggregate limit",
    Kind.UNAPPROVED_RULES: "Rules not approved",
    Kind.UNAPPROVED_DECKS: "Decks not approved",
    Kind.UNKNOWN_RULES: "Rules unknown",
    Kind.UNKNOWN_WAGER: "Wager not approved",
    Kind.HALF_BACK_UNEQUAL: "Half Back differs from the main bet",
    Kind.NO_MAIN_WAGER: "Side bet without a main bet",
    Kind.CARD_UNASKED: "Card dealt without a request",
    Kind.UPCARD_NOT_REPLACED: "Up card not replaced",
    Kind.UPCARD_REPLACED_TWICE: "Up card replaced twice",
    Kind.UPCARD_REPLACED_WRONGLY: "Up card replaced wrongly",
    Kind.DEALER_DREW: "Dealer drew by mistake",
    Kind.DEALER_STOOD: "Dealer stood by mistake",
    Kind.PEEK_WRONG: "Wrong peek announced",
    Kind.PEEK_MISSING: "Peek missing",
    Kind.HOLE_CARD_NOT_SHOWN: "Hole card not shown",
    Kind.ACTION_FORBIDDEN: "Action not allowed",
    Kind.INSURANCE_FORBIDDEN: "Insurance not allowed",
    Kind.RULING_UNFIT: "Unfit ruling",
    Kind.IRREGULARITY_UNRULED: "Irregularity without a ruling",
    Kind.SHOE_SHORT: "Wrong number of cards in the shoe",
    Kind.UNSHUFFLED: "Unshuffled cards",
    Kind.CARD_SWITCHED: "Card switched",
    Kind.SHUFFLER_FAULT: "Shuffler fault",
    Kind.COUPON_EXPIRED: "Coupon expired",
    Kind.COUPON_WRONG_WAGER: "Coupon on the wrong wager",
    Kind.COUPON_UNMATCHED: "Coupon without matching chips",
    Kind.COUPON_SECOND: "Second coupon in a round",
    Kind.COUPON_DOUBLED: "Coupon doubled",
    Kind.COUPON_LATE: "Coupon after bets closed",
    Kind.COUPON_WRONG_PAY: "Coupon paid wrongly",
    Kind.COUPON_TERMS_UNKNOWN: "Coupon terms unknown",
    Kind.COUPON_TERMS_UNSOUND: "Coupon terms unsound",
    Kind.COUPON_NOT_PRESENTED: "Coupon not presented",
    Kind.PROMOTION_NO_CONSENT: "Promotion without the owner's consent",
    Kind.TRAY_VARIANCE: "Float variance",
    Kind.TRAY_CHANGED: "Float changed unexplained",
    Kind.BIG_WIN: "Big win",
    Kind.SIGNERS: "Signature missing or repeated",
    Kind.DEBIT_LIMIT: "Debit sales over the limit",
    Kind.DEBIT_NO_PATRON: "Debit sale without a patron",
    Kind.SEQUENCE_GAP: "Missing events",
    Kind.CHAIN_BROKEN: "Hash chain broken",
    Kind.SEQUENCE_CONFLICT: "Conflicting events",
    Kind.LOW_CONFIDENCE: "Cards read with low confidence",
    Kind.OUT_OF_REACH: "Correction too late",
    Kind.OUT_OF_PLACE: "Event out of place",
    Kind.BAD_AMOUNT: "Impossible amount",
    Kind.NO_SUCH_WAGER: "Wager not found",
    Kind.NO_SUCH_HAND: "Hand not found",
}


def game_name(code: str) -> str:
    """Name a game.

    >>> game_name("double_action_iii")
    'Double Action Blackjack III'
    """
    return _GAMES.get(code) or words_of(code)


def wager_name(code: str) -> str:
    """Name a wager.

    >>> wager_name("match_me_2"), wager_name("main"), wager_name("lucky_ladies")
    ('Match Me 2', 'Main bet', 'Lucky ladies')
    """
    return _WAGERS.get(code) or words_of(code)


def bet_name(seat: int, hand: int, wager: str, *, tip: bool = False) -> str:
    """Name a bet by its place: seat, hand of a split, and the wager unless it is the main bet.

    >>> bet_name(2, 1, "main"), bet_name(3, 2, "main"), bet_name(3, 1, "match_me_2", tip=True)
    ('seat 2', 'seat 3 hand 2', 'seat 3, Match Me 2 for the dealer')
    """
    place = f"seat {seat}" + (f" hand {hand}" if hand > 1 else "")
    if wager and wager != MAIN:
        place = f"{place}, {wager_name(wager)}"
    return f"{place} for the dealer" if tip else place


def finding_name(code: str) -> str:
    """Name a kind of finding.

    >>> finding_name("payout.took_winner"), finding_name("payout.overpaid")
    ('Winning bet taken', 'Overpaid')
    """
    return _FINDINGS.get(code) or words_of(code)


def words_of(code: str) -> str:
    """Write the last part of a code as words.

    >>> words_of("procedure.deal_order")
    'Deal order'
    """
    words = code.rpartition(".")[2].replace("_", " ")
    return words[:1].upper() + words[1:]
