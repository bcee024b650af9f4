"""Every kind of alert: its default priority, who decides it, its meaning.

`docs/alerts.md` has a row for each, and a detector raises each; a test proves that the three
agree. The level of an alert is that of its most urgent evidence where findings have levels of
their own; a level that people set for the kind comes before both.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from alerting.alert import ADVANTAGE
from blackjack.findings import Level
from blackjack.money import FormattedAmount, Tone, format_cents, format_result

P1, P2, P3, P4 = Level


class DecidedBy(StrEnum):
    LOG = "log"
    """One table's log alone: settlement finds it, surveillance groups the findings."""
    CROSS = "cross"
    """Several tables, days, the cage or promotions together."""
    STATISTICS = "statistics"
    """Chance: with a bound on false alarms over unlimited time."""
    DESK = "desk"
    """The alert desk itself: the state of the services, not of tables."""


class AlertKind(NamedTuple):
    level: Level
    decided_by: DecidedBy
    words: str
    label: str = ""


_LOG, _CROSS, _STATISTICS, _DESK = DecidedBy

KINDS: Final[Mapping[str, AlertKind]] = MappingProxyType(
    {
        "payout.mismatch": AlertKind(P3, _LOG, "a bet was not paid as owed"),
        "bet.past_post": AlertKind(P1, _LOG, "a bet rose after bets were closed"),
        "bet.pinch": AlertKind(P1, _LOG, "a bet fell after bets were closed"),
        "bet.half_back_unequal": AlertKind(P2, _LOG, "Half Back wager and main wager differ"),
        "bet.no_main_wager": AlertKind(P2, _LOG, "a side bet without a main wager"),
        "limit.breach": AlertKind(P2, _LOG, "a limit of State, filing or property exceeded"),
        "limit.debit_sale": AlertKind(P2, _LOG, "debit sales over their limit at one table"),
        "cash.debit_no_patron": AlertKind(P2, _LOG, "a debit sale names no patron"),
        "approval.missing": AlertKind(P2, _LOG, "rules, decks or wagers without approval"),
        "procedure.deal_order": AlertKind(P2, _LOG, "cards not dealt in the game's order"),
        "procedure.settle_order": AlertKind(P3, _LOG, "wagers not settled in the game's order"),
        "procedure.upcard": AlertKind(P2, _LOG, "the up card was replaced wrongly, or not at all"),
        "procedure.dealer_play": AlertKind(P2, _LOG, "the dealer played the dealer's hand wrongly"),
        "procedure.peek_wrong": AlertKind(P1, _LOG, "the dealer announced a wrong result"),
        "procedure.player_action": AlertKind(P2, _LOG, "a decision that the rules forbid"),
        "procedure.cards_removed_early": AlertKind(P3, _LOG, "cards removed before settlement"),
        "procedure.ruling": AlertKind(P2, _LOG, "an irregularity with no ruling, or an unfit one"),
        "card.impossible": AlertKind(P1, _LOG, "more copies of a card than the shoe has decks"),
        "card.shoe_count": AlertKind(P1, _LOG, "the cards of a shoe are not whole decks"),
        "card.unshuffled": AlertKind(P1, _LOG, "cards come in a new deck's order"),
        "card.switched": AlertKind(P1, _LOG, "a card was shown that differs from the card dealt"),
        "card.shuffler_fault": AlertKind(P2, _LOG, "the shuffler reports a fault"),
        "coupon.terms": AlertKind(P2, _LOG, "a coupon was not used or paid by its terms"),
        "tray.variance": AlertKind(P3, _LOG, "the float differs from the expected float"),
        "tray.changed": AlertKind(P1, _LOG, "the float changed without a transaction"),
        "win.big": AlertKind(P2, _LOG, "a win over $3,000 is to be verified on camera"),
        "signers.missing_or_repeated": AlertKind(P2, _LOG, "a signature is missing or repeated"),
        "log.sequence_gap": AlertKind(P2, _LOG, "events of a table are missing"),
        "log.chain_broken": AlertKind(P2, _LOG, "the chain of hashes is broken"),
        "log.sequence_conflict": AlertKind(P2, _LOG, "two events have one number"),
        "log.clock_skew": AlertKind(P2, _LOG, "a clock is off by more than 500 ms"),
        "log.low_confidence": AlertKind(P2, _LOG, "cards are read with too little confidence"),
        "log.out_of_reach": AlertKind(P3, _LOG, "a correction came too late to be judged"),
        "log.nonsense": AlertKind(P3, _LOG, "facts that make no sense where they stand"),
        "payout.repeated": AlertKind(P2, _CROSS, "a dealer mispays at several tables"),
        "coupon.unknown": AlertKind(P1, _CROSS, "the coupon was never issued"),
        "coupon.duplicate": AlertKind(P1, _CROSS, "a coupon was used again, or in two places"),
        "coupon.void": AlertKind(P2, _CROSS, "a coupon was used after it was declared void"),
        "coupon.other_patron": AlertKind(P2, _CROSS, "a coupon was issued to another patron"),
        "coupon.over_limit": AlertKind(P2, _CROSS, "a patron used more coupons than a day allows"),
        "coupon.washing": AlertKind(P3, _CROSS, "a patron visits only to play coupons"),
        "patron.two_places": AlertKind(P2, _CROSS, "a patron was at two tables at once"),
        "patron.excluded": AlertKind(P1, _CROSS, "an excluded patron played"),
        "cash.reporting_line": AlertKind(P2, _CROSS, "cash near or over the reporting threshold"),
        "cash.no_patron": AlertKind(P1, _CROSS, "cash over the threshold with no patron on record"),
        "cash.debit_limit": AlertKind(P2, _CROSS, "debit sales over their limit at several tables"),
        "slip.gap": AlertKind(P2, _CROSS, "a number of a series of slips is missing"),
        "slip.signers": AlertKind(P2, _CROSS, "a slip with a missing or repeated signature"),
        "box.variance": AlertKind(P3, _CROSS, "a drop box differs from the cash sales"),
        "tray.shortage_pattern": AlertKind(P2, _CROSS, "repeated shortages of a table or dealer"),
        "table.silent": AlertKind(P2, _CROSS, "an open table sends no events while others do"),
        "floor.silent": AlertKind(P2, _CROSS, "no open table sends events"),
        "log.refused": AlertKind(P2, _CROSS, "events of a table were rejected"),
        "office.refused": AlertKind(P4, _CROSS, "an entry by hand was rejected"),
        "luck.beyond_chance": AlertKind(P3, _STATISTICS, "results that luck does not explain"),
        "dealer.dumping": AlertKind(P1, _STATISTICS, "a dealer favors a patron far beyond chance"),
        "dealer.error_rate": AlertKind(P4, _STATISTICS, "a dealer errs far more often than others"),
        "coupon.substitution": AlertKind(P2, _STATISTICS, "far more coupons come with a dealer"),
        "play.count": AlertKind(P3, _STATISTICS, "bets follow what is left in the shoe", ADVANTAGE),
        "play.hole_card": AlertKind(P2, _STATISTICS, "decisions know the hole card", ADVANTAGE),
        "surveillance.behind": AlertKind(P1, _DESK, "surveillance is delayed: alerts may be late"),
    }
)
"""By code."""
MEASURED: Final = (
    "payout", "tray.", "box.", "shortage", "coupon.terms", "coupon.wrong_pay", "log.out_of_reach",
)  # fmt: skip
"""Prefixes of kinds of findings, alerts and evidence whose amount is a result of the house."""


def format_amount(cents: int, kind: str) -> FormattedAmount:
    """Format the amount of a finding, an alert or evidence, stored positive where the house lost.

    Of a kind that measures a gain or a loss it is a result of the house. Of any other, such as
    cash near the reporting line, it has neither sign nor color.

    >>> format_amount(2500, "payout.overpaid").text, format_amount(2500, "cash.no_patron").text
    ('-$25.00', '$25.00')
    """
    if kind.startswith(MEASURED):
        return format_result(-cents)
    return FormattedAmount(format_cents(cents), Tone.EVEN)
