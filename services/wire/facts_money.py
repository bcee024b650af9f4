"""Facts of money outside a round, from the wire and back."""

from __future__ import annotations

from typing import Final

from blackjack.facts import (
    ChipsExchanged,
    ChipsRedeemed,
    ChipsSold,
    CreditAccepted,
    CreditSent,
    DropBoxRemoved,
    DropCount,
    DropCounted,
    FillIssued,
    FillReceived,
    Tender,
    TicketIssued,
    TipDropped,
    TrayObserved,
)
from casino.table.v1 import facts_money_pb2 as pb
from wire.codec import Codec
from wire.vocabulary import enumeration, read_inventory, write_inventory

TENDERS, TENDER_NUMBERS = enumeration("tender", Tender, pb.Tender, default=Tender.CASH)


def read_chips_sold(message: pb.ChipsSold) -> ChipsSold:
    return ChipsSold(
        message.cents, TENDERS[message.tender], message.patron, message.seat, message.note
    )


def write_chips_sold(fact: ChipsSold) -> pb.ChipsSold:
    return pb.ChipsSold(
        cents=fact.cents,
        tender=TENDER_NUMBERS[fact.tender],
        patron=fact.patron,
        seat=fact.seat,
        note=fact.note,
    )


def read_chips_exchanged(message: pb.ChipsExchanged) -> ChipsExchanged:
    return ChipsExchanged(message.cents, message.patron, message.seat)


def write_chips_exchanged(fact: ChipsExchanged) -> pb.ChipsExchanged:
    return pb.ChipsExchanged(cents=fact.cents, patron=fact.patron, seat=fact.seat)


def read_ticket_issued(message: pb.TicketIssued) -> TicketIssued:
    return TicketIssued(message.cents, message.ticket, message.patron, message.seat)


def write_ticket_issued(fact: TicketIssued) -> pb.TicketIssued:
    return pb.TicketIssued(cents=fact.cents, ticket=fact.ticket, patron=fact.patron, seat=fact.seat)


def read_tray_observed(message: pb.TrayObserved) -> TrayObserved:
    return TrayObserved(read_inventory(message.inventory))


def write_tray_observed(fact: TrayObserved) -> pb.TrayObserved:
    return pb.TrayObserved(inventory=write_inventory(fact.inventory))


def read_fill_received(message: pb.FillReceived) -> FillReceived:
    return FillReceived(message.slip, read_inventory(message.inventory), tuple(message.signers))


def write_fill_received(fact: FillReceived) -> pb.FillReceived:
    return pb.FillReceived(
        slip=fact.slip, inventory=write_inventory(fact.inventory), signers=fact.signers
    )


def read_credit_sent(message: pb.CreditSent) -> CreditSent:
    return CreditSent(message.slip, read_inventory(message.inventory), tuple(message.signers))


def write_credit_sent(fact: CreditSent) -> pb.CreditSent:
    return pb.CreditSent(
        slip=fact.slip, inventory=write_inventory(fact.inventory), signers=fact.signers
    )


def read_drop_box_removed(message: pb.DropBoxRemoved) -> DropBoxRemoved:
    return DropBoxRemoved(message.box, tuple(message.signers))


def write_drop_box_removed(fact: DropBoxRemoved) -> pb.DropBoxRemoved:
    return pb.DropBoxRemoved(box=fact.box, signers=fact.signers)


def read_tip_dropped(message: pb.TipDropped) -> TipDropped:
    return TipDropped(message.cents, message.seat)


def write_tip_dropped(fact: TipDropped) -> pb.TipDropped:
    return pb.TipDropped(cents=fact.cents, seat=fact.seat)


def read_fill_issued(message: pb.FillIssued) -> FillIssued:
    return FillIssued(message.slip, read_inventory(message.inventory), tuple(message.signers))


def write_fill_issued(fact: FillIssued) -> pb.FillIssued:
    return pb.FillIssued(
        slip=fact.slip, inventory=write_inventory(fact.inventory), signers=fact.signers
    )


def read_credit_accepted(message: pb.CreditAccepted) -> CreditAccepted:
    return CreditAccepted(message.slip, read_inventory(message.inventory), tuple(message.signers))


def write_credit_accepted(fact: CreditAccepted) -> pb.CreditAccepted:
    return pb.CreditAccepted(
        slip=fact.slip, inventory=write_inventory(fact.inventory), signers=fact.signers
    )


def read_drop_counted(message: pb.DropCounted) -> DropCounted:
    return DropCounted(
        message.box,
        tuple(DropCount(each.kind, each.denomination_cents, each.count) for each in message.counts),
        tuple(message.team),
    )


def write_drop_counted(fact: DropCounted) -> pb.DropCounted:
    return pb.DropCounted(
        box=fact.box,
        counts=[
            pb.DropCount(
                kind=each.kind, denomination_cents=each.denomination_cents, count=each.count
            )
            for each in fact.counts
        ],
        team=fact.team,
    )


def read_chips_redeemed(message: pb.ChipsRedeemed) -> ChipsRedeemed:
    return ChipsRedeemed(message.cents, message.patron, message.seat, message.note)


def write_chips_redeemed(fact: ChipsRedeemed) -> pb.ChipsRedeemed:
    return pb.ChipsRedeemed(cents=fact.cents, patron=fact.patron, seat=fact.seat, note=fact.note)


CODECS: Final = (
    Codec(ChipsSold, read_chips_sold, write_chips_sold),
    Codec(ChipsExchanged, read_chips_exchanged, write_chips_exchanged),
    Codec(TicketIssued, read_ticket_issued, write_ticket_issued),
    Codec(TrayObserved, read_tray_observed, write_tray_observed),
    Codec(FillReceived, read_fill_received, write_fill_received),
    Codec(CreditSent, read_credit_sent, write_credit_sent),
    Codec(DropBoxRemoved, read_drop_box_removed, write_drop_box_removed),
    Codec(TipDropped, read_tip_dropped, write_tip_dropped),
    Codec(FillIssued, read_fill_issued, write_fill_issued),
    Codec(CreditAccepted, read_credit_accepted, write_credit_accepted),
    Codec(DropCounted, read_drop_counted, write_drop_counted),
    Codec(ChipsRedeemed, read_chips_redeemed, write_chips_redeemed),
)
