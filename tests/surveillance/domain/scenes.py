"""Scenes as text: who says what, at which minute; and what stands in the end.

    T-1      0  sits P-1                    a table's event; the minute counts from the opening
    T-1      0  buys 2900 P-1               for cash; `buys 500 P-1 debit` by card
    T-1      0  takes 2900 3                cash of nobody known at seat 3; 0 is a seat nobody noted
    T-1      3  shows MP-1 P-1              presents a coupon
    T-1      3  names MP-1 P-1              a wager that names a coupon, presented or not
    T-1      3  drops MP-1                  puts it into the box
    T-1      3  plays r1 P-1 MP-1 taken     a settled round with a coupon: taken, or pushed
    T-1      3  plays r1 P-1                one without; `v2` at the end is its second version
    T-1      3  mispays r1 D-1 500          the dealer paid so many cents too much
    T-1      4  fill F-1 a b c d            also credit, opened, closed, box
    desk     0  issues MP-1 P-1             also voids, expires, redeems, limits
    cage     0  fill F-1 a b c d            also credit, voids, explains, counts, recounts, redeems
    cage     0  pays 12000 T-1 3            to nobody known, who came from a seat, or `pays 12000`
    house    0  excludes P-1                also lifts
    letters  0  refuses T-1 malformed
    T-1      5  finds f1 payout.overpaid    a finding of settlement; `takes_back f1` withdraws it
    T-1      5  short f1 D-1 30             its float lacks so many dollars; `regains f1 D-1`

Each speaker is a source of its own; of a table its events, its rounds and its findings are three.
"""

from __future__ import annotations

from collections.abc import Iterator

from alerting import office_facts
from alerting.office_facts import CouponEnd, PaperKind
from alerting.settings import DEFAULTS, ExclusionLifted, PatronExcluded, Settings
from blackjack.facts import (
    ChipCount,
    ChipsSold,
    CouponDropped,
    CouponPresented,
    CreditSent,
    DropBoxRemoved,
    Event,
    Fact,
    FillReceived,
    HeartbeatSent,
    PatronLeft,
    PatronSeated,
    ShoeKind,
    TableClosed,
    TableOpened,
    Tender,
    TicketIssued,
    WagerPlaced,
)
from blackjack.findings import Finding, Kind, Level, Withdrawal
from blackjack.outcomes import (
    Payment,
    Result,
    RoundContext,
    RoundStatus,
    SettledRound,
    WagerOutcome,
)
from surveillance.domain.facts import JudgedRound, RoutableFact
from surveillance.domain.routing import sort
from surveillance.domain.sightings import SourcedSighting
from surveillance.domain.table_activity import ActivityTracker
from tests.surveillance.domain.watcher import Watcher, day_of

NOON = 1_772_452_800_000_000
"""2 March 2026, 12:00 UTC: the days of these tests begin at noon."""

MINUTE = 60_000_000
PROMOTION = "promotion-of-the-day"
HEARD = ("opened", "closed", "speaks")
"""Only these are speech: what is said now and then for another purpose leaves no table silent."""


def said(scene: str) -> Iterator[SourcedSighting]:
    """Line by line."""
    numbers: dict[str, int] = {}
    hearings: dict[str, ActivityTracker] = {}
    for line in filter(str.strip, scene.splitlines()):
        speaker, minute, verb, *words = line.split()
        at = NOON + int(float(minute) * MINUTE)
        number = numbers[speaker] = numbers.get(speaker, 0) + 10
        fact = _fact(speaker, number, at, verb, words)
        source = f"{speaker}/{_topic(fact)}"
        seen = [*sort(fact, day_of=day_of)]
        if isinstance(fact, Event) and verb in HEARD:
            seen += hearings.setdefault(speaker, ActivityTracker()).hear(fact)
        for place, each in enumerate(seen):
            yield SourcedSighting(source, number, place, each)


def placed(scene: str) -> dict[str, list[SourcedSighting]]:
    """What each source says, in its order."""
    sources: dict[str, list[SourcedSighting]] = {}
    for each in said(scene):
        sources.setdefault(each.source, []).append(each)
    return sources


def watched(scene: str, settings: Settings = DEFAULTS) -> Watcher:
    """One source after the other."""
    watcher = Watcher(settings)
    for each in placed(scene).values():
        watcher.see_all(each)
    return watcher


def standing(watcher: Watcher) -> list[str]:
    """Kind, level and whom it is about, of all that stands."""
    return sorted(
        f"{each.kind} P{each.level.value} {each.coupon or each.patron or each.dealer or each.table}"
        for each in watcher.standing()
    )


def _topic(fact: RoutableFact) -> str:
    if isinstance(fact, Finding | Withdrawal):
        return "findings"
    return "rounds" if isinstance(fact, JudgedRound) else "events"


def _fact(speaker: str, number: int, at: int, verb: str, words: list[str]) -> RoutableFact:
    match speaker:
        case "desk":
            return _of_desk(number, at, verb, words)
        case "cage":
            return _of_cage(number, at, verb, words)
        case "house":
            if verb == "lifts":
                return ExclusionLifted(f"x{number}", words[0], at)
            until = NOON + int(float(words[1]) * MINUTE) if words[1:] else 0
            return PatronExcluded(f"x{number}", words[0], at, until)
        case "letters":
            table, code, *author = words
            return office_facts.DeadLetter(
                at, code, f"it is {code}", table.replace("-office", ""), "peer",
                "".join(author), f"0/{number}",
            )  # fmt: skip
        case _:
            if verb == "plays":
                return JudgedRound(_round(speaker, number, at, words))
            if verb == "mispays":
                return JudgedRound(_mispaid(speaker, number, at, words))
            if verb == "finds":
                return _finding(speaker, number, at, words)
            if verb == "short":
                return _short(speaker, number, at, words)
            if verb == "regains":
                name, dealer = words
                kind = Kind.TRAY_VARIANCE.value
                reason = "late event"
                return Withdrawal(
                    f"{speaker}/{name}", speaker, number, reason, kind=kind, dealer=dealer
                )
            if verb == "takes_back":
                return Withdrawal(f"{speaker}/{words[0]}", speaker, number, "corrected")
            return Event(speaker, number, at, _of_table(verb, words))


def _finding(table: str, number: int, at: int, words: list[str]) -> Finding:
    name, kind, patron = (*words, "")[:3]
    return Finding(
        id=f"{table}/{name}",
        kind=Kind(kind),
        level=Level.P2,
        table=table,
        seq=number,
        at=at,
        text=f"text of {name}",
        rule="clause 7",
        round=name,
        seat=3,
        wager="main",
        patron=patron,
        dealer="D-1",
        cents=5_00,
    )


def _short(table: str, number: int, at: int, words: list[str]) -> Finding:
    name, dealer, dollars = words
    return Finding(
        id=f"{table}/{name}",
        kind=Kind.TRAY_VARIANCE,
        level=Level.P3,
        table=table,
        seq=number,
        at=at,
        text=f"text of {name}",
        rule="clause 7",
        dealer=dealer,
        cents=int(float(dollars) * 100),
    )


def _of_table(verb: str, words: list[str]) -> Fact:
    match verb, words:
        case "sits", [patron]:
            return PatronSeated(3, patron)
        case "leaves", [patron]:
            return PatronLeft(3, patron)
        case "buys", [dollars, patron]:
            return ChipsSold(int(dollars) * 100, Tender.CASH, patron, 3)
        case "buys", [dollars, patron, tender]:
            return ChipsSold(int(dollars) * 100, Tender(tender), patron, 3)
        case "is_issued_ticket", [dollars, patron]:
            return TicketIssued(int(dollars) * 100, "", patron, 3)
        case "takes", [dollars, seat]:
            return ChipsSold(int(dollars) * 100, Tender.CASH, "", int(seat), "red cap")
        case "shows", [serial, *patron]:
            return CouponPresented(3, "main", serial, PROMOTION, "".join(patron))
        case "names", [serial, patron]:
            return WagerPlaced(3, "main", 10_00, patron, serial)
        case "drops", [serial]:
            return CouponDropped(serial, 3)
        case "fill", [slip, *signers]:
            return FillReceived(slip, (ChipCount(100, 10),), tuple(signers))
        case "credit", [slip, *signers]:
            return CreditSent(slip, (ChipCount(100, 10),), tuple(signers))
        case "opened", [slip, *signers]:
            return TableOpened((), slip, tuple(signers))
        case "closed", [slip, *signers]:
            return TableClosed((), slip, tuple(signers))
        case "box", [box, *signers]:
            return DropBoxRemoved(box, tuple(signers))
        case "speaks", []:
            return HeartbeatSent()
        case _:
            raise ValueError(f"{verb} {words}")


def _of_desk(number: int, at: int, verb: str, words: list[str]) -> RoutableFact:
    name = f"desk-{number}"
    match verb, words:
        case "issues", [serial, *patron]:
            return office_facts.CouponsIssued((serial,), PROMOTION, at, name, "".join(patron))
        case "voids", [serial]:
            return office_facts.CouponsEnded((serial,), CouponEnd.VOIDED, at, name, "lost")
        case "expires", [serial]:
            return office_facts.CouponsEnded((serial,), CouponEnd.EXPIRED, at, name)
        case "redeems", [serial, *patron]:
            return office_facts.CouponRedeemed(serial, at, name, "", "".join(patron), 10_00)
        case "limits", [limit]:
            return office_facts.PromotionLimited(PROMOTION, int(limit), "Match $25")
        case _:
            raise ValueError(f"{verb} {words}")


def _of_cage(number: int, at: int, verb: str, words: list[str]) -> RoutableFact:
    name = f"cage-{number}"
    match verb, words:
        case (("fill" | "credit"), [slip, *signers]):
            return office_facts.PaperSigned(PaperKind(verb), slip, tuple(signers), at, name, "T-1")
        case "voids", [slip]:
            return office_facts.SlipVoided(slip, at, name)
        case "explains", [series, first, last]:
            return office_facts.SlipsExplained(series, int(first), int(last), at, name)
        case (("counts" | "recounts"), [box, dollars]):
            cents = int(dollars) * 100
            return office_facts.DropBoxCount(box, "T-1", cents, at, name, again=verb == "recounts")
        case "redeems", [dollars, patron]:
            return office_facts.CageRedemption(patron, int(dollars) * 100, at, day_of(at), name)
        case "pays", [dollars, *place]:
            table, seat = place or ("", "0")
            cents = int(dollars) * 100
            return office_facts.CageRedemption(
                "", cents, at, day_of(at), name, table, int(seat), "gray coat"
            )
        case _:
            raise ValueError(f"{verb} {words}")


def _round(table: str, number: int, at: int, words: list[str]) -> SettledRound:
    version = int(words.pop()[1:]) if words[-1].startswith("v") else 1
    name, patron, *coupon = words
    serial, fate = coupon if coupon else ("", "taken")
    outcome = _outcome(
        Result.PUSHED if fate == "pushed" else Result.LOST,
        patron=patron,
        coupon=serial,
        coupon_cents=10_00 if serial else 0,
        coupon_promotion=PROMOTION if serial else "",
        coupon_spent=bool(serial) and fate == "taken",
    )
    return _settled(table, number, at, name, version, "D-1", outcome)


def _mispaid(table: str, number: int, at: int, words: list[str]) -> SettledRound:
    version = int(words.pop()[1:]) if words[-1].startswith("v") else 1
    name, dealer, cents = words
    payment = Payment.WRONG if int(cents) else Payment.EXACT
    outcome = _outcome(Result.WON, owed=10_00, paid=10_00 + int(cents), payment=payment)
    return _settled(table, number, at, name, version, dealer, outcome)


def _settled(
    table: str, number: int, at: int, name: str, version: int, dealer: str, outcome: WagerOutcome
) -> SettledRound:
    """It lasts half a minute, and has the event before it in it."""
    return SettledRound(
        table=table,
        round=name,
        version=version,
        cause="",
        status=RoundStatus.SETTLED,
        game="skweezit",
        context=RoundContext("", dealer, "", (), "", ShoeKind.SHOE, 6, (), 0, shoe_complete=False),
        opened_at=at,
        closed_at=at + MINUTE // 2,
        first_seq=number - 10,
        last_seq=number,
        dealer=(),
        hands=(),
        outcomes=(outcome,),
        findings=(),
        engine="",
    )


def _outcome(
    result: Result,
    *,
    owed: int = 0,
    paid: int = 0,
    payment: Payment = Payment.EXACT,
    patron: str = "",
    coupon: str = "",
    coupon_cents: int = 0,
    coupon_promotion: str = "",
    coupon_spent: bool = False,
) -> WagerOutcome:
    return WagerOutcome(
        seat=3,
        hand=1,
        wager="main",
        stake_cents=10_00,
        result=result,
        outcome="",
        clause="",
        arithmetic="",
        owed_cents=owed,
        owed_cents_least=owed,
        owed_cents_most=owed,
        taken_cents=0,
        paid_cents=paid,
        collected_cents=0,
        returned_cents=0,
        difference_cents=paid - owed,
        payment=payment,
        patron=patron,
        coupon=coupon,
        coupon_cents=coupon_cents,
        coupon_promotion=coupon_promotion,
        coupon_spent=coupon_spent,
    )
