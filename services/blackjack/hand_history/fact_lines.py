"""The line forms of the plain facts, one row each.

Cards that are dealt and turned, and what players do, are in `card_lines`; rule sets and
promotions, which take several lines, in `block_lines`.
"""

from __future__ import annotations

from typing import Final

from blackjack import facts as f
from blackjack.hand_history.forms import (
    Field,
    Form,
    Option,
    SpotField,
    TermsName,
    clause,
    flag,
    form,
)
from blackjack.hand_history.values import (
    CARD,
    CARDS,
    CHIPS,
    DROP,
    INTEGER,
    KNOWN_CARD,
    MONEY,
    NAME,
    SEQUENCE,
    TEXT,
    TIME,
    listed,
    one_of,
)

_SEAT: Final = SpotField(has_hand=False)
_SPOT: Final = SpotField()
_TIP: Final = flag("tip", "tip")
_PATRON: Final = clause("patron", "patron", TEXT)
_AT_SEAT: Final = clause("seat", "seat", INTEGER)
_NOTE: Final = clause("note", "note", TEXT)
_REASON: Final = clause("reason", "reason", TEXT)
_CHIPS: Final = clause("chips", "inventory", listed(CHIPS))
_SIGNED: Final = clause("signed by", "signers", listed(TEXT))
_INDEX: Final = clause("index", "shoe_index", INTEGER)
_EXPIRES: Final = clause("expires", "expires_at", TIME)
_OBSERVES: Final = clause("observes", "observes", listed(one_of(f.Observation)))
_WAGER: Final = Field("wager", NAME)
_CENTS: Final = Field("cents", MONEY)
_BY: Final = Field("supervisor", TEXT)


def _moved(kind: type[f.WagerPaid | f.WagerCollected | f.WagerReturned], lead: str) -> Form:
    return form(kind, lead, _SPOT, _WAGER, _CENTS, options=(_TIP,), listed=True)


def _slip(
    kind: type[f.FillReceived | f.FillIssued | f.CreditSent | f.CreditAccepted], lead: str
) -> Form:
    # `inventory` has no default there: a slip without chips is one with none
    return form(kind, lead, Field("slip", TEXT), options=(_CHIPS, _SIGNED))


_TABLE_SLIP: Final[tuple[Option, ...]] = (_CHIPS, clause("slip", "slip", TEXT), _SIGNED)

FORMS: Final[tuple[Form, ...]] = (
    # the table
    form(f.TableOpened, "open table", options=_TABLE_SLIP),
    form(f.TableClosed, "close table", options=_TABLE_SLIP),
    form(f.DealerArrived, "dealer arrives", Field("licence", TEXT)),
    form(f.DealerLeft, "dealer leaves", Field("licence", TEXT)),
    form(f.SupervisorAssigned, "supervisor", Field("licence", TEXT)),
    # the shoe
    form(
        f.ShoeLoaded,
        "shoe",
        Field("shoe", TEXT),
        "decks",
        Field("decks", INTEGER),
        options=(
            flag("continuous", "kind", f.ShoeKind.CONTINUOUS),
            flag("dealing_machine", "kind", f.ShoeKind.DEALING_MACHINE),
        ),
    ),
    form(
        f.ShuffleCompleted,
        "shuffle",
        options=(clause("cards", "cards", INTEGER), clause("fault", "fault", TEXT)),
    ),
    form(f.CardBurned, "burn", Field("card", CARD), options=(_INDEX,), listed=True),
    form(f.CutCardReached, "cut card"),
    form(
        f.ShoeCounted,
        "count shoe",
        Field("remaining", INTEGER),
        options=(clause("cards", "cards", CARDS),),
    ),
    # the round
    form(f.RoundOpened, "round", Field("round", TEXT)),
    form(
        f.WagerPlaced,
        "bet",
        _SEAT,
        _WAGER,
        _CENTS,
        options=(_PATRON, clause("coupon", "coupon", TEXT), _TIP),
        listed=True,
    ),
    form(f.WagerChanged, "change", _SPOT, _WAGER, "to", _CENTS, options=(_TIP,), listed=True),
    form(f.BetsClosed, "no more bets"),
    form(f.UpcardReplaced, "replace up card", Field("card", CARD), options=(_INDEX,)),
    form(f.HoleCardRevealed, "dealer shows", Field("card", CARD)),
    form(f.CardsRemoved, "remove cards", _SPOT, listed=True),
    _moved(f.WagerPaid, "pay"),
    _moved(f.WagerCollected, "collect"),
    _moved(f.WagerReturned, "return"),
    form(f.RoundVoided, "void round", Field("reason", TEXT), "by", _BY),
    form(f.RoundClosed, "close round"),
    form(
        f.SettlementCorrected,
        "correct round",
        Field("round", TEXT),
        _SPOT,
        _WAGER,
        _CENTS,
        "reason",
        Field("reason", TEXT),
        "by",
        _BY,
        options=(_TIP,),
    ),
    # money
    form(
        f.ChipsSold,
        "sell chips",
        _CENTS,
        options=(
            *(flag(tender, "tender", tender) for tender in f.Tender if tender is not f.Tender.CASH),
            _PATRON,
            _AT_SEAT,
            _NOTE,
        ),
    ),
    form(f.ChipsExchanged, "exchange chips", _CENTS, options=(_PATRON, _AT_SEAT)),
    form(
        f.TicketIssued,
        "issue ticket",
        _CENTS,
        options=(clause("number", "ticket", TEXT), _PATRON, _AT_SEAT),
    ),
    form(f.TrayObserved, "tray", options=(_CHIPS,)),
    _slip(f.FillReceived, "receive fill"),
    _slip(f.CreditSent, "send credit"),
    form(f.DropBoxRemoved, "remove box", Field("box", TEXT), options=(_SIGNED,)),
    form(f.TipDropped, "tip", _CENTS, options=(_AT_SEAT,)),
    _slip(f.FillIssued, "issue fill"),
    _slip(f.CreditAccepted, "accept credit"),
    form(
        f.DropCounted,
        "count drop",
        Field("box", TEXT),
        options=(clause("found", "counts", listed(DROP)), clause("team", "team", listed(TEXT))),
    ),
    form(f.ChipsRedeemed, "redeem chips", _CENTS, options=(_PATRON, _AT_SEAT, _NOTE)),
    # patrons
    form(f.PatronSeated, "sit", _SEAT, "patron", Field("patron", TEXT)),
    form(f.PatronLeft, "leave", _SEAT, options=(_PATRON,)),
    form(
        f.RatingRecorded,
        "rate",
        Field("patron", TEXT),
        options=(
            _AT_SEAT,
            clause("average", "average_wager_cents", MONEY),
            clause("minutes", "minutes", INTEGER),
        ),
    ),
    # promotions
    form(
        f.CouponIssued,
        "issue coupon",
        Field("serial", TEXT),
        TermsName(),
        options=(_PATRON, _EXPIRES),
    ),
    form(f.CouponVoided, "void coupon", Field("serial", TEXT), options=(_REASON,)),
    form(f.CouponExpired, "expire coupon", Field("serial", TEXT)),
    form(
        f.CouponPresented,
        "present coupon",
        Field("serial", TEXT),
        "on",
        _SEAT,
        _WAGER,
        TermsName(),
        options=(_PATRON, _EXPIRES),
    ),
    form(f.CouponDropped, "drop coupon", Field("serial", TEXT), options=(_AT_SEAT,)),
    # devices
    form(f.DeviceJoined, "join device", Field("device", TEXT), options=(_OBSERVES,)),
    form(f.DeviceFaulted, "fault device", Field("device", TEXT), options=(_REASON, _OBSERVES)),
    form(f.DeviceRecovered, "recover device", Field("device", TEXT)),
    form(
        f.ReadCorrected,
        "correct reading",
        Field("corrects_seq", SEQUENCE),
        "is",
        Field("card", KNOWN_CARD),
        options=(_REASON,),
    ),
    form(
        f.GapDeclared,
        "declare gap",
        Field("first_seq", SEQUENCE),
        "to",
        Field("last_seq", SEQUENCE),
        options=(_REASON,),
    ),
    form(f.ControllerRestarted, "restart controller", options=(_REASON,)),
    form(f.HeartbeatSent, "heartbeat"),
)
